/* Each algorithm delivers the data that MPI requires.  All ranks execute their operations
 * (exchange.h).  The sizes of the messages then show whether each rank can end with its data, by
 * flows of bytes (volume.h) and blocks of an all-to-all (blocks.h). */
#include "tests/unit/traces/collectives/blocks.h"
#include "tests/unit/traces/collectives/broken.h"
#include "tests/unit/traces/collectives/once.h"
#include "tests/unit/traces/collectives/volume.h"
#include "traces/collectives/nodes.h"
#include "traces/datatype.h"

#define MOST_RANKS 33u

/* One call of a collective by all ranks. */
struct delivery {
  enum action_kind kind;
  const struct lower_algorithm *algorithm;
  uint32_t ranks, root;
  uint64_t bytes;            /* of the message, or of the largest block */
  bool powers;               /* in reduce_scatter: block i has 2^i bytes instead */
  const struct nodes *nodes; /* ranks that share hosts; NULL: none do */
  const char *placed;        /* the placement in words */
};

/* Bytes from rank @p from to rank @p to in collectives with counts. */
static int32_t part(const struct delivery *d, uint32_t from, uint32_t to)
{
  static const uint64_t SHARE[] = {1, 3, UINT64_MAX, 2};
  if (d->powers)
    return INT32_C(1) << from;
  return (int32_t)(d->bytes / SHARE[(from * 7 + to * 5 + from * to) % 4]);
}

static uint64_t block_of(const void *data, uint32_t from, uint32_t to)
{
  const struct delivery *d = data;
  return d->kind == ACTION_ALLTOALLV ? (uint64_t)part(d, from, to) : d->bytes;
}

/* Bytes that rank @p r contributes to a gather or receives in a scatter. */
static uint64_t share_of(const struct delivery *d, uint32_t r)
{
  const bool differ = d->kind == ACTION_GATHERV || d->kind == ACTION_SCATTERV ||
                      d->kind == ACTION_ALLGATHERV || d->kind == ACTION_REDUCESCATTER;
  return differ ? (uint64_t)part(d, r, 0) : d->bytes;
}

struct counts {
  int32_t out[MOST_RANKS], in[MOST_RANKS];
};

static void fill_counts(const struct delivery *d, uint32_t rank, struct counts *c)
{
  const bool all = d->kind == ACTION_ALLTOALLV;
  for (uint32_t i = 0; i < d->ranks; i++) {
    c->out[i] = part(d, all ? rank : i, all ? i : 0);
    c->in[i] = part(d, i, all ? rank : 0);
  }
}

static struct action action_of(const struct delivery *d, uint32_t rank, const struct counts *c)
{
  struct action a = {.kind = d->kind,
                     .root = d->root,
                     .count = (int64_t)d->bytes,
                     .count2 = (int64_t)d->bytes,
                     .type = DATATYPE_BYTE,
                     .type2 = DATATYPE_BYTE};
  const bool out = d->kind == ACTION_ALLTOALLV || d->kind == ACTION_SCATTERV;
  const bool in = d->kind == ACTION_ALLTOALLV || d->kind == ACTION_GATHERV ||
                  d->kind == ACTION_ALLGATHERV || d->kind == ACTION_REDUCESCATTER;
  a.sendcounts = out ? c->out : NULL;
  a.recvcounts = in ? c->in : NULL;
  if (d->kind == ACTION_GATHERV || d->kind == ACTION_ALLGATHERV || d->kind == ACTION_SCATTERV)
    a.count = a.count2 = (int64_t)share_of(d, rank);
  if (d->kind == ACTION_BARRIER || d->kind == ACTION_REDUCESCATTER || d->kind == ACTION_ALLTOALLV)
    a.count = a.count2 = 0;
  return a;
}

static void run(const struct delivery *d, struct exchange *x, uint64_t prepared)
{
  static const struct collectives DEFAULTS;
  struct counts counts[MOST_RANKS];
  exchange_begin(x, d->ranks);
  for (uint32_t r = 0; r < d->ranks; r++) {
    fill_counts(d, r, &counts[r]);
    const struct action a = action_of(d, r, &counts[r]);
    call_start(&x->rank[r].call, &a, r, d->ranks, &DEFAULTS);
    x->rank[r].call.whole.algorithm = d->algorithm;
    call_place(&x->rank[r].call, d->nodes, prepared);
  }
  exchange_run(x);
}

/* --- required data --------------------------------------------------------------------------- */

/* Reason for the failure of a delivery; empty if it does not fail. */
struct verdict {
  char text[200];
};

static bool miss(struct verdict *v, uint32_t to, uint32_t from)
{
  snprintf(v->text, sizeof v->text, "rank %u cannot get all data that it needs from rank %u", to,
           from);
  return false;
}

/* True if rank @p to needs all initial data of rank @p from, in full size. */
static bool needs(const struct delivery *d, uint32_t to, uint32_t from)
{
  switch (d->kind) {
  case ACTION_BCAST:
    return from == d->root;
  case ACTION_REDUCE:
    return to == d->root;
  case ACTION_SCAN:
    return from <= to;
  case ACTION_EXSCAN:
    return from < to;
  default:
    return true;
  }
}

/* With many ranks, only some pairs are checked in collectives that need a flow for each pair. */
static bool tried(const struct delivery *d, uint32_t from)
{
  return d->ranks <= 9 || d->kind == ACTION_REDUCE || d->kind == ACTION_BCAST || from == 0 ||
         from == 1 || from == d->ranks / 2 || from + 1 == d->ranks;
}

/* Checks each pair separately: data may be copied (bcast) or combined (reductions) on the way. */
static bool check_pairs(const struct delivery *d, const struct exchange *x, struct verdict *v)
{
  uint64_t *whole = volume_array(x->points, sizeof *whole);
  bool good = true;
  volume_whole(x, d->bytes, whole);
  for (uint32_t to = 0; to < d->ranks && good; to++)
    for (uint32_t from = 0; from < d->ranks && good; from++)
      if (needs(d, to, from) && (whole[x->rank[to].last] >> from & 1) == 0)
        good = (d->kind != ACTION_BARRIER && !tried(d, from)) ||
               (d->bytes > 0 && volume_between(x, from, to, d->bytes)) || miss(v, to, from);
  free(whole);
  return good;
}

/* Checks that rank @p to can get the parts of all ranks. */
static bool gathers(const struct delivery *d, const struct exchange *x, uint32_t to,
                    struct verdict *v)
{
  struct volume all = {.supply = {0}};
  for (uint32_t r = 0; r < d->ranks; r++) {
    all.supply[r] = share_of(d, r);
    all.demand[to] += all.supply[r];
  }
  if (volume_fits(x, &all))
    return true;
  snprintf(v->text, sizeof v->text, "rank %u cannot get the parts of all ranks", to);
  return false;
}

/* Checks that all ranks can get their parts from rank @p from. */
static bool scatters(const struct delivery *d, const struct exchange *x, uint32_t from,
                     struct verdict *v)
{
  struct volume all = {.supply = {0}};
  for (uint32_t r = 0; r < d->ranks; r++) {
    all.demand[r] = share_of(d, r);
    all.supply[from] += all.demand[r];
  }
  if (volume_fits(x, &all))
    return true;
  snprintf(v->text, sizeof v->text, "the parts of rank %u cannot reach all ranks", from);
  return false;
}

/* Checks the contribution of each rank to the part of each other rank, separately and all
 * together. */
static bool check_parts(const struct delivery *d, const struct exchange *x, struct verdict *v)
{
  for (uint32_t from = 0; from < d->ranks; from++) {
    if (!scatters(d, x, from, v))
      return false;
    for (uint32_t to = 0; to < d->ranks && tried(d, from); to++)
      if (!volume_between(x, from, to, share_of(d, to)))
        return miss(v, to, from);
  }
  return true;
}

/* True if all messages are empty or have full size. */
static bool whole_messages(const struct delivery *d, const struct exchange *x)
{
  for (uint32_t i = 0; i < x->points; i++)
    if (x->point[i].bytes != 0 && x->point[i].bytes != d->bytes)
      return false;
  return d->bytes > 0;
}

/* Bit mask of ranks that must have contributed to the result of rank @p to, including itself. */
static uint64_t contributors(const struct delivery *d, uint32_t to)
{
  uint64_t all = UINT64_C(1) << to;
  for (uint32_t from = 0; from < d->ranks; from++)
    all |= (uint64_t)(needs(d, to, from) ? 1 : 0) << from;
  return all;
}

/* Each contribution must count once.  Requires that the sizes of messages tell their contents. */
static bool check_once(const struct delivery *d, const struct exchange *x, struct verdict *v)
{
  struct once o;
  bool good = once_follow(&o, x, d->powers ? d->ranks : 1);
  if (!good)
    snprintf(v->text, sizeof v->text, "rank %u would count rank %u twice", o.rank, o.twice);
  for (uint32_t to = 0; to < d->ranks && good; to++) {
    const uint64_t has = o.has[(size_t)x->rank[to].last * o.blocks + (d->powers ? to : 0)];
    const uint64_t wrong = has ^ contributors(d, to);
    if ((d->kind != ACTION_REDUCE || to == d->root) && wrong != 0)
      good = miss(v, to, (uint32_t)__builtin_ctzll(wrong));
  }
  once_clear(&o);
  return good;
}

static bool is_reduction(enum action_kind kind)
{
  return kind == ACTION_REDUCE || kind == ACTION_ALLREDUCE || kind == ACTION_SCAN ||
         kind == ACTION_EXSCAN;
}

static bool check_data(const struct delivery *d, const struct exchange *x, struct verdict *v)
{
  uint32_t from, to;
  switch (d->kind) {
  case ACTION_GATHER:
  case ACTION_GATHERV:
    return gathers(d, x, d->root, v);
  case ACTION_ALLGATHER:
  case ACTION_ALLGATHERV:
    for (to = 0; to < d->ranks; to++)
      if (!gathers(d, x, to, v))
        return false;
    return true;
  case ACTION_SCATTER:
  case ACTION_SCATTERV:
    return scatters(d, x, d->root, v);
  case ACTION_REDUCESCATTER:
    return check_parts(d, x, v);
  case ACTION_ALLTOALL:
  case ACTION_ALLTOALLV:
    return blocks_arrive(x, d, block_of, &from, &to) || miss(v, to, from);
  default:
    return (d->bytes == 0 && d->kind != ACTION_BARRIER) || check_pairs(d, x, v);
  }
}

/* Checks the results of an exchange. */
static bool check(const struct delivery *d, const struct exchange *x, struct verdict *v)
{
  if (x->error[0] == '\0' && (d->powers || (is_reduction(d->kind) && whole_messages(d, x))))
    return check_data(d, x, v) && check_once(d, x, v);
  if (x->error[0] == '\0')
    return check_data(d, x, v);
  snprintf(v->text, sizeof v->text, "%s", x->error);
  return false;
}

/* If ranks share hosts, first runs the preparation too: its messages carry no data, but must not
 * block. */
static bool delivers(const struct delivery *d, struct exchange *x, struct verdict *v)
{
  if (d->nodes != NULL)
    run(d, x, 0);
  if (d->nodes == NULL || x->error[0] == '\0')
    run(d, x, UINT64_MAX);
  return check(d, x, v);
}

/* --- all algorithms ------------------------------------------------------------------------- */

struct placed {
  const char *words;
  uint32_t size; /* ranks per host; 0: 1, 2, 3, 1, .. */
  bool round_robin;
};

static const struct placed PLACED[] = {
    {"1 rank per host", 1, false},
    {"2 ranks per host", 2, false},
    {"3 ranks per host", 3, false},
    {"1 to 3 ranks per host", 0, false},
    {"2 ranks per host, round robin", 2, true},
    {"3 ranks per host, round robin", 3, true},
    {"all ranks on one host", MOST_RANKS, false},
};
#define PLACINGS (sizeof PLACED / sizeof *PLACED)

static struct nodes *nodes_of(const struct placed *p, uint32_t ranks)
{
  uint32_t host[MOST_RANKS];
  struct err e;
  const uint32_t hosts = p->size == 0 ? 0 : (ranks + p->size - 1) / p->size;
  for (uint32_t r = 0, h = 0, on = 0; r < ranks; r++, on++) {
    if (p->size == 0 && on == h % 3 + 1) {
      h++;
      on = 0;
    }
    host[r] = p->size == 0 ? h : p->round_robin ? r % hosts : r / p->size;
  }
  const struct collectives placed = {.host = host};
  struct nodes *n = nodes_new(NULL, ranks, &placed, &e);
  assert_non_null(n);
  return n;
}

struct failures {
  size_t cases, count;
  const struct lower_algorithm *last;
  size_t told; /* failures of the algorithm `last`, of which three are printed */
};

static void try(const struct delivery *d, struct exchange *x, struct failures *f)
{
  struct verdict v = {""};
  f->cases++;
  if (delivers(d, x, &v))
    return;
  f->count++;
  f->told = f->last == d->algorithm ? f->told + 1 : 1;
  f->last = d->algorithm;
  if (f->told <= 3)
    print_error("%s=%s on %u ranks, root %u, %zu bytes, %s: %s\n", action_name(d->kind),
                d->algorithm->row.name, d->ranks, d->root, (size_t)d->bytes, d->placed, v.text);
}

/* An odd size, nothing, a byte, and more than the segments of all algorithms. */
static const uint64_t BYTES[] = {1003, 0, 1, 270001};
#define SIZES (sizeof BYTES / sizeof *BYTES)

/* Numbers of ranks that are tested with all sizes; others are tested with the first size only. */
static bool all_sizes(uint32_t ranks)
{
  return ranks <= 6 || ranks == 8 || ranks == 13 || ranks == 16 || ranks == 17;
}

static void try_sizes(struct delivery d, struct exchange *x, struct failures *f)
{
  for (size_t i = 0; i < (all_sizes(d.ranks) ? SIZES : 1); i++) {
    d.bytes = d.kind == ACTION_BARRIER ? 0 : BYTES[i];
    for (d.root = 0; d.root < (action_is_rooted(d.kind) ? d.ranks : 1); d.root++)
      if (i == 0 || d.root == 0 || d.root + 1 == d.ranks)
        try(&d, x, f);
  }
}

static void every_rank_gets_its_data(void **state)
{
  struct exchange *x = *state;
  struct failures f = {.cases = 0};
  for (enum action_kind kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; lower_algorithm(kind, i) != NULL; i++)
      for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++) {
        const struct delivery d = {.kind = kind,
                                   .algorithm = lower_algorithm(kind, i),
                                   .ranks = ranks,
                                   .placed = PLACED[0].words};
        try_sizes(d, x, &f);
      }
  if (f.count > 0)
    fail_msg("%zu of %zu deliveries fail", f.count, f.cases);
}

/* Most ranks to test with blocks of 2^i bytes. */
#define POWERS_RANKS 24u

static void each_contribution_counts_once(void **state)
{
  struct exchange *x = *state;
  struct failures f = {.cases = 0};
  for (size_t i = 0; lower_algorithm(ACTION_REDUCESCATTER, i) != NULL; i++)
    for (uint32_t ranks = 2; ranks <= POWERS_RANKS; ranks++) {
      const struct delivery d = {.kind = ACTION_REDUCESCATTER,
                                 .algorithm = lower_algorithm(ACTION_REDUCESCATTER, i),
                                 .ranks = ranks,
                                 .powers = true,
                                 .placed = PLACED[0].words};
      try(&d, x, &f);
    }
  if (f.count > 0)
    fail_msg("%zu of %zu deliveries fail", f.count, f.cases);
}

/* True if the exchange changes when ranks share hosts. */
static bool depends_on_hosts(struct delivery d, struct exchange *x)
{
  static const uint32_t RANKS[] = {8, 12, 33};
  for (size_t k = 0; k < sizeof RANKS / sizeof *RANKS; k++)
    for (size_t p = 0; p < PLACINGS * SIZES; p++) {
      d.ranks = RANKS[k];
      d.bytes = BYTES[p % SIZES];
      d.nodes = NULL;
      run(&d, x, UINT64_MAX);
      const uint64_t digest = x->digest;
      struct nodes *n = nodes_of(&PLACED[p / SIZES], d.ranks);
      d.nodes = n;
      run(&d, x, UINT64_MAX);
      nodes_free(n);
      if (x->digest != digest)
        return true;
    }
  return false;
}

static void ranks_that_share_hosts_get_their_data(void **state)
{
  struct exchange *x = *state;
  struct failures f = {.cases = 0};
  for (enum action_kind kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; lower_algorithm(kind, i) != NULL; i++) {
      struct delivery d = {.kind = kind, .algorithm = lower_algorithm(kind, i)};
      if (!depends_on_hosts(d, x))
        continue;
      for (size_t p = 0; p < PLACINGS; p++)
        for (d.ranks = 2; d.ranks <= MOST_RANKS; d.ranks += d.ranks < 9 ? 1 : 8) {
          struct nodes *n = nodes_of(&PLACED[p], d.ranks);
          d.nodes = n;
          d.placed = PLACED[p].words;
          try_sizes(d, x, &f);
          nodes_free(n);
        }
    }
  assert_true(f.cases > 0);
  if (f.count > 0)
    fail_msg("%zu of %zu deliveries fail", f.count, f.cases);
}

/* The checker finds each mistake, and accepts the correct algorithms. */
static void mistakes_are_found(void **state)
{
  struct exchange *x = *state;
  for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
    const struct broken *b = &BROKEN[i];
    struct lower_algorithm a = {.piece = b->piece};
    struct verdict v = {""};
    if (b->of != NULL) {
      a.steps = b->steps != NULL ? b->steps : b->of->steps;
      a.step = b->step != NULL ? b->step : b->of->step;
    }
    struct delivery d = {.kind = b->kind, .algorithm = &a, .ranks = 8, .root = 1};
    d.bytes = b->kind == ACTION_BARRIER ? 0 : 24;
    d.powers = b->kind == ACTION_REDUCESCATTER;
    if (delivers(&d, x, &v) || strncmp(v.text, b->text, strlen(b->text)) != 0)
      fail_msg("%s: '%s', not '%s'", b->what, v.text, b->text);
    d.algorithm = b->of;
    if (b->of != NULL && !delivers(&d, x, &v))
      fail_msg("%s: right, but '%s'", b->what, v.text);
  }
}

static int set_up(void **state)
{
  *state = calloc(1, sizeof(struct exchange));
  return *state == NULL;
}

static int tear_down(void **state)
{
  exchange_clear(*state);
  free(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rank_gets_its_data),
      cmocka_unit_test(each_contribution_counts_once),
      cmocka_unit_test(mistakes_are_found),
      cmocka_unit_test(ranks_that_share_hosts_get_their_data),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
