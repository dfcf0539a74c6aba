#include "traces/generators/generated.h"

#include <stdlib.h>

#include "common/mem.h"
#include "traces/generators/emit.h"
#include "traces/generators/generator.h"

/* Position in the stream of one rank. */
struct stream {
  struct emit block; /* actions of the current block */
  size_t next;       /* index of the next action in the block */
  uint64_t blocks;   /* number of blocks begun */
  uint64_t line;     /* number of actions given */
  uint64_t weight;   /* of each action of the current block */
};

struct generated {
  struct generator *generator;
  struct stream *stream;       /* by rank */
  uint32_t iterations, warmup; /* of the generator, before folding reduces them */
  uint64_t weight;             /* of each action of iteration 1 */
  struct comm_table comms;
};

enum status generated_open(struct generated **out, const char *spec, struct err *e)
{
  struct generated *g = mem_array(1, sizeof *g, e);
  if (g == NULL)
    return FAIL;
  if (generator_open(&g->generator, spec, e) != OK) {
    free(g);
    return FAIL;
  }
  g->iterations = g->generator->iterations;
  g->warmup = g->generator->warmup;
  g->weight = 1;
  g->stream = mem_array(g->generator->ranks, sizeof *g->stream, e);
  if (g->stream == NULL) {
    generated_free(g);
    return FAIL;
  }
  for (uint32_t r = 0; r < g->generator->ranks; r++)
    g->stream[r].block = (struct emit){.rank = r, .ranks = g->generator->ranks, .comms = &g->comms};
  *out = g;
  return OK;
}

void generated_free(struct generated *g)
{
  if (g == NULL)
    return;
  for (uint32_t r = 0; g->stream != NULL && r < g->generator->ranks; r++)
    emit_clear(&g->stream[r].block);
  free(g->stream);
  comm_table_clear(&g->comms);
  generator_close(g->generator);
  free(g);
}

uint32_t generated_ranks(const struct generated *g)
{
  return g->generator->ranks;
}

uint64_t generated_pairs(const struct generated *g)
{
  return g->generator->pairs;
}

uint64_t generated_line(const struct generated *g, uint32_t rank)
{
  return g->stream[rank].line;
}

void generated_rewind(struct generated *g)
{
  comm_table_clear(&g->comms);
  g->generator->iterations = g->iterations;
  g->generator->warmup = g->warmup;
  g->weight = 1;
  for (uint32_t r = 0; r < g->generator->ranks; r++) {
    struct stream *s = &g->stream[r];
    emit_clear(&s->block);
    s->next = 0;
    s->blocks = s->line = 0;
  }
}

void generated_fold(struct generated *g)
{
  generated_rewind(g);
  const enum generator_likeness likeness = g->generator->likeness;
  const uint32_t apart = likeness == GENERATOR_BUT_LAST;
  if (likeness == GENERATOR_ALL_DIFFER || g->iterations < 1 + apart)
    return;
  g->generator->iterations = 1 + apart;
  g->weight = g->iterations - apart;
  if (likeness == GENERATOR_ALIKE_WARM) {
    g->generator->warmup = 0;
    g->weight++;
  }
}

uint64_t generated_weight(const struct generated *g, uint32_t rank)
{
  return g->stream[rank].weight;
}

enum status generated_next(struct generated *g, uint32_t rank, const struct action **a,
                           struct err *e)
{
  struct stream *s = &g->stream[rank];
  const uint64_t blocks = generator_blocks(g->generator);
  while (s->next == s->block.count && s->blocks < blocks) {
    s->block.err = e;
    emit_reset(&s->block);
    s->weight = generator_in_iteration(g->generator, s->blocks, 1) ? g->weight : 1;
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
  s->line++;
  return OK;
}

struct trace_loop generated_loop(const struct generated *g)
{
  return (struct trace_loop){.iterations = g->iterations,
                             .last_differs = g->generator->likeness == GENERATOR_BUT_LAST};
}

void generated_skip(struct generated *g, uint32_t rank, uint64_t to)
{
  struct stream *s = &g->stream[rank];
  s->blocks = generator_first_block(g->generator, to);
  emit_reset(&s->block);
  s->next = 0;
}
