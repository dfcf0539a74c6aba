#include "mappers/merge/input.h"

#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "mappers/graph.h"

#define OBJECTIVE                                                                                  \
  {                                                                                                \
    "objective", SPEC_CHOICE, offsetof(struct merge_options, objective), "minlink",                \
        .help = "minlink (bytes on the fullest link) or mincost (bytes times hops)",               \
        .names = (const char *const[])                                                             \
    {                                                                                              \
      "minlink", "mincost", NULL                                                                   \
    }                                                                                              \
  }

#define ORDER                                                                                      \
  {                                                                                                \
    "order", SPEC_U64, offsetof(struct merge_options, order), "0",                                 \
        .help = "seed of a random order of combinations, of which the first of equal value wins; " \
                "0: the order of docs/mopt.md"                                                     \
  }

const struct spec_option merge_input_mopt[] = {
    OBJECTIVE,
    {"combinations", SPEC_CHOICE, offsetof(struct merge_options, combinations), "all",
     .help = "all; distinct (skips combinations that differ from an earlier one only by symmetry); "
             "none",
     .names = (const char *const[]){"all", "distinct", "none", NULL}},
    {.name = NULL},
};
const struct spec_option merge_input_objective[] = {OBJECTIVE, ORDER, {.name = NULL}};
const struct spec_option merge_input_both[] = {
    OBJECTIVE,
    {"subgroup", SPEC_TEXT, offsetof(struct merge_options, subgroup), "auto",
     .help = "SIZE@ITERATION[+SIZE@ITERATION...]: hosts along a side of a block, and the iteration "
             "from which blocks are moved as a whole"},
    ORDER,
    {.name = NULL},
};

/* Mappers sum up bytes times hops in 64 bits: the sum must fit even if all routes have @p hops. */
static enum status check_traffic(const struct mapper_input *in, uint32_t hops, struct err *e)
{
  const char *mapper = in->mapper->name;
  const struct matrix *m = in->traffic;
  uint64_t bytes = 0;
  if (graph_check(m, in->ranks, e) != OK)
    return FAIL;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (x.bytes > INT64_MAX - bytes)
      return err_set(e, "mapper '%s': the traffic exceeds %" PRId64 " bytes", mapper, INT64_MAX);
    bytes += x.bytes;
  }
  if (hops > 0 && bytes > (uint64_t)INT64_MAX / hops)
    return err_set(e, "mapper '%s': %" PRIu64 " bytes times up to %" PRIu32 " hops may reach 2^63",
                   mapper, bytes, hops);
  return OK;
}

enum status merge_input_check(const struct mapper_input *in, struct merge_plan *plan, struct err *e)
{
  const struct topology *t = platform_topology(in->platform);
  merge_plan_init(plan, t);
  if (in->ranks > plan->hosts)
    return err_set(e, "mapper '%s' puts one rank on a host: %" PRIu32 " ranks, %" PRIu32 " host%s",
                   in->mapper->name, in->ranks, plan->hosts, PLURAL(plan->hosts));
  /* Routes within a part of a side do not wrap around, so they can exceed a torus's diameter. */
  uint32_t hops = 0;
  for (uint32_t d = 0; d < plan->ndims; d++)
    hops += plan->side[d] - 1;
  return check_traffic(in, hops, e);
}

static void set_auto(const struct merge_plan *plan, struct merge_subgroups *out)
{
  out->count = 0;
  for (uint32_t level = 1; merge_plan_round_start(plan, level + 1) < plan->iterations; level++)
    out->at[out->count++] = (struct merge_subgroup){level, merge_plan_round_start(plan, level + 1)};
}

/* Parses one "SIZE@ITERATION". */
static enum status parse_one(char *item, struct merge_subgroup *out, struct err *e)
{
  char *at = strchr(item, '@');
  if (at == NULL)
    return err_set(e, "'%s' is not SIZE@ITERATION", item);
  *at++ = '\0';
  uint64_t size, iteration;
  if (num_u64(item, 1u << 26, &size, e) != OK || num_u64(at, 1000, &iteration, e) != OK)
    return FAIL;
  if (size < 2 || (size & (size - 1)) != 0)
    return err_set(e, "the size %" PRIu64 " is none of 2, 4, 8, ...", size);
  *out = (struct merge_subgroup){(uint32_t)__builtin_ctzll(size), (uint32_t)iteration};
  return OK;
}

static enum status check_one(const struct merge_plan *plan, const struct merge_subgroups *all,
                             const struct merge_subgroup *s, struct err *e)
{
  const uint32_t first = merge_plan_round_start(plan, s->level); /* round level - 1 is finished */
  if (s->iteration < first)
    return err_set(e,
                   "blocks with sides of %" PRIu32 " exist from iteration %" PRIu32
                   " on, not from %" PRIu32,
                   (uint32_t)1 << s->level, first, s->iteration);
  const struct merge_subgroup *before = all->count == 0 ? NULL : &all->at[all->count - 1];
  if (before != NULL && (before->level >= s->level || before->iteration >= s->iteration))
    return err_set(
        e, "sizes and iterations must rise: %" PRIu32 "@%" PRIu32 " after %" PRIu32 "@%" PRIu32,
        (uint32_t)1 << s->level, s->iteration, (uint32_t)1 << before->level, before->iteration);
  return OK;
}

/* Modifies @p text. */
static enum status parse_all(const struct merge_plan *plan, char *text, struct merge_subgroups *out,
                             struct err *e)
{
  out->count = 0;
  for (char *item; (item = strsep(&text, "+")) != NULL;) {
    struct merge_subgroup s;
    if (parse_one(item, &s, e) != OK || check_one(plan, out, &s, e) != OK)
      return FAIL;
    out->at[out->count++] = s;
  }
  return OK;
}

enum status merge_input_subgroups(const struct mapper_input *in, const struct merge_plan *plan,
                                  struct merge_subgroups *out, struct err *e)
{
  const char *text = ((const struct merge_options *)in->options)->subgroup;
  if (strcmp(text, "auto") == 0) {
    set_auto(plan, out);
    return OK;
  }
  OWNED char *copy = mem_strdup(text, e);
  if (copy == NULL)
    return FAIL;
  struct err why;
  const enum status s = parse_all(plan, copy, out, &why);
  return s == OK ? OK : err_set(e, "mapper '%s': subgroup: %s", in->mapper->name, why.text);
}
