/* GOAL as text: the group operation assembly language of Hoefler, Siebert and Lumsdaine ("Group
 * operation assembly language", 2009), as LogGOPSim reads it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/lines.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/files/bytes.h"
#include "traces/files/source.h"
#include "traces/graph/graph_trace.h"

/* Words of a line, braces and colons included; the longest statement has 14. */
enum { WORDS = 32, LINE_MAX_BYTES = 1 << 20, BUFFER = 1 << 16, SECTION_LEAST = 8, PEEK = 1 << 16 };

/* Where the operations of a rank are in the file. */
struct section {
  uint64_t offset, line; /* of the line of its "rank"; line 0: not seen */
  bool comment;          /* that line begins within a comment */
};

struct goal {
  struct graph_trace graph;
  struct bytes bytes;
  struct section *section; /* by rank */
};

/* Reads the words of the file line by line, without comments. */
struct reader {
  struct bytes_cursor cursor;
  struct lines lines;
  struct lines_input in;
  uint64_t line, offset; /* of the current line in the file */
  bool comment;          /* within a comment of several lines */
  bool began_in_comment; /* the current line did */
  const char *word[WORDS];
  uint32_t words;
};

/* A rank while it is read. */
struct rank {
  struct graph *graph;
  struct names labels;
  uint32_t *node; /* by label */
  size_t room;
  uint32_t ranks;
  uint64_t line;
};

/* --- words ------------------------------------------------------------------------------------ */

static void start(struct reader *r, const struct goal *t, uint64_t offset, uint64_t line)
{
  *r = (struct reader){.cursor = {&t->bytes, offset},
                       .lines = {.room = BUFFER, .longest = LINE_MAX_BYTES, .line = line}};
  r->in = (struct lines_input){bytes_next, NULL, t->graph.trace.name};
}

/* Overwrites comments with blanks. */
static void blank_comments(struct reader *r, char *text)
{
  for (char *c = text; *c != '\0'; c++) {
    if (!r->comment && c[0] == '/' && c[1] == '/') {
      *c = '\0';
      return;
    }
    const bool begin = !r->comment && c[0] == '/' && c[1] == '*';
    const bool end = r->comment && c[0] == '*' && c[1] == '/';
    if (begin || end) {
      r->comment = begin;
      c[0] = c[1] = ' ';
      c++;
    } else if (r->comment) {
      *c = ' ';
    }
  }
}

static bool is_mark(char c)
{
  return c == '{' || c == '}' || c == ':';
}

static enum status add_word(struct reader *r, const char *word, struct err *e)
{
  if (r->words == WORDS)
    return err_set(e, "more than %d words in a line", WORDS);
  r->word[r->words++] = word;
  return OK;
}

/* Splits a line into words; braces and colons are words of their own. */
static enum status split(struct reader *r, char *text, struct err *e)
{
  static const char MARKS[][2] = {"{", "}", ":"};
  r->words = 0;
  for (char *c = text; *c != '\0';) {
    const char first = *c;
    if (lines_is_blank(first)) {
      c++;
      continue;
    }
    if (is_mark(first)) {
      *c++ = '\0';
      if (add_word(r, MARKS[first == '{' ? 0 : first == '}' ? 1 : 2], e) != OK)
        return FAIL;
      continue;
    }
    if (add_word(r, c, e) != OK)
      return FAIL;
    c += strcspn(c, " \t\r{}:");
    if (lines_is_blank(*c))
      *c++ = '\0';
  }
  return OK;
}

/* Joins a size and its unit, "8 b"; a blank is between them in @p text. */
static void join_sizes(struct reader *r, char *text)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->words; i++) {
    const char *last = kept == 0 ? "" : r->word[kept - 1];
    const size_t n = strspn(last, "0123456789");
    if (strcmp(r->word[i], "b") != 0 || n == 0 || last[n] != '\0') {
      r->word[kept++] = r->word[i];
      continue;
    }
    char *end = text + (last - text) + n;
    end[0] = 'b';
    end[1] = '\0';
  }
  r->words = kept;
}

/* Reads the next line with words; *more is false at the end. */
static enum status next_line(struct reader *r, bool *more, struct err *e)
{
  char *text;
  size_t length;
  r->in.from = &r->cursor;
  do {
    r->offset = r->cursor.offset - (r->lines.end - r->lines.begin);
    if (lines_next(&r->lines, &r->in, &text, &length, e) != OK)
      return FAIL;
    r->line = r->lines.line;
    *more = text != NULL;
    if (text == NULL)
      return OK;
    text[length] = '\0';
    if (memchr(text, '\0', length) != NULL)
      return err_at(e, r->in.name, r->line, "a NUL character");
    r->began_in_comment = r->comment;
    blank_comments(r, text);
    if (split(r, text, e) != OK)
      return err_place(e, r->in.name, r->line);
    join_sizes(r, text);
  } while (r->words == 0);
  return OK;
}

static bool is(const struct reader *r, uint32_t i, const char *word)
{
  return i < r->words && strcmp(r->word[i], word) == 0;
}

static void stop(struct reader *r)
{
  lines_clear(&r->lines);
}

/* --- the sections ----------------------------------------------------------------------------- */

static enum status unexpected(const struct reader *r, uint32_t i, const char *wanted, struct err *e)
{
  if (i >= r->words)
    return err_set(e, "the line ends before %s", wanted);
  return err_set(e, "'%.64s' in place of %s", r->word[i], wanted);
}

static enum status read_number(const struct reader *r, uint32_t i, const char *what, uint64_t most,
                               uint64_t *out, struct err *e)
{
  struct err why;
  if (i >= r->words)
    return unexpected(r, i, what, e);
  if (num_u64(r->word[i], most, out, &why) == OK)
    return OK;
  return err_set(e, "%s: %s", what, why.text);
}

/* num_ranks N.  Each rank needs a section, so that the size of the file limits N. */
static enum status read_ranks(struct goal *t, const struct reader *r, struct err *e)
{
  const uint64_t most = t->bytes.size / SECTION_LEAST;
  uint64_t ranks;
  if (!is(r, 0, "num_ranks"))
    return unexpected(r, 0, "num_ranks", e);
  if (read_number(r, 1, "the number of ranks", SOURCE_RANKS_MAX, &ranks, e) != OK)
    return FAIL;
  if (r->words > 2)
    return unexpected(r, 2, "the end of the line", e);
  if (ranks == 0)
    return err_set(e, "a trace of 0 ranks");
  if (ranks > most)
    return err_set(e, "%" PRIu64 " ranks do not fit in a file of %" PRIu64 " bytes", ranks,
                   t->bytes.size);
  t->graph.trace.ranks = (uint32_t)ranks;
  t->section = mem_array(ranks, sizeof *t->section, e);
  return t->section == NULL ? FAIL : OK;
}

/* Where a reader is: between the sections of ranks, before the brace of a section, or in it. */
enum where { BETWEEN, BEFORE, INSIDE };

/* rank R */
static enum status begin_section(struct goal *t, const struct reader *r, uint32_t i, struct err *e)
{
  uint64_t rank;
  if (!is(r, i, "rank"))
    return unexpected(r, i, "rank", e);
  if (read_number(r, i + 1, "the rank", t->graph.trace.ranks - 1, &rank, e) != OK)
    return FAIL;
  if (t->section[rank].line != 0)
    return err_set(e, "rank %" PRIu64 " again, after line %" PRIu64, rank, t->section[rank].line);
  t->section[rank] = (struct section){r->offset, r->line, r->began_in_comment};
  return OK;
}

/* Index of the word after the statement that begins with word @p i. */
static uint32_t end_of_statement(const struct reader *r, uint32_t i)
{
  while (i < r->words && *r->word[i] != '}')
    i++;
  return i;
}

/* Finds the sections that begin or end in a line. */
static enum status scan_line(struct goal *t, const struct reader *r, enum where *where,
                             struct err *e)
{
  for (uint32_t i = 0; i < r->words;) {
    if (*where == BETWEEN) {
      if (i > 0)
        return unexpected(r, i, "a line of its own for each rank", e);
      if (begin_section(t, r, i, e) != OK)
        return FAIL;
      i += 2;
      *where = BEFORE;
    } else if (*where == BEFORE) {
      if (!is(r, i++, "{"))
        return unexpected(r, i - 1, "{", e);
      *where = INSIDE;
    } else if (is(r, i, "}")) {
      i++;
      *where = BETWEEN;
    } else if (is(r, i, "{")) {
      return unexpected(r, i, "an operation", e);
    } else {
      i = end_of_statement(r, i);
    }
  }
  return OK;
}

static enum status check_sections(const struct goal *t, const struct reader *r, enum where where,
                                  struct err *e)
{
  if (where != BETWEEN || r->comment)
    return err_at(e, t->graph.trace.name, r->lines.line, "the file ends within %s",
                  r->comment ? "a comment" : "the operations of a rank");
  for (uint32_t k = 0; k < t->graph.trace.ranks; k++)
    if (t->section[k].line == 0)
      return err_at(e, t->graph.trace.name, r->lines.line,
                    "rank %" PRIu32 " of %" PRIu32 " is missing", k, t->graph.trace.ranks);
  return OK;
}

static enum status scan(struct goal *t, struct reader *r, struct err *e)
{
  enum where where = BETWEEN;
  bool more;
  if (next_line(r, &more, e) != OK)
    return FAIL;
  if (!more || read_ranks(t, r, e) != OK)
    return more ? err_place(e, t->graph.trace.name, r->line)
                : err_at(e, t->graph.trace.name, r->line, "no num_ranks");
  for (;;) {
    if (next_line(r, &more, e) != OK)
      return FAIL;
    if (!more)
      return check_sections(t, r, where, e);
    if (scan_line(t, r, &where, e) != OK)
      return err_place(e, t->graph.trace.name, r->line);
  }
}

/* --- operations ------------------------------------------------------------------------------- */

/* "80000b" */
static enum status read_bytes(const struct reader *r, uint32_t i, uint64_t *out, struct err *e)
{
  char digits[24];
  const char *word = i < r->words ? r->word[i] : "";
  const size_t n = strlen(word);
  struct err why;
  if (n < 2 || n > sizeof digits || word[n - 1] != 'b')
    return unexpected(r, i, "a size such as 8b", e);
  memcpy(digits, word, n - 1);
  digits[n - 1] = '\0';
  if (num_u64(digits, INT64_MAX, out, &why) == OK)
    return OK;
  return err_set(e, "the size: %s", why.text);
}

/* The numbers after an operation: tag T, cpu C, nic M, each at most once.  calc takes cpu only; nic
 * is ignored. */
static enum status read_numbers(const struct reader *r, uint32_t i, struct graph_node *n,
                                struct err *e)
{
  static const char *const NAME[] = {"tag", "cpu", "nic"};
  static const uint64_t MOST[] = {INT32_MAX, GRAPH_STREAMS_MAX - 1, UINT32_MAX};
  unsigned seen = 0;
  for (const uint32_t end = end_of_statement(r, i); i < end; i += 2) {
    const bool receives = n->kind == ACTION_RECV;
    uint64_t value;
    unsigned k = 0;
    while (k < 3 && !is(r, i, NAME[k]))
      k++;
    if (k == 3 || (n->kind == ACTION_COMPUTE && k != 1))
      return unexpected(r, i, n->kind == ACTION_COMPUTE ? "cpu" : "tag, cpu or nic", e);
    if ((seen & 1u << k) != 0)
      return err_set(e, "%s a second time", NAME[k]);
    seen |= 1u << k;
    if (k == 0 && receives && is(r, i + 1, "-1")) {
      n->tag = ACTION_ANY_TAG;
      continue;
    }
    if (read_number(r, i + 1, NAME[k], MOST[k], &value, e) != OK)
      return FAIL;
    if (k == 0)
      n->tag = (int32_t)value;
    else if (k == 1)
      n->stream = (uint16_t)value;
  }
  return OK;
}

static enum status read_message(const struct rank *k, const struct reader *r, uint32_t i,
                                struct graph_node *n, struct err *e)
{
  const char *between = n->kind == ACTION_SEND ? "to" : "from";
  uint64_t peer;
  if (read_bytes(r, i + 1, &n->bytes, e) != OK)
    return FAIL;
  if (!is(r, i + 2, between))
    return unexpected(r, i + 2, between, e);
  if (n->kind == ACTION_RECV && is(r, i + 3, "-1"))
    n->peer = ACTION_ANY_SOURCE;
  else if (read_number(r, i + 3, "the rank", k->ranks - 1, &peer, e) != OK)
    return FAIL;
  else
    n->peer = (int32_t)peer;
  return read_numbers(r, i + 4, n, e);
}

/* calc NANOSECONDS: flops, one per nanosecond, as on a host of 1 Gf. */
static enum status read_calc(const struct reader *r, uint32_t i, struct graph_node *n,
                             struct err *e)
{
  uint64_t ns;
  if (read_number(r, i + 1, "the nanoseconds", UINT64_C(1) << 53, &ns, e) != OK)
    return FAIL;
  n->flops = (double)ns;
  return read_numbers(r, i + 2, n, e);
}

static enum status add_label(struct rank *k, const char *label, struct err *e)
{
  uint32_t number;
  if (names_find(&k->labels, label) != NAMES_NONE)
    return err_set(e, "the label '%.64s' a second time", label);
  if (names_add(&k->labels, label, &number, e) != OK ||
      MEM_GROW(k->node, k->room, (size_t)number + 1, e) != OK)
    return FAIL;
  k->node[number] = k->graph->nodes - 1;
  return OK;
}

static enum status read_operation(struct rank *k, const struct reader *r, uint32_t i,
                                  const char *label, struct err *e)
{
  struct graph_node n = {.record = r->line};
  enum status s;
  if (is(r, i, "send") || is(r, i, "recv")) {
    n.kind = is(r, i, "send") ? ACTION_SEND : ACTION_RECV;
    s = read_message(k, r, i, &n, e);
  } else if (is(r, i, "calc")) {
    n.kind = ACTION_COMPUTE;
    s = read_calc(r, i, &n, e);
  } else {
    return unexpected(r, i, "send, recv or calc", e);
  }
  if (s != OK || graph_add(k->graph, &n, e) != OK)
    return FAIL;
  return label == NULL ? OK : add_label(k, label, e);
}

static enum status find_label(const struct rank *k, const char *label, uint32_t *node,
                              struct err *e)
{
  const uint32_t number = names_find(&k->labels, label);
  if (number == NAMES_NONE)
    return err_set(e, "no operation before this line has the label '%.64s'", label);
  *node = k->node[number];
  return OK;
}

/* LABEL requires LABEL */
static enum status read_dependence(struct rank *k, const struct reader *r, uint32_t i,
                                   struct err *e)
{
  struct graph_edge d = {.begin = is(r, i + 1, "irequires")};
  const uint32_t end = end_of_statement(r, i);
  if (i + 2 >= end)
    return err_set(e, "the line ends before the label of an operation");
  if (end > i + 3)
    return unexpected(r, i + 3, "the end of the line", e);
  if (find_label(k, r->word[i], &d.to, e) != OK || find_label(k, r->word[i + 2], &d.from, e) != OK)
    return FAIL;
  return graph_depend(k->graph, &d, e);
}

static enum status read_statement(struct rank *k, const struct reader *r, uint32_t i, struct err *e)
{
  if (is(r, i + 1, ":"))
    return read_operation(k, r, i + 2, r->word[i], e);
  if (is(r, i + 1, "requires") || is(r, i + 1, "irequires"))
    return read_dependence(k, r, i, e);
  return read_operation(k, r, i, NULL, e);
}

/* Reads the line of a section, from word @p i; *more is false at its end. */
static enum status read_line(struct rank *k, const struct reader *r, uint32_t i, bool *more,
                             struct err *e)
{
  *more = !is(r, i, "}");
  if (!*more || i >= r->words)
    return OK;
  if (is(r, i, "{"))
    return read_line(k, r, i + 1, more, e);
  if (read_statement(k, r, i, e) != OK)
    return FAIL;
  *more = end_of_statement(r, i) == r->words;
  return OK;
}

static enum status read_section(struct rank *k, struct reader *r, struct err *e)
{
  bool more = true;
  uint32_t first = 2; /* the words "rank R" */
  while (more) {
    if (next_line(r, &more, e) != OK)
      return FAIL;
    if (!more)
      return err_at(e, r->in.name, r->line, "the file ends within the operations of a rank");
    if (read_line(k, r, first, &more, e) != OK)
      return err_place(e, r->in.name, r->line);
    first = 0;
  }
  return OK;
}

static enum status load(struct trace *trace, uint32_t rank, struct graph *out, struct err *e)
{
  struct goal *t = (struct goal *)trace;
  struct graph g = {0};
  struct rank k = {.graph = &g, .ranks = trace->ranks};
  struct reader r;
  uint64_t line;
  start(&r, t, t->section[rank].offset, t->section[rank].line - 1);
  r.comment = t->section[rank].comment;
  enum status s = read_section(&k, &r, e);
  stop(&r);
  names_clear(&k.labels);
  free(k.node);
  if (s == OK && graph_finish(&g, &line, e) != OK)
    s = line == 0 ? FAIL : err_place(e, t->graph.trace.name, line);
  if (s == OK)
    *out = g;
  else
    graph_clear(&g);
  return s;
}

/* --- the format ------------------------------------------------------------------------------- */

/* True if the first word, after comments, is num_ranks. */
static bool sniff(const char *path)
{
  char text[PEEK + 1];
  struct reader r = {.comment = false};
  const size_t n = bytes_peek(path, text, PEEK);
  text[n] = '\0';
  for (char *line = text; line != NULL;) {
    char *end = strchr(line, '\n'), *word = line;
    if (end != NULL)
      *end = '\0';
    blank_comments(&r, line);
    word += strspn(word, " \t\r");
    if (*word != '\0')
      return strncmp(word, "num_ranks", 9) == 0 && (lines_is_blank(word[9]) || word[9] == '\0');
    line = end == NULL ? NULL : end + 1;
  }
  return false;
}

static void close_goal(struct trace *trace)
{
  struct goal *t = (struct goal *)trace;
  graph_trace_clear(&t->graph);
  bytes_close(&t->bytes);
  free(t->section);
}

static enum status open_goal(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct reader r;
  struct goal *t = (struct goal *)trace;
  t->bytes.fd = -1;
  if (bytes_open(&t->bytes, trace->name, unpack_limit, e) != OK)
    return FAIL;
  start(&r, t, 0, 0);
  const enum status s = scan(t, &r, e);
  stop(&r);
  return s == OK ? graph_trace_init(&t->graph, e) : FAIL;
}

const struct trace_format trace_goal = {
    .name = "GOAL",
    .bytes = sizeof(struct goal),
    .sniff = sniff,
    .open = open_goal,
    .close = close_goal,
    .next = graph_trace_next,
    .rewind = graph_trace_rewind,
    .graph = load,
};
