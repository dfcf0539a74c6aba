/** @file pattern.h
 *  Common part of generators of regular and random exchanges, used to compare mappers.  In each
 *  iteration a rank computes, then posts receives from some ranks and sends to some, in windows
 *  that end with a waitall.  Each pattern is a file NAME.c in this folder and a row of generator.c.
 *
 *  Specs: NAME:SHAPE[:OPTION[,OPTION]...].  The macros PATTERN_... below are rows of the tables of
 *  options; a pattern lists its rows in alphabetic order after PATTERN_COMMON.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/generators/generator.h"

enum { PATTERN_WINDOW = 32 /* messages in each direction */ };

/** How a rank exchanges the messages of an iteration. */
enum pattern_halo {
  PATTERN_MESSAGES,  /**< by separate messages, after its computation */
  PATTERN_NEIGHBOR,  /**< by a neighbourhood collective, after its computation */
  PATTERN_INEIGHBOR, /**< by a nonblocking neighbourhood collective, during its computation */
};

struct pattern_options {
  uint32_t iterations;
  int64_t size;   /**< bytes of a message; the maximum if weighted */
  double compute; /**< flops of a rank per iteration */
  enum {
    PATTERN_EQUAL,
    PATTERN_WEIGHTED /**< bytes are random, 1 to size, and fixed for each (src, dst) */
  } weights;
  uint64_t seed;   /**< seed of the random sizes and partners */
  uint32_t degree; /**< number of destinations of a rank */
  enum pattern_halo halo;
  enum action_kind collective; /**< called in each iteration; ACTION_INIT: none */
  int64_t collective_size;     /**< bytes of the collective */
};

#define PATTERN_NONE UINT32_MAX

/** Destination of message i sent by a rank, and source of message i that it receives; PATTERN_NONE:
 *  no message. */
struct pattern_peers {
  uint32_t dst, src;
};

/** First member of the struct of each pattern, which is freed by free() after clear(). */
struct pattern {
  struct generator base;
  struct spec spec; /**< owns the texts of the options */
  struct pattern_options options;
  uint32_t messages; /**< number of messages per rank, iteration and direction */
  uint32_t window;   /**< number of messages in each direction between two waitalls */
  bool one_tag; /**< all messages have tag 0: each pair of ranks has at most one message in each
                   direction, whose number may differ between source and destination */
  /** The peers of message @p i (below messages) of @p rank. */
  struct pattern_peers (*peers)(const struct pattern *p, uint32_t rank, uint32_t i);
  void (*clear)(struct pattern *p); /**< frees resources of the pattern; NULL if it has none */
};

/** The open() of all patterns: parses the options into a zeroed struct of the kind and calls the
 *  kind's set_up(), which sets the members from `messages` on, and base.ranks unless an option has
 *  set it.  set_up() may also set base.pairs and base.fill. */
enum status pattern_open(struct generator **out, const struct generator_kind *kind,
                         const char *text, struct err *e);

/** Fails for a degree above 256 or half of the ranks, and for more than 2^24 edges, because
 *  generators of random graphs take O(edges * degree) to open. */
enum status pattern_check_degree(const struct pattern *p, struct err *e);

/** Values of options that several patterns have. */
extern const char *const pattern_halos[], *const pattern_weights[], *const pattern_collectives[];

#define PATTERN_AT(FIELD) offsetof(struct pattern, FIELD)

enum { PATTERN_MOST_BYTES = INT32_MAX /* limit of smpirun's replay */ };

#define PATTERN_RANKS                                                                              \
  {                                                                                                \
    "ranks", SPEC_U32, PATTERN_AT(base.ranks), NULL, .help = "number of ranks", .least = 1,        \
                                                     .most = GENERATOR_RANKS_MAX, .ends = ':'      \
  }

/** Options of all patterns. */
#define PATTERN_LEAST                                                                              \
  {"iterations", SPEC_U32, PATTERN_AT(options.iterations), "1", .help = "rounds of messages"},     \
      {"size",                                                                                     \
       SPEC_I64,                                                                                   \
       PATTERN_AT(options.size),                                                                   \
       "65536",                                                                                    \
       .help = "bytes of a message",                                                               \
       .most = PATTERN_MOST_BYTES},                                                                \
  {                                                                                                \
    "compute", SPEC_DOUBLE, PATTERN_AT(options.compute), "0",                                      \
        .help = "flops of each rank in each iteration", .most = 1e30                               \
  }

/** Options of patterns with the iterations of pattern_open(). */
#define PATTERN_COMMON                                                                             \
  PATTERN_LEAST,                                                                                   \
      {"collective",                                                                               \
       SPEC_CHOICE,                                                                                \
       PATTERN_AT(options.collective),                                                             \
       "none",                                                                                     \
       .help = "collective of each iteration: barrier, bcast, reduce, allreduce, allgather or "    \
               "alltoall at its end; ibarrier and so on from its begin to its end",                \
       .names = pattern_collectives},                                                              \
  {                                                                                                \
    "collective_size", SPEC_I64, PATTERN_AT(options.collective_size), "8",                         \
        .help = "bytes of that collective", .most = PATTERN_MOST_BYTES, .needs = "collective"      \
  }

#define PATTERN_DEGREE                                                                             \
  {                                                                                                \
    "degree", SPEC_U32, PATTERN_AT(options.degree), "4",                                           \
        .help = "number of destinations of a rank (geometric: mean), at most 256 and half of the " \
                "ranks"                                                                            \
  }

/** Option of patterns in which ranks have few neighbours. */
#define PATTERN_HALO                                                                               \
  {                                                                                                \
    "halo", SPEC_CHOICE, PATTERN_AT(options.halo), "messages",                                     \
        .help = "messages, neighbor (a neighbourhood collective) or ineighbor (a nonblocking one " \
                "during the computation)",                                                         \
        .names = pattern_halos                                                                     \
  }

#define PATTERN_SEED                                                                               \
  {                                                                                                \
    "seed", SPEC_U64, PATTERN_AT(options.seed), "1", .help = "random seed, 0 to 2^64-1"            \
  }

#define PATTERN_WEIGHTS                                                                            \
  {                                                                                                \
    "weights", SPEC_CHOICE, PATTERN_AT(options.weights), "equal",                                  \
        .help = "equal (SIZE bytes), or random: 1 to SIZE bytes for each pair of ranks",           \
        .names = pattern_weights                                                                   \
  }
