#include "tests/unit/scratch.h"
#include "traces/graph/chakra.h"

#include <string.h>

/* A protobuf message of less than 128 bytes, preceded by its length. */
struct text {
  char at[2000];
  size_t size;
};

static void add(struct text *t, const char *bytes, size_t size)
{
  t->at[t->size++] = (char)size;
  memcpy(t->at + t->size, bytes, size);
  t->size += size;
}
#define ADD(t, bytes) add(t, bytes, sizeof(bytes) - 1)

/* Fields of a node: its number, its type, data and control dependences, and an attribute. */
#define ID(N)               "\x08" N
#define TYPE(N)             "\x18" N
#define NEEDS(N)            "\x28" N
#define PACKED(LENGTH, IDS) "\x2a" LENGTH IDS
#define CALLED_BY(N)        "\x20" N
#define MICROS(N)           "\x38" N
#define SIZE(N)                                                                                    \
  "\x52\x0d\x0a\x09"                                                                               \
  "comm_size\x48" N
#define TO(N)                                                                                      \
  "\x52\x0c\x0a\x08"                                                                               \
  "comm_dst\x38" N
#define FROM(N)                                                                                    \
  "\x52\x0c\x0a\x08"                                                                               \
  "comm_src\x38" N
#define COMM(N)                                                                                    \
  "\x52\x0d\x0a\x09"                                                                               \
  "comm_type\x68" N
#define GROUP                                                                                      \
  "\x52\x0f\x0a\x07"                                                                               \
  "pg_name\xea\x01\x03"                                                                            \
  "abc"

static enum status read_text(const struct text *t, struct graph *g, struct chakra_doubts *doubts,
                             struct err *e)
{
  struct chakra_groups groups = {.ranks = 4};
  struct chakra_names names = {.comm = NULL};
  struct bytes file;
  scratch_write_bytes("a.et", t->at, t->size);
  *g = (struct graph){0};
  assert_int_equal(bytes_open(&file, "a.et", UINT64_MAX, e), OK);
  const struct chakra_rank from = {&file, 1, &groups, &names};
  const enum status s = chakra_read_rank(&from, g, doubts, e);
  bytes_close(&file);
  chakra_names_clear(&names);
  chakra_groups_clear(&groups);
  return s;
}

static void nodes_are_read(void **state)
{
  (void)state;
  struct text t = {.size = 0};
  struct chakra_doubts doubts;
  struct graph g;
  struct err e = {""};
  ADD(&t, "\x0a\x01"
          "1");
  ADD(&t, ID("\x05") TYPE("\x04") PACKED("\x03", "\x01\x09\x02") MICROS("\x03"));
  ADD(&t, ID("\x02") TYPE("\x06") SIZE("\x08") FROM("\x03"));
  ADD(&t, ID("\x01") TYPE("\x05") NEEDS("\x02") SIZE("\x08") TO("\x02"));
  ADD(&t, ID("\x08") TYPE("\x07") NEEDS("\x05") COMM("\x06") SIZE("\x0a"));
  if (read_text(&t, &g, &doubts, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(g.nodes, 4);
  assert_int_equal(g.node[0].kind, ACTION_RECV); /* 2, then 1, as 1 needs 2 */
  assert_int_equal(g.node[0].peer, 3);
  assert_int_equal(g.node[1].kind, ACTION_SEND);
  assert_true(g.node[1].holds && !g.node[0].holds);
  assert_int_equal(g.node[2].kind, ACTION_COMPUTE);
  assert_true(g.node[2].flops == 3000);
  assert_int_equal(g.node[3].kind, ACTION_ALLTOALL);
  assert_int_equal(doubts.dropped, 1);
  graph_clear(&g);
}

/* A cycle of control dependences is dropped; one of data dependences is refused. */
static void cycles_of_control_dependences_are_dropped(void **state)
{
  (void)state;
  struct text t = {.size = 0};
  struct chakra_doubts doubts;
  struct graph g;
  struct err e = {""};
  ADD(&t, "\x0a\x01"
          "1");
  ADD(&t, ID("\x01") TYPE("\x04") CALLED_BY("\x02"));
  ADD(&t, ID("\x02") TYPE("\x04") NEEDS("\x01"));
  assert_int_equal(read_text(&t, &g, &doubts, &e), OK);
  assert_int_equal(doubts.control, 1);
  assert_int_equal(g.node[1].needs, 1);
  graph_clear(&g);
  t.size = 4;
  ADD(&t, ID("\x01") TYPE("\x04") NEEDS("\x02"));
  ADD(&t, ID("\x02") TYPE("\x04") NEEDS("\x01"));
  assert_int_equal(read_text(&t, &g, &doubts, &e), FAIL);
  assert_string_equal(e.text, "a.et: offset 4: this operation depends on itself");
}

static void bad_nodes_are_refused(void **state)
{
  (void)state;
#define ROW(BYTES, WHY)                                                                            \
  {                                                                                                \
    BYTES, sizeof(BYTES) - 1, WHY                                                                  \
  }
  static const struct {
    const char *bytes;
    size_t size;
    const char *why;
  } REFUSED[] = {
      ROW(ID("\x01"), "node 1 has the unknown type 0"),
      ROW(ID("\x01") TYPE("\x0b"), "node 1 has the unknown type 11"),
      ROW(TYPE("\x05") SIZE("\x08"), "a send without comm_dst"),
      ROW(TYPE("\x05") TO("\x02"), "a send without comm_size"),
      ROW(TYPE("\x06") SIZE("\x08") FROM("\x04"),
          "a receive: the partner is rank 4, but there are 4 ranks"),
      ROW(TYPE("\x06") SIZE("\x08") FROM("\x00") TO("\x03"),
          "a receive of rank 3 in the file of rank 1"),
      ROW(TYPE("\x07") SIZE("\x08"), "a collective without comm_type"),
      ROW(TYPE("\x07") COMM("\x0b"), "a collective of unknown comm_type 11"),
      ROW(TYPE("\x07") COMM("\x00"), "allReduce without comm_size"),
      ROW(TYPE("\x07") COMM("\x00") SIZE("\x08") GROUP,
          "no metadata and no JSON file has the ranks of process group 'abc'"),
      ROW(TYPE("\x07") COMM("\x00") SIZE("\x08") "\x52\x0b\x0a\x07"
                                                 "pg_name\x68\x05",
          "no metadata and no JSON file has the ranks of process group '5'"),
      ROW(TYPE("\x04") "\x52\x12\x0a\x07"
                       "num_ops\x19\x00\x00\x00\x00\x00\x00\xf8\x7f",
          "num_ops: nan is not in [0, 2^63)"),
      ROW(TYPE("\x04") "\x52\x12\x0a\x07"
                       "num_ops\x19\x00\x00\x00\x00\x00\x00\xf0\xbf",
          "num_ops: -1 is not in [0, 2^63)"),
      ROW(TYPE("\x04") "\x52\x14\x0a\x07"
                       "num_ops\x48\xfb\xff\xff\xff\xff\xff\xff\xff\xff\x01",
          "num_ops: -5 is below 0"),
      ROW("\x0b", "field 1 has the unknown wire type 3"),
      ROW("\x00", "the field number 0 is not 1 to 4294967295"),
      ROW("\x52\x40", "field 10 has 64 bytes, and 0 are left"),
      ROW("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "a number of more than 10 bytes"),
      ROW("\x08", "a number is cut off"),
  };
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    struct text t = {.size = 0};
    struct chakra_doubts doubts;
    struct graph g;
    struct err e;
    ADD(&t, "\x0a\x01"
            "1");
    add(&t, REFUSED[i].bytes, REFUSED[i].size);
    assert_int_equal(read_text(&t, &g, &doubts, &e), FAIL);
    if (strcasecmp(e.text + strlen("a.et: offset 4: "), REFUSED[i].why) != 0)
      fail_msg("'%s' in place of '%s'", e.text, REFUSED[i].why);
  }
}

/* Groups a and b have the ranks 0 and 1, and 2 and 3. */
static void assert_two_groups(struct chakra_names *names, const char *a, const char *b)
{
  const uint32_t at[] = {names_find(&names->name, a), names_find(&names->name, b)};
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t member;
    assert_true(at[i] != NAMES_NONE && names->comm[at[i]] != NULL);
    assert_int_equal(names->comm[at[i]]->members.size, 2);
    assert_true(comm_member(names->comm[at[i]], 2 * i + 1, &member) && member == 1);
  }
}

/* The order of the keys, escaped quotes, and JSON within strings of JSON make no difference. */
static void groups_are_read(void **state)
{
  (void)state;
  static const char *const TEXT[] = {
      "[{\"pg_name\": \"a\", \"ranks\": [0, 1]}, {\"pg_name\": \"b\", \"ranks\": [2, 3]}]",
      "[{\"ranks\": [0, 1], \"pg_name\": \"a\"}, {\"ranks\": [2, 3], \"pg_name\": \"b\"}]",
      "[{\\\"pg_name\\\": \\\"a\\\", \\\"ranks\\\": [0, 1]}, "
      "{\\\"ranks\\\": [2, 3], \\\"pg_name\\\": \\\"b\\\"}]",
      "[\"[{\\\"pg_name\\\": \\\"a\\\", \\\"x\\\": {}, \\\"ranks\\\": [0, 1]}]\", "
      "{\"y\": [{\"pg_name\": \"b\", \"ranks\": [2, 3]}]}]",
  };
  for (size_t i = 0; i < COUNT(TEXT); i++) {
    struct chakra_groups groups = {.ranks = 4};
    struct chakra_names names = {.comm = NULL};
    struct err e;
    assert_int_equal(chakra_read_groups(&names, &groups, TEXT[i], strlen(TEXT[i]), &e), OK);
    assert_two_groups(&names, "a", "b");
    chakra_names_clear(&names);
    chakra_groups_clear(&groups);
  }
}

static void a_file_of_groups_is_read_or_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *why; /* NULL: the groups of assert_two_groups() */
  } FILES[] = {
      {"{\"1\": [0, 1],\n \"2\": [2, 3]}", NULL},
      {"[{\"pg_name\": 1, \"ranks\": [0, 1]}, {\"ranks\": [2, 3], \"pg_name\": 2}]", NULL},
      {"{\"1\": [0, 1],\n \"2\": [2, 3}", "g.json:2: column 12: ']' expected near '}'"},
      {"{\"1\": [0, \"1\"]}", "g.json: process group '1': the ranks are no list of integers"},
      {"{\"1\": [0, 4]}", "g.json: process group '1': member 4 is not one of the 4 ranks"},
  };
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct chakra_groups groups = {.ranks = 4};
    struct chakra_names names = {.comm = NULL};
    struct err e;
    scratch_write("g.json", FILES[i].text);
    const enum status s = chakra_load_groups(&names, &groups, "g.json", &e);
    if (FILES[i].why == NULL)
      assert_two_groups(&names, "1", "2");
    else
      assert_string_equal(e.text, FILES[i].why);
    assert_int_equal(s, FILES[i].why == NULL ? OK : FAIL);
    chakra_names_clear(&names);
    chakra_groups_clear(&groups);
  }
}

/* Changes each byte, and cuts the file at each byte: it is read or refused.  A refusal of a cut
 * file names the file. */
static void damaged_files_are_read_or_refused(void **state)
{
  (void)state;
  struct text t = {.size = 0};
  struct chakra_doubts doubts;
  struct graph g;
  struct err e;
  ADD(&t, "\x0a\x01"
          "1");
  ADD(&t, ID("\x05") TYPE("\x04") PACKED("\x03", "\x01\x09\x02") MICROS("\x03"));
  ADD(&t, ID("\x01") TYPE("\x05") NEEDS("\x02") SIZE("\x08") TO("\x02"));
  for (size_t i = 0; i < t.size; i++) {
    struct text bad = t;
    bad.at[i] ^= (char)255;
    if (read_text(&bad, &g, &doubts, &e) == OK)
      graph_clear(&g);
    bad = t;
    bad.size = i;
    if (read_text(&bad, &g, &doubts, &e) == OK)
      graph_clear(&g);
    else
      assert_memory_equal(e.text, "a.et: offset ", 13);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(nodes_are_read),
      IN_FOLDER(cycles_of_control_dependences_are_dropped),
      IN_FOLDER(bad_nodes_are_refused),
      cmocka_unit_test(groups_are_read),
      IN_FOLDER(a_file_of_groups_is_read_or_refused),
      IN_FOLDER(damaged_files_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
