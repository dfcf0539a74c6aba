#include "mappers/mapper.h"
#include "mappers/peers/scotch_map.h"

#ifdef HAICHI_SCOTCH
#include "mappers/inside/cores.h"
#include "mappers/peers/repair.h"
#include "mappers/peers/scotch_api.h" /* SCOTCH_VERSION */

#define HELP "Scotch's library; ranks beyond the slots of a host move to the nearest free slot"

#define DOTTED(a, b, c)      DOTTED_TEXT(a, b, c)
#define DOTTED_TEXT(a, b, c) #a "." #b "." #c
#define LIBRARY              "Scotch " DOTTED(SCOTCH_VERSION, SCOTCH_RELEASE, SCOTCH_PATCHLEVEL)

/* If Scotch has mapped to cores, moves ranks until each core has at most one. */
static enum status repair_cores(const struct mapping *m, const struct mapper_input *in,
                                uint32_t *moved, struct err *e)
{
  if (in->inside == NULL || in->core[0] == UINT32_MAX)
    return OK;
  return cores_repair(in->inside, m, 1, in->core, moved, e);
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  struct mapping m;
  struct err why;
  uint32_t moved = 0;
  if (scotch_map(in, in->options, &m, &why) != OK)
    return err_set(e, "mapper 'scotch': %s", why.text);
  if (repair_mapping(&m, in, &moved, e) != OK || repair_cores(&m, in, &moved, e) != OK) {
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

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  (void)in;
  (void)out;
  return err_set(e,
                 "mapper 'scotch' is not built in: install libscotch-dev and build haichi again");
}
#endif

/* Scotch's seeds are positive 32-bit numbers.  An imbalance beyond a few times the mean load
 * balances nothing. */
#define MOST_IMBALANCE 10

#define AT(FIELD) offsetof(struct scotch_options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"strategy", SPEC_CHOICE, AT(strategy), "default",
     .help = "default, quality, balance, quality-balance (gmap -cqb) or speed",
     .names =
         (const char *const[]){"default", "quality", "balance", "quality-balance", "speed", NULL}},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of Scotch's random numbers, 0 to 2^31-1",
     .most = INT32_MAX},
    {"imbalance", SPEC_DOUBLE, AT(imbalance), "0.01",
     .help = "excess of a host's load over the mean that Scotch allows, as a share of the mean",
     .most = MOST_IMBALANCE},
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
    .sets_cores = true,
    .map = map,
};
