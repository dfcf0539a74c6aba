/* A grid of 2 to 4 dimensions, X first.  Each rank sends to the neighbours that differ by one in up
 * to `reach' coordinates.  The tag is the direction: on a periodic side of 2, both directions lead
 * to the same rank, and their messages must not match each other's receives. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "traces/generators/patterns/pattern.h"

static const char OPTIONS[] = PATTERN_HALO " periodic points";

enum { DIMENSIONS_MIN = 2, DIMENSIONS_MAX = 4, DIRECTIONS_MAX = 81 /* 3^4 */ };

struct stencil {
  struct pattern base;
  uint32_t dimensions, side[DIMENSIONS_MAX];
  uint8_t direction[DIRECTIONS_MAX]; /* by message: a base-3 digit per axis; 0: -1, 2: +1 */
};

/* The neighbour of @p rank in @p direction, or in the opposite direction with @p back. */
static uint32_t neighbour(const struct stencil *s, uint32_t rank, uint32_t direction, bool back)
{
  uint32_t result = 0, stride = 1;
  for (uint32_t d = 0; d < s->dimensions; d++) {
    const uint32_t side = s->side[d], at = rank % side;
    const uint32_t digit = back ? 2 - direction % 3 : direction % 3; /* 1: stay */
    const uint32_t to = at + side + digit - 1; /* one side above the coordinate, to stay unsigned */
    if (!s->base.options.periodic && (to < side || to >= 2 * side))
      return PATTERN_NONE;
    result += to % side * stride;
    stride *= side;
    rank /= side;
    direction /= 3;
  }
  return result;
}

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  const struct stencil *s = (const struct stencil *)p;
  return (struct pattern_peers){.dst = neighbour(s, rank, s->direction[i], false),
                                .src = neighbour(s, rank, s->direction[i], true)};
}

/* Number of axes along which a direction moves; UINT32_MAX if one of them has side 1. */
static uint32_t moves(const struct stencil *s, uint32_t direction)
{
  uint32_t n = 0;
  for (uint32_t d = 0; d < s->dimensions; d++, direction /= 3) {
    if (direction % 3 == 1)
      continue;
    if (s->side[d] == 1)
      return UINT32_MAX;
    n++;
  }
  return n;
}

/* Number of points of a stencil with neighbours that differ in up to @p reach coordinates: the
 * centre, and 2^j for each choice of j axes, j = 1..reach. */
static uint32_t points_of(uint32_t dimensions, uint32_t reach)
{
  uint32_t points = 1, choices = 1;
  for (uint32_t j = 1; j <= reach; j++) {
    choices = choices * (dimensions + 1 - j) / j;
    points += choices << j;
  }
  return points;
}

static enum status set_directions(struct stencil *s, struct err *e)
{
  const uint32_t wanted = s->base.options.points;
  uint32_t reach = 1, directions = 1;
  for (uint32_t d = 0; d < s->dimensions; d++)
    directions *= 3;
  while (wanted != 0 && reach <= s->dimensions && points_of(s->dimensions, reach) != wanted)
    reach++;
  if (reach > s->dimensions)
    return err_set(e, "there is no %" PRIu32 "-point stencil in %" PRIu32 "-D", wanted,
                   s->dimensions);
  for (uint32_t i = 0; i < directions; i++) {
    const uint32_t n = moves(s, i);
    if (n > 0 && n <= reach)
      s->direction[s->base.messages++] = (uint8_t)i;
  }
  return OK;
}

/* Parses a shape such as "8x8x4"; modifies @p shape. */
static enum status parse_sides(struct stencil *s, char *shape, struct err *e)
{
  uint64_t ranks = 1, side;
  struct err why;
  while (shape != NULL) {
    const char *text = strsep(&shape, "x");
    if (s->dimensions == DIMENSIONS_MAX)
      return err_set(e, "more than %d sides", DIMENSIONS_MAX);
    if (num_u64(text, GENERATOR_RANKS_MAX, &side, &why) != OK)
      return err_set(e, "a side: %s", why.text);
    ranks *= side;
    if (ranks == 0 || ranks > GENERATOR_RANKS_MAX)
      return err_set(e, "the ranks of all sides are not 1 to %d", GENERATOR_RANKS_MAX);
    s->side[s->dimensions++] = (uint32_t)side;
  }
  if (s->dimensions < DIMENSIONS_MIN)
    return err_set(e, "expected %d to %d sides, as in 8x8x4", DIMENSIONS_MIN, DIMENSIONS_MAX);
  s->base.base.ranks = (uint32_t)ranks;
  return OK;
}

static enum status set_up(struct stencil *s, const char *fields, struct err *e)
{
  char *shape;
  if (pattern_parse(fields, OPTIONS, &shape, &s->base.options, e) != OK)
    return FAIL;
  const enum status st = parse_sides(s, shape, e);
  free(shape);
  return st == OK ? set_directions(s, e) : FAIL;
}

static enum status open_stencil(struct generator **out, const char *fields, struct err *e)
{
  struct stencil *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  if (set_up(s, fields, e) != OK) {
    free(s);
    return FAIL;
  }
  s->base.window = PATTERN_WINDOW;
  s->base.peers = peers;
  pattern_finish(&s->base);
  *out = &s->base.base;
  return OK;
}

const struct generator_kind pattern_stencil = {"stencil", "stencil:8x8x4:points=27,periodic",
                                               "a grid of 2 to 4 dimensions, X first", OPTIONS,
                                               open_stencil};
