#include "mappers/mapper.h"

#ifdef HAICHI_SCOTCH
#include "common/num.h"
#include "mappers/peers/repair.h"
#include "mappers/peers/scotch_api.h"
#include "mappers/peers/scotch_map.h"

#define HELP "Scotch's library, whose ranks too many for a host move to the nearest free one"

#define DOTTED(a, b, c)      DOTTED_TEXT(a, b, c)
#define DOTTED_TEXT(a, b, c) #a "." #b "." #c
#define LIBRARY              "Scotch " DOTTED(SCOTCH_VERSION, SCOTCH_RELEASE, SCOTCH_PATCHLEVEL)

enum { STRATEGY, SEED, IMBALANCE };

/* Upper limits.  Scotch's seeds are positive 32-bit numbers.  An imbalance beyond a few times the
 * mean load balances nothing. */
#define MOST_SEED      INT32_MAX
#define MOST_IMBALANCE 10.0

static enum status parse(const struct mapper_values *values, struct scotch_options *o,
                         struct err *e)
{
  uint64_t seed;
  if (scotch_strategy(values->value[STRATEGY], &o->flags, e) != OK)
    return FAIL;
  if (num_u64(values->value[SEED], MOST_SEED, &seed, e) != OK)
    return FAIL;
  o->seed = (uint32_t)seed;
  return num_double(values->value[IMBALANCE], 0, MOST_IMBALANCE, &o->imbalance, e);
}

static enum status map(const struct mapper_input *in, const struct mapper_values *values,
                       struct mapping *out, struct err *e)
{
  struct scotch_options o;
  struct mapping m;
  struct err why;
  uint32_t moved = 0;
  if (parse(values, &o, &why) != OK || scotch_map(in, &o, &m, &why) != OK)
    return err_set(e, "mapper 'scotch': %s", why.text);
  if (repair_mapping(&m, in, &moved, e) != OK) {
    mapping_clear(&m);
    return FAIL;
  }
  if (in->moved != NULL)
    *in->moved = moved;
  *out = m;
  return OK;
}
#else
#define HELP    "not built in: needs libscotch-dev"
#define LIBRARY NULL

static enum status map(const struct mapper_input *in, const struct mapper_values *values,
                       struct mapping *out, struct err *e)
{
  (void)in;
  (void)values;
  (void)out;
  return err_set(e,
                 "mapper 'scotch' is not built in: install libscotch-dev and build haichi again");
}
#endif

static const struct mapper_option OPTIONS[] = {
    {.name = "strategy",
     .default_value = "default",
     .help = "default, quality, balance, quality-balance (gmap -cqb) or speed"},
    {.name = "seed", .default_value = "1", .help = "seed of Scotch's random numbers, 0 to 2^31-1"},
    {.name = "imbalance",
     .default_value = "0.01",
     .help = "by how much of the mean load Scotch may load hosts more, before ranks are moved"},
    {.name = NULL},
};

const struct mapper map_scotch = {
    .name = "scotch",
    .help = HELP,
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .library = LIBRARY,
    .overfills = true,
    .map = map,
};
