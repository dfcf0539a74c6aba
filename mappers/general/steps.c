/* The steps of `auto` as separate mappers, without annealing. */
#include <math.h>

#include "common/num.h"
#include "mappers/general/cut/bisect.h"
#include "mappers/general/general.h"
#include "mappers/general/recognise/geometry.h"
#include "mappers/general/recognise/structure.h"

/* One step: improves a placement that has no slots yet. */
typedef enum status step(struct placement *p, const struct mapper_values *values, struct err *e);

static enum status run(const struct mapper_input *in, const struct mapper_values *values,
                       step *improve, struct mapping *out, struct err *e)
{
  struct problem p;
  if (problem_new(&p, in, e) != OK)
    return FAIL;
  struct placement all = {.g = &p.g, .m = &p.m, .slot = p.slot, .hops = UINT64_MAX};
  enum status s = improve(&all, values, e);
  if (s == OK)
    s = problem_mapping(&p, out, e);
  problem_clear(&p);
  return s;
}

/* --- structure -------------------------------------------------------------------------------- */

static enum status use_structure(struct placement *p, const struct mapper_values *values,
                                 struct err *e)
{
  ARENA(mem, e);
  struct structure s;
  (void)values;
  if (structure_find(&s, p->g, &mem) != OK)
    return FAIL;
  if (s.shape.naxes == 0)
    return err_set(e, "mapper 'structure': the traffic is no product of paths and rings, as "
                      "stencils are");
  if (structure_map(&s, p, NULL, e) != OK)
    return FAIL;
  if (p->hops == UINT64_MAX)
    return err_set(e, "mapper 'structure': the traffic's %u axes fit no box of the platform",
                   s.shape.naxes);
  return OK;
}

static enum status map_by_structure(const struct mapper_input *in,
                                    const struct mapper_values *values, struct mapping *out,
                                    struct err *e)
{
  return run(in, values, use_structure, out, e);
}

static const struct mapper_option NO_OPTIONS[] = {{.name = NULL}};

const struct mapper map_structure = {
    .name = "structure",
    .help = "stencils: recognises paths and rings of ranks and folds them onto the axes",
    .options = NO_OPTIONS,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .map = map_by_structure,
};

/* --- geometry --------------------------------------------------------------------------------- */

static enum status use_geometry(struct placement *p, const struct mapper_values *values,
                                struct err *e)
{
  uint64_t pivots;
  struct err why;
  if (num_u64(values->value[0], 64, &pivots, &why) != OK || pivots < 8)
    return err_set(e, "mapper 'geometry': pivots: '%s' is not in 8 to 64", values->value[0]);
  return geometry_map(p, &(struct geometry_plan){(uint32_t)pivots, 0, INFINITY}, e);
}

static enum status map_by_geometry(const struct mapper_input *in,
                                   const struct mapper_values *values, struct mapping *out,
                                   struct err *e)
{
  return run(in, values, use_geometry, out, e);
}

static const struct mapper_option PIVOTS[] = {
    {.name = "pivots",
     .default_value = "50",
     .help = "ranks from which paths are measured, 8 to 64"},
    {.name = NULL},
};

const struct mapper map_geometry = {
    .name = "geometry",
    .help = "coordinates by pivot MDS, cut at medians into boxes of hosts",
    .options = PIVOTS,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .map = map_by_geometry,
};

/* --- bisect ----------------------------------------------------------------------------------- */

static enum status use_bisection(struct placement *p, const struct mapper_values *values,
                                 struct err *e)
{
  uint64_t tries;
  struct bisect_plan plan = {.structure = NULL};
  struct err why;
  if (num_u64(values->value[0], 1000, &tries, &why) != OK || tries == 0)
    return err_set(e, "mapper 'bisect': tries: '%s' is not in 1 to 1000", values->value[0]);
  if (num_u64(values->value[1], UINT64_MAX, &plan.seed, &why) != OK)
    return err_set(e, "mapper 'bisect': seed: %s", why.text);
  plan.tries = (uint32_t)tries;
  return bisect_map(p, &plan, e);
}

static enum status map_by_bisection(const struct mapper_input *in,
                                    const struct mapper_values *values, struct mapping *out,
                                    struct err *e)
{
  return run(in, values, use_bisection, out, e);
}

static const struct mapper_option TRIES[] = {
    {.name = "tries", .default_value = "4", .help = "first cuts of each half, 1 to 1000"},
    {.name = "seed", .default_value = "1", .help = "of what is random, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_bisect = {
    .name = "bisect",
    .help = "ranks and platform halved together, again and again, by multilevel cuts",
    .options = TRIES,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = map_by_bisection,
};
