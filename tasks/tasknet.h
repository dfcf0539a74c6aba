/** @file tasknet.h
 *  A task network: tasks, arrays of tasks, and the streams between them, without cycles, after
 *  MegaScript (Matsumoto et al., 2.1 and 4.3).  Contains neither hosts nor times: costs are amounts
 *  of work and data, in units chosen by the creator of the network.
 *
 *  An *array* is a number of tasks that run the same program; a single task is an array of one.  An
 *  *element* is one task of an array, which runs on a host.  Elements are numbered in the order of
 *  the arrays.
 *
 *  A *stream* joins arrays, not elements, so that N producers and M consumers need N + M ends.  The
 *  *width* of a stream is the number of its *lanes*.  Each lane is a separate stream between a
 *  share of each array: lane l of a stream of width w joins the elements l*n/w .. (l+1)*n/w - 1 of
 *  an array of n elements, so w must divide the size of each array at the stream.  Width 1 merges
 *  the output of all producers and gives all of it to each consumer; width n joins arrays of n
 *  elements element by element; widths in between give each element of one array several elements
 *  of another.  Lanes are numbered by stream.
 *
 *  Built by calls and finished by tasknet_seal(); after that it does not change, and threads may
 *  share it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/containers/index.h"
#include "common/err.h"

#define TASKNET_NONE UINT32_MAX

/** Maximum number of elements, of lanes, and of stream ends. */
#define TASKNET_MOST (1u << 28)

/** Maximum length of a name in bytes. */
#define TASKNET_LONGEST_NAME 255

/** Maximum cost.  Keeps sums over a network finite. */
#define TASKNET_MOST_COST 1e200

/** Input cost of elements that read all data from their streams: tasknet_seal() computes it. */
#define TASKNET_ARRIVING (-1.0)

/** Volume of a producer that writes its whole output to the stream. */
#define TASKNET_OUTPUT (-1.0)

/** The contents of the outermost loop of a task (figure 8 of the paper). */
enum tasknet_pattern {
  TASKNET_A, /**< neither input nor output */
  TASKNET_B, /**< input and output */
  TASKNET_C, /**< output */
  TASKNET_D  /**< input */
};

/** True if the task starts its output before it ends. */
static inline bool tasknet_writes_early(enum tasknet_pattern p)
{
  return p == TASKNET_B || p == TASKNET_C;
}

/** True if the task can start before all of its input has arrived. */
static inline bool tasknet_reads_late(enum tasknet_pattern p)
{
  return p == TASKNET_B || p == TASKNET_D;
}

/** Costs of an element, all finite and not negative. */
struct tasknet_cost {
  double compute; /**< C: work */
  double in;      /**< I: data read */
  double out;     /**< O: data written to each of its streams without a volume */
  double loops;   /**< L: iterations of the outermost loop, at least 1 */
};

/** The meaning of a cost of 1.  0: not specified. */
struct tasknet_units {
  double work; /**< flop */
  double data; /**< byte */
};

/** An end of a stream: an array on one side of it. */
struct tasknet_end {
  uint32_t stream, array;
  double volume; /**< for a producer: data that each element writes; TASKNET_OUTPUT: O of the
                    element */
};

struct tasknet_array {
  size_t name;    /**< private: tasknet_name() */
  uint32_t first; /**< number of its first element */
  uint32_t count; /**< number of elements, at least 1 */
  enum tasknet_pattern pattern;
  bool varied;              /**< elements have different costs: tasknet_cost_of() */
  bool arriving;            /**< the input cost is the data from its streams */
  struct tasknet_cost cost; /**< costs of each element, unless varied */
  size_t own;               /**< private: index of its costs, if varied */
  uint32_t program;         /**< private: its meta program; TASKNET_NONE: none */
  uint32_t args;            /**< private: number of arguments per element */
  size_t arg;               /**< private: index of its arguments */
  uint64_t line;            /**< line in the file; 0: none */
};

struct tasknet_stream {
  size_t name;              /**< private: tasknet_stream_name() */
  uint32_t width;           /**< number of lanes */
  uint32_t first_lane;      /**< number of its first lane */
  uint32_t from, producers; /**< producers are producer[from] .. */
  uint32_t to, consumers;   /**< consumers are consumer[to] .. */
  uint64_t line;            /**< line in the file; 0: none */
};

struct meta;

/** Zeroed: empty. */
struct tasknet {
  struct tasknet_units units;
  struct tasknet_array *array;
  uint32_t arrays;
  struct tasknet_stream *stream;
  uint32_t streams;
  struct tasknet_end *producer, *consumer; /**< sorted by stream */
  uint32_t producers, consumers;
  uint32_t elements, lanes;

  /* Set by tasknet_seal(): */
  uint32_t *array_of;           /**< array, by element */
  uint32_t *order;              /**< arrays, producers before consumers */
  uint32_t *output;             /**< indices of producer[], sorted by array: tasknet_outputs() */
  uint32_t *input;              /**< indices of consumer[], sorted by array: tasknet_inputs() */
  size_t *output_at, *input_at; /**< by array, plus an end mark */
  double *volume; /**< by lane: communication cost, the sum of the data from its producers */

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

/** Frees everything.  Leaves an empty network. */
void tasknet_clear(struct tasknet *n);

/** Sets the file name for errors of tasknet_seal().  Copies @p file. */
enum status tasknet_set_file(struct tasknet *n, const char *file, struct err *e);

/** Parameters of tasknet_add_array(), which copies them. */
struct tasknet_new_array {
  const char *name; /**< printable characters without spaces; unique among arrays */
  uint32_t count;   /**< 1: a single task */
  enum tasknet_pattern pattern;
  struct tasknet_cost cost; /**< costs of each element; `in` may be TASKNET_ARRIVING */
  /** One for each of the @p count elements; NULL: `cost` for all.  Their `in` is ignored if `in` of
   *  `cost` is TASKNET_ARRIVING. */
  const struct tasknet_cost *costs;
  uint64_t line;
};

/** Adds an array.  Arrays are numbered from 0 in the order of these calls. */
enum status tasknet_add_array(struct tasknet *n, const struct tasknet_new_array *array,
                              struct err *e);

/** Adds a meta program (meta/meta.h) and writes its number.  Takes ownership of @p program, also on
 *  failure. */
enum status tasknet_add_program(struct tasknet *n, struct meta *program, uint32_t *number,
                                struct err *e);

/** The file name of program @p i; NULL past the last. */
const char *tasknet_program_file(const struct tasknet *n, uint32_t i);

/** Makes @p program define the pattern and the costs of the array added last.  @p arg contains
 *  @p args arguments for each element, sorted by element; copied.  Fails if the program needs more
 *  arguments. */
enum status tasknet_set_program(struct tasknet *n, uint32_t program, uint32_t args,
                                const double *arg, struct err *e);

/** Adds a stream of @p width lanes.  The ends added next belong to it. */
enum status tasknet_add_stream(struct tasknet *n, const char *name, uint32_t width, uint64_t line,
                               struct err *e);

/** Adds an array to the input or output side of the last stream.  @p volume may be TASKNET_OUTPUT.
 */
enum status tasknet_add_producer(struct tasknet *n, uint32_t array, double volume, struct err *e);
enum status tasknet_add_consumer(struct tasknet *n, uint32_t array, struct err *e);

/** Completes the network: checks the streams, orders the arrays, and computes all costs in this
 *  order, including costs from meta programs and from arriving data.  Fails for an empty network, a
 *  stream without a producer or consumer, an array twice on one side of a stream, a width that does
 *  not divide the size of an array, and a cycle.  O(elements + ends + lanes). */
enum status tasknet_seal(struct tasknet *n, struct err *e);

/** Finds an array by name; TASKNET_NONE if there is none.  Also works before tasknet_seal(). */
uint32_t tasknet_find(const struct tasknet *n, const char *name);

/** The strings are owned by the network. */
const char *tasknet_name(const struct tasknet *n, uint32_t array);
const char *tasknet_stream_name(const struct tasknet *n, uint32_t stream);

/** Prints the name of an element: the name of its array, followed by "[K]", K from 0, if the array
 *  has several elements. */
void tasknet_print_element(const struct tasknet *n, uint32_t element, FILE *f);

/** The costs of element @p k of an array, 0..count - 1. */
static inline const struct tasknet_cost *tasknet_cost_of(const struct tasknet *n, uint32_t array,
                                                         uint32_t k)
{
  const struct tasknet_array *a = &n->array[array];
  return a->varied ? &n->own[a->own + k] : &a->cost;
}

/** The costs of an element, by its number in the network. */
static inline const struct tasknet_cost *tasknet_element_cost(const struct tasknet *n,
                                                              uint32_t element)
{
  const uint32_t array = n->array_of[element];
  return tasknet_cost_of(n, array, element - n->array[array].first);
}

/** The data that element @p k of the array at a producer's end writes to its lane. */
static inline double tasknet_volume(const struct tasknet *n, const struct tasknet_end *end,
                                    uint32_t k)
{
  return end->volume >= 0 ? end->volume : tasknet_cost_of(n, end->array, k)->out;
}

/** The lane, numbered in the network, of element @p k of the array at an end. */
static inline uint32_t tasknet_lane(const struct tasknet *n, const struct tasknet_end *end,
                                    uint32_t k)
{
  const struct tasknet_stream *s = &n->stream[end->stream];
  return s->first_lane + (s->width == 1 ? 0 : k / (n->array[end->array].count / s->width));
}

/** The elements of the array at an end that belong to lane @p l of the stream (0..width - 1).
 *  Returns their number; *first is the first, numbered in the network. */
static inline uint32_t tasknet_lane_elements(const struct tasknet *n, const struct tasknet_end *end,
                                             uint32_t l, uint32_t *first)
{
  const uint32_t each = n->array[end->array].count / n->stream[end->stream].width;
  *first = n->array[end->array].first + l * each;
  return each;
}

/** The ends where an array is a producer: @p i counts from 0 to tasknet_outputs() - 1. */
static inline size_t tasknet_outputs(const struct tasknet *n, uint32_t array)
{
  return n->output_at[array + 1] - n->output_at[array];
}
static inline const struct tasknet_end *tasknet_output(const struct tasknet *n, uint32_t array,
                                                       size_t i)
{
  return &n->producer[n->output[n->output_at[array] + i]];
}

/** The ends where an array is a consumer. */
static inline size_t tasknet_inputs(const struct tasknet *n, uint32_t array)
{
  return n->input_at[array + 1] - n->input_at[array];
}
static inline const struct tasknet_end *tasknet_input(const struct tasknet *n, uint32_t array,
                                                      size_t i)
{
  return &n->consumer[n->input[n->input_at[array] + i]];
}
