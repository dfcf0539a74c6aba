#include "tests/unit/scratch.h"
#include "traces/files/spool.h"
#include "traces/graph/graph.h"
#include "traces/trace.h"

#include <inttypes.h>
#include <string.h>

/* One line for each node: kind, peer, tag, bytes or flops, stream, dependences. */
static void print_graph(struct trace *t, uint32_t rank, char *text, size_t room)
{
  struct graph g;
  struct err e = {""};
  size_t n = 0;
  if (trace_graph(t, rank, &g, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < g.nodes; i++) {
    const struct graph_node *x = &g.node[i];
    const double size = x->kind == ACTION_COMPUTE ? x->flops : (double)x->bytes;
    n += (size_t)snprintf(text + n, room - n, "%s %d %d %g %u:", action_name(x->kind), x->peer,
                          x->tag, size, x->stream);
    for (uint32_t k = x->first; k < x[1].first; k++)
      n += (size_t)snprintf(text + n, room - n, " %s%u", k < x->middle ? "" : "i", g.target[k]);
    n += (size_t)snprintf(text + n, room - n, "\n");
  }
  graph_clear(&g);
}

static const char TEXT[] =
    "// a comment\r\nnum_ranks 3\n/* a\n   longer one */\nrank 1 {\n"
    "r: recv 8b from -1 tag -1 cpu 2 nic 1 // any\n}\n"
    "rank 0{\nl1: calc 7\nl2 : send 8 b to 1 tag 5\ncalc 0 cpu 3\nl1 requires l2\n"
    "l3: recv 0b from 2 nic 4\nl3 irequires l2 }\nrank 2\n{\nsend 0b to 0\n}\n";

static const char *const WANT[] = {
    "send 1 5 8 0: 1 i3\ncompute 0 0 7 0:\ncompute 0 0 0 3:\nrecv 2 0 0 0:\n",
    "recv -333 -444 8 2:\n",
    "send 0 0 0 0:\n",
};

static void text_is_read(void **state)
{
  (void)state;
  struct trace *t;
  struct err e = {""};
  const struct action *a;
  scratch_write_bytes("a.goal", TEXT, strlen(TEXT));
  if (trace_open(&t, "a.goal", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(trace_ranks(t), 3);
  assert_true(trace_is_graph(t));
  for (uint32_t r = 0; r < 3; r++) {
    char text[1000] = "";
    print_graph(t, r, text, sizeof text);
    assert_string_equal(text, WANT[r]);
  }
  static const uint64_t LINE[] = {10, 9, 11, 13};
  for (int pass = 0; pass < 2; pass++, trace_rewind(t)) {
    for (size_t i = 0; i < COUNT(LINE); i++) {
      assert_int_equal(trace_next(t, 0, &a, &e), OK);
      assert_int_equal(trace_line(t, 0), LINE[i]);
    }
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
    assert_null(a);
  }
  trace_free(t);
}

#define ONE(STATEMENTS) "num_ranks 1\nrank 0 {\n" STATEMENTS "\n}\n"

static const struct {
  const char *text, *why; /* the error after the name of the file */
} REFUSED[] = {
    {"num_ranks\n", ":1: the line ends before the number of ranks"},
    {"num_ranks 0\nrank 0 {\n}\n", ":1: a trace of 0 ranks"},
    {"num_ranks 1000000\nrank 0 {\n}\n", ":1: 1000000 ranks do not fit in a file of 29 bytes"},
    {"num_ranks 2\nrank 0 {\n}\n\n\n", ":5: rank 1 of 2 is missing"},
    {"num_ranks 1\nrank 0 {\ncalc 1\n", ":3: the file ends within the operations of a rank"},
    {"num_ranks 1\nrank 0 { }\n/* open", ":3: the file ends within a comment"},
    {"num_ranks 1\nrank 1 {\n}\n", ":2: the rank: 1 is above the maximum of 0"},
    {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", ":4: rank 0 again, after line 2"},
    {"num_ranks 1\nrank 0 }\n", ":2: '}' in place of {"},
    {"num_ranks 1\nrank 0 { {\n}\n", ":2: '{' in place of an operation"},
    {ONE("calc 1\n{ calc 1"), ":4: '{' in place of an operation"},
    {"num_ranks 1\nranks 0 {\n}\n", ":2: 'ranks' in place of rank"},
    {ONE("put 8b to 0"), ":3: 'put' in place of send, recv or calc"},
    {ONE("a: calc"), ":3: the line ends before the nanoseconds"},
    {ONE("a: calc -1"), ":3: the nanoseconds: '-1' is not a whole number"},
    {ONE("send 8 to 0"), ":3: '8' in place of a size such as 8b"},
    {ONE("send 8b from 0"), ":3: 'from' in place of to"},
    {ONE("send 8b to 1"), ":3: the rank: 1 is above the maximum of 0"},
    {ONE("send 8b to -1"), ":3: the rank: '-1' is not a whole number"},
    {ONE("send 8b to 0 tag -1"), ":3: tag: '-1' is not a whole number"},
    {ONE("send 8b to 0 tag 1 tag 2"), ":3: tag a second time"},
    {ONE("send 8b to 0 cpu 256"), ":3: cpu: 256 is above the maximum of 255"},
    {ONE("calc 1 nic 2"), ":3: 'nic' in place of cpu"},
    {ONE("a: calc 1\na: calc 1"), ":4: the label 'a' a second time"},
    {ONE("a: calc 1\na requires b"), ":4: no operation before this line has the label 'b'"},
    {ONE("a: calc 1\na requires"), ":4: the line ends before the label of an operation"},
    {ONE("a: calc 1\na irequires a"), ":3: this operation depends on itself"},
    {ONE("a: calc 1\nb: calc 1\na requires b\nb requires a"),
     ":3: this operation depends on itself"},
};

/* Reads all ranks; returns the error. */
static const char *why_not(const char *file, struct err *e)
{
  struct trace *t;
  const struct action *a;
  e->text[0] = '\0';
  if (trace_open(&t, file, SPOOL_LIMIT, e) != OK)
    return e->text;
  for (uint32_t r = 0; r < trace_ranks(t); r++)
    do {
      if (trace_next(t, r, &a, e) != OK) {
        trace_free(t);
        return e->text;
      }
    } while (a != NULL);
  trace_free(t);
  return "";
}

static void bad_text_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    char want[200];
    struct err e;
    scratch_write_bytes("a.goal", REFUSED[i].text, strlen(REFUSED[i].text));
    snprintf(want, sizeof want, "a.goal%s", REFUSED[i].why);
    if (strncmp(why_not("a.goal", &e), want, strlen(want)) != 0)
      fail_msg("'%s' in place of '%s'", e.text, want);
  }
}

/* --- binary ----------------------------------------------------------------------------------- */

/* Two ranks: rank 0 sends 300 bytes to rank 1 after a computation; rank 1 receives from any. */
static size_t make_binary(unsigned char *p)
{
  static const unsigned char HEAD[] = {0x7f, 0x10, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0};
  static const unsigned char CALC[] = {0, 0, 0, 0, 3, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                       0, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const unsigned char SEND[] = {1, 0, 0, 0, 1, 1, 0, 0, 0, 0x2c, 1, 0, 0,
                                       0, 0, 0, 0, 6, 0, 0, 0, 0, 0,    0, 0, 0,
                                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 0};
  static const unsigned char RECV[] = {0, 0, 0, 0, 2,   255, 255, 255, 255, 0x2c, 1, 0, 0,
                                       0, 0, 0, 0, 255, 255, 255, 255, 0,   0,    0, 0, 0,
                                       0, 0, 0, 0, 0,   0,   0,   0,   0,   0,    0, 0, 0};
  const unsigned char first[] = {2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  const unsigned char second[] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  const unsigned char edge[] = {1, 0, 0, 0};
  const uint64_t begin = 6 + 2 * 16, middle = begin + 12 + 2 * 39 + 4, end = middle + 12 + 39;
  const uint64_t place[] = {begin, middle, middle, end};
  unsigned char *at = p;
  at = mempcpy(at, HEAD, sizeof HEAD);
  at = mempcpy(at, place, sizeof place);
  at = mempcpy(at, first, sizeof first);
  at = mempcpy(at, CALC, sizeof CALC);
  at = mempcpy(at, SEND, sizeof SEND);
  at = mempcpy(at, edge, sizeof edge);
  at = mempcpy(at, second, sizeof second);
  at = mempcpy(at, RECV, sizeof RECV);
  assert_int_equal(at - p, 8 + end);
  return (size_t)(at - p);
}

static void binary_is_read(void **state)
{
  (void)state;
  unsigned char p[1000];
  char text[1000] = "";
  struct trace *t;
  struct err e = {""};
  scratch_write_bytes("a.bin", p, make_binary(p));
  if (trace_open(&t, "a.bin", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  print_graph(t, 0, text, sizeof text);
  assert_string_equal(text, "compute 0 0 9 3: 1\nsend 1 6 300 0:\n");
  print_graph(t, 1, text, sizeof text);
  assert_string_equal(text, "recv -333 -444 300 0:\n");
  trace_free(t);
}

/* Changes each byte, and cuts the file at each byte: it is read or refused.  A refusal of a cut
 * file names the file. */
static void bad_binary_is_refused(void **state)
{
  (void)state;
  unsigned char p[1000];
  const size_t size = make_binary(p);
  struct err e;
  for (size_t i = 8; i < size; i++) {
    p[i] ^= 255;
    scratch_write_bytes("a.bin", p, size);
    (void)why_not("a.bin", &e);
    p[i] ^= 255;
    scratch_write_bytes("a.bin", p, i);
    assert_memory_equal(why_not("a.bin", &e), "a.bin: offset ", 14);
  }
}

static void other_layouts_are_refused(void **state)
{
  (void)state;
  static const struct {
    size_t at;
    unsigned char byte;
    const char *why;
  } ROW[] = {
      {8, 0, "a.bin: offset 8: 0 ranks, not 1 to 1048576"},
      {10, 1, "a.bin: offset 8: 65538 ranks do not fit in a file of 191 bytes"},
      {46, 1,
       "a.bin: offset 46: 1 nodes and 1 roots do not make up the 94 bytes of this rank: no file of "
       "LogGOPSim, perhaps of LogGOPSim2"},
      {62, 4, "a.bin: offset 58: a node of unknown kind 4"},
      {81, 9, "a.bin: offset 58: dependences 0 to 9, but the rank has 1"},
      {85, 7, "a.bin: offset 58: dependences 7 to 8, but the rank has 1"},
      {102, 2, "a.bin: offset 97: the partner is rank 2, but there are 2 ranks"},
      {136, 2, "a.bin: offset 136: a dependence of node 2, but the rank has 2 nodes"},
      {136, 0, "a.bin: offset 58: this operation depends on itself"},
  };
  for (size_t i = 0; i < COUNT(ROW); i++) {
    unsigned char p[1000];
    const size_t size = make_binary(p);
    struct err e;
    p[ROW[i].at] = ROW[i].byte;
    scratch_write_bytes("a.bin", p, size);
    assert_string_equal(why_not("a.bin", &e), ROW[i].why);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(text_is_read),
      IN_FOLDER(bad_text_is_refused),
      IN_FOLDER(binary_is_read),
      IN_FOLDER(bad_binary_is_refused),
      IN_FOLDER(other_layouts_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
