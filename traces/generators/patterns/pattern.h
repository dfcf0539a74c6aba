/** @file pattern.h
 *  The common part of generators of regular and random exchanges, used to compare mappers.  In each
 *  iteration a rank computes, receives from some ranks and sends to some, nonblocking, in windows
 *  that end with a waitall.  Each pattern is a file NAME.c in this folder and a row of generator.c.
 *
 *  Specs: NAME:SHAPE[:OPTION[,OPTION]...], an OPTION being NAME=VALUE or "periodic".
 */
#ifndef TRACES_GENERATORS_PATTERNS_PATTERN_H
#define TRACES_GENERATORS_PATTERNS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum { PATTERN_WINDOW = 32 /* messages each way */ };

/** How a rank exchanges the messages of an iteration. */
enum pattern_halo {
  PATTERN_MESSAGES,  /**< as messages, after it has computed */
  PATTERN_NEIGHBOR,  /**< by a neighbourhood collective */
  PATTERN_INEIGHBOR, /**< by a nonblocking one, while it computes */
};

struct pattern_options {
  enum action_kind call; /**< a collective */
  uint32_t iterations;
  int64_t size;   /**< bytes of a message; if weighted, the most */
  double compute; /**< flops of a rank in each iteration */
  bool weighted;  /**< bytes are random, 1 to size, and fixed for each (src, dst) */
  uint64_t seed;  /**< of the random sizes and partners */
  uint32_t degree;
  uint32_t dimensions; /**< of a geometric graph: 2 or 3 */
  uint32_t points;     /**< of a stencil; 0: the least */
  bool periodic;
  enum pattern_halo halo;
  enum action_kind collective; /**< of each iteration; ACTION_INIT: none */
  int64_t collective_size;     /**< bytes of it */
};

#define PATTERN_NONE UINT32_MAX

/** Destination of the i-th message that a rank sends, source of the i-th that it receives;
 *  PATTERN_NONE: no message. */
struct pattern_peers {
  uint32_t dst, src;
};

/** To begin with base.ranks and options are set and the rest is zeroed.  Each pattern's own struct
 *  has this at its beginning, and is freed by free() after clear(). */
struct pattern {
  struct generator base;
  struct pattern_options options;
  uint32_t messages; /**< of a rank in each iteration, in each direction */
  uint32_t window;   /**< messages in each direction between two waitalls */
  bool one_tag;      /**< two ranks exchange at most one message each way: all have tag 0, and the
                          numbers of a message at its source and its destination may differ */
  /** The peers of message @p i (below messages) of @p rank. */
  struct pattern_peers (*peers)(const struct pattern *p, uint32_t rank, uint32_t i);
  void (*clear)(struct pattern *p); /**< frees what the pattern owns; NULL: nothing */
};

struct pattern_option {
  const char *name;
  const char *default_value; /**< as text; NULL: off */
  const char *help;          /**< one line */
};

/** Row @p i of the options, NULL past the last. */
const struct pattern_option *pattern_option_at(size_t i);

/** Is the option @p name in @p names, as of pattern_parse()? */
bool pattern_takes(const char *names, const char *name);

/** Parses the part of a spec after the pattern's name: *shape is its first field, the caller's to
 *  free(), and @p o the options.  @p names are the pattern's options, separated by blanks. */
enum status pattern_parse(const char *fields, const char *names, char **shape,
                          struct pattern_options *o, struct err *e);

/** Allocates a pattern's own struct, of @p bytes, and sets the options and base.ranks, the shape
 *  being the number of ranks, 1 to GENERATOR_RANKS_MAX.  NULL with @p e filled in on failure;
 *  otherwise the caller's: free(). */
struct pattern *pattern_new(size_t bytes, const char *fields, const char *names, struct err *e);

/** Refuses a degree above half of the ranks or 256, and 2^24 edges and more: generators of random
 *  graphs take O(edges * degree) to open. */
enum status pattern_check_degree(const struct pattern *p, struct err *e);

/** Fills in p->base; all other fields must be set. */
void pattern_finish(struct pattern *p);

/** The options that all patterns take; those that have iterations as pattern_finish() makes them;
 *  and those whose ranks have few neighbours. */
#define PATTERN_LEAST  "iterations size compute"
#define PATTERN_COMMON PATTERN_LEAST " collective collective_size"
#define PATTERN_HALO   PATTERN_COMMON " halo"

#endif
