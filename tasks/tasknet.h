/** @file tasknet.h
 *  A task network: tasks, arrays of tasks, and the streams between them, without cycles, after
 *  MegaScript (Matsumoto et al., 2.1 and 4.3).  Knows no hosts and no time: costs are amounts
 *  of work and of data, in the units of whoever made the network.
 *
 *  An *array* is a number of tasks that run the same program; a single task is an array of one.
 *  An *element* is one task of an array: what runs on a host.  Elements are numbered array by
 *  array.  A *stream* joins arrays, never elements, so that N producers and M consumers take N
 *  + M ends.  It has a *width*: the number of its *lanes*, each a stream of its own between a
 *  share of each array.  Lane l of a stream of width w joins elements l*n/w .. (l+1)*n/w - 1
 *  of an array of n, so w divides the count of every array at the stream.  Width 1 merges the
 *  output of all producers and hands all of it to each consumer; a width of n joins arrays of n
 *  element by element; what is between gives each element of one array several elements of
 *  another.  Lanes are numbered stream by stream.
 *
 *  Built by calls, then tasknet_seal(); after that it does not change, and threads may share
 *  it.
 */
#ifndef TASKS_TASKNET_H
#define TASKS_TASKNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/index.h"

#define TASKNET_NONE UINT32_MAX

/** Most elements, lanes, and ends of streams, each. */
#define TASKNET_MOST (1u << 28)

/** Longest name, in bytes. */
#define TASKNET_LONGEST_NAME 255

/** Largest cost: sums over a network stay finite. */
#define TASKNET_MOST_COST 1e200

/** The input cost of an element that takes what its streams bring. */
#define TASKNET_ARRIVING (-1.0)

/** The volume of a producer that writes all of its output to the stream. */
#define TASKNET_OUTPUT (-1.0)

/** What stands in the outermost loop of a task (figure 8 of the paper). */
enum tasknet_pattern {
  TASKNET_A, /**< neither input nor output */
  TASKNET_B, /**< input and output */
  TASKNET_C, /**< output */
  TASKNET_D  /**< input */
};

/** Does it start its output before it ends? */
static inline bool tasknet_writes_early(enum tasknet_pattern p)
{
  return p == TASKNET_B || p == TASKNET_C;
}

/** Does it start before it has all of its input? */
static inline bool tasknet_reads_late(enum tasknet_pattern p)
{
  return p == TASKNET_B || p == TASKNET_D;
}

/** Costs of an element, each finite and not negative. */
struct tasknet_cost {
  double compute; /**< C: work */
  double in;      /**< I: data that it reads */
  double out;     /**< O: data that it writes to each of its streams that has no volume */
  double loops;   /**< L: iterations of its outermost loop, at least 1 */
};

/** What a cost of 1 stands for; 0: nobody said. */
struct tasknet_units {
  double work; /**< flop */
  double data; /**< byte */
};

/** An end of a stream: an array on one of its two sides. */
struct tasknet_end {
  uint32_t stream, array;
  double volume; /**< of a producer: what each element writes to it; TASKNET_OUTPUT: its O */
};

struct tasknet_array {
  size_t name;    /**< private: tasknet_name() */
  uint32_t first; /**< its first element */
  uint32_t count; /**< of its elements, at least 1 */
  enum tasknet_pattern pattern;
  bool varied;              /**< elements have costs of their own: tasknet_cost_of() */
  bool arriving;            /**< I is what its streams bring */
  struct tasknet_cost cost; /**< of each element, unless varied */
  size_t own;               /**< private: where its costs are, if varied */
  uint32_t program;         /**< private: its meta program; TASKNET_NONE: none */
  uint32_t args;            /**< private: arguments of an element */
  size_t arg;               /**< private: where they are */
  uint64_t line;            /**< of the file; 0: none */
};

struct tasknet_stream {
  size_t name;              /**< private: tasknet_stream_name() */
  uint32_t width;           /**< number of lanes */
  uint32_t first_lane;      /**< number of its first lane */
  uint32_t from, producers; /**< its producers are producer[from] .. */
  uint32_t to, consumers;   /**< its consumers are consumer[to] .. */
  uint64_t line;            /**< of the file; 0: none */
};

struct meta;

/** Zeroed: empty. */
struct tasknet {
  struct tasknet_units units;
  struct tasknet_array *array;
  uint32_t arrays;
  struct tasknet_stream *stream;
  uint32_t streams;
  struct tasknet_end *producer, *consumer; /**< by stream */
  uint32_t producers, consumers;
  uint32_t elements, lanes;

  /* From here on made by tasknet_seal(). */
  uint32_t *array_of;           /**< by element */
  uint32_t *order;              /**< arrays, producers before consumers */
  uint32_t *output;             /**< numbers of producer[], by array: tasknet_outputs() */
  uint32_t *input;              /**< numbers of consumer[], by array: tasknet_inputs() */
  size_t *output_at, *input_at; /**< by array, and one more */
  double *volume; /**< by lane: the communication cost, the sum of what its producers write */

  /* private */
  char *file;
  char *names;
  size_t names_used, names_room;
  size_t array_room, stream_room, producer_room, consumer_room;
  struct index array_index, stream_index;
  struct tasknet_cost *own;
  size_t owns, own_room;
  double *arg;
  size_t arg_used, arg_room;
  struct meta **program;
  uint32_t programs;
  size_t program_room;
};

/** Frees all; leaves an empty network. */
void tasknet_clear(struct tasknet *n);

/** Names the file that errors of tasknet_seal() start with; copies. */
enum status tasknet_set_file(struct tasknet *n, const char *file, struct err *e);

/** An array to be added.  All is copied. */
struct tasknet_new_array {
  const char *name; /**< of printable characters without spaces; unique among arrays */
  uint32_t count;   /**< 1: a single task */
  enum tasknet_pattern pattern;
  struct tasknet_cost cost;         /**< of each element; in may be TASKNET_ARRIVING */
  const struct tasknet_cost *costs; /**< of each, count of them; NULL: all are equal.  With an `in`
                                         of TASKNET_ARRIVING in cost theirs do not count */
  uint64_t line;
};

/** Adds an array; writes its number, the next one, to @p number unless that is NULL. */
enum status tasknet_add_array(struct tasknet *n, const struct tasknet_new_array *array,
                              uint32_t *number, struct err *e);

/** Takes a meta program (meta/meta.h), which tasknet_clear() frees, also if this fails; writes its
 *  number. */
enum status tasknet_add_program(struct tasknet *n, struct meta *program, uint32_t *number,
                                struct err *e);

/** The file that program @p i was given with; NULL past the last. */
const char *tasknet_program_file(const struct tasknet *n, uint32_t i);

/** Has the pattern and the costs of the last array given by a program, with @p args arguments
 *  for each of its elements, one element after the other.  Refuses fewer than the program
 *  needs.  Copies.
 */
enum status tasknet_set_program(struct tasknet *n, uint32_t program, uint32_t args,
                                const double *arg, struct err *e);

/** Adds a stream of @p width lanes, for the ends that are added next. */
enum status tasknet_add_stream(struct tasknet *n, const char *name, uint32_t width, uint64_t line,
                               struct err *e);

/** Adds an array to the input side of the last stream, or to its output side.  @p volume may be
 *  TASKNET_OUTPUT. */
enum status tasknet_add_producer(struct tasknet *n, uint32_t array, double volume, struct err *e);
enum status tasknet_add_consumer(struct tasknet *n, uint32_t array, struct err *e);

/** Ends the building: checks the streams, orders the arrays, and computes all costs in that order,
 *  those of meta programs and what arrives included.  Refuses an empty network, a stream without a
 *  producer or a consumer, an array twice on one side, a width that does not divide a count, and
 *  cycles.  O(elements + ends + lanes). */
enum status tasknet_seal(struct tasknet *n, struct err *e);

/** Finds an array by name; TASKNET_NONE: there is none.  Also before tasknet_seal(). */
uint32_t tasknet_find(const struct tasknet *n, const char *name);

/** The names are the network's. */
const char *tasknet_name(const struct tasknet *n, uint32_t array);
const char *tasknet_stream_name(const struct tasknet *n, uint32_t stream);

/** Prints the name of an element: that of its array, with "[K]", K from 0, if it is one of several.
 */
void tasknet_print_element(const struct tasknet *n, uint32_t element, FILE *f);

/** The costs of element @p k of an array, 0..count - 1. */
static inline const struct tasknet_cost *tasknet_cost_of(const struct tasknet *n, uint32_t array,
                                                         uint32_t k)
{
  const struct tasknet_array *a = &n->array[array];
  return a->varied ? &n->own[a->own + k] : &a->cost;
}

/** The costs of an element by its number in the network. */
static inline const struct tasknet_cost *tasknet_element_cost(const struct tasknet *n,
                                                              uint32_t element)
{
  const uint32_t array = n->array_of[element];
  return tasknet_cost_of(n, array, element - n->array[array].first);
}

/** What element @p k of the array at a producer's end writes to its lane. */
static inline double tasknet_volume(const struct tasknet *n, const struct tasknet_end *end,
                                    uint32_t k)
{
  return end->volume >= 0 ? end->volume : tasknet_cost_of(n, end->array, k)->out;
}

/** The lane, by its number in the network, that element @p k of the array at an end is at. */
static inline uint32_t tasknet_lane(const struct tasknet *n, const struct tasknet_end *end,
                                    uint32_t k)
{
  const struct tasknet_stream *s = &n->stream[end->stream];
  return s->first_lane + (s->width == 1 ? 0 : k / (n->array[end->array].count / s->width));
}

/** The elements, by number in the network, of the array at an end that lane @p l of the stream (0..
 *  width - 1) joins: *first and as many as are returned. */
static inline uint32_t tasknet_lane_elements(const struct tasknet *n, const struct tasknet_end *end,
                                             uint32_t l, uint32_t *first)
{
  const uint32_t each = n->array[end->array].count / n->stream[end->stream].width;
  *first = n->array[end->array].first + l * each;
  return each;
}

/** The ends at which an array produces: @p i counts from 0 to tasknet_outputs() - 1. */
static inline size_t tasknet_outputs(const struct tasknet *n, uint32_t array)
{
  return n->output_at[array + 1] - n->output_at[array];
}
static inline const struct tasknet_end *tasknet_output(const struct tasknet *n, uint32_t array,
                                                       size_t i)
{
  return &n->producer[n->output[n->output_at[array] + i]];
}

/** The ends at which an array consumes. */
static inline size_t tasknet_inputs(const struct tasknet *n, uint32_t array)
{
  return n->input_at[array + 1] - n->input_at[array];
}
static inline const struct tasknet_end *tasknet_input(const struct tasknet *n, uint32_t array,
                                                      size_t i)
{
  return &n->consumer[n->input[n->input_at[array] + i]];
}

#endif
