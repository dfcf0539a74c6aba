/* EP: each rank counts random pairs, then all ranks sum the counts.  The loop has one iteration.
 * NPB 3.4: EP/ep.f. */

#include "traces/generators/npb/npb.h"

enum { BATCH_LOG = 16, ANNULI = 10 };

/* log2 of the number of pairs. */
static const uint32_t PAIRS_LOG[NPB_CLASSES] = {24, 25, 28, 30, 32, 36, 40, 44};

struct ep {
  struct generator base;
  uint32_t batches; /* number in all, of 2^BATCH_LOG pairs each */
};

static uint32_t batches_of(enum npb_class class)
{
  return 1u << (PAIRS_LOG[class] - BATCH_LOG);
}

static void set_up(struct emit *out)
{
  emit_bcast(out, 1, 0, EMIT_LOGICAL); /* timers_enabled */
  emit_barrier(out);
}

/* Two operations per pair, as counted by NPB. */
static void tally(const struct ep *ep, struct emit *out)
{
  const uint32_t ranks = ep->base.ranks;
  const uint32_t batches = ep->batches / ranks + (out->rank < ep->batches % ranks);
  emit_compute(out, 2.0 * (1u << BATCH_LOG) * batches);
  emit_allreduce(out, 1, EMIT_DOUBLE);
  emit_allreduce(out, 1, EMIT_DOUBLE);
  emit_allreduce(out, ANNULI, EMIT_DOUBLE);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  if (at->part == GENERATOR_HEAD)
    set_up(out);
  else if (at->part == GENERATOR_LOOP)
    tally((const struct ep *)g, out);
  else
    emit_allreduce(out, 1, EMIT_DOUBLE); /* the time */
}

/* NPB fails for more ranks than batches. */
static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  return ranks <= batches_of(class) ? ranks : 0;
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  if (job->iterations != 1)
    return err_set(e, "ep has no iterations to choose: its loop runs once");
  struct ep *ep = (struct ep *)g;
  g->fill = fill;
  ep->batches = batches_of(job->class);
  return OK;
}

const struct npb_benchmark npb_ep = {.name = "ep",
                                     .help = "embarrassingly parallel, collectives only",
                                     .iterations = {1, 1, 1, 1, 1, 1, 1, 1},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct ep),
                                     .init = init};
