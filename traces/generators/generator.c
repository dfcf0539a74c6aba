#include "traces/generators/generator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(npb_generator)                                                                               \
  ROW(hpl_generator)                                                                               \
  ROW(pattern_stencil)                                                                             \
  ROW(pattern_ring)                                                                                \
  ROW(pattern_butterfly)                                                                           \
  ROW(pattern_alltoall)                                                                            \
  ROW(pattern_random)                                                                              \
  ROW(pattern_geometric)                                                                           \
  ROW(pattern_pingpong)                                                                            \
  ROW(pattern_collective)

#define DECLARE(row) extern const struct generator_kind row;
LIST(DECLARE)

const struct registry generators = REGISTRY("generator", LIST);

static const struct generator_kind *find_kind(const char *text)
{
  const size_t n = strcspn(text, ":");
  return text[n] == ':' ? registry_find(&generators, text, n) : NULL;
}

bool generator_is_spec(const char *text)
{
  return find_kind(text) != NULL;
}

enum status generator_open(struct generator **out, const char *spec, struct err *e)
{
  const struct generator_kind *kind = find_kind(spec);
  if (kind == NULL)
    return err_set(e, "'%.64s' names no generator", spec);
  struct err why;
  if (kind->open(out, kind, strchr(spec, ':') + 1, &why) != OK)
    return err_set(e, "%.200s: %s", spec, why.text);
  assert((*out)->ranks >= 1 && (*out)->ranks <= GENERATOR_RANKS_MAX);
  assert((*out)->head > 0 && (*out)->tail > 0);
  return OK;
}

void generator_close(struct generator *g)
{
  if (g != NULL && g->close != NULL)
    g->close(g);
  free(g);
}

uint64_t generator_blocks(const struct generator *g)
{
  return (uint64_t)g->head + g->warmup + g->middle + (uint64_t)g->loop * g->iterations + g->tail;
}

uint64_t generator_first_block(const struct generator *g, uint64_t iteration)
{
  const uint64_t before = iteration == ACTION_MARK_END ? g->iterations : iteration - 1;
  return (uint64_t)g->head + g->warmup + g->middle + g->loop * before;
}

/* True if block *left is in a part of @p blocks blocks.  If not, *left becomes its index after the
 * part. */
static bool within(uint64_t blocks, uint64_t *left)
{
  if (*left < blocks)
    return true;
  *left -= blocks;
  return false;
}

static struct generator_place place_of(const struct generator *g, uint64_t block)
{
  uint64_t left = block;
  struct generator_place at = {.part = GENERATOR_TAIL};
  if (within(g->head, &left))
    at.part = GENERATOR_HEAD;
  else if (within(g->warmup, &left))
    at.part = GENERATOR_WARMUP;
  else if (within(g->middle, &left))
    at.part = GENERATOR_MIDDLE;
  else if (within((uint64_t)g->loop * g->iterations, &left))
    at.part = GENERATOR_LOOP;
  if (at.part == GENERATOR_LOOP) {
    at.iteration = (uint32_t)(left / g->loop + 1);
    left %= g->loop;
  }
  at.step = (uint32_t)left;
  return at;
}

bool generator_in_iteration(const struct generator *g, uint64_t block, uint32_t iteration)
{
  return place_of(g, block).iteration == iteration;
}

void generator_fill(const struct generator *g, uint64_t block, struct emit *out)
{
  const struct generator_place at = place_of(g, block);
  if (block == 0)
    emit_init(out);
  if (at.part == GENERATOR_LOOP && at.step == 0)
    emit_mark(out, at.iteration);
  if (at.part == GENERATOR_TAIL && at.step == 0)
    emit_mark(out, ACTION_MARK_END);
  g->fill(g, &at, out);
  if (block + 1 == generator_blocks(g))
    emit_finalize(out);
}
