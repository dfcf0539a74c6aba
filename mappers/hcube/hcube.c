#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "common/process/threads.h"
#include "mappers/hcube/blossom.h"
#include "mappers/hcube/cubes.h"
#include "mappers/hcube/group.h"
#include "mappers/hcube/polish.h"
#include "mappers/hcube/ties.h"
#include "mappers/mapper.h"
#include "platforms/topology/grid.h"

#define GROWTHS  16 /* hypercubes built; the best one is annealed */
#define CHAINS   2  /* annealing chains: one from the best hypercube, the others from random ones */
#define SMALL    128 /* with at most this number of hosts there are MORE chains */
#define MORE     8
#define ROWS     17 /* of addresses: the best so far, and the candidates of a step */
#define GROUPING 64 /* random stream of make_groups(); growths and chains use lower streams */

/* The moves of a chain read LOOKS_A_TASK arcs for each task, but at least LOOKS_LEAST and at most
 * LOOKS_MOST arcs.  A chain of 1024 tasks takes about 2 s. */
#define LOOKS_A_TASK ((uint64_t)120000)
#define LOOKS_LEAST  ((uint64_t)1 << 18)
#define LOOKS_MOST   ((uint64_t)1 << 29)

enum objective { CARDINALITY, HOPBYTES, LONGEST };
enum ties { PAPER, SEARCH };

struct options {
  enum objective objective;
  enum ties ties;
  uint64_t seed;
};

struct job {
  struct graph graph; /* of 2^bits tasks: groups of ranks, and idle tasks */
  uint32_t bits;
  uint32_t *group; /* by rank; NULL: each rank is its own group */
  enum objective objective;
  bool search;
  uint64_t seed;
  int threads;
};

/* Minimised lexicographically. */
struct score {
  uint64_t first, second;
};

/* --- input ------------------------------------------------------------------------------------ */

static enum status count_bits(const struct platform *p, uint32_t *bits, struct err *e)
{
  const struct topology *t = platform_topology(p);
  uint32_t sides;
  const uint32_t *side = grid_sides(t, &sides);
  *bits = 0;
  for (uint32_t d = 0; d < sides; d++) {
    if (side[d] > 2)
      return err_set(e, "mapper 'hcube' needs a hypercube, and '%s' has a side of %" PRIu32,
                     topology_spec(t), side[d]);
    *bits += side[d] == 2;
  }
  return OK;
}

/* Fails if all bytes times the maximum number of hops exceed BLOSSOM_MAX_WEIGHT. */
static enum status check_weights(const struct graph *g, uint32_t bits, struct err *e)
{
  const uint64_t most = BLOSSOM_MAX_WEIGHT / (bits + 1);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < g->first[g->n]; i++) {
    if (g->bytes[i] > most - sum)
      return err_set(
          e, "mapper 'hcube': the traffic exceeds %" PRIu64 " bytes, counted at both ends", most);
    sum += g->bytes[i];
  }
  return OK;
}

/* Groups the ranks if there are more ranks than hosts. */
static enum status make_groups(struct job *j, const struct mapper_input *in, struct arena *mem)
{
  const uint32_t hosts = (uint32_t)1 << j->bits;
  const struct graph ranks = j->graph;
  if (in->ranks <= hosts)
    return OK;
  const uint32_t room = (in->ranks - 1) / hosts + 1;
  struct rng rng = rng_new(j->seed, GROUPING);
  if ((j->group = arena_array(mem, in->ranks, sizeof *j->group)) == NULL ||
      group_tasks(&ranks, hosts, room, j->search ? &rng : NULL, j->group, mem->e) != OK)
    return FAIL;
  return graph_contract(&j->graph, &ranks, j->group, hosts, mem);
}

static enum status job_init(struct job *j, const struct mapper_input *in, struct arena *mem)
{
  if (count_bits(in->platform, &j->bits, mem->e) != OK)
    return FAIL;
  const uint32_t hosts = (uint32_t)1 << j->bits;
  const uint32_t tasks = in->ranks > hosts ? in->ranks : hosts;
  if (graph_new(&j->graph, in->traffic, in->ranks, tasks, mem) != OK ||
      check_weights(&j->graph, j->bits, mem->e) != OK || make_groups(j, in, mem) != OK)
    return FAIL;
  for (uint32_t i = 0; j->objective != HOPBYTES && i < j->graph.first[hosts]; i++)
    j->graph.bytes[i] = 1;
  j->threads = threads_of(in->threads);
  return OK;
}

/* --- candidates ------------------------------------------------------------------------------- */

static struct score score_of(const struct job *j, const uint32_t *address)
{
  const struct graph *g = &j->graph;
  uint64_t missed = 0, hop_bytes = 0, at[RELABEL_MAX_BITS + 1] = {0};
  uint32_t longest = 0;
  for (uint32_t t = 0; t < g->n; t++)
    for (uint32_t i = g->first[t]; i < g->first[t + 1]; i++) {
      const uint32_t hops = (uint32_t)__builtin_popcount(address[t] ^ address[g->to[i]]);
      missed += hops > 1;
      hop_bytes += hops * g->bytes[i];
      at[hops]++;
      longest = hops > longest ? hops : longest;
    }
  if (j->objective == CARDINALITY)
    return (struct score){missed, hop_bytes};
  if (j->objective == HOPBYTES)
    return (struct score){hop_bytes, missed};
  return (struct score){longest, at[longest]};
}

static bool is_less(const struct score *x, const struct score *y)
{
  return x->first != y->first ? x->first < y->first : x->second < y->second;
}

static bool is_perfect(const struct job *j, const uint32_t *address)
{
  const struct graph *g = &j->graph;
  for (uint32_t t = 0; t < g->n; t++)
    for (uint32_t i = g->first[t]; i < g->first[t + 1]; i++)
      if (__builtin_popcount(address[t] ^ address[g->to[i]]) > 1)
        return false;
  return true;
}

static enum status join_once(struct cubes *c, bool grown, struct rng *rng, uint32_t *mate,
                             struct err *e)
{
  ARENA(mem, e);
  struct stage s;
  if (cubes_stage(c, &s, &mem) != OK ||
      (grown ? ties_grown(&s, rng, mate, e) : ties_first(&s, mate, e)) != OK)
    return FAIL;
  return cubes_join(c, &s, mate, e);
}

/* Builds the hypercube by stages.  @p growth is the random stream; odd growths always maximise the
 * weight of arcs between equal labels. */
static enum status construct(const struct job *j, uint64_t growth, uint32_t *address, struct err *e)
{
  const bool equal = j->objective == CARDINALITY || growth % 2 == 1;
  const size_t hosts = (size_t)1 << j->bits;
  ARENA(mem, e);
  struct cubes c;
  struct rng rng = rng_new(j->seed, growth);
  uint32_t *mate = arena_array(&mem, hosts, sizeof *mate);
  if (cubes_new(&c, &j->graph, j->bits, equal ? CUBES_EQUAL : CUBES_NEAR, &mem) != OK)
    return FAIL;
  while (c.k < c.bits)
    if (join_once(&c, j->search, &rng, mate, e) != OK)
      return FAIL;
  memcpy(address, c.label, hosts * sizeof *address);
  return OK;
}

static void set_losses(const struct job *j, struct polish *p)
{
  static const double FAR[] = {0, 0, 0.45, 0.65, 1};
  double step = 0.125;
  for (uint32_t d = 0; d <= RELABEL_MAX_BITS; d++) {
    if (j->objective == CARDINALITY)
      p->loss[d] = FAR[d < 4 ? d : 4];
    else if (j->objective == HOPBYTES)
      p->loss[d] = d < 1 ? 0 : d - 1;
    else if (d > 1)
      p->loss[d] = step *= 4;
  }
}

/* Anneals the addresses.  Chains after the first start at random. */
static enum status anneal(const struct job *j, uint64_t chain, uint32_t *address, struct err *e)
{
  const uint32_t hosts = (uint32_t)1 << j->bits;
  const uint64_t arcs = j->graph.first[hosts];
  uint64_t looks = LOOKS_A_TASK * hosts;
  looks = looks < LOOKS_LEAST ? LOOKS_LEAST : looks > LOOKS_MOST ? LOOKS_MOST : looks;
  struct polish p = {.graph = &j->graph,
                     .bits = j->bits,
                     .hot = j->objective == HOPBYTES ? 0.7 : 0.25,
                     .cold = j->objective == HOPBYTES ? 0.3 : 0.12,
                     .moves = looks / (arcs / hosts + 2),
                     .seed = j->seed,
                     .stream = GROWTHS + chain};
  struct rng rng = rng_new(j->seed, GROWTHS + MORE + chain);
  set_losses(j, &p);
  if (chain > 1)
    rng_shuffle(&rng, address, hosts);
  return polish_run(&p, address, e);
}

/* Addresses of all tasks, one row for each candidate; row 0 has the best so far. */
struct candidates {
  const struct job *job;
  size_t hosts;
  uint32_t *address;
};

static uint32_t *row_of(const struct candidates *c, uint64_t i)
{
  return c->address + i * c->hosts;
}

/* Copies the best of rows 0 to @p last, the first of equal ones, to row 0. */
static void choose(struct candidates *c, uint64_t last)
{
  struct score best = score_of(c->job, c->address);
  for (uint64_t i = 1; i <= last; i++) {
    const struct score s = score_of(c->job, row_of(c, i));
    if (!is_less(&s, &best))
      continue;
    memcpy(c->address, row_of(c, i), c->hosts * sizeof *c->address);
    best = s;
  }
}

typedef enum status maker(const struct job *j, uint64_t i, uint32_t *address, struct err *e);

/* Makes rows 1 to @p last independently and keeps the best in row 0. */
static enum status make_all(struct candidates *c, maker *make, uint64_t last, struct err *e)
{
  enum status s = OK;
#pragma omp parallel for num_threads(c->job->threads) schedule(dynamic)
  for (uint64_t i = 1; i <= last; i++) {
    struct err why;
    if (make(c->job, i, row_of(c, i), &why) == OK)
      continue;
#pragma omp critical
    {
      *e = why;
      s = FAIL;
    }
  }
  if (s == OK)
    choose(c, last);
  return s;
}

/* Stops as soon as all arcs have at most one hop. */
static enum status find_addresses(struct candidates *c, struct err *e)
{
  const struct job *j = c->job;
  if (construct(j, 0, c->address, e) != OK)
    return FAIL;
  if (!j->search || is_perfect(j, c->address))
    return OK;
  if (make_all(c, construct, GROWTHS - 1, e) != OK)
    return FAIL;
  if (is_perfect(j, c->address))
    return OK;
  const uint64_t chains = c->hosts <= SMALL ? MORE : CHAINS;
  for (uint64_t i = 1; i <= chains; i++)
    memcpy(row_of(c, i), c->address, c->hosts * sizeof *c->address);
  return make_all(c, anneal, chains, e);
}

static enum status map_ranks(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct options *o = in->options;
  struct job j = {.objective = o->objective, .search = o->ties == SEARCH, .seed = o->seed};
  ARENA(mem, e);
  if (job_init(&j, in, &mem) != OK)
    return FAIL;
  struct candidates c = {.job = &j, .hosts = (size_t)1 << j.bits};
  if ((c.address = arena_array(&mem, ROWS * c.hosts, sizeof *c.address)) == NULL ||
      find_addresses(&c, e) != OK || mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = c.address[j.group == NULL ? r : j.group[r]];
  return OK;
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"objective", SPEC_CHOICE, AT(objective), "cardinality",
     .help = "cardinality (pairs of ranks on neighbouring hosts), hopbytes, or longest (hops of "
             "the longest path)",
     .names = (const char *const[]){"cardinality", "hopbytes", "longest", NULL}},
    {"ties", SPEC_CHOICE, AT(ties), "search",
     .help = "among equal matchings, paper (the first) or search (the best for later stages; then "
             "annealing)",
     .names = (const char *const[]){"paper", "search", NULL}},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of the search, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_hcube = {
    .name = "hcube",
    .help = "joins cubes of ranks in pairs by matchings up to the hypercube (Horiike); sides of 2",
    .options = OPTIONS,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .map = map_ranks,
};
