#define _GNU_SOURCE
#include "traces/matrix/spec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rng.h"

#define MAX_RANKS  (1u << 20)
#define MAX_SIDES  8
#define DENSE_BITS 20
#define GRID_BYTES 65536

static enum status make_dense(struct matrix *m, char *text, uint64_t seed, struct err *e)
{
  uint64_t n;
  if (num_u64(text, MAX_RANKS, &n, e) != OK)
    return FAIL;
  if (n < 2)
    return err_set(e, "%s is below the minimum of 2 ranks", text);
  if (n * (n - 1) > MATRIX_PAIRS_MAX)
    return err_set(e, "%" PRIu64 " pairs of ranks are more than a matrix keeps, %" PRIu64,
                   n * (n - 1), MATRIX_PAIRS_MAX);
  uint32_t *x = NULL;
  if (mem_fits(n * (n - 1), sizeof *x, e) != OK ||
      (x = mem_array(n * (n - 1), sizeof *x, e)) == NULL)
    return FAIL;
  *m = (struct matrix){.ranks = (uint32_t)n, .count = n * (n - 1), .dense = x};
  for (uint32_t src = 0; src < n; src++) {
    struct rng rng = rng_new(seed, src);
    for (uint32_t dst = 1; dst < n; dst++)
      *x++ = 1 + (uint32_t)(rng_next(&rng) >> (64 - DENSE_BITS));
  }
  return OK;
}

struct grid {
  uint32_t nsides, cells;
  uint32_t side[MAX_SIDES];
  uint32_t *rank; /* by cell; the coordinate on the first side varies fastest */
  uint32_t *cell; /* by rank */
};

static enum status parse_sides(struct grid *g, char *text, struct err *e)
{
  g->cells = 1;
  for (char *word; (word = strsep(&text, "x")) != NULL;) {
    uint64_t side;
    if (g->nsides == MAX_SIDES)
      return err_set(e, "more than %d sides", MAX_SIDES);
    if (num_u64(word, MAX_RANKS, &side, e) != OK)
      return FAIL;
    if (side == 0 || side > MAX_RANKS / g->cells)
      return err_set(e, side == 0 ? "a side of 0" : "more than %u ranks", MAX_RANKS);
    g->side[g->nsides++] = (uint32_t)side;
    g->cells *= (uint32_t)side;
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

static enum status make_grid(struct matrix *m, char *text, uint64_t seed, struct err *e)
{
  struct grid g = {.nsides = 0};
  enum status s = parse_sides(&g, text, e);
  if (s == OK)
    s = fill_grid(&g, m, seed, e);
  free(g.rank);
  free(g.cell);
  return s;
}

static const struct kind {
  const char *prefix;
  enum status (*make)(struct matrix *m, char *text, uint64_t seed, struct err *e);
} KINDS[] = {{"dense:", make_dense}, {"grid:", make_grid}};

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

/* @p text is the spec without its prefix; it is overwritten. */
static enum status make(const struct kind *kind, struct matrix *m, char *text, struct err *e)
{
  uint64_t seed = 1;
  char *option = strchr(text, ':');
  if (option != NULL) {
    *option++ = '\0';
    if (strncmp(option, "seed=", 5) != 0)
      return err_set(e, "'%.40s' is not seed=S", option);
    if (num_u64(option + 5, UINT64_MAX, &seed, e) != OK)
      return FAIL;
  }
  return kind->make(m, text, seed, e);
}

enum status matrix_spec_make(struct matrix *m, const char *spec, struct err *e)
{
  const struct kind *kind = find_kind(spec);
  if (kind == NULL)
    return err_set(e, "matrix '%.80s': expected dense:N or grid:AxBx...", spec);
  char *text = mem_strdup(spec + strlen(kind->prefix), e);
  if (text == NULL)
    return FAIL;
  struct err why;
  const enum status s = make(kind, m, text, &why);
  free(text);
  return s == OK ? OK : err_set(e, "matrix '%.80s': %s", spec, why.text);
}

enum status matrix_spec_open(struct matrix *m, const char *text, struct err *e)
{
  return matrix_spec_is(text) ? matrix_spec_make(m, text, e) : matrix_load(m, text, e);
}
