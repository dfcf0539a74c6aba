#include "platforms/mapping/hostlist.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"

#define SEPARATORS ", \t\r\n"

/* Digits of a number in a bracket. */
enum { MOST_DIGITS = 18 };

/* A word whose brackets are being expanded. */
struct word {
  struct hostlist *out;
  const char *text;
  size_t length;
  char name[HOSTLIST_NAME_MAX + 1]; /* the beginning of the current name */
  size_t done;                      /* its length */
  struct err *e;
};

struct range {
  uint64_t first, last;
  int width; /* digits of the first number, zeros included */
};

void hostlist_clear(struct hostlist *l)
{
  for (size_t i = 0; i < l->count; i++)
    free(l->name[i]);
  free(l->name);
  *l = (struct hostlist){0};
}

/* Stores the error that the word has. */
static enum status fail(const struct word *w, const char *why)
{
  return err_set(w->e, "host list '%.*s': %s", (int)(w->length < 80 ? w->length : 80), w->text,
                 why);
}

/* --- brackets --------------------------------------------------------------------------------- */

/* Parses the digits at *text and moves *text past them. */
static enum status read_number(const struct word *w, const char **text, uint64_t *out)
{
  char digits[MOST_DIGITS + 1];
  const size_t n = strspn(*text, "0123456789");
  if (n == 0)
    return fail(w, "a bracket has numbers and ranges such as [0-3,7]");
  if (n > MOST_DIGITS)
    return fail(w, "a number has more than 18 digits");
  memcpy(digits, *text, n);
  digits[n] = '\0';
  *text += n;
  return num_u64(digits, UINT64_MAX, out, w->e);
}

/* Parses the range at *text and moves *text past it. */
static enum status read_range(const struct word *w, const char **text, struct range *r)
{
  const char *begin = *text;
  if (read_number(w, text, &r->first) != OK)
    return FAIL;
  r->width = (int)(*text - begin);
  r->last = r->first;
  if (**text == '-') {
    ++*text;
    if (read_number(w, text, &r->last) != OK)
      return FAIL;
  }
  if (r->last < r->first) {
    char why[96];
    snprintf(why, sizeof why, "range %" PRIu64 "-%" PRIu64 " ends before it begins", r->first,
             r->last);
    return fail(w, why);
  }
  return **text == ',' || **text == ']' ? OK : fail(w, "expected ',' or ']' after a number");
}

/* Adds up the numbers of the bracket that begins at *text, up to HOSTLIST_MOST + 1, and moves *text
 * past the bracket. */
static enum status count_bracket(const struct word *w, const char **text, uint64_t *count)
{
  struct range r;
  *count = 0;
  do {
    ++*text;
    if (read_range(w, text, &r) != OK)
      return FAIL;
    const uint64_t more = r.last - r.first;
    *count += more < HOSTLIST_MOST ? more + 1 : HOSTLIST_MOST + 1;
    *count = *count > HOSTLIST_MOST ? HOSTLIST_MOST + 1 : *count;
  } while (**text == ',');
  ++*text;
  return OK;
}

/* Checks the brackets of a word, and that its names fit in the list. */
static enum status check(const struct word *w)
{
  uint64_t names = 1, count;
  int brackets = 0;
  for (const char *p = w->text; p < w->text + w->length;) {
    if (*p == ']')
      return fail(w, "']' without '['");
    if (*p < '!' || *p > '~')
      return fail(w, "a character that is not printable ASCII");
    if (*p != '[') {
      p++;
      continue;
    }
    if (++brackets > HOSTLIST_BRACKETS_MAX)
      return fail(w, "more than 8 brackets");
    if (count_bracket(w, &p, &count) != OK)
      return FAIL;
    names = names > HOSTLIST_MOST ? names : names * count;
  }
  return names > HOSTLIST_MOST - w->out->count ? fail(w, "the list has more than 1048576 names")
                                               : OK;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Appends text to the current name. */
static enum status put(struct word *w, const char *text, size_t n)
{
  if (n > HOSTLIST_NAME_MAX - w->done)
    return fail(w, "a name has more than 127 bytes");
  memcpy(w->name + w->done, text, n);
  w->done += n;
  return OK;
}

static enum status keep(struct word *w)
{
  struct hostlist *l = w->out;
  w->name[w->done] = '\0';
  if (MEM_GROW(l->name, l->room, l->count + 1, w->e) != OK ||
      (l->name[l->count] = mem_strdup(w->name, w->e)) == NULL)
    return FAIL;
  l->count++;
  return OK;
}

static enum status expand(struct word *w, const char *from);

/* Expands the rest of the word for each number of the bracket at @p from. */
static enum status expand_bracket(struct word *w, const char *from)
{
  const char *end = strchr(from, ']') + 1;
  const size_t done = w->done;
  do {
    struct range r;
    from++;
    if (read_range(w, &from, &r) != OK)
      return FAIL;
    for (uint64_t i = r.first; i <= r.last; i++, w->done = done) {
      char digits[MOST_DIGITS + 2];
      const int n = snprintf(digits, sizeof digits, "%0*" PRIu64, r.width, i);
      if (put(w, digits, (size_t)n) != OK || expand(w, end) != OK)
        return FAIL;
    }
  } while (*from == ',');
  return OK;
}

/* Expands the rest of the word, from @p from on.  Recursive in the brackets. */
static enum status expand(struct word *w, const char *from)
{
  const char *end = w->text + w->length;
  const char *bracket = memchr(from, '[', (size_t)(end - from));
  const char *stop = bracket == NULL ? end : bracket;
  if (put(w, from, (size_t)(stop - from)) != OK)
    return FAIL;
  return bracket == NULL ? keep(w) : expand_bracket(w, bracket);
}

/* The length of the word at @p text.  Separators within a bracket belong to the word. */
static size_t word_length(const char *text)
{
  bool inside = false;
  size_t n = 0;
  for (; text[n] != '\0' && (inside || strchr(SEPARATORS, text[n]) == NULL); n++)
    inside = text[n] == '[' || (inside && text[n] != ']');
  return n;
}

enum status hostlist_parse(struct hostlist *out, const char *text, struct err *e)
{
  *out = (struct hostlist){0};
  for (text += strspn(text, SEPARATORS); *text != '\0'; text += strspn(text, SEPARATORS)) {
    struct word w = {.out = out, .text = text, .length = word_length(text), .e = e};
    if (check(&w) != OK || expand(&w, text) != OK) {
      hostlist_clear(out);
      return FAIL;
    }
    text += w.length;
  }
  return OK;
}
