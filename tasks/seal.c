/* Completes a network: orders the arrays, computes costs and volumes. */
#include <string.h>

#include "common/mem.h"
#include "tasks/meta/meta.h"
#include "tasks/tasknet.h"

/* Puts the file and the line of a declaration in front of an error, as far as they are known. */
static enum status fail_at(const struct tasknet *n, uint64_t line, struct err *e)
{
  if (n->file == NULL)
    return FAIL;
  return line == 0 ? err_prefix(e, "%s: ", n->file) : err_place(e, n->file, line);
}

/* Fails if an array occurs twice on one side of a stream.  @p end is sorted by stream; @p seen: by
 * array, zeroed. */
static enum status check_twice(const struct tasknet *n, const struct tasknet_end *end,
                               uint32_t ends, uint32_t *seen, struct err *e)
{
  for (uint32_t i = 0; i < ends; i++) {
    const uint32_t stream = end[i].stream;
    if (seen[end[i].array] == stream + 1) {
      err_set(e, "stream '%.80s': task '%.80s' is twice on one side",
              tasknet_stream_name(n, stream), tasknet_name(n, end[i].array));
      return fail_at(n, n->stream[stream].line, e);
    }
    seen[end[i].array] = stream + 1;
  }
  memset(seen, 0, n->arrays * sizeof *seen);
  return OK;
}

static enum status check_streams(const struct tasknet *n, struct err *e)
{
  if (n->arrays == 0)
    return n->file == NULL ? err_set(e, "a network without tasks")
                           : err_at(e, n->file, 1, "a network without tasks");
  for (uint32_t s = 0; s < n->streams; s++) {
    const struct tasknet_stream *stream = &n->stream[s];
    if (stream->producers > 0 && stream->consumers > 0)
      continue;
    err_set(e, "stream '%.80s' has no task on its %s side", tasknet_stream_name(n, s),
            stream->producers == 0 ? "input" : "output");
    return fail_at(n, stream->line, e);
  }
  OWNED uint32_t *seen = mem_array(n->arrays, sizeof *seen, e);
  if (seen == NULL)
    return FAIL;
  return check_twice(n, n->producer, n->producers, seen, e) == OK
             ? check_twice(n, n->consumer, n->consumers, seen, e)
             : FAIL;
}

/* Sorts the numbers of the ends by array. */
static enum status sort_ends(const struct tasknet *n, const struct tasknet_end *end, uint32_t ends,
                             size_t **at, uint32_t **list, struct err *e)
{
  if ((*at = mem_array((size_t)n->arrays + 2, sizeof **at, e)) == NULL ||
      (*list = mem_array(ends, sizeof **list, e)) == NULL)
    return FAIL;
  /* Shifted by one: while the list is filled, at[a + 1] is the next index of array a. */
  for (uint32_t i = 0; i < ends; i++)
    (*at)[end[i].array + 2]++;
  for (uint32_t a = 0; a < n->arrays; a++)
    (*at)[a + 2] += (*at)[a + 1];
  for (uint32_t i = 0; i < ends; i++)
    (*list)[(*at)[end[i].array + 1]++] = i;
  return OK;
}

/* Counts while ordering. */
struct waiting {
  uint32_t *array;  /* by array: input streams with producers not yet ordered */
  uint32_t *stream; /* by stream: producers not yet ordered */
  uint32_t taken;   /* number of arrays in n->order */
};

static void take_array(struct tasknet *n, struct waiting *w, uint32_t array)
{
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const uint32_t s = tasknet_output(n, array, i)->stream;
    const struct tasknet_stream *stream = &n->stream[s];
    for (uint32_t c = 0; w->stream[s] == 1 && c < stream->consumers; c++) {
      const uint32_t to = n->consumer[stream->to + c].array;
      if (--w->array[to] == 0)
        n->order[w->taken++] = to;
    }
    w->stream[s]--;
  }
}

/* A producer of a waiting array that waits itself. */
static uint32_t waiting_producer(const struct tasknet *n, const struct waiting *w, uint32_t array)
{
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_stream *s = &n->stream[tasknet_input(n, array, i)->stream];
    for (uint32_t p = 0; p < s->producers; p++)
      if (w->array[n->producer[s->from + p].array] > 0)
        return n->producer[s->from + p].array;
  }
  return array; /* not reached: a waiting array has a waiting producer */
}

/* Reports a cycle, found by following waiting producers from any waiting array (Brent's algorithm).
 */
static enum status fail_cycle(const struct tasknet *n, const struct waiting *w, struct err *e)
{
  uint32_t slow = 0;
  while (w->array[slow] == 0)
    slow++;
  uint32_t fast = waiting_producer(n, w, slow);
  for (uint64_t power = 1, steps = 1; slow != fast; steps++) {
    if (steps == power) {
      slow = fast;
      power *= 2;
      steps = 0;
    }
    fast = waiting_producer(n, w, fast);
  }
  char list[600] = "";
  uint32_t at = slow;
  do {
    err_list(list, sizeof list, tasknet_name(n, at));
    at = waiting_producer(n, w, at);
  } while (at != slow);
  err_set(e, "the tasks wait for each other in a cycle: %s", list);
  return fail_at(n, n->array[slow].line, e);
}

static enum status order_arrays(struct tasknet *n, struct waiting *w, struct err *e)
{
  for (uint32_t a = 0; a < n->arrays; a++) {
    w->array[a] = (uint32_t)tasknet_inputs(n, a);
    if (w->array[a] == 0)
      n->order[w->taken++] = a;
  }
  for (uint32_t s = 0; s < n->streams; s++)
    w->stream[s] = n->stream[s].producers;
  for (uint32_t i = 0; i < w->taken; i++)
    take_array(n, w, n->order[i]);
  return w->taken == n->arrays ? OK : fail_cycle(n, w, e);
}

static enum status make_order(struct tasknet *n, struct err *e)
{
  struct waiting w = {.array = mem_array(n->arrays, sizeof *w.array, e)};
  enum status status = FAIL;
  if (w.array != NULL && (w.stream = mem_array(n->streams, sizeof *w.stream, e)) != NULL &&
      (n->order = mem_array(n->arrays, sizeof *n->order, e)) != NULL)
    status = order_arrays(n, &w, e);
  free(w.array);
  free(w.stream);
  return status;
}

/* True if all elements of the array get the same amount from each of its streams. */
static bool arrives_equally(const struct tasknet *n, uint32_t array)
{
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_stream *s = &n->stream[tasknet_input(n, array, i)->stream];
    for (uint32_t l = 1; l < s->width; l++)
      if (n->volume[s->first_lane + l] != n->volume[s->first_lane])
        return false;
  }
  return true;
}

/* The data that streams bring to element @p k of an array. */
static double arriving(const struct tasknet *n, uint32_t array, uint32_t k)
{
  double sum = 0;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++)
    sum += n->volume[tasknet_lane(n, tasknet_input(n, array, i), k)];
  return sum;
}

/* Gives the elements of an array individual copies of its costs. */
static enum status make_varied(struct tasknet *n, struct tasknet_array *a, struct err *e)
{
  if (MEM_GROW(n->own, n->own_room, n->owns + a->count, e) != OK)
    return FAIL;
  a->own = n->owns;
  n->owns += a->count;
  for (uint32_t k = 0; k < a->count; k++)
    n->own[a->own + k] = a->cost;
  a->varied = true;
  return OK;
}

/* Computes the costs of element @p k with the program of its array. */
static enum status run_program(const struct tasknet *n, uint32_t array, uint32_t k,
                               struct tasknet_cost *out, struct err *e)
{
  const struct tasknet_array *a = &n->array[array];
  const double *arg = a->args == 0 ? NULL : n->arg + a->arg + (size_t)k * a->args;
  if (meta_costs(n->program[a->program], arg, arriving(n, array, k), out, e) == OK)
    return OK;
  return err_set(e, "%s, at element %u of task '%.80s'", e->text, k, tasknet_name(n, array));
}

static enum status run_programs(struct tasknet *n, uint32_t array, struct err *e)
{
  struct tasknet_array *a = &n->array[array];
  const struct meta *m = n->program[a->program];
  if (meta_args(m) == 0 && (!meta_takes_arriving(m) || arrives_equally(n, array)))
    return run_program(n, array, 0, &a->cost, e);
  if (make_varied(n, a, e) != OK)
    return FAIL;
  for (uint32_t k = 0; k < a->count; k++)
    if (run_program(n, array, k, &n->own[a->own + k], e) != OK)
      return FAIL;
  return OK;
}

static enum status find_costs(struct tasknet *n, uint32_t array, struct err *e)
{
  struct tasknet_array *a = &n->array[array];
  if (a->program != TASKNET_NONE)
    return run_programs(n, array, e);
  if (!a->arriving)
    return OK;
  if (!a->varied && arrives_equally(n, array)) {
    a->cost.in = arriving(n, array, 0);
    return OK;
  }
  if (!a->varied && make_varied(n, a, e) != OK)
    return FAIL;
  for (uint32_t k = 0; k < a->count; k++)
    n->own[a->own + k].in = arriving(n, array, k);
  return OK;
}

/* Adds the output of an array to the volumes of its streams. */
static void add_volumes(struct tasknet *n, uint32_t array)
{
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const struct tasknet_stream *s = &n->stream[end->stream];
    const uint32_t each = n->array[array].count / s->width;
    const bool equal = end->volume >= 0 || !n->array[array].varied;
    for (uint32_t k = 0; k < n->array[array].count; k += equal ? each : 1)
      n->volume[tasknet_lane(n, end, k)] += tasknet_volume(n, end, k) * (equal ? each : 1);
  }
}

static enum status pass_costs(struct tasknet *n, struct err *e)
{
  if ((n->volume = mem_array(n->lanes, sizeof *n->volume, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n->arrays; i++) {
    if (find_costs(n, n->order[i], e) != OK)
      return FAIL;
    add_volumes(n, n->order[i]);
  }
  return OK;
}

static enum status number_elements(struct tasknet *n, struct err *e)
{
  if ((n->array_of = mem_array(n->elements, sizeof *n->array_of, e)) == NULL)
    return FAIL;
  for (uint32_t a = 0; a < n->arrays; a++)
    for (uint32_t k = 0; k < n->array[a].count; k++)
      n->array_of[n->array[a].first + k] = a;
  return OK;
}

enum status tasknet_seal(struct tasknet *n, struct err *e)
{
  if (check_streams(n, e) != OK || number_elements(n, e) != OK ||
      sort_ends(n, n->producer, n->producers, &n->output_at, &n->output, e) != OK ||
      sort_ends(n, n->consumer, n->consumers, &n->input_at, &n->input, e) != OK ||
      make_order(n, e) != OK)
    return FAIL;
  return pass_costs(n, e);
}
