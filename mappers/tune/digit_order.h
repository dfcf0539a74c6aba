/** @file digit_order.h
 *  Exchanges two digits in the numbers of all hosts, or of all ranks (digits.h), as long as that
 *  lowers the estimated time.  On trees, such an exchange decides for all ranks at once which ranks
 *  share a switch, and which uplinks their messages take.  It keeps a regular mapping regular,
 *  which an exchange of two ranks does not.
 */
#pragma once

#include "mappers/estimate.h"
#include "mappers/mapper.h"

/** Improves @p host, the host of each rank, and sets *value to its estimate by @p x, which is never
 *  above the initial one.  @p work limits the steps, as estimate_work() counts them.  @p host is
 *  unchanged on failure. */
enum status digit_order_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                                uint64_t work, double *value, struct err *e);
