/** @file pattern.h
 *  Common part of generators of regular and random exchanges, used to compare mappers.  In each
 *  iteration a rank computes, receives from some ranks and sends to some, nonblocking, in windows
 *  that end with a waitall.  Each pattern is a file NAME.c in this folder and a row of generator.c.
 *
 *  Specs: NAME:SHAPE[:OPTION[,OPTION]...], where OPTION is NAME=VALUE or "periodic".
 */
#ifndef TRACES_GENERATORS_PATTERNS_PATTERN_H
#define TRACES_GENERATORS_PATTERNS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum { PATTERN_WINDOW = 32 /* messages in each direction */ };

/** How a rank exchanges the messages of an iteration. */
enum pattern_halo {
  PATTERN_MESSAGES,  /**< as messages, after its computation */
  PATTERN_NEIGHBOR,  /**< by a neighbourhood collective, after its computation */
  PATTERN_INEIGHBOR, /**< by a nonblocking neighbourhood collective, during its computation */
};

struct pattern_options {
  enum action_kind call; /**< of the pattern "collective" */
  uint32_t iterations;
  int64_t size;   /**< bytes of a message; the maximum if weighted */
  double compute; /**< flops of a rank per iteration */
  bool weighted;  /**< bytes are random, 1 to size, and fixed for each (src, dst) */
  uint64_t seed;  /**< of the random sizes and partners */
  uint32_t degree;
  uint32_t dimensions; /**< of a geometric graph: 2 or 3 */
  uint32_t points;     /**< of a stencil; 0: the minimum */
  bool periodic;
  enum pattern_halo halo;
  enum action_kind collective; /**< of each iteration; ACTION_INIT: none */
  int64_t collective_size;     /**< bytes of the collective */
};

#define PATTERN_NONE UINT32_MAX

/** Destination of message i sent by a rank, and source of message i that it receives; PATTERN_NONE:
 *  no message. */
struct pattern_peers {
  uint32_t dst, src;
};

/** To begin with, base.ranks and options are set and the rest is zeroed.  The struct of each
 *  pattern begins with it, and is freed by free() after clear(). */
struct pattern {
  struct generator base;
  struct pattern_options options;
  uint32_t messages; /**< number per rank, iteration and direction */
  uint32_t window;   /**< number of messages in each direction between two waitalls */
  bool one_tag; /**< each pair of ranks has at most one message in each direction: all have tag 0,
                   and a message may have different numbers at its source and its destination */
  /** The peers of message @p i (below messages) of @p rank. */
  struct pattern_peers (*peers)(const struct pattern *p, uint32_t rank, uint32_t i);
  void (*clear)(struct pattern *p); /**< frees resources of the pattern; NULL if it has none */
};

struct pattern_option {
  const char *name;
  const char *default_value; /**< as text; NULL: off */
  const char *help;          /**< one line */
};

/** Option number @p i; NULL past the last. */
const struct pattern_option *pattern_option_at(size_t i);

/** True if option @p name is in @p names, see pattern_parse(). */
bool pattern_takes(const char *names, const char *name);

/** Parses the part of a spec after the name of the pattern. *shape is its first field, to be freed
 *  by the caller; @p o gets the options.  @p names are the names of the pattern's options,
 *  separated by blanks. */
enum status pattern_parse(const char *fields, const char *names, char **shape,
                          struct pattern_options *o, struct err *e);

/** Allocates the struct of a pattern, of @p bytes, and sets its options and base.ranks.  The shape
 *  is the number of ranks, 1 to GENERATOR_RANKS_MAX.  Free with free().  NULL on failure, with @p e
 *  set. */
struct pattern *pattern_new(size_t bytes, const char *fields, const char *names, struct err *e);

/** Fails for a degree above 256 or half of the ranks, and for more than 2^24 edges: generators of
 *  random graphs take O(edges * degree) to open. */
enum status pattern_check_degree(const struct pattern *p, struct err *e);

/** Fills in p->base.  All other fields must be set. */
void pattern_finish(struct pattern *p);

/** Options of all patterns; of patterns with the iterations of pattern_finish(); of patterns in
 *  which ranks have few neighbours. */
#define PATTERN_LEAST  "iterations size compute"
#define PATTERN_COMMON PATTERN_LEAST " collective collective_size"
#define PATTERN_HALO   PATTERN_COMMON " halo"

#endif
