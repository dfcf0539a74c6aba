/* HEFT (Topcuoglu, Hariri, Wu 2002): takes elements by falling upward rank, and places each on the
 * host where it ends first. */
#include "mappers/schedule/eft.h"

const struct scheduler schedule_heft = {
    .name = "heft",
    .help = "by upward rank, each task where it finishes first (Topcuoglu et al.)",
    .variant = EFT_BY_END,
    .run = eft_run,
};
