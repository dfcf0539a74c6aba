/** @file pattern.h
 *  Generators of regular and random exchanges, with which mappers are compared: in each iteration
 *  a rank computes, receives from some ranks and sends to some, nonblocking, in windows that end
 *  with a waitall.  What they share; each pattern is a file pattern_NAME.c and a row of
 *  generator.c.
 *
 *  Specs: NAME:SHAPE[:OPTION[,OPTION]...], an option NAME=VALUE or, alone, "periodic".
 */
#ifndef TRACES_GENERATORS_PATTERNS_PATTERN_H
#define TRACES_GENERATORS_PATTERNS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum { PATTERN_WINDOW = 32 /* messages each way */ };

struct pattern_options {
  uint32_t iterations;
  int64_t size;   /**< bytes of a message, or the most of them */
  double compute; /**< flops of a rank and iteration */
  bool weighted;  /**< the bytes from a rank to another are random, 1 to size */
  uint64_t seed;  /**< of weights and of partners */
  uint32_t degree;
  uint32_t points; /**< of a stencil; 0: the least */
  bool periodic;
};

#define PATTERN_NONE UINT32_MAX

/** Whom a rank's i-th message goes to, and whose i-th comes in; PATTERN_NONE: no message. */
struct pattern_peers {
  uint32_t dst, src;
};

/** Zeroed but for base.ranks to begin with; each pattern's own struct has this at its beginning,
 *  and is freed by free() after clear(). */
struct pattern {
  struct generator base;
  struct pattern_options options;
  uint32_t messages; /**< of a rank and iteration, each way */
  uint32_t window;   /**< that are under way together */
  struct pattern_peers (*peers)(const struct pattern *p, uint32_t rank, uint32_t i);
  void (*clear)(struct pattern *p); /**< NULL: there is nothing to clear */
};

struct pattern_option {
  const char *name;
  const char *default_value; /**< as text; NULL: off */
  const char *help;          /**< one line */
};

/** Row @p i of the options, NULL past the last. */
const struct pattern_option *pattern_option_at(size_t i);

/** Does the pattern of @p names (as pattern_parse() has them) take the option @p name? */
bool pattern_takes(const char *names, const char *name);

/** Takes apart what follows the name of a pattern: *shape is its first field, the caller's to
 *  free(), and @p o the options.  @p names are those that the pattern takes, parted by blanks. */
enum status pattern_parse(const char *fields, const char *names, char **shape,
                          struct pattern_options *o, struct err *e);

/** A pattern of @p bytes (of the struct that begins with it) whose shape is the number of its
 *  ranks, 1 to GENERATOR_RANKS_MAX: that and the options are set.  NULL with @p e filled on
 *  failure; otherwise the caller's: free(). */
struct pattern *pattern_new(size_t bytes, const char *fields, const char *names, struct err *e);

/** Fills in p->base: the stream of a pattern whose other fields are set. */
void pattern_finish(struct pattern *p);

/** The options of each pattern: iterations, size and compute, and its own. */
#define PATTERN_COMMON "iterations size compute"

#endif
