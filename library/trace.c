#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "library/handles.h"
#include "traces/matrix/load.h"

/* --- traces ----------------------------------------------------------------------------------- */

static enum status open_trace(struct haichi_trace *t, const char *name, const char *collectives,
                              struct err *e)
{
  struct trace *opened;
  t->reading = reading_defaults();
  if (library_check_input(name, e) != OK || (t->name = mem_strdup(name, e)) == NULL)
    return FAIL;
  if (collectives != NULL && (library_check_input(collectives, e) != OK ||
                              collectives_select(&t->reading.collectives, collectives, e) != OK))
    return FAIL;
  t->input = (struct input_trace){.name = t->name, .reading = &t->reading};
  return input_trace_open(&t->input, &opened, e);
}

enum haichi_status haichi_trace_open(struct haichi_trace **out, const char *spec_or_path,
                                     const char *collectives, struct haichi_error *e)
{
  struct err why;
  struct haichi_trace *t = mem_array(1, sizeof *t, &why);
  if (t == NULL || open_trace(t, spec_or_path, collectives, &why) != OK) {
    haichi_trace_free(t);
    return library_fail(e, &why);
  }
  *out = t;
  return HAICHI_OK;
}

void haichi_trace_free(struct haichi_trace *t)
{
  if (t == NULL)
    return;
  input_trace_clear(&t->input);
  free(t->name);
  free(t);
}

uint32_t haichi_trace_ranks(const struct haichi_trace *t)
{
  return trace_ranks(t->input.trace);
}

/* --- traffic ---------------------------------------------------------------------------------- */

/* Makes an empty traffic, lets @p fill fill it from @p from, and frees it on failure. */
static enum haichi_status make(struct haichi_traffic **out,
                               enum status (*fill)(struct matrix *m, void *from, struct err *e),
                               void *from, struct haichi_error *e)
{
  struct err why;
  struct haichi_traffic *t = mem_array(1, sizeof *t, &why);
  if (t == NULL || fill(&t->m, from, &why) != OK) {
    free(t);
    return library_fail(e, &why);
  }
  *out = t;
  return HAICHI_OK;
}

static enum status count(struct matrix *m, void *trace, struct err *e)
{
  struct program *p;
  if (input_trace_program(trace, NULL, &p, e) != OK)
    return FAIL;
  const enum status s = matrix_from_program(m, p, false, e);
  program_free(p);
  return s;
}

enum haichi_status haichi_traffic_of_trace(struct haichi_traffic **out, struct haichi_trace *t,
                                           struct haichi_error *e)
{
  return make(out, count, &t->input, e);
}

/* The argument of haichi_traffic_of_pairs(). */
struct pairs {
  uint32_t ranks;
  const struct haichi_pair *pair;
  size_t count;
};

static enum status copy(struct matrix *m, void *from, struct err *e)
{
  const struct pairs *p = from;
  const uint64_t most = INT64_MAX; /* of the sums of messages and of bytes, as in matrix_load() */
  struct matrix made = {.ranks = p->ranks};
  uint64_t messages = 0, bytes = 0;
  if ((made.entry = mem_array(p->count, sizeof *made.entry, e)) == NULL)
    return FAIL;
  enum status s = p->ranks > 0 ? OK : err_set(e, "traffic of no ranks");
  for (size_t i = 0; i < p->count && s == OK; i++) {
    const struct haichi_pair *x = &p->pair[i];
    if (x->src >= p->ranks || x->dst >= p->ranks)
      s = err_set(e, "pair %" PRIu32 " %" PRIu32 ": there are %" PRIu32 " ranks", x->src, x->dst,
                  p->ranks);
    else if (x->messages == 0 && x->bytes > 0)
      s = err_set(e, "pair %" PRIu32 " %" PRIu32 ": %" PRIu64 " bytes in 0 messages", x->src,
                  x->dst, x->bytes);
    else if (x->messages > most - messages || x->bytes > most - bytes)
      s = err_set(e, "pair %" PRIu32 " %" PRIu32 ": the sum of messages or of bytes reaches 2^63",
                  x->src, x->dst);
    messages += x->messages;
    bytes += x->bytes;
    if (x->messages > 0)
      made.entry[made.count++] = (struct matrix_entry){x->src, x->dst, x->messages, x->bytes};
  }
  if (s == OK) {
    matrix_sort(&made);
    *m = made;
    return OK;
  }
  matrix_clear(&made);
  return FAIL;
}

enum haichi_status haichi_traffic_of_pairs(struct haichi_traffic **out, uint32_t ranks,
                                           const struct haichi_pair *pair, size_t pairs,
                                           struct haichi_error *e)
{
  return make(out, copy, &(struct pairs){ranks, pair, pairs}, e);
}

static enum status load(struct matrix *m, void *path, struct err *e)
{
  return library_check_input(path, e) == OK ? matrix_load(m, path, NULL, e) : FAIL;
}

enum haichi_status haichi_traffic_load(struct haichi_traffic **out, const char *path,
                                       struct haichi_error *e)
{
  return make(out, load, (char *)path, e);
}

void haichi_traffic_free(struct haichi_traffic *t)
{
  if (t != NULL)
    matrix_clear(&t->m);
  free(t);
}

uint32_t haichi_traffic_ranks(const struct haichi_traffic *t)
{
  return t->m.ranks;
}

size_t haichi_traffic_pairs(const struct haichi_traffic *t)
{
  return t->m.count;
}

struct haichi_pair haichi_traffic_pair(const struct haichi_traffic *t, size_t i)
{
  const struct matrix_entry x = matrix_at(&t->m, i);
  return (struct haichi_pair){x.src, x.dst, x.messages, x.bytes};
}
