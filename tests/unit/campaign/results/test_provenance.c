/* The first lines of results.tsv and the command that is restored from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "campaign/results/extras.h"
#include "campaign/results/provenance.h"
#include "tests/unit/scratch.h"

#define SUM "8071cb6539dd10181371e39ffaaa86bde1ea594a96f65d84419810457ca14730"

static void add(struct provenance *p, const char *text)
{
  struct err e;
  assert_int_equal(provenance_add(p, text, &e), OK);
}

static void lines_have_parts(void **state)
{
  (void)state;
  static const struct {
    const char *text, *kind, *value, *seeds, *library, *checksum;
  } ROWS[] = {
      {"haichi 0.2.0", "haichi", "0.2.0", "", "", ""},
      {"trace a b.zst sha256:" SUM, "trace", "a b.zst", "", "", SUM},
      {"trace a sha256:12", "trace", "a sha256:12", "", "", ""},
      {"trace sha256:" SUM " sha256:" SUM, "trace", "sha256:" SUM, "", "", SUM},
      {"trace x seeds 1..2 of y", "trace", "x seeds 1..2 of y", "", "", ""},
      {"mapper xyz", "mapper", "xyz", "", "", ""},
      {"mapper random seeds 1..3,7..7", "mapper", "random", "1..3,7..7", "", ""},
      {"mapper scotch seeds 1..1 of scotch 7.0.3", "mapper", "scotch", "1..1", "scotch 7.0.3", ""},
      {"mapper out of/a.map sha256:" SUM, "mapper", "out of/a.map", "", "", SUM},
      {"mapper my seeds.map", "mapper", "my seeds.map", "", "", ""},
      {"alone", "alone", "", "", "", ""},
      {"", "", "", "", "", ""},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct provenance p = {.lines = 0};
    add(&p, ROWS[i].text);
    assert_string_equal(p.line[0].kind, ROWS[i].kind);
    assert_string_equal(p.line[0].value, ROWS[i].value);
    assert_string_equal(p.line[0].seeds, ROWS[i].seeds);
    assert_string_equal(p.line[0].library, ROWS[i].library);
    assert_string_equal(p.line[0].checksum, ROWS[i].checksum);
    assert_true(provenance_has(&p, &p.line[0]));
    provenance_clear(&p);
  }
}

static void rows_are_counted(void **state)
{
  (void)state;
  static const struct {
    const char *line[8];
    uint64_t rows, repeats;
  } ROWS[] = {
      {{"trace a", "mapper xyz"}, 1, 1},
      {{"trace a", "trace b", "mapper xyz", "mapper random seeds 1..3,7..7,9", "repeat 4"}, 12, 4},
      {{"matrix a", "mapper xyz", "platform p", "platform q", "cores 1", "cores 2", "cores 4"},
       6,
       1},
      {{"network a", "network b", "load x", "load y", "load z", "scheduler heft", "steal none",
        "steal rich"},
       12,
       1},
      {{"mapper xyz"}, 0, 1},
      {{"trace a"}, 0, 1},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct provenance p = {.lines = 0};
    for (size_t k = 0; k < COUNT(ROWS[i].line) && ROWS[i].line[k] != NULL; k++)
      add(&p, ROWS[i].line[k]);
    assert_int_equal(provenance_rows(&p), ROWS[i].rows);
    assert_int_equal(provenance_repeats(&p), ROWS[i].repeats);
    provenance_clear(&p);
  }
}

static void assert_command(const struct provenance *p, const char *folder, const char *command)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  provenance_print_command(p, folder, f);
  assert_int_equal(fclose(f), 0);
  assert_string_equal(text, command);
  free(text);
}

static void a_file_gives_its_command(void **state)
{
  (void)state;
  struct provenance p;
  struct err e;
  scratch_write(
      "results.tsv",
      "# haichi 0.2.0\n# platform torus:4x4\n"
      "# options model=smpi engine=simgrid simgrid=3.32 compute-scale=0.5 ranks-per-host=- "
      "recorded-speed=2000000000f align partial "
      "collective=bcast=linear collectives=a b.tsv sha256=1 background=profile:a b.txt sha256=" SUM
      " background=tasks:3 job=npb:ep.S.4,repeat sha256=1 mapping-sha256=2\n"
      "# repeat 3\n# trace a b's.zst sha256:" SUM "\n# trace npb:cg.S.4\n"
      "# mapper random seeds 1..3,7..7\n# mapper fmopt:objective=mincost seeds 1..1\n"
      "# mapper $(x).map sha256:" SUM "\n# audit of 5 runs, seed 9, model=smpi\n"
      "trace\tmapper\n# no comment of the head\n");
  assert_int_equal(provenance_load(&p, "results.tsv", &e), OK);
  assert_int_equal(p.lines, 10);
  assert_command(&p, "out dir",
                 "haichi compare --platform torus:4x4 --trace 'a b'\\''s.zst' npb:cg.S.4 "
                 "--mapper random:seeds=1..3,7..7 fmopt:objective=mincost,seeds=1..1 '$(x).map' "
                 "--model smpi --engine simgrid --compute-scale 0.5 --recorded-speed 2000000000f "
                 "--align --partial --collective bcast=linear "
                 "--collectives 'a b.tsv' --background 'profile:a b.txt' --background tasks:3 "
                 "--job npb:ep.S.4,repeat "
                 "--repeat 3 --audit 5 --seed 9 -o 'out dir'");
  provenance_clear(&p);
  scratch_write(
      "networks.tsv",
      "# platform torus:4\n# options model=flow network-model=cm02 precision=1e-09 work=2e9 "
      "seed=4 background=tasks:3\n# repeat 2\n# network a b.xml sha256:" SUM "\n"
      "# network random:tasks=9\n# load none\n# load tasks:2+links:p=0.1\n"
      "# scheduler heft\n# steal none\n# steal random\nnetwork\tload\n");
  assert_int_equal(provenance_load(&p, "networks.tsv", &e), OK);
  assert_command(&p, "d",
                 "haichi compare --platform torus:4 --network 'a b.xml' random:tasks=9 --load none "
                 "tasks:2+links:p=0.1 --scheduler heft --steal none random --model flow "
                 "--network-model cm02 --precision 1e-09 --work 2e9 --seed 4 --background tasks:3 "
                 "--repeat 2 -o d");
  provenance_clear(&p);
  scratch_write("none.tsv", "trace\tmapper\n");
  assert_int_equal(provenance_load(&p, "none.tsv", &e), OK);
  assert_command(&p, "d", "haichi compare -o d");
  provenance_clear(&p);
  assert_int_equal(provenance_load(&p, "missing.tsv", &e), FAIL);
  assert_string_equal(e.text, "missing.tsv: cannot read: No such file or directory");
}

/* --- extras ----------------------------------------------------------------------------------- */

static void make_run(const char *key, const char *head, const char *mapper, const char *suffix)
{
  char path[64], text[512];
  snprintf(path, sizeof path, "d/runs/%s.tsv", key);
  snprintf(text, sizeof text, "%s# mapper %s\nstatus\tok\n", head, mapper);
  scratch_write(path, text);
  snprintf(path, sizeof path, "d/runs/%s%s", key, suffix);
  scratch_write(path, "");
}

#define COMMON "# haichi 0.2.0\n# platform torus:4\n# options o\n"
#define HEAD   COMMON "# trace b\n"

static void only_files_of_the_campaign_count(void **state)
{
  (void)state;
  struct provenance p = {.lines = 0};
  struct extras x;
  struct err e;
  assert_int_equal(mkdir("d", 0777), 0);
  static const char *const LINES[] = {"haichi 0.2.0",      "platform torus:4",
                                      "options o",         "trace b",
                                      "trace a",           "mapper random seeds 2..3",
                                      "mapper random:k=1", "mapper scotch of scotch 7.0.3"};
  for (size_t i = 0; i < COUNT(LINES); i++)
    add(&p, LINES[i]);
  assert_int_equal(extras_find(&x, "d", &p, RUN_LINKS, &e), OK);
  assert_int_equal(x.count, 0);
  assert_int_equal(mkdir("d/runs", 0777), 0);
  make_run("1", COMMON "# trace a\n", "random:seed=2", ".links.tsv");
  make_run("2", HEAD, "scotch of scotch 7.0.3", ".links.tsv");
  make_run("3", HEAD, "random:seed=2", ".links.tsv");
  make_run("4", HEAD, "random:k=1,seed=1", ".links.tsv");
  make_run("5", HEAD, "random:seed=2", ".matrix.tsv");
  make_run("6", HEAD, "scotch of scotch 6.0", ".links.tsv");
  make_run("7", HEAD, "randomly:seed=2", ".links.tsv");
  make_run("8", HEAD "# repetition 1\n", "random:seed=2", ".links.tsv");
  make_run("9", "# haichi 0.1.0\n# platform torus:4\n# options o\n# trace b\n", "random:seed=2",
           ".links.tsv");
  make_run("10", COMMON "# trace b sha256:" SUM "\n", "random:seed=2", ".links.tsv");
  scratch_write("d/runs/11.links.tsv", ""); /* no file of a run */
  assert_int_equal(extras_find(&x, "d", &p, RUN_LINKS, &e), OK);
  static const char *const PATHS[] = {"d/runs/3.links.tsv", "d/runs/4.links.tsv",
                                      "d/runs/2.links.tsv", "d/runs/1.links.tsv"};
  assert_int_equal(x.count, COUNT(PATHS));
  for (size_t i = 0; i < x.count; i++)
    assert_string_equal(x.extra[i].path, PATHS[i]);
  assert_string_equal(x.extra[1].mapper, "random:k=1,seed=1");
  assert_string_equal(x.extra[3].trace, "a");
  extras_clear(&x);
  provenance_clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_have_parts),
      cmocka_unit_test(rows_are_counted),
      IN_FOLDER(a_file_gives_its_command),
      IN_FOLDER(only_files_of_the_campaign_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
