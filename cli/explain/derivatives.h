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

/** Change of the simulated time in s per relative change of a parameter.  Lower bandwidths and
 *  speeds and higher latencies are worse. */
struct derivatives_effect {
  enum derivatives_parameter parameter;
  uint32_t number;
  double value;         /**< byte/s, s or flop/s of one link or host; 1 for ALL_* */
  double worse, better; /**< for a change to the worse and to the better */
  double holds_to; /**< estimated relative change, at most 1, up to which the effects hold; 0 if one
                      of them is unknown at a kink */
  bool kink;       /**< `worse` and -`better`, or the derivatives under two treatments of ties
                      (adjoint.h), differ by more than 1 % */
};

struct derivatives_effect derivatives_effect(const struct adjoint *d, const struct tables *t,
                                             enum derivatives_parameter parameter, uint32_t number);

/** Name of a parameter, such as "bandwidths". */
const char *derivatives_name(enum derivatives_parameter p);

/** Name of the link or host of an effect, or "all".  @p name is a buffer for it. */
const char *derivatives_target(const struct derivatives_effect *x, const struct tables *t,
                               char name[PLATFORM_NAME_SIZE]);

/** Writes the bandwidths whose growth saves most time to @p out, the largest effect first, and
 *  returns their number, at most @p most. */
uint32_t derivatives_best_links(const struct adjoint *d, const struct tables *t,
                                struct derivatives_effect *out, uint32_t most);

/** Prints a table of all parameters, a struct derivatives_effect per row: "parameter name value
 *  worse_s better_s kink holds_to". */
void derivatives_print_all(const struct adjoint *d, const struct tables *t, FILE *f);

/** Prints the effects of all bandwidths, all latencies and all speeds, then the t->most parameters
 *  of single links and hosts with the largest effects. */
enum status derivatives_print(const struct adjoint *d, const struct tables *t, FILE *f,
                              struct err *e);
