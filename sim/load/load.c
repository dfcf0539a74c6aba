#include "sim/load/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/load/kind.h"

#define LIST(ROW)                                                                                  \
  ROW(load_tasks)                                                                                  \
  ROW(load_flows)                                                                                  \
  ROW(load_links)                                                                                  \
  ROW(load_noise)                                                                                  \
  ROW(load_profile)

#define DECLARE(row) extern const struct load_kind row;
LIST(DECLARE)

const struct registry load_kinds = REGISTRY("load", LIST);

struct loads {
  struct load_site site;
  struct load *load[LOADS_MOST];
  size_t count;
  uint32_t *tasks; /* by host: competing computations */
};

const char *load_example(size_t i)
{
  return ((const struct load_kind *)registry_at(&load_kinds, i))->example;
}

const char *load_help(size_t i)
{
  return ((const struct load_kind *)registry_at(&load_kinds, i))->help;
}

/* --- specs ------------------------------------------------------------------------------------ */

static void load_free(struct load *l)
{
  if (l == NULL)
    return;
  if (l->kind->clear != NULL)
    l->kind->clear(l);
  spec_clear(&l->spec);
  free(l->host);
  free(l);
}

static enum status parse(struct load **out, const char *spec, struct err *e)
{
  const size_t n = strcspn(spec, ":");
  const struct load_kind *kind = registry_find(&load_kinds, spec, n);
  struct err why;
  if (kind == NULL)
    return registry_unknown(&load_kinds, spec, n, e);
  if (spec[n] == '\0')
    return err_set(e, "load '%s': options are missing, as in %s", spec, kind->example);
  struct load *l = mem_array(1, kind->bytes, e);
  if (l == NULL)
    return FAIL;
  l->kind = kind;
  if (spec_parse(&l->spec, kind->options, spec + n + 1, l, &why) != OK ||
      (kind->check != NULL && kind->check(l, &why) != OK)) {
    load_free(l);
    return err_set(e, "load '%.200s': %s", spec, why.text);
  }
  *out = l;
  return OK;
}

enum status load_specs_add(struct load_specs *s, const char *spec, struct err *e)
{
  struct load *l;
  if (s->count == LOADS_MOST)
    return err_set(e, "more than %d loads", LOADS_MOST);
  if (parse(&l, spec, e) != OK)
    return FAIL;
  load_free(l);
  s->spec[s->count++] = spec;
  return OK;
}

bool load_specs_vary(const struct load_specs *s)
{
  for (size_t i = 0; i < s->count; i++) {
    struct load *l;
    struct err checked_before;
    if (parse(&l, s->spec[i], &checked_before) != OK)
      return true; /* out of memory */
    const bool varies = l->kind->varies || l->varies;
    load_free(l);
    if (varies)
      return true;
  }
  return false;
}

enum status load_spec_file(const char *spec, char **out, struct err *e)
{
  struct load *l;
  *out = NULL;
  if (parse(&l, spec, e) != OK)
    return FAIL;
  const char *file = l->kind->file == NULL ? NULL : l->kind->file(l);
  const enum status s = file == NULL || (*out = mem_strdup(file, e)) != NULL ? OK : FAIL;
  load_free(l);
  return s;
}

enum status load_actors(struct load *l, uint32_t actors, struct err *e)
{
  if ((l->host = mem_array(actors, sizeof *l->host, e)) == NULL)
    return FAIL;
  l->actors = actors;
  return OK;
}

/* --- the loads of a run ----------------------------------------------------------------------- */

void loads_free(struct loads *l)
{
  if (l == NULL)
    return;
  for (size_t i = 0; i < l->count; i++)
    load_free(l->load[i]);
  free(l->tasks);
  free(l);
}

uint32_t loads_tasks_on(const struct loads *all, uint32_t host)
{
  return all->tasks[host];
}

static enum status place(struct loads *l, const char *spec, struct err *e)
{
  struct load *x;
  struct err why;
  if (parse(&x, spec, e) != OK)
    return FAIL;
  l->load[l->count++] = x;
  x->site = &l->site;
  if (x->kind->place != NULL && x->kind->place(x, &why) != OK)
    return err_set(e, "load '%.200s': %s", spec, why.text);
  for (uint32_t a = 0; x->kind->competes && a < x->actors; a++)
    l->tasks[x->host[a]]++;
  return OK;
}

static enum status check_slowed(const struct loads *l, struct err *e)
{
  if (!loads_slow_messages(l))
    return OK;
  for (uint32_t h = 0; h < platform_hosts(l->site.platform); h++)
    if (l->tasks[h] > 0)
      return OK;
  return err_set(e, "load 'links': it depends on competing tasks on the hosts, and no load "
                    "'tasks:N' is given");
}

enum status loads_new(struct loads **out, const struct load_specs *s, const struct load_site *site,
                      struct err *e)
{
  struct loads *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  l->site = *site;
  l->tasks = mem_array(platform_hosts(site->platform), sizeof *l->tasks, e);
  enum status status = l->tasks == NULL ? FAIL : OK;
  for (size_t i = 0; status == OK && i < s->count; i++)
    status = place(l, s->spec[i], e);
  if (status == OK)
    status = check_slowed(l, e);
  if (status == OK)
    *out = l;
  else
    loads_free(l);
  return status;
}

static void attach(void *state, const struct services *s)
{
  ((struct load *)state)->services = s;
}

static struct step *step(void *state, uint32_t actor)
{
  struct load *l = state;
  return l->kind->step(l, actor);
}

static void finish(void *state)
{
  struct load *l = state;
  if (l->kind->finish != NULL)
    l->kind->finish(l);
}

size_t loads_members(struct loads *l, struct crew_member *member)
{
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++) {
    struct load *x = l->load[i];
    if (x->actors == 0)
      continue;
    member[n++] = (struct crew_member){.driver = {.state = x,
                                                  .actor = x->kind->name,
                                                  .host = x->host,
                                                  .actors = x->actors,
                                                  .attach = attach,
                                                  .step = step},
                                       .background = true,
                                       .finish = finish};
  }
  return n;
}

double loads_share(const struct loads *all, uint32_t host, uint32_t more)
{
  const double busy = 1.0 + all->tasks[host] + more;
  return fmin(platform_host_cores(all->site.platform, host) / busy, 1);
}

enum status load_add_speed(const struct loads *all, uint32_t host, const double *after,
                           const double *value, size_t events, double repeat_s,
                           struct profiles *out, struct err *e)
{
  struct profile x = {.kind = PROFILE_SPEED, .target = host, .repeat_s = repeat_s};
  enum status s = OK;
  for (size_t i = 0; i < events && s == OK; i++)
    s = profile_add_event(&x, after[i], value[i], e);
  if (s == OK)
    s = profiles_add(out, all->site.platform, &x, e);
  if (s != OK)
    profile_clear(&x);
  return s;
}

static bool shared_within(const struct loads *l)
{
  for (size_t i = 0; i < l->count; i++)
    if (l->load[i]->kind->shares_within)
      return true;
  return false;
}

/* Adds the constant speeds that competing computations leave. */
static enum status add_shares(const struct loads *l, struct profiles *out, struct err *e)
{
  static const double START = 0;
  for (uint32_t h = 0; h < platform_hosts(l->site.platform) && !shared_within(l); h++) {
    const double share = loads_share(l, h, 0);
    if (share < 1 && load_add_speed(l, h, &START, &share, 1, -1, out, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status loads_add_profiles(const struct loads *l, bool all, struct profiles *out, struct err *e)
{
  struct err why;
  for (size_t i = 0; i < l->count; i++) {
    const struct load *x = l->load[i];
    if (!(x->kind->of_platform || (all && (!x->kind->competes || x->varies))))
      continue;
    if (x->kind->add_profiles == NULL || x->varies)
      return err_set(e, "load '%s': profiles of hosts and links cannot express it", x->kind->name);
    if (x->kind->add_profiles(x, l, out, &why) != OK)
      return err_set(e, "load '%s': %s", x->kind->name, why.text);
  }
  return all ? add_shares(l, out, e) : OK;
}

bool loads_slow_messages(const struct loads *l)
{
  for (size_t i = 0; i < l->count; i++)
    if (l->load[i]->kind->taken != NULL)
      return true;
  return false;
}

uint64_t loads_extra_bytes(void *loads, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t nth)
{
  struct loads *l = loads;
  double left = 1;
  for (size_t i = 0; i < l->count; i++)
    if (l->load[i]->kind->taken != NULL)
      left *= 1 - l->load[i]->kind->taken(l->load[i], l, src, dst, nth);
  return (uint64_t)llround(fmin((double)bytes / left - (double)bytes, 0x1p60));
}

enum status loads_abstract(const struct loads *l, struct load_abstract *out, struct err *e)
{
  struct load_abstract made = {.tasks = l->tasks};
  for (size_t i = 0; i < l->count; i++) {
    const struct load *x = l->load[i];
    if (x->kind->add_losses != NULL) {
      x->kind->add_losses(x, &made.losses);
      made.losses.seed += x->seed + l->site.seed;
    } else if (!x->kind->competes || x->kind->varies || x->varies)
      return err_set(
          e, "load '%s'%s: the abstract model of task networks has only the loads tasks and links",
          x->kind->name, x->varies ? " with pauses" : "");
  }
  *out = made;
  return OK;
}

struct load_figures loads_figures(const struct loads *l)
{
  struct load_figures sum = {0};
  for (size_t i = 0; i < l->count; i++) {
    const struct load_figures *f = &l->load[i]->figures;
    sum.flops += f->flops;
    sum.messages += f->messages;
    sum.bytes += f->bytes;
  }
  return sum;
}
