#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "common/spec.h"

struct colour {
  const char *name;
};

static const struct colour red = {"red"}, green = {"green"};

#define LIST(ROW) ROW(red) ROW(green)
static const struct registry colours = REGISTRY("colour", LIST);

struct record {
  bool fast;
  uint32_t ranks;
  uint64_t seed, bytes;
  double factor, share, speed, bandwidth, latency, limit;
  const struct colour *colour;
  enum { AUTO, BISECT } start;
  const char *file, *command;
};

#define AT(FIELD) offsetof(struct record, FIELD)

static const char *const STARTS[] = {"auto", "bisect", NULL};

static const struct spec_option OPTIONS[] = {
    {"ranks", SPEC_U32, AT(ranks), NULL, .help = "", .least = 2, .most = 100},
    {"seed", SPEC_U64, AT(seed), "1", .help = ""},
    {"bytes", SPEC_SIZE, AT(bytes), "64KiB", .help = "", .least = 1, .most = 0x1p40},
    {"factor", SPEC_DOUBLE, AT(factor), "0.5", .help = "", .least = -1, .most = 4},
    {"share", SPEC_SHARE, AT(share), "1%", .help = "", .most = 1},
    {"speed", SPEC_SPEED, AT(speed), "1Gf", .help = ""},
    {"bandwidth", SPEC_BANDWIDTH, AT(bandwidth), "", .help = ""},
    {"latency", SPEC_TIME, AT(latency), "10us", .help = ""},
    {"limit", SPEC_LIMIT, AT(limit), "60", .help = "", .least = 1e-9},
    {"colour", SPEC_ROW, AT(colour), "green", .help = "", .rows = &colours},
    {"start", SPEC_CHOICE, AT(start), "auto", .help = "", .names = STARTS},
    {"file", SPEC_TEXT, AT(file), "", .help = ""},
    {"fast", SPEC_FLAG, AT(fast), NULL, .help = ""},
    {"command", SPEC_REST, AT(command), "", .help = "", .not_with = "file"},
    {.name = NULL},
};

static void options_have_defaults(void **state)
{
  (void)state;
  struct spec s;
  struct record r;
  struct err e;
  assert_int_equal(spec_parse(&s, OPTIONS, "ranks=2", &r, &e), OK);
  assert_int_equal(r.ranks, 2);
  assert_int_equal(r.seed, 1);
  assert_int_equal(r.bytes, 65536);
  assert_float_equal(r.factor, 0.5, 0);
  assert_float_equal(r.share, 0.01, 0);
  assert_float_equal(r.speed, 1e9, 0);
  assert_float_equal(r.bandwidth, 0, 0);
  assert_float_equal(r.latency, 1e-5, 1e-20);
  assert_float_equal(r.limit, 60, 0);
  assert_ptr_equal(r.colour, &green);
  assert_int_equal(r.start, AUTO);
  assert_string_equal(r.file, "");
  assert_false(r.fast);
  assert_true(spec_given(&s, "ranks"));
  assert_false(spec_given(&s, "seed"));
  assert_false(spec_given(&s, "nothing"));
  assert_ptr_equal(spec_find(OPTIONS, "seed"), &OPTIONS[1]);
  assert_null(spec_find(OPTIONS, "see"));
  spec_clear(&s);
}

static char *printed(const struct record *r)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  spec_print(OPTIONS, r, f);
  fclose(f);
  return text;
}

/* The printed text is parsed into an equal record. */
static void printed_specs_read_back(void **state)
{
  (void)state;
  static const char *const SPECS[] = {
      "ranks=100,seed=18446744073709551615,bytes=1B,factor=-1,share=100%,speed=2.5gigaflops",
      "fast,ranks=3,bandwidth=10Gbps,colour=red,start=bisect,file=a/b.tsv,1,limit=1m,latency=0",
      "ranks=3,command=./mine --a=1,2,ranks=4",
  };
  for (size_t i = 0; i < sizeof SPECS / sizeof *SPECS; i++) {
    struct spec s, t;
    struct record r, again;
    struct err e;
    if (spec_parse(&s, OPTIONS, SPECS[i], &r, &e) != OK)
      fail_msg("%s", e.text);
    if (i == 2) {
      assert_string_equal(r.command, "./mine --a=1,2,ranks=4");
      spec_clear(&s);
      continue;
    }
    char *text = printed(&r);
    assert_null(strstr(text, "command"));
    assert_int_equal(strstr(text, "bandwidth=1250000000Bps") != NULL, i == 1);
    assert_int_equal(strstr(text, ",fast") != NULL, i == 1);
    assert_int_equal(strstr(text, "start=bisect,file=a/b.tsv,1,fast") != NULL, i == 1);
    if (spec_parse(&t, OPTIONS, text, &again, &e) != OK)
      fail_msg("%s: %s", text, e.text);
    char *same = printed(&again);
    assert_string_equal(text, same);
    free(text);
    free(same);
    spec_clear(&s);
    spec_clear(&t);
  }
}

static void bad_specs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *spec, *why;
  } ROWS[] = {
      {"", "option 'ranks' is missing"},
      {"rank=2", "no option 'rank'; options: ranks, seed, bytes"},
      {"ranks=2,", "no option ''; options: "},
      {"ranks", "option 'ranks' has no value"},
      {"ranks=", "option 'ranks' has no value"},
      {"ranks=2,ranks=2", "option 'ranks' is given twice"},
      {"ranks=2,fast=1", "option 'fast' takes no value"},
      {"ranks=1", "ranks: 1 is below the minimum of 2"},
      {"ranks=101", "ranks: 101 is above the maximum of 100"},
      {"ranks=4294967296", "ranks: 4294967296 is above the maximum of 100"},
      {"ranks=2,seed=-1", "seed: '-1' is not a whole number"},
      {"ranks=2,seed=18446744073709551616", "seed: "},
      {"ranks=2,bytes=2TiB", "bytes: 2199023255552 bytes are above the maximum of 1099511627776"},
      {"ranks=2,bytes=0.5B", "bytes: "},
      {"ranks=2,bytes=9", "bytes: "},
      {"ranks=2,factor=5", "factor: 5 is outside -1..4"},
      {"ranks=2,factor=nan", "factor: "},
      {"ranks=2,share=101%", "share: "},
      {"ranks=2,speed=1", "speed: "},
      {"ranks=2,bandwidth=10GB/s", "bandwidth: "},
      {"ranks=2,latency=1", "latency: "},
      {"ranks=2,limit=x", "limit: "},
      {"ranks=2,limit=0", "limit: 0 is below the minimum of 1e-09"},
      {"ranks=2,start=aut", "start: 'aut' is none of auto, bisect"},
      {"ranks=2,file=a,command=b", "file= and command=: give one of them"},
      {"ranks=2,3", "ranks: '2,3' is not a whole number"},
      {"ranks=2,colour=blue", "colour: unknown colour 'blue'; expected red or green"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct spec s;
    struct record r;
    struct err e;
    assert_int_equal(spec_parse(&s, OPTIONS, ROWS[i].spec, &r, &e), FAIL);
    if (strncmp(e.text, ROWS[i].why, strlen(ROWS[i].why)) != 0)
      fail_msg("'%s': %s", ROWS[i].spec, e.text);
    assert_null(s.text);
  }
}

static void options_are_cut_out(void **state)
{
  (void)state;
  static const struct {
    const char *text, *rest, *value;
  } ROWS[] = {
      {"", "", NULL},
      {"ranks=2,fast", "ranks=2,fast", NULL},
      {"seeds=1..3,7", "", "1..3,7"},
      {"seeds=1..3,7,fast", "fast", "1..3,7"},
      {"ranks=2,seeds=,fast", "ranks=2,fast", ""},
      {"fast,seed=1,seeds=5", "fast,seed=1", "5"},
      {"command=./mine --a,seeds=1", "command=./mine --a,seeds=1", NULL},
      {"seeds=1,command=./mine,seeds=1", "command=./mine,seeds=1", "1"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[64], *value;
    struct err e;
    snprintf(text, sizeof text, "%s", ROWS[i].text);
    assert_int_equal(spec_cut(OPTIONS, text, "seeds", &value, &e), OK);
    assert_string_equal(text, ROWS[i].rest);
    assert_int_equal(value == NULL, ROWS[i].value == NULL);
    if (value != NULL)
      assert_string_equal(value, ROWS[i].value);
    free(value);
  }
}

static void bad_cuts_are_refused(void **state)
{
  (void)state;
  static const char *const ROWS[][2] = {{"seeds=1,seeds=2", "option 'seeds' is given twice"},
                                        {"seeds=1,", "no option ''; options: "},
                                        {"fast,,seeds=1", "no option ''; options: "}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[64], *value;
    struct err e;
    snprintf(text, sizeof text, "%s", ROWS[i][0]);
    assert_int_equal(spec_cut(OPTIONS, text, "seeds", &value, &e), FAIL);
    assert_memory_equal(e.text, ROWS[i][1], strlen(ROWS[i][1]));
    free(value);
  }
}

static void rows_are_named_before_a_colon(void **state)
{
  (void)state;
  const char *options;
  struct err e;
  assert_ptr_equal(spec_row(&colours, "red", &options, &e), &red);
  assert_string_equal(options, "");
  assert_ptr_equal(spec_row(&colours, "green:a=b:c", &options, &e), &green);
  assert_string_equal(options, "a=b:c");
  assert_null(spec_row(&colours, "blue:x", &options, &e));
  assert_string_equal(e.text, "unknown colour 'blue'; expected red or green");
  assert_null(spec_row(&colours, "red:", &options, &e));
  assert_string_equal(e.text, "colour 'red:' ends with a colon");
}

struct job {
  const char *program, *mapping, *hosts;
  int64_t size;
  double queue, loss;
  uint32_t order;
  struct spec_list shape;
  bool repeat;
};

#undef AT
#define AT(FIELD) offsetof(struct job, FIELD)

static const struct spec_option JOB[] = {
    {"program", SPEC_INNER, AT(program), NULL, .help = "", .ends = ','},
    {"mapping", SPEC_INNER, AT(mapping), "", .help = ""},
    {"hosts", SPEC_TEXT, AT(hosts), "all", .help = ""},
    {"size", SPEC_I64, AT(size), "-1", .help = "", .least = -1, .most = 1e6},
    {"shape", SPEC_LIST, AT(shape), "", .help = "", .least = 1, .most = 64, .separator = 'x'},
    {"queue", SPEC_DOUBLE, AT(queue), "", .help = ""},
    {"loss", SPEC_DOUBLE, AT(loss), "0.5", .help = "", .needs = "queue"},
    {"order", SPEC_U32, AT(order), "7", .help = "", .needs = "hosts=some"},
    {"repeat", SPEC_FLAG, AT(repeat), NULL, .help = ""},
    {.name = NULL},
};

static void inner_specs_keep_their_commas(void **state)
{
  (void)state;
  struct spec s;
  struct job j;
  struct err e;
  char text[] = "ring:4:size=1,seed=2,mapping=random:seed=1,refine=x,hosts=1,2,size=1e+03,repeat";
  assert_int_equal(spec_split(&s, JOB, text, ",", &j, &e), OK);
  assert_string_equal(j.program, "ring:4:size=1,seed=2");
  assert_string_equal(j.mapping, "random:seed=1,refine=x");
  assert_string_equal(j.hosts, "1,2");
  assert_int_equal(j.size, 1000);
  assert_true(j.repeat);
  assert_int_equal(j.shape.count, 0);
  char blanks[] = "ring \t size=5  queue=2\r";
  assert_int_equal(spec_split(&s, JOB + 1, blanks + 5, " \t\r", &j, &e), OK);
  assert_int_equal(j.size, 5);
  assert_float_equal(j.queue, 2, 0);
  assert_float_equal(j.loss, 0.5, 0);
}

static void options_may_need_others(void **state)
{
  (void)state;
  static const char *const ROWS[][2] = {{"a", "hosts=all,size=-1"},
                                        {"a,queue=3", "hosts=all,size=-1,queue=3,loss=0.5"},
                                        {"a,loss=0,queue=3", "hosts=all,size=-1,queue=3,loss=0"},
                                        {"a,hosts=some", "hosts=some,size=-1,order=7"},
                                        {"a,order=3,hosts=some", "hosts=some,size=-1,order=3"},
                                        {"a,shape=4x2x1", "hosts=all,size=-1,shape=4x2x1"}};
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct job j;
    struct spec s;
    struct err e;
    char *text = NULL;
    size_t size;
    assert_int_equal(spec_parse(&s, JOB, ROWS[i][0], &j, &e), OK);
    FILE *f = open_memstream(&text, &size);
    spec_print(JOB + 2, &j, f);
    fclose(f);
    assert_string_equal(text, ROWS[i][1]);
    free(text);
    spec_clear(&s);
  }
}

static void positional_options_come_first(void **state)
{
  (void)state;
  static const char *const ROWS[][2] = {
      {"", "'program' is missing"},
      {",repeat", "'program' is missing"},
      {"a,program=b", NULL},
      {"a,hosts=b,program=c", "no option 'program'; options: mapping, hosts, "},
      {"a,size=-2", "size: -2 is outside -1..1000000"},
      {"a,loss=1", "'loss' needs 'queue'"},
      {"a,order=1", "'order' needs 'hosts=some'"},
      {"a,hosts=other,order=7", "'order' needs 'hosts=some'"},
      {"a,shape=4x", "shape: '' is not a whole number"},
      {"a,shape=4x0", "shape: 0 is below the minimum of 1"},
      {"a,shape=4X4", "shape: '4X4' is not a whole number"},
      {"a,shape=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "shape: more than 20 numbers"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct job j;
    struct err e;
    struct spec s;
    const bool good = ROWS[i][1] == NULL;
    assert_int_equal(spec_parse(&s, JOB, ROWS[i][0], &j, &e), good ? OK : FAIL);
    if (!good && strncmp(e.text, ROWS[i][1], strlen(ROWS[i][1])) != 0)
      fail_msg("'%s': %s", ROWS[i][0], e.text);
    spec_clear(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(options_have_defaults),
                                     cmocka_unit_test(printed_specs_read_back),
                                     cmocka_unit_test(bad_specs_are_refused),
                                     cmocka_unit_test(options_are_cut_out),
                                     cmocka_unit_test(bad_cuts_are_refused),
                                     cmocka_unit_test(rows_are_named_before_a_colon),
                                     cmocka_unit_test(inner_specs_keep_their_commas),
                                     cmocka_unit_test(options_may_need_others),
                                     cmocka_unit_test(positional_options_come_first)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
