#include <stdlib.h>

#include "common/mem.h"
#include "library/handles.h"
#include "setup/reorder.h"

static struct haichi_cost cost(const struct reorder_cost *x)
{
  return (struct haichi_cost){x->hop_bytes, x->max_link_load_bytes, x->max_link_load_s,
                              x->estimated_time_s};
}

enum haichi_status haichi_reorder(uint32_t *process, struct haichi_reordering *out,
                                  const struct haichi_reorder_request *q, struct haichi_error *e)
{
  const struct reorder_request request = {.platform = q->platform->p,
                                          .traffic = &q->traffic->m,
                                          .host = q->host,
                                          .processes = q->processes,
                                          .mapper = q->mapper,
                                          .threads = q->threads};
  struct reorder_result x;
  struct err why;
  if ((q->mapper != NULL && library_check_input(q->mapper, &why) != OK) ||
      reorder_find(&request, process, &x, &why) != OK)
    return library_fail(e, &why);
  *out = (struct haichi_reordering){cost(&x.before), cost(&x.after), x.moved};
  return HAICHI_OK;
}

enum haichi_status haichi_locate(uint32_t *host, const struct haichi_platform *p,
                                 const struct haichi_process *process, uint32_t n,
                                 struct haichi_error *e)
{
  struct err why;
  struct reorder_process *list = mem_array(n, sizeof *list, &why);
  for (uint32_t i = 0; list != NULL && i < n; i++)
    list[i] = (struct reorder_process){process[i].machine, process[i].unit, process[i].words};
  const enum status s = list == NULL ? FAIL : reorder_locate(host, p->p, list, n, &why);
  free(list);
  return s == OK ? HAICHI_OK : library_fail(e, &why);
}
