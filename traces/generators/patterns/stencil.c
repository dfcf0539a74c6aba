/* A grid of 2 to 4 dimensions, X first.  Each rank sends to the neighbours that differ by one in up
 * to `reach' coordinates.  The tag is the direction: on a periodic side of 2, both directions lead
 * to the same rank, and their messages must not match each other's receives. */
#include <inttypes.h>
#include <stdlib.h>

#include "traces/generators/patterns/pattern.h"

enum { DIMENSIONS_MIN = 2, DIMENSIONS_MAX = 4, DIRECTIONS_MAX = 81 /* 3^4 */ };

struct stencil {
  struct pattern base;
  struct spec_list sides;
  uint32_t points; /* 0: the minimum */
  bool periodic;
  uint8_t direction[DIRECTIONS_MAX]; /* by message: a base-3 digit per axis; 0: -1, 2: +1 */
};

#define AT(FIELD) offsetof(struct stencil, FIELD)

static const struct spec_option OPTIONS[] = {
    {"sides", SPEC_LIST, AT(sides), NULL, .help = "ranks along each axis, X first", .least = 1,
     .most = GENERATOR_RANKS_MAX, .separator = 'x', .ends = ':'},
    PATTERN_COMMON,
    PATTERN_HALO,
    {"periodic", SPEC_FLAG, AT(periodic), NULL, .help = "the ends of each axis are neighbours"},
    {"points", SPEC_U32, AT(points), "0",
     .help = "5 or 9 in 2-D; 7, 19, 27 in 3-D; 9, 33, 65, 81 in 4-D; 0: the minimum"},
    {.name = NULL},
};

/* The neighbour of @p rank in @p direction, or in the opposite direction with @p back. */
static uint32_t neighbour(const struct stencil *s, uint32_t rank, uint32_t direction, bool back)
{
  uint32_t result = 0, stride = 1;
  for (uint32_t d = 0; d < s->sides.count; d++) {
    const uint32_t side = s->sides.value[d], at = rank % side;
    const uint32_t digit = back ? 2 - direction % 3 : direction % 3; /* 1: stay */
    const uint32_t to = at + side + digit - 1; /* one side above the coordinate, to stay unsigned */
    if (!s->periodic && (to < side || to >= 2 * side))
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
  for (uint32_t d = 0; d < s->sides.count; d++, direction /= 3) {
    if (direction % 3 == 1)
      continue;
    if (s->sides.value[d] == 1)
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
  const uint32_t wanted = s->points;
  uint32_t reach = 1, directions = 1;
  for (uint32_t d = 0; d < s->sides.count; d++)
    directions *= 3;
  while (wanted != 0 && reach <= s->sides.count && points_of(s->sides.count, reach) != wanted)
    reach++;
  if (reach > s->sides.count)
    return err_set(e, "there is no %" PRIu32 "-point stencil in %" PRIu32 "-D", wanted,
                   s->sides.count);
  for (uint32_t i = 0; i < directions; i++) {
    const uint32_t n = moves(s, i);
    if (n > 0 && n <= reach)
      s->direction[s->base.messages++] = (uint8_t)i;
  }
  return OK;
}

static enum status set_ranks(struct stencil *s, struct err *e)
{
  uint64_t ranks = 1;
  if (s->sides.count < DIMENSIONS_MIN || s->sides.count > DIMENSIONS_MAX)
    return err_set(e, "expected %d to %d sides, as in 8x8x4", DIMENSIONS_MIN, DIMENSIONS_MAX);
  for (uint32_t d = 0; d < s->sides.count; d++) {
    ranks *= s->sides.value[d];
    if (ranks > GENERATOR_RANKS_MAX)
      return err_set(e, "more than %d ranks", GENERATOR_RANKS_MAX);
  }
  s->base.base.ranks = (uint32_t)ranks;
  return OK;
}

static enum status set_up(struct pattern *p, struct err *e)
{
  struct stencil *s = (struct stencil *)p;
  p->window = PATTERN_WINDOW;
  p->peers = peers;
  return set_ranks(s, e) == OK ? set_directions(s, e) : FAIL;
}

const struct generator_kind pattern_stencil = {
    .name = "stencil",
    .example = "stencil:8x8x4:points=27,periodic",
    .help = "a grid of 2 to 4 dimensions, X first",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct stencil),
    .set_up = set_up,
};
