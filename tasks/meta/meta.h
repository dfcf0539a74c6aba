/** @file meta.h
 *  Meta programs: what a task computes, reads and writes, in the language of MegaScript (2.1.4
 *  of the paper), as costs.  Not what the task does: values of cost have no unit.
 *
 *  A program is a sequence of statements, one a line or parted by ';'; '#' starts a comment:
 *
 *      compute(E)   input(E)   output(E)
 *      FOR E ... END
 *
 *  E is an expression of numbers, + - * /, parentheses, arguments of the task as `@arg[0]`, and
 *  `@input`, what the task's streams bring.  A loop multiplies what stands in it; the number of
 *  its iterations may be a fraction, as costs may.  So no loop takes time.
 */
#ifndef TASKS_META_META_H
#define TASKS_META_META_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Most arguments of a task; indices are below it. */
#define META_MOST_ARGS 256

struct meta;

/** Parses a program; its first line is line @p line of @p file, for errors.  On success *out is the
 *  caller's: meta_free(). */
enum status meta_parse(struct meta **out, const char *text, const char *file, uint64_t line,
                       struct err *e);

/** Reads the program that a file holds. */
enum status meta_load(struct meta **out, const char *path, struct err *e);

/** Accepts NULL. */
void meta_free(struct meta *m);

/** The file that it was given with. */
const char *meta_file(const struct meta *m);

/** How many arguments it needs: the highest index in it, plus 1. */
uint32_t meta_args(const struct meta *m);

/** Does a cost depend on what the streams bring: by @input, or as there is no input()? */
bool meta_takes_arriving(const struct meta *m);

/** The pattern, by what stands in outermost loops, all of them taken as one. */
enum tasknet_pattern meta_pattern(const struct meta *m);

/** The costs of a task: the sums of compute(), input() and output(); in a program without
 *  input(), I is what arrives.  L is the number of iterations of the outermost loops, of
 *  several the greatest, and at least 1.  @p arg has meta_args() values.  Refuses a cost or a
 *  number of iterations that is negative or not finite, with its place. */
enum status meta_costs(const struct meta *m, const double *arg, double arriving,
                       struct tasknet_cost *out, struct err *e);

#endif
