/* The steps of `auto` as separate mappers, without annealing. */
#include "mappers/general/cut/bisect.h"
#include "mappers/general/general.h"
#include "mappers/general/recognise/geometry.h"
#include "mappers/general/recognise/structure.h"

static enum status use_structure(struct placement *p, struct err *e)
{
  ARENA(mem, e);
  struct structure s;
  if (structure_find(&s, p->g, &mem) != OK)
    return FAIL;
  if (s.shape.naxes == 0)
    return err_set(e, "mapper 'structure': the traffic is no stencil (product of paths and rings)");
  if (structure_map(&s, p, e) != OK)
    return FAIL;
  if (p->hops == UINT64_MAX)
    return err_set(e, "mapper 'structure': the traffic's %u axes fit no box of the platform",
                   s.shape.naxes);
  return OK;
}

enum { STRUCTURE, GEOMETRY, BISECT };

static enum status use_step(const struct mapper_input *in, struct placement *p, struct err *e)
{
  const uint32_t *pivots = in->options;
  switch (in->mapper->variant) {
  case STRUCTURE:
    return use_structure(p, e);
  case GEOMETRY:
    return geometry_map(p, *pivots, e);
  default:
    return bisect_map(p, in->options, e);
  }
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  struct problem p;
  if (problem_new(&p, in, e) != OK)
    return FAIL;
  struct placement all = {.g = &p.g, .m = &p.m, .slot = p.slot, .hops = UINT64_MAX};
  enum status s = use_step(in, &all, e);
  if (s == OK)
    s = problem_mapping(&p, out, e);
  problem_clear(&p);
  return s;
}

static const struct spec_option PIVOTS[] = {
    {"pivots", SPEC_U32, 0, "50", .help = "ranks from which paths are measured, 8 to 64",
     .least = 8, .most = 64},
    {.name = NULL},
};

static const struct spec_option TRIES[] = {
    {"tries", SPEC_U32, offsetof(struct bisect_plan, tries), "4",
     .help = "first cuts that each bisection tries, 1 to 1000", .least = 1, .most = 1000},
    {"seed", SPEC_U64, offsetof(struct bisect_plan, seed), "1",
     .help = "seed of the random streams, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_structure = {
    .name = "structure",
    .help = "stencils: recognises paths and rings of ranks and folds them onto the axes",
    .variant = STRUCTURE,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .map = map,
};

const struct mapper map_geometry = {
    .name = "geometry",
    .help = "coordinates by pivot MDS, cut at medians into boxes of hosts",
    .options = PIVOTS,
    .variant = GEOMETRY,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .map = map,
};

const struct mapper map_bisect = {
    .name = "bisect",
    .help = "ranks and platform halved together, repeatedly, by multilevel cuts",
    .options = TRIES,
    .variant = BISECT,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = map,
};
