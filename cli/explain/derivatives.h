/** @file derivatives.h
 *  Prints the derivatives of the simulated time (sim/explain/adjoint.h).
 */
#pragma once

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/adjoint.h"

enum derivatives_parameter {
  ALL_BANDWIDTHS,
  ALL_LATENCIES,
  ALL_SPEEDS,
  BANDWIDTH, /**< of one link of the maxmin */
  LATENCY,
  SPEED /**< of one host */
};

/** Change of the time in s per relative change of a parameter for the worse and for the better. */
struct derivatives_effect {
  enum derivatives_parameter parameter;
  uint32_t number;
  double value; /**< of the parameter of one link or host */
  double worse, better;
  double holds_to; /**< largest relative change up to which the effects hold, by first order; 0 at
                      a kink at which not both are known; at most 1 */
  bool kink; /**< the effects of getting worse and better, or those under the treatments of ties,
                differ by more than 1 % */
};

struct derivatives_effect derivatives_effect(const struct adjoint *d, const struct tables *t,
                                             enum derivatives_parameter parameter, uint32_t number);

/** Name of a parameter, as "bandwidths". */
const char *derivatives_name(enum derivatives_parameter p);

/** Name of the link or host of an effect, or "all"; @p name is room for it. */
const char *derivatives_target(const struct derivatives_effect *x, const struct tables *t,
                               char name[PLATFORM_NAME_SIZE]);

/** Writes the bandwidths whose growth saves most time to @p out, the largest effect first, and
 *  returns their number, at most @p most. */
uint32_t derivatives_best_links(const struct adjoint *d, const struct tables *t,
                                struct derivatives_effect *out, uint32_t most);

/** Prints a table of all parameters: "parameter name value worse_s better_s kink".  worse_s and
 *  better_s are the changes of the simulated time, per relative change, if the parameter gets worse
 *  and better. */
void derivatives_print_all(const struct adjoint *d, const struct tables *t, FILE *f);

/** Prints the network as a whole, all hosts, and the parameters with the largest derivatives. */
enum status derivatives_print(const struct adjoint *d, const struct tables *t, FILE *f,
                              struct err *e);
