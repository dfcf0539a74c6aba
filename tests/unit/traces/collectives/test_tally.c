/* Messages, rounds and bytes of algorithms, counted from their operations and compared with
 * closed forms. */
#include "traces/collectives/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "traces/collectives/lower.h"

#define BLOCK      24u
#define MOST_RANKS 66u

/* --- figures of n ranks ----------------------------------------------------------------------- */

typedef uint64_t formula(uint64_t n);

static uint64_t none(uint64_t n)
{
  (void)n;
  return 0;
}

static uint64_t one(uint64_t n)
{
  return n > 1 ? 1 : 0;
}

static uint64_t others(uint64_t n)
{
  return n - 1;
}

static uint64_t twice_others(uint64_t n)
{
  return 2 * (n - 1);
}

static uint64_t pairs(uint64_t n)
{
  return n * (n - 1);
}

static uint64_t half_pairs(uint64_t n)
{
  return n * (n - 1) / 2;
}

static uint64_t twice(uint64_t n)
{
  return n > 1 ? 2 * n : 0;
}

static uint64_t logarithm(uint64_t n)
{
  return lower_rounds((uint32_t)n);
}

static uint64_t twice_logarithm(uint64_t n)
{
  return 2 * logarithm(n);
}

static uint64_t all_logarithm(uint64_t n)
{
  return n * logarithm(n);
}

static uint64_t twice_all_logarithm(uint64_t n)
{
  return 2 * n * logarithm(n);
}

/* Ranks beyond a power of two first send their data to a neighbour and get the result at the
 * end. */
static uint64_t folded(uint64_t n)
{
  const uint64_t below = lower_power_below((uint32_t)n);
  return below * logarithm(below) + 2 * (n - below);
}

static uint64_t folded_rounds(uint64_t n)
{
  const uint64_t below = lower_power_below((uint32_t)n);
  return logarithm(below) + (n > below ? 2 : 0);
}

/* Size of the largest subtree of a binomial tree if n is a power of two. */
static uint64_t half(uint64_t n)
{
  return n / 2;
}

static uint64_t half_logarithm(uint64_t n)
{
  return n / 2 * logarithm(n);
}

/* --- algorithms ------------------------------------------------------------------------------- */

static const struct {
  const char *algorithm;
  bool powers; /* the forms hold for powers of two only */
  formula *messages, *rounds, *blocks;
} CASES[] = {
    {"barrier=ompi_bruck", false, all_logarithm, logarithm, none},
    {"barrier=ompi_doublering", false, twice, twice, none},
    {"barrier=ompi_basic_linear", false, twice_others, NULL, none},
    {"bcast=flattree", false, others, one, others},
    {"bcast=binomial_tree", false, others, logarithm, logarithm},
    {"bcast=NTSL", false, others, others, one},
    {"reduce=default", false, others, one, one},
    {"reduce=flat_tree", false, others, others, one},
    {"reduce=binomial", false, others, logarithm, one},
    {"reduce=ompi_basic_linear", false, others, others, one},
    {"allreduce=rdb", false, folded, folded_rounds, NULL},
    {"allreduce=rdb", true, all_logarithm, logarithm, logarithm},
    {"allreduce=rab_rdb", true, twice_all_logarithm, twice_logarithm, NULL},
    {"allreduce=rab", true, twice_all_logarithm, twice_logarithm, NULL},
    {"alltoall=basic_linear", false, pairs, one, others},
    {"alltoall=ring", false, pairs, others, others},
    {"alltoall=pair", false, pairs, others, others},
    {"alltoall=bruck", true, all_logarithm, logarithm, half_logarithm},
    {"alltoall=bruck", false, all_logarithm, logarithm, NULL},
    {"alltoallv=default", false, pairs, one, others},
    {"alltoallv=ring", false, pairs, others, others},
    {"gather=default", false, others, one, one},
    {"gather=ompi_basic_linear", false, others, others, one},
    {"gather=ompi_binomial", true, others, logarithm, half},
    {"scatter=default", false, others, one, others},
    {"scatter=ompi_basic_linear", false, others, others, others},
    {"scatter=ompi_binomial", true, others, NULL, others},
    {"allgather=default", false, pairs, one, others},
    {"allgather=ring", false, pairs, others, others},
    {"allgather=NTSLR", false, pairs, others, others},
    {"allgather=bruck", false, all_logarithm, logarithm, others},
    {"allgather=rdb", true, all_logarithm, logarithm, others},
    {"allgatherv=ring", false, pairs, others, others},
    {"allgatherv=ompi_bruck", false, all_logarithm, logarithm, others},
    {"reducescatter=mpich_pair", false, pairs, others, others},
    {"reducescatter=mpich_noncomm", true, all_logarithm, logarithm, others},
    {"reducescatter=ompi_ring", false, pairs, others, others},
    {"scan=default", false, half_pairs, one, others},
};

/* Looks up an algorithm, for example "allreduce=rdb". */
static size_t find(const char *algorithm, enum action_kind *kind)
{
  struct collectives c = {.named = 0};
  struct err e;
  assert_int_equal(collectives_set(&c, algorithm, &e), OK);
  *kind = (enum action_kind)(ACTION_BARRIER + __builtin_ctz(c.named));
  return c.algorithm[*kind - ACTION_BARRIER];
}

static struct tally tally_of(const char *algorithm, uint32_t ranks, uint32_t per_host,
                             uint32_t bytes)
{
  const struct picked_call call = {ranks, per_host, bytes};
  enum action_kind kind;
  const size_t i = find(algorithm, &kind);
  struct tally t;
  struct err e;
  assert_int_equal(tally_call(&t, kind, i, &call, &e), OK);
  return t;
}

static void check(const char *algorithm, uint32_t ranks, const char *what, uint64_t is,
                  uint64_t expected)
{
  if (is != expected)
    fail_msg("%s on %u ranks: %zu %s, not %zu", algorithm, ranks, (size_t)is, what,
             (size_t)expected);
}

static void counts_agree_with_closed_forms(void **state)
{
  (void)state;
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++)
    for (uint32_t n = 1; n <= MOST_RANKS; n++) {
      if (CASES[c].powers && !lower_power_of_two(n))
        continue;
      const struct tally t = tally_of(CASES[c].algorithm, n, 1, BLOCK);
      check(CASES[c].algorithm, n, "messages", t.messages, CASES[c].messages(n));
      if (CASES[c].rounds != NULL)
        check(CASES[c].algorithm, n, "rounds", t.rounds, CASES[c].rounds(n));
      if (CASES[c].blocks != NULL)
        check(CASES[c].algorithm, n, "bytes", t.bytes, BLOCK * CASES[c].blocks(n));
    }
}

/* Rabenseifner: halving sends all but 1/n of the message, and doubling sends the same amount
 * again. */
static void halves_add_up(void **state)
{
  (void)state;
  for (uint32_t n = 2; n <= 64; n *= 2)
    assert_int_equal(tally_of("allreduce=rab_rdb", n, 1, 6400).bytes, 2 * (6400 - 6400 / n));
}

/* A chain of 5 ranks.  With 64 segments of 16 KiB and blocking sends, the last segment is sent
 * in round 64 and forwarded three times. 128 segments of 8 KiB that are posted at once are sent
 * in the first round. */
static void a_pipeline_has_a_message_for_each_segment(void **state)
{
  (void)state;
  const struct tally blocking = tally_of("bcast=ompi_pipeline", 5, 1, 1 << 20);
  const struct tally posted = tally_of("bcast=NTSL", 5, 1, 1 << 20);
  assert_int_equal(blocking.messages, 4 * 64);
  assert_int_equal(blocking.rounds, 64 + 3);
  assert_int_equal(posted.messages, 4 * 128);
  assert_int_equal(posted.rounds, 4);
}

/* 12 ranks, 3 per host: two messages within each of 4 hosts, twice, and 4 * 2 between hosts.
 * All on one host: a tree up and down.  The messages by which ranks find their hosts do not
 * count. */
static void two_levels_follow_the_hosts(void **state)
{
  (void)state;
  assert_int_equal(tally_of("allreduce=smp_rdb", 12, 3, BLOCK).messages, 2 * 4 * 2 + 4 * 2);
  assert_int_equal(tally_of("allreduce=smp_rdb", 12, 12, BLOCK).messages, 2 * 11);
}

/* A source is a file of src/smpi/colls, possibly in a subfolder. */
static void every_algorithm_has_a_source(void **state)
{
  (void)state;
  const struct collective_algorithm *a;
  for (enum action_kind kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; (a = collective_algorithm(kind, i)) != NULL; i++) {
      const char *dot = a->source == NULL ? NULL : strrchr(a->source, '.');
      if (dot == NULL || strcmp(dot, ".cpp") != 0)
        fail_msg("%s=%s: no source", action_name(kind), a->name);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_agree_with_closed_forms),
      cmocka_unit_test(halves_add_up),
      cmocka_unit_test(a_pipeline_has_a_message_for_each_segment),
      cmocka_unit_test(two_levels_follow_the_hosts),
      cmocka_unit_test(every_algorithm_has_a_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
