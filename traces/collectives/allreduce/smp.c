/* SimGrid 3.32: src/smpi/colls/allreduce/allreduce-smp-*.cpp.  The ranks of a node reduce to its
 * first rank, these leaders reduce among themselves, and the result returns to all ranks.  Nodes
 * are blocks of consecutive ranks (levels.h).  If the number of ranks per node is no power of two,
 * SMPI's trees also reach ranks of other nodes, which do not answer; the trees here stay within the
 * node. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"
#include "traces/collectives/shapes/ring.h"
#include "traces/collectives/shapes/segments.h"

/* The leaders run l->algorithm->part. */
static const struct lower_algorithm *piece(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  if (k == 1)
    return levels_within(l, &lower_reduce_tree, sub);
  if (k == 2)
    return levels_between(l, l->algorithm->part, sub);
  return k == 3 ? levels_within(l, &lower_bcast_binomial_tree, sub) : NULL;
}

/* --- smp_rdb, smp_rsag_rab -------------------------------------------------------------------- */

const struct lower_algorithm lower_allreduce_smp_rdb = {
    .row = {"smp_rdb", "binomial trees within nodes, recursive doubling between them",
            "allreduce/allreduce-smp-rdb.cpp"},
    .piece = piece,
    .part = &lower_allreduce_rdb};

/* SMPI fails if the number of ranks is no power of two, and loses elements when it halves an odd
 * number. */
const struct lower_algorithm lower_allreduce_smp_rsag_rab = {
    .row = {"smp_rsag_rab", "binomial trees within nodes, halving and doubling between them",
            "allreduce/allreduce-smp-rsag-rab.cpp"},
    .piece = piece,
    .part = &lower_allreduce_rab_rdb};

/* --- smp_rsag, smp_rsag_lr -------------------------------------------------------------------- */

/* The last block also has the remainder.  SMPI treats every block as the last one if there are
 * fewer elements than leaders, and then adds the whole message in each round. */
static uint64_t block_bytes(const struct lowering *l, uint32_t block, uint64_t phase)
{
  const uint64_t each = l->count / l->ranks;
  const uint64_t rest = block + 1 == l->ranks ? l->count % l->ranks : 0;
  (void)phase;
  return (each + rest) * l->send_size;
}

static uint64_t rings_steps(const struct lowering *l)
{
  return 2 * ring_steps(l);
}

static bool rings_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const bool second = i >= ring_steps(l);
  const struct ring r = {
      .tag = LOWER_TAG_ALLREDUCE, .first = second ? 0 : 1 % l->ranks, .bytes = block_bytes};
  return ring_step(l, &r, second ? i - ring_steps(l) : i, op);
}

const struct lower_algorithm lower_allreduce_rings = {.steps = rings_steps, .step = rings_step};

const struct lower_algorithm lower_allreduce_smp_rsag_lr = {
    .row = {"smp_rsag_lr", "binomial trees within nodes, two rings between them",
            "allreduce/allreduce-smp-rsag-lr.cpp"},
    .piece = piece,
    .part = &lower_allreduce_rings};

/* SMPI loses the elements that remain after equal blocks for all leaders. */
const struct lower_algorithm lower_allreduce_smp_rsag = {
    .row = {"smp_rsag", "as smp_rsag_lr", "allreduce/allreduce-smp-rsag.cpp"},
    .piece = piece,
    .part = &lower_allreduce_rings};

/* --- smp_binomial, smp_binomial_pipeline ------------------------------------------------------ */

enum { STAGES = 4, SEGMENT_ELEMENTS = 4096 };

static const struct lower_algorithm *stage(const struct lowering *l, uint32_t k,
                                           struct lowering *sub)
{
  if (k == 0)
    return levels_within(l, &lower_reduce_tree, sub);
  if (k == 1)
    return levels_between(l, &lower_reduce_tree, sub);
  return k == 2 ? levels_between(l, &lower_bcast_binomial_tree, sub)
                : levels_within(l, &lower_bcast_binomial_tree, sub);
}

static const struct lower_algorithm *binomial_piece(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  if (k == 0)
    return lower_prepared(l);
  return k <= STAGES ? stage(l, k - 1, sub) : NULL;
}

const struct lower_algorithm lower_allreduce_smp_binomial = {
    .row = {"smp_binomial", "binomial trees within nodes and between them",
            "allreduce/allreduce-smp-binomial.cpp"},
    .piece = binomial_piece};

/* Phase p runs stage s on segment p - s.  SMPI loses the elements after the last full segment. */
static const struct lower_algorithm *pipeline_piece(const struct lowering *l, uint32_t k,
                                                    struct lowering *sub)
{
  const uint64_t segments = segments_number(l->count, SEGMENT_ELEMENTS);
  if (k == 0)
    return lower_prepared(l);
  const uint64_t phase = (k - 1) / STAGES, s = (k - 1) % STAGES;
  if (phase >= segments + STAGES - 1)
    return NULL;
  if (phase < s || phase - s >= segments)
    return &lower_nothing;
  const struct lower_algorithm *a = stage(l, (uint32_t)s, sub);
  sub->count = segments_at(l->count, SEGMENT_ELEMENTS, phase - s);
  sub->send_bytes = sub->count * l->send_size;
  return a;
}

const struct lower_algorithm lower_allreduce_smp_binomial_pipeline = {
    .row = {"smp_binomial_pipeline", "smp_binomial, in segments of 4,096 elements",
            "allreduce/allreduce-smp-binomial-pipeline.cpp"},
    .piece = pipeline_piece};
