#include "traces/matrix/formats/head.h"

#include <float.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/num.h"

bool matrix_head_line(const struct matrix_head *h, const char **text, struct matrix_span *line)
{
  if (**text == '\0')
    return false;
  const size_t n = strcspn(*text, "\n");
  const bool ends = (*text)[n] == '\n';
  *line = (struct matrix_span){*text, n > 0 && (*text)[n - 1] == '\r' ? n - 1 : n};
  *text += n + ends;
  return ends || h->whole;
}

static bool is_content(struct matrix_span line, const char *comments)
{
  struct matrix_span word;
  return matrix_span_word(&line, &word) && strchr(comments, *word.at) == NULL;
}

struct matrix_span matrix_head_first(const struct matrix_head *h, const char *comments)
{
  const char *text = h->text;
  struct matrix_span line = {text, 0};
  for (bool more = true; more;) {
    more = matrix_head_line(h, &text, &line);
    if (is_content(line, comments))
      return line;
  }
  return (struct matrix_span){text, 0};
}

bool matrix_head_is(const struct matrix_head *h, const char *header)
{
  const char *text = h->text;
  struct matrix_span line;
  char copy[64];
  return matrix_head_line(h, &text, &line) && matrix_span_text(line, copy) &&
         linefile_is_header(copy, header);
}

bool matrix_span_word(struct matrix_span *line, struct matrix_span *word)
{
  size_t begin = 0, end;
  while (begin < line->length && (line->at[begin] == ' ' || line->at[begin] == '\t'))
    begin++;
  for (end = begin; end < line->length && line->at[end] != ' ' && line->at[end] != '\t';)
    end++;
  *word = (struct matrix_span){line->at + begin, end - begin};
  *line = (struct matrix_span){line->at + end, line->length - end};
  return word->length > 0;
}

size_t matrix_span_words(struct matrix_span line)
{
  struct matrix_span word;
  size_t n = 0;
  while (matrix_span_word(&line, &word))
    n++;
  return n;
}

bool matrix_span_text(struct matrix_span word, char text[64])
{
  if (word.length > 63)
    return false;
  memcpy(text, word.at, word.length);
  text[word.length] = '\0';
  return true;
}

/* True if all words of the line are numbers.  Ignores a last word that may continue after the end
 * of the text. */
static bool are_numbers(const struct matrix_head *h, struct matrix_span line)
{
  struct matrix_span word;
  char text[64];
  double number;
  struct err unused;
  size_t n = 0;
  for (; matrix_span_word(&line, &word); n++) {
    if (!h->whole && word.at[word.length] == '\0')
      break;
    if (!matrix_span_text(word, text) ||
        num_double(text, -DBL_MAX, DBL_MAX, &number, &unused) != OK)
      return false;
  }
  return n > 0;
}

struct matrix_rows matrix_head_rows(const struct matrix_head *h)
{
  const struct matrix_span first = matrix_head_first(h, "#%");
  struct matrix_rows r = {.numbers = are_numbers(h, first)};
  if (!r.numbers)
    return r;
  r.width = matrix_span_words(first);
  const char *text = h->text;
  for (struct matrix_span line; matrix_head_line(h, &text, &line);)
    r.rows += is_content(line, "#%");
  r.square = h->whole && r.rows == r.width;
  return r;
}
