#include "predict/sweep/space.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/inside/inside.h"
#include "predict/sample/sample.h"
#include "predict/sweep/pattern.h"
#include "predict/sweep/shape.h"
#include "predict/sweep/subsets.h"
#include "setup/place.h"

_Static_assert((int)SUBSETS_NAME <= (int)SWEEP_SUBSET, "names of sets are cut");

/* --- programs --------------------------------------------------------------------------------- */

/* Counts the flops of each rank.  The iterations of a generator are read once. */
static enum status count_flops(struct sweep_program *g, struct trace *t, struct err *e)
{
  const struct action *a;
  enum status s = OK;
  trace_single_iteration(t);
  for (uint32_t r = 0; r < g->ranks && s == OK; r++)
    do {
      s = trace_next(t, r, &a, e);
      if (s == OK && a != NULL && a->kind == ACTION_COMPUTE)
        g->flops[r] += a->amount * (double)trace_weight(t, r);
    } while (s == OK && a != NULL);
  trace_rewind(t);
  return s;
}

/* The ranks that a host takes; it may be a core of a node. */
static uint32_t ranks_of_host(const struct sweep_spec *spec)
{
  const struct inside *inside = platform_inside(spec->platform);
  return spec->ranks_per_host / (inside == NULL ? 1 : inside->cores);
}

static enum status open_program(struct sweep_program *g, const struct sweep_spec *spec,
                                const char *name, struct err *e)
{
  struct trace *t;
  const uint32_t each = ranks_of_host(spec);
  const uint64_t room = (uint64_t)platform_hosts(spec->platform) * each;
  *g = (struct sweep_program){.trace = {.name = name, .reading = spec->reading}};
  if (input_trace_open(&g->trace, &t, e) != OK)
    return FAIL;
  g->ranks = trace_ranks(t);
  if (g->ranks > room)
    return err_set(
        e, "%s: %" PRIu32 " ranks do not fit on %" PRIu32 " hosts with %" PRIu32 " ranks per host",
        name, g->ranks, platform_hosts(spec->platform), each);
  if ((g->flops = mem_array(g->ranks, sizeof *g->flops, e)) == NULL)
    return FAIL;
  return count_flops(g, t, e);
}

static void close_program(struct sweep_program *g)
{
  input_trace_clear(&g->trace);
  free(g->flops);
  free(g->operations);
}

static enum status open_programs(struct sweep_space *s, const struct sweep_spec *spec,
                                 struct err *e)
{
  if (pattern_expand(spec->trace, &s->name, &s->names, e) != OK ||
      (s->program = mem_array(s->names, sizeof *s->program, e)) == NULL ||
      (s->skipped = mem_array(s->names, sizeof *s->skipped, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < s->names; i++) {
    struct sweep_program *g = &s->program[s->programs];
    if (open_program(g, spec, s->name[i], e) == OK) {
      s->programs++;
      continue;
    }
    close_program(g);
    if (err_of_environment(e))
      return FAIL;
    if ((s->skipped[s->skips++] = mem_strdup(e->text, e)) == NULL)
      return FAIL;
  }
  return s->programs > 0 ? OK : FAIL;
}

/* Finds the main loop of a program and counts the operations of its ranks, for the search. */
static enum status study_program(struct sweep_program *g, const struct sweep_spec *spec,
                                 struct err *e)
{
  struct trace *t;
  if (input_trace_open(&g->trace, &t, e) != OK || survey_loop(t, &g->loop, e) != OK ||
      (g->operations = mem_array(g->ranks, sizeof *g->operations, e)) == NULL)
    return FAIL;
  if (operations_count(&g->trace, NULL, g->operations, e) != OK)
    return FAIL;
  g->asks_hosts = g->trace.asks_hosts && spec->ranks_per_host > 1;
  return OK;
}

/* --- choices ---------------------------------------------------------------------------------- */

/* Sets the power and the bound of a choice.  The bound is the largest computing time of a host; a
 * speed that changes with time is taken at its maximum. */
static enum status weigh(struct sweep_choice *c, const struct sweep_spec *spec,
                         const struct sweep_program *g, struct err *e)
{
  const struct platform *p = spec->platform;
  const bool varies = sample_site_varies(spec->sim, p);
  OWNED double *flops = mem_array(platform_hosts(p), sizeof *flops, e);
  OWNED bool *used = mem_array(platform_hosts(p), sizeof *used, e);
  for (uint32_t r = 0; flops != NULL && used != NULL && r < g->ranks; r++) {
    const uint32_t h = c->mapping.host[r];
    const double speed = varies ? platform_full_speed(p, h) : platform_host_speed(p, h);
    const double cores = platform_host_cores(p, h);
    c->power += used[h] ? 0 : platform_host_speed(p, h) * cores;
    used[h] = true;
    flops[h] += g->flops[r];
    c->bound_s = fmax(c->bound_s, fmax(g->flops[r], flops[h] / cores) / speed);
  }
  c->bound_s *=
      spec->sim->compute_scale * (1 - spec->sim->jitter) * effects_least(&spec->sim->effects);
  return flops != NULL && used != NULL ? OK : FAIL;
}

/* Sets the shape of a choice.  It stays 0 with loads or profiles, which apply to particular hosts
 * and links. */
static enum status find_shape(struct sweep_choice *c, const struct sweep_spec *spec, struct err *e)
{
  if (spec->sim->loads.count > 0 || spec->sim->effects.count > 0 ||
      sample_site_varies(spec->sim, spec->platform))
    return OK;
  return shape_of(spec->platform, &c->mapping, &c->shape, e);
}

static bool is_listed(const struct sweep_space *s, const struct sweep_choice *c)
{
  for (size_t i = 0; i < s->choices; i++)
    if (s->choice[i].program == c->program &&
        memcmp(s->choice[i].mapping.host, c->mapping.host,
               c->mapping.ranks * sizeof *c->mapping.host) == 0)
      return true;
  return false;
}

/* Adds @p c and takes over its mapping, unless an equal choice is listed already. */
static enum status add_choice(struct sweep_space *s, const struct sweep_spec *spec,
                              struct sweep_choice *c, struct err *e)
{
  if (is_listed(s, c)) {
    mapping_clear(&c->mapping);
    return OK;
  }
  if (MEM_GROW(s->choice, s->room, s->choices + 1, e) != OK ||
      weigh(c, spec, &s->program[c->program], e) != OK || find_shape(c, spec, e) != OK) {
    mapping_clear(&c->mapping);
    return FAIL;
  }
  s->choice[s->choices++] = *c;
  return OK;
}

struct placed {
  uint32_t host, rank;
};

static int compare_placed(const void *a, const void *b)
{
  const struct placed *x = a, *y = b;
  return RISING(x->host, y->host) ?: RISING(x->rank, y->rank);
}

/* Takes the ranks in the order of their hosts in mapping @p all and puts ranks_per_host of them on
 * each host of the set.  Ranks that a mapper has placed close together stay close. */
static enum status carry_over(const struct mapping *all, const struct subset *set,
                              uint32_t ranks_per_host, struct mapping *out, struct err *e)
{
  OWNED struct placed *at = mem_array(all->ranks, sizeof *at, e);
  if (at == NULL || mapping_new(out, all->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < all->ranks; r++)
    at[r] = (struct placed){all->host[r], r};
  out->cores = all->cores;
  qsort(at, all->ranks, sizeof *at, compare_placed);
  for (uint32_t i = 0; i < all->ranks; i++)
    out->host[at[i].rank] = set->host[i / ranks_per_host];
  return OK;
}

static enum status add_sets(struct sweep_space *s, const struct sweep_spec *spec,
                            const struct subsets *sets, const struct sweep_choice *all,
                            struct err *e)
{
  for (size_t i = 0; i < sets->count; i++) {
    struct sweep_choice c = {.program = all->program, .mapper = all->mapper};
    snprintf(c.subset, sizeof c.subset, "%s", sets->set[i].name);
    if (carry_over(&all->mapping, &sets->set[i], ranks_of_host(spec), &c.mapping, e) != OK ||
        add_choice(s, spec, &c, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Adds a mapper's mapping on the whole platform, and the mapping carried over to each set of
 * hosts. */
static enum status add_mapper(struct sweep_space *s, const struct sweep_spec *spec, size_t program,
                              const char *mapper, const struct subsets *sets, struct err *e)
{
  struct sweep_program *g = &s->program[program];
  struct sweep_choice all = {.program = program, .subset = "all", .mapper = mapper};
  struct mapping whole;
  const struct place place = {.mapping = mapper,
                              .ranks_per_host = spec->ranks_per_host,
                              .ranks = g->ranks,
                              .threads = 1,
                              .trace = &g->trace,
                              .options = spec->sim};
  if (place_ranks(&place, spec->platform, &whole, e) != OK)
    return FAIL;
  all.mapping = whole;
  enum status status = mapping_new(&all.mapping, whole.ranks, e);
  if (status == OK) {
    memcpy(all.mapping.host, whole.host, whole.ranks * sizeof *whole.host);
    all.mapping.cores = whole.cores;
    status = add_choice(s, spec, &all, e);
    all.mapping = whole;
    status = status == OK ? add_sets(s, spec, sets, &all, e) : status;
  }
  mapping_clear(&whole);
  return status;
}

static enum status add_program(struct sweep_space *s, const struct sweep_spec *spec, size_t program,
                               struct err *e)
{
  struct subsets sets;
  const uint32_t each = ranks_of_host(spec);
  const uint32_t hosts = (s->program[program].ranks + each - 1) / each;
  if (subsets_find(&sets, spec->platform, hosts, e) != OK)
    return FAIL;
  enum status status = OK;
  for (size_t m = 0; m < spec->mappers && status == OK; m++)
    status = add_mapper(s, spec, program, spec->mapper[m], &sets, e);
  subsets_clear(&sets);
  return status;
}

enum status sweep_space_make(struct sweep_space *out, const struct sweep_spec *spec, struct err *e)
{
  *out = (struct sweep_space){0};
  if (platform_need_routes(spec->platform, "a sweep", e) != OK || open_programs(out, spec, e) != OK)
    return FAIL;
  for (size_t i = 0; i < out->programs; i++)
    if (study_program(&out->program[i], spec, e) != OK || add_program(out, spec, i, e) != OK)
      return FAIL;
  return OK;
}

void sweep_space_clear(struct sweep_space *s)
{
  for (size_t i = 0; i < s->choices; i++)
    mapping_clear(&s->choice[i].mapping);
  for (size_t i = 0; i < s->programs; i++)
    close_program(&s->program[i]);
  pattern_free(s->name, s->names);
  for (size_t i = 0; i < s->skips; i++)
    free(s->skipped[i]);
  free(s->skipped);
  free(s->program);
  free(s->choice);
  *s = (struct sweep_space){0};
}
