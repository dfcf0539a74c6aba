/* HEFT (Topcuoglu, Hariri, Wu 2002): elements by falling upward rank, each on the host where it
 * ends first. */
#include "mappers/schedule/eft.h"

static enum status schedule_ranked(const struct scheduler_input *in,
                                   const struct scheduler_values *values, uint32_t *host,
                                   uint32_t *order, struct err *e)
{
  (void)values; /* it has no options */
  return eft_run(in, false, host, order, e);
}

static const struct scheduler_option OPTIONS[] = {{.name = NULL}};

const struct scheduler schedule_heft = {
    .name = "heft",
    .help = "by upward rank, each where it finishes first (Topcuoglu et al.)",
    .options = OPTIONS,
    .run = schedule_ranked,
};
