/** @file args.h
 *  Private to parse.c and args.c: the arguments of one line of a trace, taken from left to right.
 *  Functions fail with an error that names the action and the argument.  They are inline, because
 *  they take most of the time of reading a trace.
 */
#pragma once

#include <inttypes.h>

#include "common/mem.h"
#include "common/num.h"
#include "traces/datatype.h"
#include "traces/files/parse.h"

/** Upper limit of a count. */
#define COUNT_MAX (INT64_C(1) << 53)

/* The arguments of one line, parsed from left to right. */
struct args {
  const char *action;
  char *const *word;
  size_t count, at;
  struct action_reader *reader;
  struct err *err;
};

static inline enum status integer(struct args *s, const char *what, int64_t min, int64_t max,
                                  int64_t *out)
{
  const char *text = s->word[s->at++];
  uint32_t value;
  struct err e;
  if (num_short(text, &value) && value >= min && value <= max) {
    *out = value;
    return OK;
  }
  if (num_i64(text, min, max, out, &e) == OK)
    return OK;
  return err_set(s->err, "%s: %s: %s", s->action, what, e.text);
}

static inline enum status int32(struct args *s, const char *what, int64_t min, int64_t max,
                                int32_t *out)
{
  int64_t value = 0;
  if (integer(s, what, min, max, &value) != OK)
    return FAIL;
  *out = (int32_t)value;
  return OK;
}

static inline enum status number(struct args *s, const char *what, double *out)
{
  struct err e;
  if (num_double(s->word[s->at++], 0, 1e300, out, &e) == OK)
    return OK;
  return err_set(s->err, "%s: %s: %s", s->action, what, e.text);
}

static inline bool left(const struct args *s)
{
  return s->at < s->count;
}

static inline enum status derived_datatype(struct args *s, int64_t id, uint32_t *bytes)
{
  const struct action_type *t = action_reader_type(s->reader, id);
  if (t == NULL && id == DATATYPE_DERIVED)
    return err_set(s->err, "%s: datatype -1: the tracer lost the size of a derived datatype",
                   s->action);
  if (t == NULL)
    return err_set(s->err, "%s: no datatype has the number %" PRId64, s->action, id);
  *bytes = t->bytes;
  return OK;
}

/* *derived: bytes of a derived datatype; 0 for other datatypes.  @p empty: there are no elements of
 * this type.  Then it may be -1, which the tracer also writes for MPI_DATATYPE_NULL, as ranks other
 * than the root may pass it to MPI_Gather and MPI_Scatter. */
static inline enum status datatype(struct args *s, bool empty, int16_t *out, uint32_t *derived)
{
  int64_t id;
  *out = s->reader->doubles ? DATATYPE_DOUBLE : DATATYPE_BYTE;
  *derived = 0;
  if (!left(s))
    return OK;
  if (integer(s, "datatype", INT32_MIN, INT32_MAX, &id) != OK)
    return FAIL;
  if (id == DATATYPE_DERIVED && empty && action_reader_type(s->reader, id) == NULL)
    id = DATATYPE_BYTE;
  if (datatype_size((int)id) == 0 && derived_datatype(s, id, derived) != OK)
    return FAIL;
  *out = (int16_t)id;
  return OK;
}

/* True if a count, or all counts of the members if @p counts is not NULL, are 0; false for
 * collectives on neighbours. */
static inline bool no_elements(const struct args *s, const struct action *a, const int32_t *counts,
                               int64_t count)
{
  if (counts == NULL || a->neighbours != NULL)
    return count == 0 && a->neighbours == NULL;
  for (uint32_t i = 0; i < s->reader->members; i++)
    if (counts[i] != 0)
      return false;
  return true;
}

static inline enum status one_datatype(struct args *s, struct action *a)
{
  const int32_t *counts =
      action_blocking(a->kind) == ACTION_REDUCESCATTER ? a->recvcounts : a->sendcounts;
  return datatype(s, no_elements(s, a, counts, a->count), &a->type, &a->derived);
}

static inline enum status datatypes(struct args *s, struct action *a)
{
  return one_datatype(s, a) == OK
             ? datatype(s, no_elements(s, a, a->recvcounts, a->count2), &a->type2, &a->derived2)
             : FAIL;
}

static inline enum status root(struct args *s, struct action *a)
{
  int64_t value = 0;
  if (left(s) && integer(s, "root", 0, (int64_t)s->reader->members - 1, &value) != OK)
    return FAIL;
  a->root = (uint32_t)value;
  return OK;
}

static inline enum status count(struct args *s, const char *what, int64_t max, int64_t *out)
{
  return integer(s, what, 0, max, out);
}

/* True if two words are equal.  Faster here than strcmp(), which reads many bytes at once and
 * stalls on the NUL that action_split() has just written. */
static inline bool same_word(const char *a, const char *b)
{
  while (*a == *b && *a != '\0')
    a++, b++;
  return *a == *b;
}

/* True, and skips the next word, if wildcards are allowed and the word is the wildcard @p any. */
static inline bool open_word(struct args *s, bool may_be_any, const char *any)
{
  const bool open = may_be_any && same_word(s->word[s->at], any);
  s->at += open;
  return open;
}

static inline enum status rank(struct args *s, const char *what, bool may_be_any, int32_t *out)
{
  *out = ACTION_ANY_SOURCE;
  if (open_word(s, may_be_any, "-333"))
    return OK;
  if (same_word(s->word[s->at], "-333"))
    return err_set(s->err,
                   "%s: %s: -333 is MPI_PROC_NULL, and SMPI's tracer loses messages of programs "
                   "with it; use `haichi record'",
                   s->action, what);
  return int32(s, what, 0, (int64_t)s->reader->ranks - 1, out);
}

static inline enum status tag(struct args *s, bool may_be_any, int32_t *out)
{
  *out = ACTION_ANY_TAG;
  return open_word(s, may_be_any, "-444") ? OK : int32(s, "tag", 0, INT32_MAX, out);
}

/* Half @p half (0, 1) of the reader's array, with room for the line's @p n send or receive
 * counts. */
static inline int32_t *half_of(struct args *s, int half, size_t n)
{
  struct action_reader *r = s->reader;
  if (r->counts == NULL || r->half < n) {
    free(r->counts);
    r->half = n > r->ranks ? n : r->ranks;
    r->counts = mem_array(2 * r->half, sizeof *r->counts, s->err);
  }
  return r->counts == NULL ? NULL : r->counts + (half == 0 ? 0 : r->half);
}

static inline enum status fill(struct args *s, int32_t *into, size_t n)
{
  if (into == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    if (int32(s, "count", 0, INT32_MAX, &into[i]) != OK)
      return FAIL;
  return OK;
}

/* Parses one count for each member. */
static inline enum status counts(struct args *s, int half, const int32_t **out)
{
  const uint32_t n = s->reader->members;
  int32_t *into = half_of(s, half, n);
  *out = into;
  return fill(s, into, n);
}

/* Arguments of actions that SMPI's tracer does not write: args.c. */

enum status args_parse_relay(struct args *s, struct action *a);
enum status args_parse_relay_compute(struct args *s, struct action *a);
enum status args_parse_neighbor_one(struct args *s, struct action *a);
enum status args_parse_neighbor_allgatherv(struct args *s, struct action *a);
enum status args_parse_neighbor_counts(struct args *s, struct action *a);
