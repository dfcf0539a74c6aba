#include "mappers/general/problem.h"

#include <stdlib.h>

#include "common/mem.h"

enum status problem_new(struct problem *p, const struct mapper_input *in, struct err *e)
{
  struct partners partners;
  *p = (struct problem){.in = in};
  if (partners_new(&partners, in->traffic, in->ranks, e) != OK)
    return FAIL;
  const enum status s = graph_new(&p->g, &partners, e);
  partners_clear(&partners);
  if (s == OK && target_new(&p->m, in->platform, in->ranks_per_host, e) == OK &&
      (p->slot = mem_array(in->ranks, sizeof *p->slot, e)) != NULL) {
    for (uint32_t r = 0; r < in->ranks; r++)
      p->slot[r] = r;
    return OK;
  }
  problem_clear(p);
  return FAIL;
}

void problem_clear(struct problem *p)
{
  graph_clear(&p->g);
  target_clear(&p->m);
  free(p->slot);
  p->slot = NULL;
}

enum status problem_mapping(const struct problem *p, struct mapping *out, struct err *e)
{
  if (mapping_new(out, p->in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < p->in->ranks; r++)
    out->host[r] = p->slot[r] / p->m.per_host;
  return OK;
}
