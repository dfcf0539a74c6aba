#include "traces/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/lines.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/files/comment.h"
#include "traces/files/parse.h"
#include "traces/files/source.h"
#include "traces/generators/generated.h"
#include "traces/generators/generator.h"

/* Bytes of read buffers: of all ranks together; minimum and maximum of one rank; minimum of a rank
 * with a file known to be short. */
enum { BUFFERS = 1 << 26, BUFFER_MIN = 4095, BUFFER_MAX = 65535, BUFFER_SHORT = 1023 };

/* The reader of one rank. */
struct stream {
  struct lines lines;
  struct text_cursor cursor;
  struct action_reader reader;
  uint64_t line;    /* of the last action */
  uint64_t counted; /* number of actions so far with action_is_counted(), if the trace is cut */
  uint64_t marks;   /* number of marks so far, if the trace is cut */
  bool held;        /* `action` was read already and is given next */
  struct action mark;
  const struct action *action; /* last one read, if the trace is cut or held; NULL: the end */
};

struct trace {
  char *name;
  struct generated *generated; /* NULL for a trace of files; if set, no source and no streams */
  struct source *source;
  struct stream *stream;
  uint32_t ranks;
  struct action_words words; /* of the current line */
  struct comm_table comms;
  struct trace_cut *cut; /* by rank; NULL unless marks are added */
  uint64_t iterations;   /* number of marked iterations */
};

/* Bytes of the rank's read buffer: one more than a short file has, so that the first read also
 * reaches its end. */
static size_t buffer_size(const struct trace *t, uint32_t rank)
{
  const size_t share = BUFFERS / t->ranks;
  const size_t most = share < BUFFER_MIN ? BUFFER_MIN : share > BUFFER_MAX ? BUFFER_MAX : share;
  const uint64_t size = source_size(t->source, rank);
  if (size == 0 || size >= most)
    return most;
  return size < BUFFER_SHORT ? BUFFER_SHORT : (size_t)size + 1;
}

static enum status open_streams(struct trace *t, struct err *e)
{
  t->ranks = source_ranks(t->source);
  if ((t->stream = mem_array(t->ranks, sizeof *t->stream, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < t->ranks; r++) {
    t->stream[r].lines.room = buffer_size(t, r);
    t->stream[r].reader = (struct action_reader){.rank = r, .ranks = t->ranks, .comms = &t->comms};
    action_reader_reset(&t->stream[r].reader);
    t->stream[r].cursor = source_start(t->source, r);
  }
  return OK;
}

static enum status open_files(struct trace *t, uint64_t unpack_limit, struct err *e)
{
  return source_open(&t->source, t->name, unpack_limit, e) == OK ? open_streams(t, e) : FAIL;
}

static enum status open_spec(struct trace *t, struct err *e)
{
  if (generated_open(&t->generated, t->name, e) != OK)
    return FAIL;
  t->ranks = generated_ranks(t->generated);
  return OK;
}

enum status trace_open(struct trace **out, const char *path, uint64_t unpack_limit, struct err *e)
{
  struct trace *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  if ((t->name = mem_strdup(path, e)) == NULL ||
      (generator_is_spec(path) ? open_spec(t, e) : open_files(t, unpack_limit, e)) != OK) {
    trace_free(t);
    return FAIL;
  }
  *out = t;
  return OK;
}

void trace_free(struct trace *t)
{
  if (t == NULL)
    return;
  for (uint32_t r = 0; t->stream != NULL && r < t->ranks; r++) {
    lines_clear(&t->stream[r].lines);
    action_reader_clear(&t->stream[r].reader);
  }
  free(t->stream);
  generated_free(t->generated);
  source_free(t->source);
  comm_table_clear(&t->comms);
  free(t->words.word);
  free(t->cut);
  free(t->name);
  free(t);
}

uint32_t trace_ranks(const struct trace *t)
{
  return t->ranks;
}

uint64_t trace_pairs(const struct trace *t)
{
  return t->generated != NULL ? generated_pairs(t->generated) : 0;
}

const char *trace_name(const struct trace *t)
{
  return t->name;
}

const char *trace_input(const struct trace *t, size_t i)
{
  return t->generated != NULL ? NULL : source_input(t->source, i);
}

const char *trace_file(const struct trace *t, uint32_t rank)
{
  assert(rank < t->ranks);
  return t->generated != NULL ? t->name : source_file(t->source, rank);
}

uint64_t trace_line(const struct trace *t, uint32_t rank)
{
  assert(rank < t->ranks);
  return t->generated != NULL ? generated_line(t->generated, rank) : t->stream[rank].line;
}

void trace_rewind(struct trace *t)
{
  comm_table_clear(&t->comms);
  if (t->generated != NULL)
    generated_rewind(t->generated);
  for (uint32_t r = 0; t->stream != NULL && r < t->ranks; r++) {
    struct stream *s = &t->stream[r];
    lines_clear(&s->lines);
    action_reader_reset(&s->reader);
    s->cursor = source_start(t->source, r);
    s->line = s->counted = s->marks = 0;
    s->held = false;
  }
}

void trace_fold(struct trace *t)
{
  trace_rewind(t);
  if (t->generated != NULL)
    generated_fold(t->generated);
}

uint64_t trace_weight(const struct trace *t, uint32_t rank)
{
  return t->generated != NULL ? generated_weight(t->generated, rank) : 1;
}

/* Strips the line number from the beginning of a line, see source_numbered(). */
static uint64_t take_number(char **text, size_t *length)
{
  uint64_t value = 0;
  size_t n = 0;
  while (n < *length && (*text)[n] >= '0' && (*text)[n] <= '9')
    value = value * 10 + (uint64_t)((*text)[n++] - '0');
  *text += n;
  *length -= n;
  return value;
}

/* Fails on leading zeros too: smpirun compares ranks as strings, and 01 would match none. */
static enum status check_rank(const char *word, uint32_t rank, struct err *e)
{
  uint32_t number;
  uint64_t named;
  struct err why;
  if (num_short(word, &number))
    named = number;
  else if (num_u64(word, UINT32_MAX, &named, &why) != OK)
    return err_set(e, "the rank: %s", why.text);
  if (named != rank)
    return err_set(e, "a line of rank %" PRIu64 " in the file of rank %" PRIu32, named, rank);
  if (*word == '0' && word[1] != '\0')
    return err_set(e, "the rank: '%.64s' begins with a zero", word);
  return OK;
}

struct line {
  char *text;
  size_t length;
  uint64_t number;             /* in the file */
  const struct action *action; /* parsed from the line; NULL: none */
};

/* Parses the line and sets l->action. */
static enum status read_line(struct trace *t, uint32_t rank, struct line *l, struct err *e)
{
  char *text = l->text;
  size_t length = l->length;
  for (; length > 0 && lines_is_blank(*text); length--)
    text++;
  text[length] = '\0';
  struct action_reader *r = &t->stream[rank].reader;
  if (*text == '#')
    return comment_parse(r, &(struct comment){text, length, &t->words}, &l->action, e);
  l->action = NULL;
  if (length == 0)
    return OK;
  if (action_split(&t->words, text, length, e) != OK ||
      check_rank(t->words.word[0], rank, e) != OK ||
      action_parse(r, &t->words, &l->action, e) != OK)
    return FAIL;
  return l->action == NULL ? OK : comment_apply(r, e);
}

static enum status end_stream(struct trace *t, uint32_t rank, const struct action **a,
                              struct err *e)
{
  struct stream *s = &t->stream[rank];
  if (comment_finish(&s->reader, e) != OK)
    return err_at(e, trace_file(t, rank), s->lines.line, "%s", e->text);
  lines_clear(&s->lines);
  *a = NULL;
  return OK;
}

static enum status read_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct stream *s = &t->stream[rank];
  const struct lines_input in = {text_read, &s->cursor, s->cursor.text->name};
  struct line l;
  do {
    if (lines_next(&s->lines, &in, &l.text, &l.length, e) != OK)
      return FAIL;
    if (l.text == NULL)
      return end_stream(t, rank, a, e);
    l.number = source_numbered(t->source) ? take_number(&l.text, &l.length) : s->lines.line;
    if (read_line(t, rank, &l, e) != OK)
      return err_at(e, trace_file(t, rank), l.number, "%s", e->text);
  } while (l.action == NULL);
  s->line = l.number;
  *a = l.action;
  return OK;
}

/* --- marks and skipping ----------------------------------------------------------------------- */

struct trace_loop trace_loop(const struct trace *t)
{
  return t->generated != NULL ? generated_loop(t->generated) : (struct trace_loop){0};
}

void trace_cut(struct trace *t, struct trace_cut *cut, uint64_t iterations)
{
  assert(t->generated == NULL && t->cut == NULL);
  t->cut = cut;
  t->iterations = iterations;
}

/* Number of counted actions before the rank's next mark. */
static uint64_t next_mark(const struct trace *t, uint32_t rank)
{
  const struct stream *s = &t->stream[rank];
  const struct trace_cut *c = &t->cut[rank];
  return s->marks > t->iterations ? UINT64_MAX : c->first + c->length * s->marks;
}

/* Gives the next action, or the mark that is due before it. */
static enum status cut_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct stream *s = &t->stream[rank];
  if (!s->held && read_next(t, rank, &s->action, e) != OK)
    return FAIL;
  *a = s->action;
  if (s->action == NULL)
    return OK;
  s->held = action_is_counted(s->action->kind) && s->counted == next_mark(t, rank);
  if (s->held) {
    const uint64_t iteration = s->marks++ == t->iterations ? ACTION_MARK_END : s->marks;
    s->mark = (struct action){.kind = ACTION_MARK, .count = (int64_t)iteration};
    *a = &s->mark;
    return OK;
  }
  s->counted += action_is_counted(s->action->kind);
  return OK;
}

enum status trace_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  assert(rank < t->ranks);
  if (t->generated != NULL)
    return generated_next(t->generated, rank, a, e);
  if (t->cut != NULL)
    return cut_next(t, rank, a, e);
  struct stream *s = &t->stream[rank];
  if (!s->held)
    return read_next(t, rank, a, e);
  s->held = false;
  *a = s->action;
  return OK;
}

/* Reads up to the mark of iteration @p to, which trace_next() then gives. */
static enum status skip_marks(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  struct stream *s = &t->stream[rank];
  do {
    if (read_next(t, rank, &s->action, e) != OK)
      return FAIL;
    s->held =
        s->action != NULL && s->action->kind == ACTION_MARK && s->action->count == (int64_t)to;
    if (s->held)
      return OK;
  } while (s->action != NULL);
  return err_at(e, trace_file(t, rank), s->lines.line, "no mark of iteration %" PRIu64, to);
}

/* Reads up to the action that follows the mark of iteration @p to. */
static enum status skip_actions(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  struct stream *s = &t->stream[rank];
  s->marks = to == ACTION_MARK_END ? t->iterations : to - 1;
  const uint64_t target = next_mark(t, rank);
  while (!s->held || s->counted < target) {
    if (s->held)
      s->counted++;
    s->held = false;
    if (read_next(t, rank, &s->action, e) != OK)
      return FAIL;
    if (s->action == NULL)
      return err_at(e, trace_file(t, rank), s->lines.line, "ends before iteration %" PRIu64, to);
    s->held = action_is_counted(s->action->kind);
  }
  return OK;
}

enum status trace_skip(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  assert(rank < t->ranks);
  if (t->generated != NULL) {
    generated_skip(t->generated, rank, to);
    return OK;
  }
  return t->cut != NULL ? skip_actions(t, rank, to, e) : skip_marks(t, rank, to, e);
}
