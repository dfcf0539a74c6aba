/* HEFT (Topcuoglu, Hariri, Wu 2002): by falling upward rank, each on the host where it ends first.
 */
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/schedule/eft.h"

static enum status schedule_ranked(const struct scheduler_input *in,
                                   const struct scheduler_values *values, uint32_t *host,
                                   uint32_t *order, struct err *e)
{
  (void)values; /* it has no options */
  struct order_weights w;
  double *work = NULL, *key = mem_array(in->net->elements, sizeof *key, e);
  enum status s = key == NULL ? FAIL : eft_weights(in, &w, &work, e);
  if (s == OK)
    s = order_rank_up(in->net, &w, key, e);
  for (uint32_t i = 0; s == OK && i < in->net->elements; i++)
    key[i] = -key[i];
  if (s == OK)
    s = eft_run(in, key, false, host, order, e);
  free(work);
  free(key);
  return s;
}

static const struct scheduler_option OPTIONS[] = {{.name = NULL}};

const struct scheduler schedule_heft = {
    .name = "heft",
    .help = "by upward rank, each where it finishes first (Topcuoglu et al.)",
    .options = OPTIONS,
    .run = schedule_ranked,
};
