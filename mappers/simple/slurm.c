/* Slurm's distributions of tasks over the nodes of a job (srun --distribution), as
 * _task_layout_block(), _task_layout_cyclic() and _task_layout_plane() in Slurm's
 * src/common/slurm_step_layout.c compute them. */
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/mapper.h"

/* A host with its slots, and the ranks that it gets. */
struct share {
  uint32_t host, slots, ranks;
  uint32_t placed; /* of these ranks */
};

struct shares {
  struct share *of; /* in the order of the hosts */
  uint32_t hosts;
  uint32_t left; /* ranks that no host gets yet */
};

/* Lists the hosts in the order of their first slots. */
static enum status list_hosts(struct shares *s, const struct mapper_input *in, struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  uint32_t *at = mem_array(hosts, sizeof *at, e); /* by host: its index in s->of, plus 1 */
  *s = (struct shares){.left = in->ranks};
  if (at == NULL || (s->of = mem_array(hosts, sizeof *s->of, e)) == NULL) {
    free(at);
    return FAIL;
  }
  for (uint32_t h = 0; in->order == NULL && h < hosts; h++)
    s->of[s->hosts++] = (struct share){.host = h, .slots = in->ranks_per_host};
  for (uint32_t i = 0; in->order != NULL && i < in->slots; i++) {
    const uint32_t h = in->order[i];
    if (at[h] == 0) {
      s->of[s->hosts++] = (struct share){.host = h};
      at[h] = s->hosts;
    }
    s->of[at[h] - 1].slots++;
  }
  free(at);
  return OK;
}

/* Gives up to @p most more ranks to a host. */
static void give(struct shares *s, uint32_t i, uint32_t most)
{
  struct share *x = &s->of[i];
  const uint32_t room = x->slots - x->ranks;
  uint32_t n = room < most ? room : most;
  n = n < s->left ? n : s->left;
  x->ranks += n;
  s->left -= n;
}

/* Gives each host one rank.  Then gives each host in turn up to @p plane more ranks until no rank
 * is left; in the first turn one less, because the host has a rank already. */
static void share_out(struct shares *s, uint32_t plane)
{
  for (uint32_t i = 0; i < s->hosts; i++)
    give(s, i, 1);
  for (uint32_t most = plane - 1; s->left > 0; most = plane)
    for (uint32_t i = 0; i < s->hosts; i++)
      give(s, i, most);
}

/* Places up to @p plane consecutive ranks on each host in turn. */
static void place(struct shares *s, uint32_t plane, struct mapping *out)
{
  for (uint32_t rank = 0; rank < out->ranks;)
    for (uint32_t i = 0; i < s->hosts; i++) {
      struct share *x = &s->of[i];
      for (uint32_t k = 0; k < plane && x->placed < x->ranks; k++, x->placed++)
        out->host[rank++] = x->host;
    }
}

/* @p shared: ranks of a host at each turn while ranks are counted, see share_out().  @p placed:
 * consecutive ranks of a host at each turn, see place(). */
static enum status lay_out(const struct mapper_input *in, uint32_t shared, uint32_t placed,
                           struct mapping *out, struct err *e)
{
  struct shares s;
  if (list_hosts(&s, in, e) != OK)
    return FAIL;
  const enum status status = mapping_new(out, in->ranks, e);
  if (status == OK) {
    share_out(&s, shared);
    place(&s, placed, out);
  }
  free(s.of);
  return status;
}

enum pack { PACK, NO_PACK };

static enum status fill_blocks(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const enum pack *pack = in->options;
  return lay_out(in, *pack == PACK ? UINT32_MAX : 1, UINT32_MAX, out, e);
}

static enum status deal(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const uint32_t *plane = in->options;
  return lay_out(in, *plane, *plane, out, e);
}

static const char *const PACKS[] = {"yes", "no", NULL};

static const struct spec_option BLOCK_OPTIONS[] = {
    {"pack", SPEC_CHOICE, 0, "yes",
     .help = "yes: fill the first hosts, which leaves a rank on each of the others; no: equal "
             "numbers (srun -m block:*:*,NoPack)",
     .names = PACKS},
    {.name = NULL},
};

const struct mapper map_slurm_block = {
    .name = "slurm-block",
    .help = "Slurm's block distribution: a rank on each host, the others fill hosts in order; "
            "consecutive ranks share a host",
    .options = BLOCK_OPTIONS,
    .in_order = true,
    .map = fill_blocks,
};

static const struct spec_option CYCLIC_OPTIONS[] = {
    {"plane", SPEC_U32, 0, "1",
     .help =
         "number of ranks at each turn, 1 to 2^32-1 (1: srun -m cyclic; above: srun -m plane=N)",
     .least = 1, .most = UINT32_MAX},
    {.name = NULL},
};

const struct mapper map_slurm_cyclic = {
    .name = "slurm-cyclic",
    .help = "Slurm's cyclic and plane distributions: each host in turn gets the next ranks",
    .options = CYCLIC_OPTIONS,
    .in_order = true,
    .map = deal,
};
