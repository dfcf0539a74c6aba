/* Arguments of actions that SMPI's tracer does not write: relays and neighbourhood collectives. */
#include "traces/files/args.h"

#include "common/plural.h"

enum { NOISY_WORDS = 6 /* arguments of a relayCompute with noise */ };

enum status args_parse_relay(struct args *s, struct action *a)
{
  if (rank(s, "source", false, &a->partner) != OK || tag(s, false, &a->tag) != OK ||
      count(s, "count", COUNT_MAX, &a->count) != OK ||
      int32(s, "destination", ACTION_NOBODY, (int64_t)s->reader->ranks - 1, &a->source) != OK)
    return FAIL;
  return one_datatype(s, a);
}

enum status args_parse_relay_compute(struct args *s, struct action *a)
{
  if (count(s, "columns", COUNT_MAX, &a->count) != OK ||
      integer(s, "columns of a call", 1, COUNT_MAX, &a->count2) != OK)
    return FAIL;
  if (number(s, "flops", &a->amount) != OK || number(s, "flops", &a->amount2) != OK)
    return FAIL;
  if (!left(s))
    return OK;
  int64_t seed = 0;
  if (s->count != NOISY_WORDS)
    return err_set(s->err, "%s: %zu arguments, not 4 or %d", s->action, s->count, NOISY_WORDS);
  if (number(s, "noise", &a->noise) != OK || integer(s, "seed", 0, INT64_MAX, &seed) != OK)
    return FAIL;
  a->seed = (uint64_t)seed;
  return OK;
}

/* Takes the rank's neighbours.  Expects @p words arguments and up to @p types datatypes. */
static enum status take_neighbours(struct args *s, struct action *a, size_t words, size_t types)
{
  a->neighbours = s->reader->neighbours;
  if (s->count >= words && s->count <= words + types)
    return OK;
  return err_set(s->err, "%s: %zu argument%s, not %zu to %zu", s->action, s->count,
                 PLURAL(s->count), words, words + types);
}

/* Parses one count for each source or destination. */
static enum status neighbour_counts(struct args *s, bool sources, const int32_t **out)
{
  const struct neighbours *n = s->reader->neighbours;
  const uint32_t most = n->sources > n->destinations ? n->sources : n->destinations;
  int32_t *into = half_of(s, sources, most);
  *out = into;
  return fill(s, into, sources ? n->sources : n->destinations);
}

enum status args_parse_neighbor_one(struct args *s, struct action *a)
{
  if (take_neighbours(s, a, 2, 2) != OK || count(s, "count sent", INT32_MAX, &a->count) != OK ||
      count(s, "count received", INT32_MAX, &a->count2) != OK)
    return FAIL;
  return datatypes(s, a);
}

enum status args_parse_neighbor_allgatherv(struct args *s, struct action *a)
{
  const struct neighbours *n = s->reader->neighbours;
  if (take_neighbours(s, a, 1 + (size_t)n->sources, 2) != OK ||
      count(s, "count sent", INT32_MAX, &a->count) != OK ||
      neighbour_counts(s, true, &a->recvcounts) != OK)
    return FAIL;
  return datatypes(s, a);
}

enum status args_parse_neighbor_counts(struct args *s, struct action *a)
{
  const struct neighbours *n = s->reader->neighbours;
  const bool bytes = a->kind == ACTION_NEIGHBOR_ALLTOALLW;
  if (take_neighbours(s, a, (size_t)n->sources + n->destinations, bytes ? 0 : 2) != OK ||
      neighbour_counts(s, false, &a->sendcounts) != OK ||
      neighbour_counts(s, true, &a->recvcounts) != OK)
    return FAIL;
  a->type = a->type2 = DATATYPE_BYTE;
  return bytes ? OK : datatypes(s, a);
}
