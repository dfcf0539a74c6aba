#include "traces/info.h"

#include "traces/matrix/matrix.h"
#include "traces/program/program.h"

static bool has_entry(const struct matrix *m, uint32_t src, uint32_t dst)
{
  const size_t i = matrix_search(m->entry, 0, m->count, src, dst);
  return i < m->count && m->entry[i].src == src && m->entry[i].dst == dst;
}

/* Adds @p m to *sum.  A pair with messages both ways counts once; a pair in @p counted (may be
 * NULL) does not count. */
static void summarise(struct info_traffic *sum, const struct matrix *m,
                      const struct matrix *counted)
{
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    sum->messages += x->messages;
    sum->bytes += x->bytes;
    if (x->src == x->dst || (x->src > x->dst && has_entry(m, x->dst, x->src)))
      continue;
    sum->pairs += counted == NULL ||
                  !(has_entry(counted, x->src, x->dst) || has_entry(counted, x->dst, x->src));
  }
  if (m->ranks > 1)
    sum->pair_share = (double)sum->pairs / ((double)m->ranks * (m->ranks - 1) / 2);
}

static void count_actions(struct info *info, const struct program *p)
{
  const uint64_t *actions = program_actions(p);
  for (int k = 0; k < ACTION_KINDS; k++) {
    info->kind[k] = action_is_note(k) ? 0 : actions[k];
    info->actions += info->kind[k];
  }
}

enum status info_read(struct info *info, struct trace *t, const struct collectives *c,
                      struct err *e)
{
  struct info read = {.ranks = trace_ranks(t)};
  struct program *p;
  struct matrix p2p, collective;
  trace_rewind(t);
  if (program_new(&p, t, c, e) != OK)
    return FAIL;
  const enum status s = matrix_split_program(&p2p, &collective, p, e);
  count_actions(&read, p);
  program_free(p);
  if (s != OK)
    return FAIL;
  summarise(&read.p2p, &p2p, NULL);
  read.all = read.p2p;
  summarise(&read.all, &collective, &p2p);
  matrix_clear(&p2p);
  matrix_clear(&collective);
  *info = read;
  return OK;
}
