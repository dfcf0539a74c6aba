#include "sim/engine_run.h"

#include "common/files/memfile.h"
#include "common/mem.h"

/* Factor on the bandwidth of a link that is to limit no message. */
#define UNLIMITED 1e6

static bool has_speeds(const struct profiles *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (s->profile[i].kind == PROFILE_SPEED)
      return true;
  return false;
}

/* Sets platform_file and platform_name to the platform's own file.  If the engine loads a file,
 * writes one to @p memory if the platform has no file, if its file lacks the speeds of the
 * profiles, or if the platform has a cluster outside of all zones or nodes with an inside. */
static enum status name_file(struct engine_config *c, const struct engine *engine,
                             struct memfile *memory, struct err *e)
{
  const struct platform *p = c->platform;
  const bool speeds = has_speeds(c->profiles);
  const char *path = platform_path(p);
  c->platform_file = c->platform_name = path;
  if (!engine->loads_file ||
      (path != NULL && !speeds && !platform_is_bare(p) && platform_inside(p) == NULL))
    return OK;
  if (platform_inside(p) != NULL && speeds)
    return err_set(e, "%s: engine '%s' has no profiles of speeds on nodes with an inside",
                   platform_name(p), engine->name);
  if (memfile_open(memory, "platform", e) != OK)
    return FAIL;
  const bool own = path == NULL || platform_inside(p) != NULL;
  const enum status s = speeds ? profiles_print(c->profiles, p, memory->f, e)
                        : own  ? platform_print(p, memory->f, e)
                               : platform_print_zoned(p, memory->f, e);
  if (s != OK || memfile_flush(memory, e) != OK)
    return FAIL;
  c->platform_file = memory->path;
  if (path == NULL)
    c->platform_name = "platform";
  return OK;
}

/* Multiplies the bandwidth of a link by UNLIMITED, at all times.  Fails if the platform itself has
 * a profile of that bandwidth. */
static enum status widen(struct profiles *profiles, const struct platform *p, uint32_t link,
                         struct err *e)
{
  struct profile x = {.kind = PROFILE_BANDWIDTH, .target = link, .repeat_s = -1};
  for (uint32_t i = 0; i < profiles->count; i++) {
    const struct profile *own = &profiles->profile[i];
    for (size_t k = 0; own->kind == x.kind && own->target == link && k < own->events; k++)
      own->value[k] *= UNLIMITED;
    if (own->kind == x.kind && own->target == link)
      return OK;
  }

  if (profile_add_event(&x, 0, UNLIMITED * platform_link(p, link).bandwidth, e) == OK &&
      profiles_add(profiles, p, &x, e) == OK)
    return OK;
  profile_clear(&x);
  return FAIL;
}

/* Effects on messages and on hosts need an engine that knows them, and hosts without an inside. */
static enum status check_effects(const struct engine_run *r, struct err *e)
{
  if (r->effects == NULL || r->effects->count == 0)
    return OK;
  if (!r->engine->knows_effects && effects_need_engine(r->effects, r->engine->name, e) != OK)
    return FAIL;
  if (platform_inside(r->platform) != NULL &&
      effects_need_plain(r->effects, "a platform with --node", e) != OK)
    return FAIL;
  return r->causes == NULL ? OK : effects_need_plain(r->effects, "the record of causes", e);
}

/* SimGrid 3.32 has no factors within a host, and reads the other options from its own file only. */
static enum status check_options(const struct engine_run *r, struct err *e)
{
  const char *option = smpi_first_option(platform_smpi(r->platform));
  if (option == NULL || r->engine->knows_effects)
    return OK;
  return err_set(e, "%s: engine '%s' does not know the option '%s'; engine 'flow' does",
                 platform_name(r->platform), r->engine->name, option);
}

static enum status run_crew(const struct engine_run *r, const struct engine_config *c,
                            const struct crew_member *member, size_t members, struct err *e)
{
  struct crew *crew;
  if (crew_new(&crew, member, members, e) != OK)
    return FAIL;
  const struct driver d = crew_driver(crew);
  const enum status s = r->engine->run(c, &d, e);
  crew_free(crew);
  return s;
}

/* A member that runs alone needs no crew. */
static enum status run_members(const struct engine_run *r, const struct engine_config *c,
                               const struct crew_member *member, size_t members, struct err *e)
{
  if (r->loads == NULL && members == 1)
    return r->engine->run(c, &member->driver, e);
  OWNED struct crew_member *all = mem_array(members + LOADS_MOST, sizeof *all, e);
  if (all == NULL)
    return FAIL;
  size_t n = r->loads == NULL ? 0 : loads_members(r->loads, all);
  for (int background = 1; background >= 0; background--)
    for (size_t i = 0; i < members; i++)
      if (member[i].background == (background == 1))
        all[n++] = member[i];
  return run_crew(r, c, all, n, e);
}

enum status engine_run(const struct engine_run *r, const struct crew_member *member, size_t members,
                       struct err *e)
{
  const struct sim_model model = sim_model_on(r->model, r->platform);
  struct profiles profiles = {0};
  struct memfile memory = {0}; /* the platform's XML if it has no file */
  struct engine_config c = {.platform = r->platform,
                            .model = &model,
                            .profiles = &profiles,
                            .precision_s = r->precision_s,
                            .maxmin_precision = r->maxmin_precision,
                            .effects = r->effects,
                            .causes = r->causes,
                            .coverage = r->coverage};
  enum status s = check_options(r, e) == OK ? check_effects(r, e) : FAIL;
  if (s == OK && r->loads != NULL)
    s = loads_add_profiles(r->loads, false, &profiles, e);
  if (s == OK && r->effects != NULL)
    s = effects_add_profiles(r->effects, r->platform, r->seed, &profiles, e);
  if (s == OK && r->unlimited != NULL)
    s = widen(&profiles, r->platform, *r->unlimited, e);
  if (s == OK)
    s = name_file(&c, r->engine, &memory, e);
  if (s == OK)
    s = run_members(r, &c, member, members, e);
  profiles_clear(&profiles);
  memfile_close(&memory);
  return s;
}
