/* Generated traces as a format: gives the actions of a generator's ranks one by one.  Holds one
 * block for each rank in memory. */
#include <stdlib.h>

#include "common/mem.h"
#include "traces/format.h"
#include "traces/generators/emit.h"
#include "traces/generators/generator.h"

/* Position in the stream of one rank. */
struct stream {
  struct emit block; /* actions of the current block */
  size_t next;       /* index of the next action in the block */
  uint64_t blocks;   /* number of blocks begun */
};

struct generated {
  struct trace trace; /* trace.loop.iterations: before trace_single_iteration() reduces them */
  struct generator *generator;
  struct stream *stream; /* by rank */
  uint32_t warmup;       /* blocks of WARMUP, before trace_single_iteration() */
  uint64_t weight;       /* weight of each action of iteration 1 */
  struct comm_table comms;
};

static void close_generated(struct trace *trace)
{
  struct generated *g = (struct generated *)trace;
  for (uint32_t r = 0; g->stream != NULL && r < trace->ranks; r++)
    emit_clear(&g->stream[r].block);
  free(g->stream);
  comm_table_clear(&g->comms);
  generator_close(g->generator);
}

static enum status open_generated(struct trace *t, uint64_t unpack_limit, struct err *e)
{
  struct generated *g = (struct generated *)t;
  (void)unpack_limit;
  if (generator_open(&g->generator, t->name, e) != OK)
    return FAIL;
  const struct generator *made = g->generator;
  t->ranks = made->ranks;
  t->pairs = made->pairs;
  t->per_flop = made->per_flop;
  t->loop = (struct trace_loop){made->iterations, made->likeness == GENERATOR_BUT_LAST,
                                made->likeness == GENERATOR_TREND ? made->turn : 0};
  g->warmup = made->warmup;
  g->weight = 1;
  if ((g->stream = mem_array(made->ranks, sizeof *g->stream, e)) == NULL)
    return FAIL;
  for (uint32_t r = 0; r < made->ranks; r++)
    g->stream[r].block =
        (struct emit){.rank = r, .ranks = made->ranks, .flops = made->flops, .comms = &g->comms};
  return OK;
}

static void rewind_generated(struct trace *trace)
{
  struct generated *g = (struct generated *)trace;
  comm_table_clear(&g->comms);
  g->generator->iterations = (uint32_t)trace->loop.iterations;
  g->generator->warmup = g->warmup;
  g->weight = 1;
  for (uint32_t r = 0; r < trace->ranks; r++) {
    struct stream *s = &g->stream[r];
    emit_clear(&s->block);
    s->next = 0;
    s->blocks = 0;
  }
}

static void single_iteration(struct trace *trace)
{
  struct generated *g = (struct generated *)trace;
  const enum generator_likeness likeness = g->generator->likeness;
  const uint32_t apart = likeness == GENERATOR_BUT_LAST;
  if (likeness >= GENERATOR_ALL_DIFFER || trace->loop.iterations < 1 + apart)
    return;
  g->generator->iterations = 1 + apart;
  g->weight = trace->loop.iterations - apart;
  if (likeness == GENERATOR_ALIKE_WARM) {
    g->generator->warmup = 0;
    g->weight++;
  }
}

static enum status next(struct trace *trace, uint32_t rank, const struct action **a, struct err *e)
{
  struct generated *g = (struct generated *)trace;
  struct trace_rank *at = &trace->rank[rank];
  struct stream *s = &g->stream[rank];
  const uint64_t blocks = generator_blocks(g->generator);
  while (s->next == s->block.count && s->blocks < blocks) {
    s->block.err = e;
    emit_reset(&s->block);
    at->weight = generator_in_iteration(g->generator, s->blocks, 1) ? g->weight : 1;
    generator_fill(g->generator, s->blocks++, &s->block);
    s->next = 0;
    if (s->block.status != OK)
      return FAIL;
  }
  if (s->next == s->block.count) {
    emit_clear(&s->block);
    s->next = 0;
    *a = NULL;
    return OK;
  }
  *a = &s->block.action[s->next++];
  at->record++;
  return OK;
}

static void skip(struct trace *trace, uint32_t rank, uint64_t to)
{
  struct generated *g = (struct generated *)trace;
  struct stream *s = &g->stream[rank];
  s->blocks = generator_first_block(g->generator, to);
  emit_reset(&s->block);
  s->next = 0;
}

static const char *input(const struct trace *t, size_t i)
{
  (void)t;
  (void)i;
  return NULL; /* a spec is no file */
}

const struct trace_format trace_generated = {
    .name = "generator",
    .bytes = sizeof(struct generated),
    .sniff = generator_is_spec,
    .open = open_generated,
    .close = close_generated,
    .next = next,
    .rewind = rewind_generated,
    .input = input,
    .skip = skip,
    .single_iteration = single_iteration,
};
