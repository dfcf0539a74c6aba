#include "tasks/tasknet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/plural.h"
#include "tasks/meta/meta.h"

void tasknet_clear(struct tasknet *n)
{
  for (uint32_t i = 0; i < n->programs; i++)
    meta_free(n->program[i]);
  void *const owned[] = {n->array,  n->stream, n->producer,  n->consumer, n->array_of, n->order,
                         n->output, n->input,  n->output_at, n->input_at, n->volume,   n->file,
                         n->names,  n->own,    n->arg,       n->program};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  index_clear(&n->array_index);
  index_clear(&n->stream_index);
  *n = (struct tasknet){0};
}

enum status tasknet_set_file(struct tasknet *n, const char *file, struct err *e)
{
  char *copy = mem_strdup(file, e);
  if (copy == NULL)
    return FAIL;
  free(n->file);
  n->file = copy;
  return OK;
}

const char *tasknet_name(const struct tasknet *n, uint32_t array)
{
  return n->names + n->array[array].name;
}

const char *tasknet_stream_name(const struct tasknet *n, uint32_t stream)
{
  return n->names + n->stream[stream].name;
}

void tasknet_print_element(const struct tasknet *n, uint32_t element, FILE *f)
{
  const uint32_t array = n->array_of[element];
  fputs(tasknet_name(n, array), f);
  if (n->array[array].count > 1)
    fprintf(f, "[%" PRIu32 "]", element - n->array[array].first);
}

static uint64_t hash_array(const void *network, uint32_t number)
{
  return index_text(tasknet_name(network, number));
}

static bool same_array(const void *network, uint32_t number, const void *name)
{
  return strcmp(tasknet_name(network, number), name) == 0;
}

static uint64_t hash_stream(const void *network, uint32_t number)
{
  return index_text(tasknet_stream_name(network, number));
}

static bool same_stream(const void *network, uint32_t number, const void *name)
{
  return strcmp(tasknet_stream_name(network, number), name) == 0;
}

uint32_t tasknet_find(const struct tasknet *n, const char *name)
{
  return index_find(&n->array_index, index_text(name), same_array, n, name);
}

static enum status check_name(const char *what, const char *name, struct err *e)
{
  const size_t length = strlen(name);
  if (length == 0 || length > TASKNET_LONGEST_NAME)
    return err_set(e, "%s '%.40s': a name has 1 to %d bytes, this one %zu", what, name,
                   TASKNET_LONGEST_NAME, length);
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c <= ' ' || *c == 127)
      return err_set(e, "%s '%.80s': a name has no spaces and no control characters", what, name);
  return OK;
}

static enum status check_cost(const char *what, const char *name, double cost, double least,
                              struct err *e)
{
  if (cost >= least && cost <= TASKNET_MOST_COST)
    return OK;
  return err_set(e, "task '%.80s': %s %g is not in [%g, %g]", name, what, cost, least,
                 TASKNET_MOST_COST);
}

static enum status check_costs(const char *name, const struct tasknet_cost *c, bool arriving,
                               struct err *e)
{
  if (check_cost("computation cost", name, c->compute, 0, e) != OK ||
      check_cost("output cost", name, c->out, 0, e) != OK ||
      check_cost("number of loops", name, c->loops, 1, e) != OK)
    return FAIL;
  return arriving ? OK : check_cost("input cost", name, c->in, 0, e);
}

static enum status check_array(const struct tasknet *n, const struct tasknet_new_array *a,
                               struct err *e)
{
  const bool arriving = a->cost.in == TASKNET_ARRIVING;
  if (check_name("task", a->name, e) != OK)
    return FAIL;
  if (tasknet_find(n, a->name) != TASKNET_NONE)
    return err_set(e, "there are two tasks '%.80s'", a->name);
  if (a->count == 0 || a->count > TASKNET_MOST - n->elements)
    return err_set(e, "task '%.80s': %u elements are not in [1, %u]", a->name, a->count,
                   TASKNET_MOST - n->elements);
  if (a->costs == NULL)
    return check_costs(a->name, &a->cost, arriving, e);
  for (uint32_t k = 0; k < a->count; k++)
    if (check_costs(a->name, &a->costs[k], arriving, e) != OK)
      return FAIL;
  return OK;
}

/* Stores a name at n->names_used.  The caller increases names_used once all later steps have
 * succeeded. */
static enum status keep_name(struct tasknet *n, const char *name, struct err *e)
{
  const size_t bytes = strlen(name) + 1;
  if (MEM_GROW(n->names, n->names_room, n->names_used + bytes, e) != OK)
    return FAIL;
  memcpy(n->names + n->names_used, name, bytes);
  return OK;
}

enum status tasknet_add_array(struct tasknet *n, const struct tasknet_new_array *a, struct err *e)
{
  const size_t owns = n->owns + (a->costs == NULL ? 0 : a->count);
  if (check_array(n, a, e) != OK || keep_name(n, a->name, e) != OK ||
      MEM_GROW(n->array, n->array_room, (size_t)n->arrays + 1, e) != OK ||
      MEM_GROW(n->own, n->own_room, owns, e) != OK ||
      index_reserve(&n->array_index, n->arrays, hash_array, n, e) != OK)
    return FAIL;
  n->array[n->arrays] = (struct tasknet_array){.name = n->names_used,
                                               .first = n->elements,
                                               .count = a->count,
                                               .pattern = a->pattern,
                                               .varied = a->costs != NULL,
                                               .arriving = a->cost.in == TASKNET_ARRIVING,
                                               .cost = a->cost,
                                               .own = n->owns,
                                               .program = TASKNET_NONE,
                                               .line = a->line};
  if (a->costs != NULL)
    memcpy(n->own + n->owns, a->costs, a->count * sizeof *a->costs);
  n->owns = owns;
  n->names_used += strlen(a->name) + 1;
  n->elements += a->count;
  index_add(&n->array_index, index_text(a->name), n->arrays++);
  return OK;
}

enum status tasknet_add_program(struct tasknet *n, struct meta *program, uint32_t *number,
                                struct err *e)
{
  if (MEM_GROW(n->program, n->program_room, (size_t)n->programs + 1, e) != OK) {
    meta_free(program);
    return FAIL;
  }
  *number = n->programs;
  n->program[n->programs++] = program;
  return OK;
}

const char *tasknet_program_file(const struct tasknet *n, uint32_t i)
{
  return i < n->programs ? meta_file(n->program[i]) : NULL;
}

enum status tasknet_set_program(struct tasknet *n, uint32_t program, uint32_t args,
                                const double *arg, struct err *e)
{
  struct tasknet_array *a = &n->array[n->arrays - 1];
  const char *name = tasknet_name(n, n->arrays - 1);
  const uint32_t needed = meta_args(n->program[program]);
  const size_t count = (size_t)args * a->count;
  if (args < needed || args > META_MOST_ARGS)
    return err_set(
        e, "task '%.80s': %u argument%s, but its program needs %u, and at most %d are allowed",
        name, args, PLURAL(args), needed, META_MOST_ARGS);
  for (size_t i = 0; i < count; i++)
    if (!(fabs(arg[i]) <= TASKNET_MOST_COST))
      return err_set(e, "task '%.80s': an argument of %g exceeds %g", name, arg[i],
                     TASKNET_MOST_COST);
  if (MEM_GROW(n->arg, n->arg_room, n->arg_used + count, e) != OK)
    return FAIL;
  if (count > 0)
    memcpy(n->arg + n->arg_used, arg, count * sizeof *arg);
  a->program = program;
  a->args = args;
  a->arg = n->arg_used;
  a->pattern = meta_pattern(n->program[program]);
  n->arg_used += count;
  return OK;
}

enum status tasknet_add_stream(struct tasknet *n, const char *name, uint32_t width, uint64_t line,
                               struct err *e)
{
  if (check_name("stream", name, e) != OK)
    return FAIL;
  if (index_find(&n->stream_index, index_text(name), same_stream, n, name) != INDEX_NONE)
    return err_set(e, "there are two streams '%.80s'", name);
  if (width == 0 || width > TASKNET_MOST - n->lanes)
    return err_set(e, "stream '%.80s': a width of %u is not in [1, %u]", name, width,
                   TASKNET_MOST - n->lanes);
  if (keep_name(n, name, e) != OK ||
      MEM_GROW(n->stream, n->stream_room, (size_t)n->streams + 1, e) != OK ||
      index_reserve(&n->stream_index, n->streams, hash_stream, n, e) != OK)
    return FAIL;
  n->stream[n->streams] = (struct tasknet_stream){.name = n->names_used,
                                                  .width = width,
                                                  .first_lane = n->lanes,
                                                  .from = n->producers,
                                                  .to = n->consumers,
                                                  .line = line};
  n->names_used += strlen(name) + 1;
  n->lanes += width;
  index_add(&n->stream_index, index_text(name), n->streams++);
  return OK;
}

/* Fails if the width of the last stream does not divide the elements of the array, or if there are
 * TASKNET_MOST ends already (@p ends). */
static enum status check_end(const struct tasknet *n, uint32_t array, uint32_t ends, struct err *e)
{
  const struct tasknet_stream *s = &n->stream[n->streams - 1];
  const char *name = tasknet_stream_name(n, n->streams - 1);
  if (n->array[array].count % s->width != 0)
    return err_set(e, "stream '%.80s': a width of %u does not divide the %u elements of '%.80s'",
                   name, s->width, n->array[array].count, tasknet_name(n, array));
  if (ends < TASKNET_MOST)
    return OK;
  return err_set(e, "stream '%.80s': more than %u ends", name, TASKNET_MOST);
}

enum status tasknet_add_producer(struct tasknet *n, uint32_t array, double volume, struct err *e)
{
  if (check_end(n, array, n->producers, e) != OK)
    return FAIL;
  if (volume != TASKNET_OUTPUT && check_cost("volume", tasknet_name(n, array), volume, 0, e) != OK)
    return FAIL;
  if (MEM_GROW(n->producer, n->producer_room, (size_t)n->producers + 1, e) != OK)
    return FAIL;
  n->producer[n->producers++] = (struct tasknet_end){n->streams - 1, array, volume};
  n->stream[n->streams - 1].producers++;
  return OK;
}

enum status tasknet_add_consumer(struct tasknet *n, uint32_t array, struct err *e)
{
  if (check_end(n, array, n->consumers, e) != OK ||
      MEM_GROW(n->consumer, n->consumer_room, (size_t)n->consumers + 1, e) != OK)
    return FAIL;
  n->consumer[n->consumers++] = (struct tasknet_end){n->streams - 1, array, 0};
  n->stream[n->streams - 1].consumers++;
  return OK;
}
