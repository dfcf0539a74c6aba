#include "mappers/merge/case.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* True if the combinations with pattern @p p of the first group are the first of their equivalence
 * classes in the order of pattern.h. */
static bool leads(const struct merge_case *c, const struct merge_pattern *p)
{
  if (((p->flip ^ c->patterns[0].flips) & ~((uint32_t)1 << c->axis)) != 0)
    return false;
  for (uint32_t a = 0; c->exchangeable && a < c->ndims; a++)
    for (uint32_t b = a + 1; b < c->ndims; b++)
      if (a != c->axis && b != c->axis && c->patterns[0].kind[a] == c->patterns[0].kind[b] &&
          c->ring[a] == c->ring[b] && p->from[a] > p->from[b])
        return false;
  return true;
}

static void collect_leads(struct merge_case *c)
{
  const uint64_t n = merge_pattern_count(&c->patterns[0]);
  c->leads = 0;
  for (uint64_t i = 0; i < n; i++) {
    const struct merge_pattern p = merge_pattern_at(&c->patterns[0], i);
    if (leads(c, &p))
      c->lead[c->leads++] = (uint32_t)i;
  }
}

static enum status list_all(struct merge_case *c, uint64_t order, struct err *e)
{
  for (int h = 0; h < 2; h++)
    if (merge_pattern_list(&c->patterns[h], e) != OK ||
        (order > 0 && merge_pattern_shuffle(&c->patterns[h], order, e) != OK))
      return FAIL;
  c->lead = mem_array(merge_pattern_count(&c->patterns[0]), sizeof *c->lead, e);
  if (c->lead == NULL)
    return FAIL;
  collect_leads(c);
  c->exact = c->leads * merge_pattern_count(&c->patterns[1]) <= MERGE_CASE_MAX_COMBINATIONS;
  return OK;
}

enum status merge_case_new(struct merge_case *c, const struct merge_boxes *b,
                           enum merge_objective objective, struct err *e)
{
  struct merge_case made = {.ndims = b->ndims, .axis = b->axis, .cells = {1, 1}};
  made.exchangeable = objective == MERGE_MINCOST;
  memcpy(made.length, b->length, sizeof made.length);
  memcpy(made.ring, b->ring, sizeof made.ring);
  for (int h = 0; h < 2; h++) {
    for (uint32_t d = 0; d < b->ndims; d++)
      made.cells[h] *= b->length[h][d];
    merge_pattern_init(&made.patterns[h], b->ndims, b->length[h], b->hosts[h]);
  }
  /* Lists no patterns if one group alone has more patterns than combinations may be tried. */
  if (merge_pattern_count(&made.patterns[0]) <= MERGE_CASE_MAX_COMBINATIONS &&
      merge_pattern_count(&made.patterns[1]) <= MERGE_CASE_MAX_COMBINATIONS &&
      list_all(&made, b->order, e) != OK) {
    merge_case_clear(&made);
    return FAIL;
  }
  *c = made;
  return OK;
}

void merge_case_boxes(struct merge_boxes *b, const struct merge_grid *g,
                      const struct merge_plan *plan, uint32_t i, const uint32_t shape[2])
{
  struct merge_step step;
  merge_plan_step(plan, i, &step);
  *b = (struct merge_boxes){.ndims = plan->ndims, .axis = step.axis};
  for (uint32_t d = 0; d < plan->ndims; d++) {
    for (int h = 0; h < 2; h++) {
      b->length[h][d] = merge_grid_length(g, plan, i, shape[h], d);
      b->hosts[h][d] = merge_plan_length(&step, shape[h], d);
    }
    const bool both = d == step.axis;
    const uint32_t units = b->length[0][d] + (both ? b->length[1][d] : 0);
    const uint32_t hosts = b->hosts[0][d] + (both ? b->hosts[1][d] : 0);
    b->ring[d] = plan->torus && hosts == plan->side[d] && units > 2;
  }
}

void merge_case_clear(struct merge_case *c)
{
  merge_pattern_clear(&c->patterns[0]);
  merge_pattern_clear(&c->patterns[1]);
  free(c->lead);
  *c = (struct merge_case){.ndims = 0};
}
