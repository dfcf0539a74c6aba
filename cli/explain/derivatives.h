/** @file derivatives.h
 *  Prints the derivatives of the simulated time (sim/explain/adjoint.h).
 */
#ifndef CLI_EXPLAIN_DERIVATIVES_H
#define CLI_EXPLAIN_DERIVATIVES_H

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"
#include "sim/explain/adjoint.h"

/** Derivatives with each treatment of events at one date (enum adjoint_ties). */
struct derivatives {
  struct adjoint of[ADJOINT_TIES];
};

/** Finds the derivatives.  Free with derivatives_clear(), also after a failure. */
enum status derivatives_find(struct derivatives *d, const struct tables *t,
                             const struct adjoint_options *o, struct err *e);

void derivatives_clear(struct derivatives *d);

/** Prints a table of all parameters: "parameter name value slower_s faster_s kink".  slower_s and
 *  faster_s are the changes of the simulated time, per relative change, if the parameter gets worse
 *  and better. */
void derivatives_print_all(const struct derivatives *d, const struct tables *t, FILE *f);

/** Prints the network as a whole, all hosts, and the parameters with the largest derivatives. */
enum status derivatives_print(const struct derivatives *d, const struct tables *t, FILE *f,
                              struct err *e);

#endif
