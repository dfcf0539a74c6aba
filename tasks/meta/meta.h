/** @file meta.h
 *  Meta programs: the costs of a task (computation, input and output) in the language of MegaScript
 *  (2.1.4 of the paper).  Costs have no unit.
 *
 *  A program is a sequence of statements, one per line or separated by ';'; '#' starts a comment:
 *
 *      compute(E)   input(E)   output(E)
 *      FOR E ... END
 *
 *  E is an expression of numbers, + - * /, parentheses, arguments of the task such as `@arg[0]`,
 *  and `@input`, the amount of data from the streams of the task.  A loop multiplies the costs of
 *  its statements by its number of iterations, which may be a fraction, instead of iterating.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Maximum number of arguments of a task: indices are 0..META_MOST_ARGS - 1. */
#define META_MOST_ARGS 256

struct meta;

/** Parses a program.  Errors name @p file and count lines from @p line.  On success the caller owns
 *  *out: meta_free(). */
enum status meta_parse(struct meta **out, const char *text, const char *file, uint64_t line,
                       struct err *e);

/** Parses a file.  On success the caller owns *out: meta_free(). */
enum status meta_load(struct meta **out, const char *path, struct err *e);

/** Accepts NULL. */
void meta_free(struct meta *m);

/** The file name given at parsing. */
const char *meta_file(const struct meta *m);

/** Number of required arguments: the highest index used, plus 1. */
uint32_t meta_args(const struct meta *m);

/** True if a cost depends on the data from the streams: the program uses @input or has no input().
 */
bool meta_takes_arriving(const struct meta *m);

/** The pattern of the program, from the statements in all outermost loops together. */
enum tasknet_pattern meta_pattern(const struct meta *m);

/** Computes the costs of a task: the sums of compute(), input() and output().  Without input() in
 *  the program, I is @p arriving.  L is the maximum number of iterations of the outermost loops, at
 *  least 1.  @p arg has meta_args() values.  Fails if a cost or a number of iterations is negative
 *  or not finite; the error names its position. */
enum status meta_costs(const struct meta *m, const double *arg, double arriving,
                       struct tasknet_cost *out, struct err *e);
