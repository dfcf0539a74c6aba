#include "traces/matrix/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "common/spec.h"

#define MAX_RANKS  (1u << 20)
#define MAX_SIDES  8
#define DENSE_BITS 20
#define GRID_BYTES 65536

struct options {
  uint32_t ranks;
  struct spec_list sides;
  uint64_t seed;
};

#define AT(FIELD) offsetof(struct options, FIELD)
#define SEED                                                                                       \
  {                                                                                                \
    "seed", SPEC_U64, AT(seed), "1", .help = "random seed, 0 to 2^64-1"                            \
  }

static const struct spec_option DENSE_OPTIONS[] = {
    {"ranks", SPEC_U32, AT(ranks), NULL, .help = "number of ranks", .least = 2, .most = MAX_RANKS,
     .ends = ':'},
    SEED,
    {.name = NULL},
};

static const struct spec_option GRID_OPTIONS[] = {
    {"sides", SPEC_LIST, AT(sides), NULL, .help = "ranks along each side", .least = 1,
     .most = MAX_RANKS, .separator = 'x', .ends = ':'},
    SEED,
    {.name = NULL},
};

static enum status make_dense(struct matrix *m, const struct options *o, struct err *e)
{
  const uint64_t n = o->ranks;
  if (n * (n - 1) > MATRIX_PAIRS_MAX)
    return err_set(e, "%" PRIu64 " pairs of ranks are more than a matrix keeps, %" PRIu64,
                   n * (n - 1), MATRIX_PAIRS_MAX);
  uint32_t *x = NULL;
  if (mem_fits(n * (n - 1), sizeof *x, e) != OK ||
      (x = mem_array(n * (n - 1), sizeof *x, e)) == NULL)
    return FAIL;
  *m = (struct matrix){.ranks = (uint32_t)n, .count = n * (n - 1), .dense = x};
  for (uint32_t src = 0; src < n; src++) {
    struct rng rng = rng_new(o->seed, src);
    for (uint32_t dst = 1; dst < n; dst++)
      *x++ = 1 + (uint32_t)(rng_next(&rng) >> (64 - DENSE_BITS));
  }
  return OK;
}

struct grid {
  uint32_t cells, nsides;
  const uint32_t *side;
  uint32_t *rank; /* by cell; the coordinate on the first side varies fastest */
  uint32_t *cell; /* by rank */
};

static enum status set_sides(struct grid *g, const struct spec_list *sides, struct err *e)
{
  if (sides->count > MAX_SIDES)
    return err_set(e, "more than %d sides", MAX_SIDES);
  *g = (struct grid){.cells = 1, .nsides = sides->count, .side = sides->value};
  for (uint32_t d = 0; d < g->nsides; d++) {
    if (g->side[d] > MAX_RANKS / g->cells)
      return err_set(e, "more than %u ranks", MAX_RANKS);
    g->cells *= g->side[d];
  }
  return g->cells > 1 ? OK : err_set(e, "1 rank has no neighbour");
}

/* Writes the entries of one rank, sorted by destination, from @p x on and returns the end. */
static struct matrix_entry *put_neighbours(const struct grid *g, uint32_t src,
                                           struct matrix_entry *x)
{
  struct matrix_entry *const first = x;
  uint32_t stride = 1;
  for (uint32_t d = 0; d < g->nsides; stride *= g->side[d++]) {
    const uint32_t at = g->cell[src] / stride % g->side[d];
    if (at > 0)
      *x++ = (struct matrix_entry){src, g->rank[g->cell[src] - stride], 1, GRID_BYTES};
    if (at + 1 < g->side[d])
      *x++ = (struct matrix_entry){src, g->rank[g->cell[src] + stride], 1, GRID_BYTES};
  }
  for (struct matrix_entry *i = first; i < x; i++)
    for (struct matrix_entry *k = i; k > first && k[-1].dst > k->dst; k--) {
      const struct matrix_entry t = *k;
      *k = k[-1];
      k[-1] = t;
    }
  return x;
}

static enum status fill_grid(struct grid *g, struct matrix *m, uint64_t seed, struct err *e)
{
  if ((g->rank = mem_array(g->cells, sizeof *g->rank, e)) == NULL ||
      (g->cell = mem_array(g->cells, sizeof *g->cell, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < g->cells; i++)
    g->rank[i] = i;
  struct rng rng = rng_new(seed, 0);
  rng_shuffle(&rng, g->rank, g->cells);
  size_t n = 0;
  for (uint32_t d = 0; d < g->nsides; d++)
    n += 2 * (size_t)(g->cells / g->side[d]) * (g->side[d] - 1);
  struct matrix_entry *x = mem_array(n, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  *m = (struct matrix){.ranks = g->cells, .count = n, .entry = x};
  for (uint32_t i = 0; i < g->cells; i++)
    g->cell[g->rank[i]] = i;
  for (uint32_t r = 0; r < g->cells; r++)
    x = put_neighbours(g, r, x);
  return OK;
}

static enum status make_grid(struct matrix *m, const struct options *o, struct err *e)
{
  struct grid g = {.rank = NULL};
  enum status s = set_sides(&g, &o->sides, e);
  if (s == OK)
    s = fill_grid(&g, m, o->seed, e);
  free(g.rank);
  free(g.cell);
  return s;
}

static const struct kind {
  const char *prefix;
  const struct spec_option *options;
  enum status (*make)(struct matrix *m, const struct options *o, struct err *e);
} KINDS[] = {{"dense:", DENSE_OPTIONS, make_dense}, {"grid:", GRID_OPTIONS, make_grid}};

static const struct kind *find_kind(const char *text)
{
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (strncmp(text, KINDS[i].prefix, strlen(KINDS[i].prefix)) == 0)
      return &KINDS[i];
  return NULL;
}

bool matrix_spec_is(const char *text)
{
  return find_kind(text) != NULL;
}

enum status matrix_spec_make(struct matrix *m, const char *spec, struct err *e)
{
  const struct kind *kind = find_kind(spec);
  struct options o;
  struct err why;
  if (kind == NULL)
    return err_set(e, "matrix '%.80s': expected dense:N or grid:AxBx...", spec);
  if (spec_parse(NULL, kind->options, spec + strlen(kind->prefix), &o, &why) != OK ||
      kind->make(m, &o, &why) != OK)
    return err_set(e, "matrix '%.80s': %s", spec, why.text);
  return OK;
}

enum status matrix_spec_open(struct matrix *m, const char *text, const struct matrix_reading *how,
                             struct err *e)
{
  if (!matrix_spec_is(text))
    return matrix_load(m, text, how, e);
  if (how != NULL && (how->format != NULL || how->unit > 0))
    return err_set(e, "matrix '%.80s': --matrix-%s is for files", text,
                   how->format != NULL ? "format" : "unit");
  return matrix_spec_make(m, text, e);
}
