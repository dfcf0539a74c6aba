/* Launcher formats that are written but not read: host lists of Slurm, rank orders of HPE Cray. */
#include "tests/unit/platforms/mapping_case.h"

static void check_text(const struct mapping_format *format, const struct platform *p,
                       const struct mapping *m, const char *want)
{
  char text[512] = "";
  struct err e;
  if (mapping_save(m, p, format, "h", &e) != OK)
    fail_msg("%s", e.text);
  FILE *f = fopen("h", "r");
  assert_int_equal(fread(text, 1, sizeof text, f), strlen(want));
  fclose(f);
  assert_string_equal(text, want);
}

static void check_refused(const struct mapping_format *format, const struct platform *p,
                          const struct mapping *m, const char *sentence)
{
  struct err e;
  unlink("h");
  assert_int_equal(mapping_save(m, p, format, "h", &e), FAIL);
  assert_string_equal(e.text, sentence);
  assert_int_equal(access("h", F_OK), -1);
}

static void host_lists_of_slurm(void **state)
{
  (void)state;
  static const char *const names[] = {"a", "b[1-3]", "c,d"};
  struct platform *p = opened_platform("mesh:2x2"), *odd = opaque(names, COUNT(names));
  const struct mapping good = {.ranks = 1, .host = (uint32_t[]){0}};
  check_saved(&mapping_slurm, p, "node-4\nnode-0\nnode-0\nnode-3\nnode-1\n");
  check_text(&mapping_slurm, odd, &good, "a\n");
  for (uint32_t h = 1; h < COUNT(names); h++) {
    const struct mapping bad = {.ranks = 2, .host = (uint32_t[]){0, h}};
    char sentence[128];
    snprintf(sentence, sizeof sentence, "host name '%s' cannot be written in a host list of Slurm",
             names[h]);
    check_refused(&mapping_slurm, odd, &bad, sentence);
  }
  platform_free(p);
  platform_free(odd);
}

static void rank_orders_fill_hosts_in_their_order(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:2x2");
  const struct mapping one = {.ranks = 4, .host = (uint32_t[]){3, 0, 2, 1}},
                       two = {.ranks = 5, .host = (uint32_t[]){3, 0, 0, 2, 2}},
                       gap = {.ranks = 2, .host = (uint32_t[]){3, 0}},
                       all = {.ranks = 3, .host = (uint32_t[]){2, 2, 2}};
  check_text(&mapping_rank_order, p, &one,
             "# MPICH_RANK_ORDER\n# node-0\n1\n# node-1\n3\n# node-3\n2\n# node-4\n0\n");
  check_text(&mapping_rank_order, p, &two,
             "# MPICH_RANK_ORDER\n# node-0\n1,2\n# node-3\n3,4\n# node-4\n0\n");
  check_text(&mapping_rank_order, p, &gap, "# MPICH_RANK_ORDER\n# node-0\n1\n# node-4\n0\n");
  check_text(&mapping_rank_order, p, &all, "# MPICH_RANK_ORDER\n# node-3\n0,1,2\n");
  platform_free(p);
}

static void rank_orders_need_equal_loads(void **state)
{
  (void)state;
  struct platform *p = opened_platform("mesh:2x2");
  const struct mapping middle = {.ranks = 5, .host = (uint32_t[]){0, 0, 1, 2, 2}},
                       last = {.ranks = 3, .host = (uint32_t[]){0, 3, 3}};
  check_refused(&mapping_rank_order, p, &middle,
                "host node-0 has 2 ranks and host node-1 has 1: in a rank order, all hosts but "
                "the last must have the same number");
  check_refused(&mapping_rank_order, p, &last,
                "host node-0 has 1 ranks and host node-4 has 2: in a rank order, all hosts but "
                "the last must have the same number");
  platform_free(p);
}

/* Without the refusal, "0,1" would be read as coordinates on a mesh. */
static void rank_orders_are_not_read(void **state)
{
  (void)state;
  static const struct bad_case rows[] = {
      {"# MPICH_RANK_ORDER\n# node-0\n0,1\n# node-1\n1,0\n",
       "h:1: a rank order names no hosts: it is written only, not read"},
  };
  struct platform *p = opened_platform("mesh:2x2");
  check_bad(rows, COUNT(rows), p);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(host_lists_of_slurm),
      IN_FOLDER(rank_orders_fill_hosts_in_their_order),
      IN_FOLDER(rank_orders_need_equal_loads),
      IN_FOLDER(rank_orders_are_not_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
