#include "common/files/lines.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/utf8.h"

/* Moves the unread bytes to the front.  If a line fills the buffer, doubles the buffer, up to the
 * longest line plus its newline.  Keeps one more byte free for the terminator of the caller. */
static enum status make_room(struct lines *l, const struct lines_input *in, struct err *e)
{
  const size_t longest = l->longest == 0 ? LINES_LONGEST : l->longest;
  if (l->buffer == NULL) { /* not zeroed: a short file touches only the first page */
    size_t none = 0;
    return MEM_GROW(l->buffer, none, l->room + 1, e);
  }
  const size_t left = l->end - l->begin;
  memmove(l->buffer, l->buffer + l->begin, left);
  l->begin = 0;
  l->end = left;
  if (left < l->room)
    return OK;
  if (left > longest)
    return err_at(e, in->name, l->line + 1, "the line is longer than %zu bytes", longest);
  const size_t room = l->room > longest / 2 ? longest + 1 : 2 * l->room;
  void *grown = realloc(l->buffer, room + 1);
  if (grown == NULL)
    return err_set(e, "out of memory for a line of more than %zu bytes", l->room);
  l->buffer = grown;
  l->room = room;
  return OK;
}

static enum status refill(struct lines *l, const struct lines_input *in, struct err *e)
{
  size_t got = 0;
  if (make_room(l, in, e) != OK ||
      in->read(in->from, l->buffer + l->end, l->room - l->end, &got, e) != OK)
    return FAIL;
  l->end += got;
  l->ended = got == 0;
  return OK;
}

/* Skips the byte order mark of UTF-8 with which the input may begin.  True if there was one. */
static bool skip_mark(struct lines *l)
{
  if (l->line > 0 || l->begin > 0 || !utf8_has_mark(l->buffer, l->end))
    return false;
  l->begin = UTF8_MARK;
  return true;
}

enum status lines_next(struct lines *l, const struct lines_input *in, char **text, size_t *length,
                       struct err *e)
{
  size_t seen = 0;
  char *newline = NULL;
  for (;;) {
    const size_t n = l->end - l->begin;
    if (n > seen)
      newline = memchr(l->buffer + l->begin + seen, '\n', n - seen);
    if (newline != NULL || l->ended)
      break;
    seen = n;
    if (refill(l, in, e) != OK)
      return FAIL;
    if (skip_mark(l))
      seen = 0;
  }
  const size_t left = l->end - l->begin;
  if (newline == NULL && left == 0) {
    *text = NULL;
    return OK;
  }
  *text = l->buffer + l->begin;
  *length = newline != NULL ? (size_t)(newline - *text) : left;
  l->whole = newline != NULL;
  l->begin += *length + l->whole;
  l->line++;
  return OK;
}

enum status lines_peek(struct lines *l, const struct lines_input *in, const char **text,
                       size_t *length, struct err *e)
{
  while (!l->ended && (l->buffer == NULL || l->end - l->begin < l->room))
    if (refill(l, in, e) != OK)
      return FAIL;
  skip_mark(l);
  *text = l->buffer + l->begin;
  *length = l->end - l->begin;
  l->buffer[l->end] = '\0';
  return OK;
}

void lines_clear(struct lines *l)
{
  free(l->buffer);
  *l = (struct lines){.room = l->room, .longest = l->longest};
}
