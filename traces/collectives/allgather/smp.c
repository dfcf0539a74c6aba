/* SimGrid 3.32: allgather-smp-simple.cpp and allgather-SMP-NTS.cpp in src/smpi/colls/allgather.
 * Both begin with a ring within each host; the first rank of each host exchanges messages with
 * other hosts. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/levels.h"

/* --- within a host ------------------------------------------------------------------------ */

static uint64_t ring_steps(const struct lowering *l)
{
  return (uint64_t)(levels_cores(l) - 1) * LOWER_EXCHANGE_STEPS;
}

static bool ring_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t cores = levels_cores(l), place = l->rank % cores, first = l->rank - place;
  const uint32_t away = (uint32_t)(i / LOWER_EXCHANGE_STEPS) + 1;
  const struct lower_exchange x = {.self = l->rank,
                                   .dst = first + (place + away) % cores,
                                   .src = first + (place + cores - away) % cores,
                                   .tag = LOWER_TAG_ALLGATHER,
                                   .send_bytes = l->send_bytes,
                                   .recv_bytes = l->recv_bytes};
  return lower_exchange(&x, i % LOWER_EXCHANGE_STEPS, op);
}

static const struct lower_algorithm RING = {.steps = ring_steps, .step = ring_step};

/* --- smp_simple --------------------------------------------------------------------------- */

static uint64_t linear_steps(const struct lowering *l)
{
  const uint32_t cores = levels_cores(l);
  return l->rank % cores == 0 ? 2 * (uint64_t)(l->ranks / cores - 1) + 1 : 0;
}

/* Posts receives from all other hosts, the previous one first, then sends to all other hosts, the
 * next one first. */
static bool linear_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint64_t cores = levels_cores(l), others = l->ranks / cores - 1;
  if (i == 2 * others)
    return lower_waitall(op);
  const uint64_t away = (i % others + 1) * cores;
  if (i < others)
    return lower_irecv(op, (uint32_t)((l->rank + l->ranks - away) % l->ranks), LOWER_TAG_ALLGATHER,
                       cores * l->recv_bytes);
  return lower_isend(op, (uint32_t)((l->rank + away) % l->ranks), LOWER_TAG_ALLGATHER,
                     cores * l->send_bytes);
}

static const struct lower_algorithm LINEAR = {.steps = linear_steps, .step = linear_step};

static uint64_t flat_steps(const struct lowering *l)
{
  const uint32_t cores = levels_cores(l);
  return l->rank % cores == 0 ? cores - 1 : 1;
}

static bool flat_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t place = l->rank % levels_cores(l);
  if (place == 0)
    return lower_send(op, l->rank + 1 + (uint32_t)i, LOWER_TAG_ALLGATHER, l->ranks * l->send_bytes);
  return lower_recv(op, l->rank - place, LOWER_TAG_ALLGATHER, l->ranks * l->recv_bytes);
}

static const struct lower_algorithm FLAT = {.steps = flat_steps, .step = flat_step};

const struct lower_algorithm lower_allgather_smp_simple = {
    .row = {"smp_simple",
            "ring within each host, linear between hosts, flat bcast within each host",
            "allgather/allgather-smp-simple.cpp"},
    .pieces = LOWER_PIECES(&lower_prepare, &RING, &LINEAR, &FLAT)};

/* --- SMP_NTS ------------------------------------------------------------------------------ */

static uint64_t pipeline_steps(const struct lowering *l)
{
  const uint64_t cores = levels_cores(l), others = l->ranks / cores - 1;
  return l->rank % cores == 0 ? others + 1 + 3 * others + 1 : 2 * others;
}

/* The first rank of a host posts all receives and sends its own blocks.  For each receive it then
 * waits, sends to the next host and sends to the next rank. */
static bool first_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t cores = levels_cores(l), others = l->ranks / cores - 1;
  const uint64_t bytes = cores * l->send_bytes;
  if (i < others)
    return lower_irecv(op, (l->rank + l->ranks - cores) % l->ranks, LOWER_TAG_ALLGATHER, bytes);
  if (i + 1 == pipeline_steps(l))
    return lower_waitall(op);
  const uint64_t t = i - others; /* 0: the send of its own blocks; then groups of three */
  const uint32_t round = (uint32_t)((t + 2) / 3);
  if (t % 3 == 1)
    return lower_wait(op, round - 1);
  if (t % 3 == 2)
    return round < others &&
           lower_isend(op, (l->rank + cores) % l->ranks, LOWER_TAG_ALLGATHER, bytes);
  return t == 0 ? lower_isend(op, (l->rank + cores) % l->ranks, LOWER_TAG_ALLGATHER, bytes)
                : cores > 1 && lower_send(op, l->rank + 1, LOWER_TAG_ALLGATHER, bytes);
}

static bool pipeline_step(const struct lowering *l, uint64_t i, struct op *op)
{
  const uint32_t cores = levels_cores(l), place = l->rank % cores;
  if (place == 0)
    return first_step(l, i, op);
  if (i % 2 == 0)
    return lower_recv(op, l->rank - 1, LOWER_TAG_ALLGATHER, cores * l->recv_bytes);
  return place + 1 < cores &&
         lower_send(op, l->rank + 1, LOWER_TAG_ALLGATHER, cores * l->send_bytes);
}

static const struct lower_algorithm PIPELINE = {.steps = pipeline_steps, .step = pipeline_step};

static const struct lower_algorithm *nts(const struct lowering *l, uint32_t k, struct lowering *sub)
{
  (void)sub;
  if (k == 0)
    return lower_prepared(l);
  if (l->ranks <= levels_cores(l))
    return k == 1 ? &lower_allgather_default : NULL;
  if (k == 1)
    return &RING;
  return k == 2 ? &PIPELINE : NULL;
}

const struct lower_algorithm lower_allgather_smp_nts = {
    .row = {"SMP_NTS",
            "ring within each host; logical ring of hosts, which forward blocks internally",
            "allgather/allgather-SMP-NTS.cpp"},
    .piece = nts};
