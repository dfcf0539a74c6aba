#include "traces/files/merged.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/lines.h"
#include "common/mem.h"
#include "traces/files/comment.h"
#include "traces/files/source.h"

struct split {
  struct spool *spool;
  const char *name; /* of the merged file */
  uint64_t line;
  uint32_t first, ranks;
  /* Numbered `# haichi:` lines, which belong to the rank of the next line. */
  char *comments;
  size_t size, room;
};

/* Parses the first word as a rank.  Fails on leading zeros: smpirun would match 01 with no rank. */
static bool rank_of(const char *text, size_t n, uint32_t *rank)
{
  uint32_t value = 0;
  size_t i = 0;
  for (; i < n && text[i] >= '0' && text[i] <= '9'; i++)
    if ((value = value * 10 + (uint32_t)(text[i] - '0')) > SOURCE_RANKS_MAX)
      return false;
  *rank = value;
  const bool canonical = i == 1 || (i > 1 && *text != '0');
  return canonical && (i == n || lines_is_blank(text[i])) && value < SOURCE_RANKS_MAX;
}

static enum status add_ranks(struct split *to, uint32_t rank, struct err *e)
{
  while (to->ranks <= rank) {
    uint32_t stream;
    if (spool_add(to->spool, &stream, e) != OK)
      return FAIL;
    if (to->ranks++ == 0)
      to->first = stream;
  }
  return OK;
}

/* Writes "NUMBER " so that it ends at @p end, and returns its beginning. */
static const char *number_prefix(uint64_t line, char *end)
{
  *--end = ' ';
  do {
    *--end = (char)('0' + line % 10);
    line /= 10;
  } while (line > 0);
  return end;
}

/* Appends the kept comments and the line to the stream of the line's rank; overwrites text[n]. */
static enum status put_line(struct split *to, char *text, size_t n, struct err *e)
{
  uint32_t rank;
  if (!rank_of(text, n, &rank)) {
    text[n] = '\0';
    text[strcspn(text, " \t\r")] = '\0';
    return err_at(e, to->name, to->line, "'%.64s' is not a rank below %d", text, SOURCE_RANKS_MAX);
  }
  if (add_ranks(to, rank, e) != OK)
    return FAIL;
  char prefix[24];
  const char *number = number_prefix(to->line, prefix + sizeof prefix);
  text[n] = '\n';
  const uint32_t stream = to->first + rank;
  const size_t comments = to->size;
  to->size = 0;
  if (comments > 0 && spool_append(to->spool, stream, to->comments, comments, e) != OK)
    return FAIL;
  if (spool_append(to->spool, stream, number, (size_t)(prefix + sizeof prefix - number), e) != OK)
    return FAIL;
  return spool_append(to->spool, stream, text, n + 1, e);
}

/* Keeps a comment for the rank of the next line. */
static enum status put_comment(struct split *to, const char *text, size_t n, struct err *e)
{
  char prefix[24];
  const char *number = number_prefix(to->line, prefix + sizeof prefix);
  const size_t digits = (size_t)(prefix + sizeof prefix - number);
  if (to->size + n > LINES_LONGEST)
    return err_at(e, to->name, to->line, "more than %d bytes of comments before a rank's line",
                  LINES_LONGEST);
  if (MEM_GROW(to->comments, to->room, to->size + digits + n + 1, e) != OK)
    return FAIL;
  memcpy(to->comments + to->size, number, digits);
  memcpy(to->comments + to->size + digits, text, n);
  to->comments[to->size + digits + n] = '\n';
  to->size += digits + n + 1;
  return OK;
}

static enum status split_lines(struct split *to, const struct lines_input *in, struct lines *l,
                               struct err *e)
{
  for (;;) {
    char *text;
    size_t n = 0;
    if (lines_next(l, in, &text, &n, e) != OK)
      return FAIL;
    if (text == NULL)
      return to->size == 0 ? OK
                           : err_at(e, to->name, to->line, "no rank's line follows this comment");
    while (n > 0 && lines_is_blank(*text))
      text++, n--;
    const bool comment = n > 0 && *text == '#';
    if (n == 0 || (comment && !comment_has_key(text, n)))
      continue;
    to->line = l->line;
    if ((comment ? put_comment(to, text, n, e) : put_line(to, text, n, e)) != OK)
      return FAIL;
  }
}

enum status merged_split(const struct lines_input *in, struct spool *s, uint32_t *first,
                         uint32_t *ranks, struct err *e)
{
  struct split to = {.spool = s, .name = in->name};
  struct lines l = {.room = 65536};
  enum status status = split_lines(&to, in, &l, e);
  lines_clear(&l);
  free(to.comments);
  for (uint32_t r = 0; status == OK && r < to.ranks; r++) {
    status = spool_flush(s, to.first + r, e);
    if (status == OK && spool_start(s, to.first + r).next == 0)
      status = err_set(e, "%s: no line of rank %u, but there are lines of rank %u", in->name, r,
                       to.ranks - 1);
  }
  if (status == OK && to.ranks == 0)
    status = err_set(e, "%s: no actions", in->name);
  if (status != OK)
    return FAIL;
  *first = to.first;
  *ranks = to.ranks;
  return OK;
}
