/* SMPI's time-independent traces: an index, a merged file, a folder or an archive of text files. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/files/lines.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/files/comment.h"
#include "traces/files/parse.h"
#include "traces/files/source.h"
#include "traces/format.h"

/* Bytes of read buffers: of all ranks together; minimum and maximum of one rank; minimum of a rank
 * with a file known to be short. */
enum { BUFFERS = 1 << 26, BUFFER_MIN = 4095, BUFFER_MAX = 65535, BUFFER_SHORT = 1023 };

/* The reader of one rank. */
struct stream {
  struct lines lines;
  struct text_cursor cursor;
  struct action_reader reader;
};

struct smpi {
  struct trace trace;
  struct source *source;
  struct stream *stream;     /* by rank */
  struct action_words words; /* of the current line */
  struct comm_table comms;
};

static bool sniff(const char *path)
{
  (void)path;
  return true;
}

/* Size of the rank's read buffer in bytes.  For a short file, one byte more than the file, so that
 * the first read also reaches its end. */
static size_t buffer_size(const struct smpi *t, uint32_t rank)
{
  const size_t share = BUFFERS / t->trace.ranks;
  const size_t most = share < BUFFER_MIN ? BUFFER_MIN : share > BUFFER_MAX ? BUFFER_MAX : share;
  const uint64_t size = source_size(t->source, rank);
  if (size == 0 || size >= most)
    return most;
  return size < BUFFER_SHORT ? BUFFER_SHORT : (size_t)size + 1;
}

static void rewind_streams(struct trace *trace)
{
  struct smpi *t = (struct smpi *)trace;
  comm_table_clear(&t->comms);
  for (uint32_t r = 0; r < trace->ranks; r++) {
    struct stream *s = &t->stream[r];
    lines_clear(&s->lines);
    action_reader_reset(&s->reader);
    s->cursor = source_start(t->source, r);
  }
}

static enum status open_streams(struct smpi *t, struct err *e)
{
  const uint32_t ranks = t->trace.ranks = source_ranks(t->source);
  if ((t->stream = mem_array(ranks, sizeof *t->stream, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < ranks; r++) {
    t->stream[r].lines.room = buffer_size(t, r);
    t->stream[r].reader = (struct action_reader){.rank = r, .ranks = ranks, .comms = &t->comms};
  }
  rewind_streams(&t->trace);
  return OK;
}

static void close_smpi(struct trace *trace)
{
  struct smpi *t = (struct smpi *)trace;
  for (uint32_t r = 0; t->stream != NULL && r < trace->ranks; r++) {
    lines_clear(&t->stream[r].lines);
    action_reader_clear(&t->stream[r].reader);
  }
  free(t->stream);
  source_free(t->source);
  comm_table_clear(&t->comms);
  free(t->words.word);
}

static enum status open_smpi(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct smpi *t = (struct smpi *)trace;
  return source_open(&t->source, trace->name, unpack_limit, e) == OK ? open_streams(t, e) : FAIL;
}

static const char *file_of(const struct trace *t, uint32_t rank)
{
  return source_file(((const struct smpi *)t)->source, rank);
}

static const char *input(const struct trace *t, size_t i)
{
  return source_input(((const struct smpi *)t)->source, i);
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

/* Fails unless @p word is @p rank without leading zeros: smpirun compares ranks as strings. */
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
static enum status read_line(struct smpi *t, uint32_t rank, struct line *l, struct err *e)
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

static enum status end_stream(struct smpi *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct stream *s = &t->stream[rank];
  if (comment_finish(&s->reader, e) != OK)
    return err_place(e, source_file(t->source, rank), s->lines.line);
  lines_clear(&s->lines);
  *a = NULL;
  return OK;
}

static enum status next(struct trace *trace, uint32_t rank, const struct action **a, struct err *e)
{
  struct smpi *t = (struct smpi *)trace;
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
      return err_place(e, source_file(t->source, rank), l.number);
  } while (l.action == NULL);
  trace->rank[rank].record = l.number;
  *a = l.action;
  return OK;
}

const struct trace_format trace_smpi = {
    .name = "smpi",
    .bytes = sizeof(struct smpi),
    .sniff = sniff,
    .open = open_smpi,
    .close = close_smpi,
    .next = next,
    .rewind = rewind_streams,
    .file = file_of,
    .input = input,
};
