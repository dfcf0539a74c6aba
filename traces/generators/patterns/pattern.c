#define _GNU_SOURCE
#include "traces/generators/patterns/pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rng.h"
#include "traces/action.h"
#include "traces/collectives/collective.h"

enum { SIZE_MAX_BYTES = INT32_MAX /* limit of smpirun's replay */ };
enum { DEGREE_MAX = 256, EDGES_MAX = 1 << 24 };

/* --- options ---------------------------------------------------------------------------------- */

enum {
  CALL,
  ITERATIONS,
  SIZE,
  COMPUTE,
  COLLECTIVE,
  COLLECTIVE_SIZE,
  DEGREE,
  DIMENSIONS,
  HALO,
  PERIODIC,
  POINTS,
  SEED,
  WEIGHTS,
  OPTION_COUNT
};

static const struct pattern_option OPTIONS[OPTION_COUNT] = {
    [CALL] = {"call", "allreduce", "the collective, as haichi list collectives names it"},
    [ITERATIONS] = {"iterations", "1", "rounds of messages"},
    [SIZE] = {"size", "65536", "bytes of a message"},
    [COMPUTE] = {"compute", "0", "flops of each rank in each iteration"},
    [COLLECTIVE] = {"collective", "none",
                    "of each iteration: barrier, bcast, reduce, allreduce, allgather or alltoall "
                    "at its end; with an i in front it lasts as long as the iteration"},
    [COLLECTIVE_SIZE] = {"collective_size", "8", "bytes of it"},
    [DEGREE] = {"degree", "4",
                "ranks that each sends to (geometric: in the mean), at most half of them and 256"},
    [DIMENSIONS] = {"dimensions", "2", "or 3, of the space in which the ranks are points"},
    [HALO] =
        {"halo", "messages",
         "or neighbor, ineighbor: by a collective with the neighbours, with i while computing"},
    [PERIODIC] = {"periodic", NULL, "the ends of each axis are neighbours"},
    [POINTS] = {"points", "0",
                "5 or 9 in 2-D; 7, 19, 27 in 3-D; 9, 33, 65, 81 in 4-D; 0: the least"},
    [SEED] = {"seed", "1", "of what is random, 0 to 2^64-1"},
    [WEIGHTS] = {"weights", "equal", "or random: 1 to SIZE bytes between each two ranks"},
};

const struct pattern_option *pattern_option_at(size_t i)
{
  return i < OPTION_COUNT ? &OPTIONS[i] : NULL;
}

bool pattern_takes(const char *names, const char *name)
{
  const size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)) != NULL; at += n)
    if ((at == names || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
      return true;
  return false;
}

static enum status set_u32(const char *value, uint32_t *out, struct err *e)
{
  uint64_t n;
  if (num_u64(value, UINT32_MAX, &n, e) != OK)
    return FAIL;
  *out = (uint32_t)n;
  return OK;
}

static enum status set_weights(const char *value, bool *out, struct err *e)
{
  *out = strcmp(value, "random") == 0;
  return *out || strcmp(value, "equal") == 0 ? OK
                                             : err_set(e, "'%.32s' is not equal or random", value);
}

static enum status set_halo(const char *value, enum pattern_halo *out, struct err *e)
{
  static const char *const NAME[] = {"messages", "neighbor", "ineighbor"};
  for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++)
    if (strcmp(NAME[i], value) == 0) {
      *out = (enum pattern_halo)i;
      return OK;
    }
  return err_set(e, "'%.32s' is not messages, neighbor or ineighbor", value);
}

static enum status set_collective(const char *value, enum action_kind *out, struct err *e)
{
  static const enum action_kind KINDS[] = {ACTION_BARRIER,   ACTION_BCAST,     ACTION_REDUCE,
                                           ACTION_ALLREDUCE, ACTION_ALLGATHER, ACTION_ALLTOALL};
  const bool nonblocking = *value == 'i';
  *out = ACTION_INIT;
  if (strcmp(value, "none") == 0)
    return OK;
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (strcmp(action_name(KINDS[i]), value + nonblocking) == 0) {
      *out = nonblocking ? action_nonblocking(KINDS[i]) : KINDS[i];
      return OK;
    }
  return err_set(e,
                 "'%.32s' is not none, barrier, bcast, reduce, allreduce, allgather, alltoall or "
                 "one of these with an i in front",
                 value);
}

static enum status set_dimensions(const char *value, uint32_t *out, struct err *e)
{
  uint64_t n;
  if (num_u64(value, 3, &n, e) != OK)
    return FAIL;
  *out = (uint32_t)n;
  return n >= 2 ? OK : err_set(e, "%s is below the minimum of 2", value);
}

static enum status set_option(struct pattern_options *o, int option, const char *value,
                              struct err *e)
{
  switch (option) {
  case CALL:
    return collective_kind(&o->call, value, strlen(value), e);
  case ITERATIONS:
    return set_u32(value, &o->iterations, e);
  case SIZE:
    return num_i64(value, 0, SIZE_MAX_BYTES, &o->size, e);
  case COMPUTE:
    return num_double(value, 0, 1e30, &o->compute, e);
  case COLLECTIVE:
    return set_collective(value, &o->collective, e);
  case COLLECTIVE_SIZE:
    return num_i64(value, 0, SIZE_MAX_BYTES, &o->collective_size, e);
  case HALO:
    return set_halo(value, &o->halo, e);
  case DEGREE:
    return set_u32(value, &o->degree, e);
  case DIMENSIONS:
    return set_dimensions(value, &o->dimensions, e);
  case POINTS:
    return set_u32(value, &o->points, e);
  case SEED:
    return num_u64(value, UINT64_MAX, &o->seed, e);
  case WEIGHTS:
    return set_weights(value, &o->weighted, e);
  default:
    o->periodic = true;
    return OK;
  }
}

/* Cannot fail, because the defaults are valid. */
static void set_defaults(struct pattern_options *o)
{
  struct err unused;
  *o = (struct pattern_options){.iterations = 0};
  for (int i = 0; i < OPTION_COUNT; i++)
    if (OPTIONS[i].default_value != NULL)
      set_option(o, i, OPTIONS[i].default_value, &unused);
}

static enum status parse_option(char *item, const char *names, struct pattern_options *o,
                                uint32_t *given, struct err *e)
{
  struct err why;
  char *value = strchr(item, '=');
  if (value != NULL)
    *value++ = '\0';
  int i = 0;
  while (i < OPTION_COUNT && strcmp(OPTIONS[i].name, item) != 0)
    i++;
  if (i == OPTION_COUNT || !pattern_takes(names, item))
    return err_set(e, "no option '%.32s'; options: %s", item, names);
  if ((value != NULL) != (OPTIONS[i].default_value != NULL))
    return err_set(e, "option '%s' %s", item, value != NULL ? "takes no value" : "has no value");
  if (*given & 1u << i)
    return err_set(e, "option '%s' is given twice", item);
  *given |= 1u << i;
  return set_option(o, i, value, &why) == OK ? OK : err_set(e, "option '%s': %s", item, why.text);
}

enum status pattern_parse(const char *fields, const char *names, char **shape,
                          struct pattern_options *o, struct err *e)
{
  struct pattern_options read;
  uint32_t given = 0;
  char *text = mem_strdup(fields, e);
  if (text == NULL)
    return FAIL;
  set_defaults(&read);
  enum status s = OK;
  char *rest = text;
  strsep(&rest, ":"); /* text is then the shape alone */
  while (s == OK && rest != NULL)
    s = parse_option(strsep(&rest, ","), names, &read, &given, e);
  if (s != OK) {
    free(text);
    return FAIL;
  }
  *shape = text;
  *o = read;
  return OK;
}

static enum status parse_ranks(const char *shape, uint32_t *out, struct err *e)
{
  uint64_t n;
  struct err why;
  if (num_u64(shape, GENERATOR_RANKS_MAX, &n, &why) != OK)
    return err_set(e, "the number of ranks: %s", why.text);
  if (n == 0)
    return err_set(e, "the number of ranks is 0");
  *out = (uint32_t)n;
  return OK;
}

struct pattern *pattern_new(size_t bytes, const char *fields, const char *names, struct err *e)
{
  char *shape;
  struct pattern_options options;
  uint32_t ranks;
  if (pattern_parse(fields, names, &shape, &options, e) != OK)
    return NULL;
  const enum status s = parse_ranks(shape, &ranks, e);
  free(shape);
  struct pattern *p = s == OK ? mem_array(1, bytes, e) : NULL;
  if (p == NULL)
    return NULL;
  p->base.ranks = ranks;
  p->options = options;
  return p;
}

enum status pattern_check_degree(const struct pattern *p, struct err *e)
{
  const uint32_t n = p->base.ranks, degree = p->options.degree;
  if (degree > n / 2 || degree > DEGREE_MAX)
    return err_set(e,
                   "degree %" PRIu32 " among %" PRIu32 " ranks: the most is half of them, and %d",
                   degree, n, DEGREE_MAX);
  if ((uint64_t)n * degree > EDGES_MAX)
    return err_set(e, "%" PRIu32 " ranks of degree %" PRIu32 ": more than %d edges", n, degree,
                   EDGES_MAX);
  return OK;
}

/* --- the stream ------------------------------------------------------------------------------- */

/* Bytes of a message.  Sender and receiver draw the same random number. */
static int64_t bytes_between(const struct pattern *p, uint32_t src, uint32_t dst)
{
  const struct pattern_options *o = &p->options;
  if (!o->weighted || o->size == 0)
    return o->size;
  struct rng r = rng_new(o->seed, (uint64_t)src << 32 | dst);
  return 1 + (int64_t)rng_below(&r, (uint64_t)o->size);
}

/* Exchanges messages first..end-1.  The tag of a message is its number, or 0. */
static void exchange(const struct pattern *p, uint32_t first, uint32_t end, struct emit *out)
{
  int64_t requests = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t src = p->peers(p, out->rank, i).src;
    if (src == PATTERN_NONE)
      continue;
    emit_irecv(out, src, p->one_tag ? 0 : (int32_t)i, bytes_between(p, src, out->rank), EMIT_BYTE);
    requests++;
  }
  for (uint32_t i = first; i < end; i++) {
    const uint32_t dst = p->peers(p, out->rank, i).dst;
    if (dst == PATTERN_NONE)
      continue;
    emit_isend(out, dst, p->one_tag ? 0 : (int32_t)i, bytes_between(p, out->rank, dst), EMIT_BYTE);
    requests++;
  }
  if (requests > 0)
    emit_waitall(out, requests);
}

/* --- collectives ------------------------------------------------------------------------------ */

enum { ALL = 1 /* id of the communicator on which the ranks have neighbours */ };

/* Defines the ranks with which a rank exchanges messages as its neighbours. */
static void define_neighbours(const struct pattern *p, struct emit *out)
{
  struct neighbours n = {.sources = 0};
  for (uint32_t i = 0; out->status == OK && i < p->messages; i++) {
    const struct pattern_peers at = p->peers(p, out->rank, i);
    if (at.src != PATTERN_NONE)
      out->status = neighbours_add(&n, true, (int32_t)at.src, out->err);
    if (out->status == OK && at.dst != PATTERN_NONE)
      out->status = neighbours_add(&n, false, (int32_t)at.dst, out->err);
  }
  emit_comm(out, ALL, &(struct comm_run){.stride = 1, .count = out->ranks});
  emit_neighbours(out, ALL, &n);
}

/* Exchanges the messages of an iteration by one collective. */
static void exchange_at_once(const struct pattern *p, struct emit *out)
{
  const struct neighbours *n = out->neighbours;
  const bool nonblocking = p->options.halo == PATTERN_INEIGHBOR;
  if (!p->options.weighted) {
    emit_neighbor(out, ALL, nonblocking, p->options.size, EMIT_BYTE);
    return;
  }
  const uint32_t most = n->sources > n->destinations ? n->sources : n->destinations;
  int32_t *counts = emit_counts(out, most);
  if (counts == NULL)
    return;
  for (uint32_t i = 0; i < n->destinations; i++)
    counts[i] = (int32_t)bytes_between(p, out->rank, (uint32_t)n->destination[i]);
  for (uint32_t i = 0; i < n->sources; i++)
    counts[most + i] = (int32_t)bytes_between(p, (uint32_t)n->source[i], out->rank);
  emit_neighborv(out, ALL, nonblocking, counts, most);
}

/* Begins an iteration: everything before its point-to-point messages. */
static void begin_iteration(const struct pattern *p, struct emit *out)
{
  const struct pattern_options *o = &p->options;
  if (action_is_nonblocking(o->collective))
    emit_collective(out, o->collective, o->collective_size, EMIT_BYTE);
  if (o->halo == PATTERN_INEIGHBOR)
    exchange_at_once(p, out);
  emit_compute(out, o->compute);
  if (o->halo == PATTERN_INEIGHBOR)
    emit_wait_collective(out, o->weighted ? ACTION_NEIGHBOR_ALLTOALLV : ACTION_NEIGHBOR_ALLTOALL);
  if (o->halo == PATTERN_NEIGHBOR)
    exchange_at_once(p, out);
}

static void end_iteration(const struct pattern *p, struct emit *out)
{
  const struct pattern_options *o = &p->options;
  if (action_is_nonblocking(o->collective))
    emit_wait_collective(out, o->collective);
  else if (action_is_collective(o->collective))
    emit_collective(out, o->collective, o->collective_size, EMIT_BYTE);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct pattern *p = (const struct pattern *)g;
  if (at->part == GENERATOR_HEAD && p->options.halo != PATTERN_MESSAGES)
    define_neighbours(p, out);
  if (at->part != GENERATOR_LOOP)
    return;
  if (at->step == 0)
    begin_iteration(p, out);
  const uint32_t first = at->step * p->window, left = p->messages - first;
  if (p->options.halo == PATTERN_MESSAGES)
    exchange(p, first, first + (left < p->window ? left : p->window), out);
  if (at->step + 1 == g->loop)
    end_iteration(p, out);
}

static void close_pattern(struct generator *g)
{
  struct pattern *p = (struct pattern *)g;
  if (p->clear != NULL)
    p->clear(p);
  free(p);
}

void pattern_finish(struct pattern *p)
{
  const bool apart = p->options.halo == PATTERN_MESSAGES;
  const uint32_t windows =
      apart ? (uint32_t)(((uint64_t)p->messages + p->window - 1) / p->window) : 1;
  p->base = (struct generator){.ranks = p->base.ranks,
                               .head = 1,
                               .loop = windows > 0 ? windows : 1,
                               .tail = 1,
                               .iterations = p->options.iterations,
                               .fill = fill,
                               .close = close_pattern};
}
