/** @file placement.h
 *  Common parts of campaigns of traces and of matrices: the methods are mappers with their seeds.
 */
#pragma once

#include <stdio.h>

#include "campaign/plan/plan.h"
#include "common/err.h"

/** Adds the mappers a->method to the plan, which must have no methods yet. */
enum status placement_add(struct plan *p, const struct plan_args *a, struct err *e);

/** Adds input @p input on machine @p machine as the last subject, *out; its trace has no name yet.
 *  Fails if an input is given twice. */
enum status placement_add_subject(struct plan *p, const struct plan_args *a, size_t machine,
                                  size_t input, struct plan_subject **out, struct err *e);

/** The group of columns for moved ranks, or 0 if no mapper moves ranks. */
unsigned placement_groups(const struct plan *p);

/** Fails if the subject has more ranks than the hosts have slots.  Does not check mapping files,
 *  which are checked when they are read. */
enum status placement_check_room(const struct plan *p, const struct plan_subject *subject,
                                 struct err *e);

/** Prints all inputs, then all mappers with their seeds, one per line: `print` of struct kind. */
void placement_print(const struct plan *p, FILE *f);

/** Prints the input and the mapper of a run: `print_run` of struct kind. */
void placement_print_run(const struct plan *p, const struct plan_run *r, FILE *f);
