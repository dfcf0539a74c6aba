/* Slurm's block distribution of tasks over the nodes of a job (srun --distribution=block), as
 * _task_layout_block() in Slurm's src/common/slurm_step_layout.c computes it. */
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/mapper.h"

enum pack { PACK, NO_PACK };

/* A host with its slots, and the ranks that it gets. */
struct share {
  uint32_t host, slots, ranks;
};

struct shares {
  struct share *of; /* in the order of the hosts */
  uint32_t hosts;
  uint32_t left; /* ranks without a host */
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

/* PACK: gives each host a rank, then fills the first hosts.  NO_PACK: gives each host a rank in
 * turn, so that hosts with enough slots get equal numbers. */
static void share_out(struct shares *s, enum pack pack)
{
  bool again = true;
  for (uint32_t before = s->left; again; before = s->left) {
    for (uint32_t i = 0; i < s->hosts; i++)
      give(s, i, 1);
    again = pack == NO_PACK && s->left > 0 && s->left < before;
  }
  for (uint32_t i = 0; i < s->hosts; i++)
    give(s, i, UINT32_MAX);
}

static enum status fill_blocks(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const enum pack *pack = in->options;
  struct shares s;
  if (list_hosts(&s, in, e) != OK)
    return FAIL;
  share_out(&s, *pack);
  const enum status status = mapping_new(out, in->ranks, e);
  uint32_t rank = 0;
  for (uint32_t i = 0; status == OK && i < s.hosts; i++)
    for (uint32_t k = 0; k < s.of[i].ranks; k++)
      out->host[rank++] = s.of[i].host;
  free(s.of);
  return status;
}

static const char *const PACKS[] = {"yes", "no", NULL};

static const struct spec_option OPTIONS[] = {
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
    .options = OPTIONS,
    .map = fill_blocks,
};
