#include "traces/info.h"

#include <stdlib.h>

#include "traces/matrix.h"
#include "traces/program.h"

static enum status count_actions(struct info *info, struct trace *t, struct err *e)
{
  struct action a;
  for (uint32_t rank = 0; rank < info->ranks; rank++) {
    bool more = true;
    while (more) {
      if (trace_next(t, rank, &a, &more, e) != OK)
        return FAIL;
      if (more && !action_is_note(a.kind))
        info->kind[a.kind] += trace_weight(t, rank);
    }
  }
  for (int k = 0; k < ACTION_KINDS; k++)
    info->actions += info->kind[k];
  return OK;
}

static bool has_entry(const struct matrix *m, uint32_t src, uint32_t dst)
{
  size_t low = 0, high = m->count;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    const struct matrix_entry *x = &m->entry[mid];
    if (x->src < src || (x->src == src && x->dst < dst))
      low = mid + 1;
    else
      high = mid;
  }
  return low < m->count && m->entry[low].src == src && m->entry[low].dst == dst;
}

static struct info_traffic summarise(const struct matrix *m)
{
  struct info_traffic sum = {0};
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    sum.messages += x->messages;
    sum.bytes += x->bytes;
    /* A pair that talks both ways counts at its entry with src < dst. */
    sum.pairs += x->src < x->dst || (x->src > x->dst && !has_entry(m, x->dst, x->src));
  }
  if (m->ranks > 1)
    sum.pair_share = (double)sum.pairs / ((double)m->ranks * (m->ranks - 1) / 2);
  return sum;
}

static enum status read_traffic(struct info_traffic *out, struct trace *t,
                                const struct collectives *c, bool p2p_only, struct err *e)
{
  struct program *p;
  struct matrix m;
  trace_rewind(t);
  if (program_new(&p, t, c, e) != OK)
    return FAIL;
  const enum status s = matrix_from_program(&m, p, p2p_only, e);
  program_free(p);
  if (s != OK)
    return FAIL;
  *out = summarise(&m);
  matrix_clear(&m);
  return OK;
}

enum status info_read(struct info *info, struct trace *t, const struct collectives *c,
                      struct err *e)
{
  struct info read = {.ranks = trace_ranks(t)};
  trace_fold(t);
  if (count_actions(&read, t, e) != OK || read_traffic(&read.p2p, t, c, true, e) != OK ||
      read_traffic(&read.all, t, c, false, e) != OK)
    return FAIL;
  *info = read;
  return OK;
}
