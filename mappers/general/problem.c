#include "mappers/general/problem.h"

enum status problem_new(struct problem *p, const struct mapper_input *in, struct err *e)
{
  ARENA(room, e);
  struct graph bytes;
  *p = (struct problem){.in = in, .mem = {.e = e}};
  if (graph_new(&bytes, in->traffic, in->ranks, in->ranks, &room) != OK ||
      graph_scale(&p->g, &bytes, &p->mem) != OK ||
      (p->slot = arena_array(&p->mem, in->ranks, sizeof *p->slot)) == NULL ||
      target_new(&p->m, in->platform, in->ranks_per_host, e) != OK) {
    problem_clear(p);
    return FAIL;
  }
  for (uint32_t r = 0; r < in->ranks; r++)
    p->slot[r] = r;
  return OK;
}

void problem_clear(struct problem *p)
{
  target_clear(&p->m);
  arena_clear(&p->mem);
}

enum status problem_mapping(const struct problem *p, struct mapping *out, struct err *e)
{
  if (mapping_new(out, p->in->ranks, e) != OK)
    return FAIL;
  mapper_hosts(p->in, p->slot, out->host);
  return OK;
}
