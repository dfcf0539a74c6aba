/* SimGrid 3.32: src/smpi/colls/reduce/reduce-ompi.cpp.  One algorithm for several trees: segments
 * move from the leaves to the root. */
#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/ompi_tree.h"
#include "traces/collectives/shapes/segments.h"

struct flow {
  struct ompi_tree tree;
  uint32_t root;
  uint64_t each; /* elements of a segment */
};

static uint64_t bytes_at(const struct lowering *l, const struct flow *f, uint64_t segment)
{
  return segments_at(l->count, f->each, segment) * l->send_size;
}

/* An inner rank receives each segment from one child after another.  It posts a receive before it
 * waits for the previous one.  A receive takes three steps: post it, wait for the previous one,
 * send the previous segment to the parent. */
static uint64_t flow_steps(const struct lowering *l, const struct flow *f)
{
  const uint64_t segments = segments_number(l->count, f->each);
  if (f->tree.children == 0)
    return l->rank == f->root ? 0 : segments;
  return 3 * (segments * f->tree.children + 1) + 1;
}

static bool inner_step(const struct lowering *l, const struct flow *f, uint64_t i, struct op *op)
{
  const uint64_t receive = i / 3, segment = receive / f->tree.children;
  const uint32_t child = (uint32_t)(receive % f->tree.children);
  const bool past = segment == segments_number(l->count, f->each);
  if (i % 3 == 0)
    return !past &&
           lower_irecv(op, f->tree.child[child], LOWER_TAG_REDUCE, bytes_at(l, f, segment));
  if (i % 3 == 1)
    return receive > 0 && lower_wait(op, (uint32_t)receive - 1);
  return child == 0 && segment > 0 && l->rank != f->root &&
         lower_send(op, f->tree.parent, LOWER_TAG_REDUCE, bytes_at(l, f, segment - 1));
}

static bool flow_step(const struct lowering *l, const struct flow *f, uint64_t i, struct op *op)
{
  if (f->tree.children == 0)
    return lower_send(op, f->tree.parent, LOWER_TAG_REDUCE, bytes_at(l, f, i));
  if (i + 1 == flow_steps(l, f))
    return lower_waitall(op);
  return inner_step(l, f, i, op);
}

static uint64_t each(const struct lowering *l, uint64_t limit)
{
  return segments_elements(limit, l->send_size, l->count);
}

static uint64_t pipeline_limit(const struct lowering *l)
{
  const double bytes = (double)l->send_bytes;
  if (l->ranks > 0.0410 / 1024 * bytes + 9.7128)
    return 1024;
  return l->ranks > 0.0033 / 1024 * bytes + 1.6761 ? 32768 : 65536;
}

static uint64_t binomial_limit(const struct lowering *l)
{
  const bool small = (l->ranks < 8 && l->send_bytes < 20480) || l->send_bytes < 2048;
  if (small || l->count <= 1)
    return 0;
  return l->ranks > 0.6016 / 1024 * (double)l->send_bytes + 1.3496 ? 1024 : 0;
}

enum { CHAIN, PIPELINE, BINARY, BINOMIAL, IN_ORDER };

static struct flow flow_of(const struct lowering *l)
{
  switch (l->algorithm->variant) {
  case CHAIN:
    return (struct flow){ompi_tree_chain(l, l->ranks / 2), l->root, each(l, 65536)};
  case PIPELINE:
    return (struct flow){ompi_tree_chain(l, 1), l->root, each(l, pipeline_limit(l))};
  case BINARY:
    return (struct flow){ompi_tree_binary(l), l->root, each(l, 32768)};
  case BINOMIAL:
    return (struct flow){ompi_tree_binomial(l), l->root, each(l, binomial_limit(l))};
  default:
    return (struct flow){ompi_tree_in_order_binary(l), l->ranks - 1, l->count};
  }
}

static uint64_t steps(const struct lowering *l)
{
  const struct flow f = flow_of(l);
  return flow_steps(l, &f) + 1;
}

/* The last step passes the result from the root of the tree to the root of the collective. */
static bool step(const struct lowering *l, uint64_t i, struct op *op)
{
  const struct flow f = flow_of(l);
  if (i < flow_steps(l, &f))
    return flow_step(l, &f, i, op);
  if (f.root == l->root)
    return false;
  if (l->rank == f.root)
    return lower_send(op, l->root, LOWER_TAG_REDUCE, l->send_bytes);
  return l->rank == l->root && lower_recv(op, f.root, LOWER_TAG_REDUCE, l->send_bytes);
}

const struct lower_algorithm lower_reduce_ompi_chain = {
    .row = {"ompi_chain", "ranks / 2 chains (at most 32), in segments of 64 KiB",
            "reduce/reduce-ompi.cpp"},
    .steps = steps,
    .step = step,
    .variant = CHAIN};

const struct lower_algorithm lower_reduce_ompi_pipeline = {
    .row = {"ompi_pipeline", "a chain through all ranks, in segments of 1, 32 or 64 KiB",
            "reduce/reduce-ompi.cpp"},
    .steps = steps,
    .step = step,
    .variant = PIPELINE};

const struct lower_algorithm lower_reduce_ompi_binary = {
    .row = {"ompi_binary", "binary tree, in segments of 32 KiB", "reduce/reduce-ompi.cpp"},
    .steps = steps,
    .step = step,
    .variant = BINARY};

const struct lower_algorithm lower_reduce_ompi_binomial = {
    .row = {"ompi_binomial", "binomial tree, whole or in segments of 1 KiB by size and ranks",
            "reduce/reduce-ompi.cpp"},
    .steps = steps,
    .step = step,
    .variant = BINOMIAL};

const struct lower_algorithm lower_reduce_ompi_in_order_binary = {
    .row = {"ompi_in_order_binary", "binary tree that keeps the ranks in order, for any operation",
            "reduce/reduce-ompi.cpp"},
    .steps = steps,
    .step = step,
    .variant = IN_ORDER};
