#include "sim/sim.h"

#include <inttypes.h>

#include "common/memfile.h"
#include "common/outfile.h"
#include "sim/crew.h"
#include "sim/output/links.h"

#define MOST_BLOCKED 100

#define AT(FIELD) offsetof(struct sim_result, FIELD)

const struct column sim_columns[] = {
    {"simulated_time_s", COLUMN_DOUBLE, AT(simulated_time_s)},
    {"communication_time_mean_s", COLUMN_DOUBLE, AT(communication_time_mean_s)},
    {"communication_time_max_s", COLUMN_DOUBLE, AT(communication_time_max_s)},
    {"messages", COLUMN_U64, AT(messages)},
    {"bytes", COLUMN_U64, AT(bytes)},
    {.name = NULL},
};

const struct column sim_load_columns[] = {
    {"background_flops", COLUMN_DOUBLE, AT(background.flops)},
    {"background_messages", COLUMN_U64, AT(background.messages)},
    {"background_bytes", COLUMN_U64, AT(background.bytes)},
    {.name = NULL},
};

struct sim_options sim_defaults(void)
{
  return (struct sim_options){.engine = registry_at(&engines, 0),
                              .model = registry_at(&sim_models, 0),
                              .precision_s = 1e-9,
                              .maxmin_precision = 1e-5,
                              .compute_scale = 1.0};
}

/* The platform's file; for an engine that loads files only, a platform without one is written to a
 * file in memory.  *path is NULL if there is no file and none is needed. */
static enum status platform_file(const struct engine *engine, const struct platform *p,
                                 const char **path, struct memfile *memory, struct err *e)
{
  *memory = (struct memfile){0};
  *path = platform_path(p);
  if (*path != NULL || !engine->loads_file)
    return OK;
  if (memfile_open(memory, "platform", e) != OK)
    return FAIL;
  *path = memory->path;
  if (platform_print(p, memory->f, e) == OK && memfile_flush(memory, e) == OK)
    return OK;
  memfile_close(memory);
  return FAIL;
}

static double communication_time(const struct rank_result *r)
{
  return r->end_s - r->busy_s;
}

static struct sim_result sum_up(const struct replay *r)
{
  struct sim_result sum = {0};
  for (uint32_t i = 0; i < replay_ranks(r); i++) {
    const struct rank_result *one = replay_result(r, i);
    const double comm = communication_time(one);
    if (one->end_s > sum.simulated_time_s)
      sum.simulated_time_s = one->end_s;
    if (comm > sum.communication_time_max_s)
      sum.communication_time_max_s = comm;
    sum.communication_time_mean_s += comm / replay_ranks(r);
    sum.messages += one->messages;
    sum.bytes += one->bytes;
  }
  return sum;
}

static void print_per_rank(const struct replay *r, const struct platform *p,
                           const struct mapping *m, FILE *f)
{
  fputs("rank\thost\tend_s\tcommunication_time_s\tmessages\tbytes\n", f);
  for (uint32_t i = 0; i < replay_ranks(r); i++) {
    const struct rank_result *one = replay_result(r, i);
    char name[PLATFORM_NAME_SIZE];
    fprintf(f, "%" PRIu32 "\t%s\t%.12g\t%.12g\t%" PRIu64 "\t%" PRIu64 "\n", i,
            platform_host_name(p, m->host[i], name, sizeof name), one->end_s,
            communication_time(one), one->messages, one->bytes);
  }
}

/* The files of a run: opened before it, put in place together after it. */
struct outputs {
  struct outfile per_rank, links, timeline;
};

static void abandon_outputs(struct outputs *f)
{
  outfile_abandon(&f->per_rank);
  outfile_abandon(&f->links);
  outfile_abandon(&f->timeline);
}

/* Opens nothing if no file is asked for. */
static enum status open_output(struct outfile *o, const char *path, struct err *e)
{
  return path == NULL ? OK : outfile_open(o, path, e);
}

static enum status commit_output(struct outfile *o, struct err *e)
{
  return o->f == NULL ? OK : outfile_commit(o, e);
}

static enum status open_outputs(struct outputs *f, const struct sim_options *o, struct err *e)
{
  *f = (struct outputs){0};
  if (open_output(&f->per_rank, o->per_rank, e) == OK &&
      open_output(&f->links, o->links, e) == OK && open_output(&f->timeline, o->timeline, e) == OK)
    return OK;
  abandon_outputs(f);
  return FAIL;
}

static enum status save_outputs(struct outputs *f, const struct sim_options *o,
                                const struct platform *p, const struct mapping *m,
                                const struct replay *r, const struct replay_options *tables,
                                struct err *e)
{
  if (tables->timeline != NULL)
    timeline_finish(tables->timeline);
  if (o->per_rank != NULL)
    print_per_rank(r, p, m, f->per_rank.f);
  if (o->links != NULL &&
      links_print(tables->links, f->links.f, p, sum_up(r).simulated_time_s, e) != OK)
    return FAIL;
  if (commit_output(&f->timeline, e) != OK || commit_output(&f->per_rank, e) != OK)
    return FAIL;
  return commit_output(&f->links, e);
}

/* The background load starts before the program. */
static enum status run_with_loads(const struct sim_options *o, const struct engine_config *c,
                                  const struct driver *program, struct loads *loads, struct err *e)
{
  struct crew_member member[LOADS_MOST + 1];
  struct crew *crew;
  const size_t n = loads_members(loads, member);
  member[n] = (struct crew_member){.driver = *program};
  if (crew_new(&crew, member, n + 1, e) != OK)
    return FAIL;
  const struct driver d = crew_driver(crew);
  const enum status s = o->engine->run(c, &d, e);
  crew_free(crew);
  return s;
}

static enum status replay_on_engine(const struct sim_options *o, const struct engine_config *c,
                                    const struct mapping *m, struct replay *r, struct loads *loads,
                                    FILE *blocked, struct err *e)
{
  const struct driver d = replay_driver(r, m->host);
  if ((loads == NULL ? o->engine->run(c, &d, e) : run_with_loads(o, c, &d, loads, e)) != OK)
    return FAIL;
  const enum status s = replay_finish(r, e);
  if (s != OK)
    replay_print_blocked(r, MOST_BLOCKED, blocked);
  return s;
}

/* Makes the counters and the timeline that the run fills. */
static enum status new_tables(struct replay_options *ro, const struct sim_options *o,
                              const struct mapping *m, FILE *timeline, struct err *e)
{
  if (o->links != NULL && links_new(&ro->links, m, e) != OK)
    return FAIL;
  if (o->timeline == NULL)
    return OK;
  return timeline_new(&ro->timeline, o->timeline_format, timeline, m->ranks, e);
}

/* *out stays NULL if there is no background load. */
static enum status new_loads(struct loads **out, struct replay_options *ro,
                             const struct sim_options *o, const struct platform *p,
                             const struct mapping *m, struct err *e)
{
  const struct load_site site = {
      .platform = p, .host = m->host, .ranks = m->ranks, .seed = o->load_seed};
  if (o->loads.count == 0)
    return OK;
  if (loads_new(out, &o->loads, &site, e) != OK)
    return FAIL;
  if (loads_slow_messages(*out)) {
    ro->extra_bytes = loads_extra_bytes;
    ro->slowed = *out;
  }
  return OK;
}

/* The simulation, once the platform's file exists. */
static enum status run_with_file(const struct sim_options *o, struct program *p,
                                 const struct engine_config *c, const struct mapping *m,
                                 FILE *blocked, struct sim_result *out, struct err *e)
{
  struct replay_options ro = {.compute_scale = o->compute_scale,
                              .eager_threshold = o->eager_threshold};
  struct replay *r = NULL;
  struct loads *loads = NULL;
  struct outputs files;
  if (open_outputs(&files, o, e) != OK)
    return FAIL;
  enum status s = new_tables(&ro, o, m, files.timeline.f, e);
  if (s == OK)
    s = new_loads(&loads, &ro, o, c->platform, m, e);
  if (s == OK)
    s = replay_new(&r, p, &ro, e);
  if (s == OK)
    s = replay_on_engine(o, c, m, r, loads, blocked, e);
  if (s == OK)
    s = save_outputs(&files, o, c->platform, m, r, &ro, e);
  if (s == OK)
    *out = sum_up(r);
  if (s == OK && loads != NULL)
    out->background = loads_figures(loads);
  abandon_outputs(&files);
  replay_free(r);
  loads_free(loads);
  links_free(ro.links);
  timeline_free(ro.timeline);
  return s;
}

enum status sim_run(const struct sim_options *o, struct program *p, const struct platform *on,
                    const struct mapping *m, FILE *blocked, struct sim_result *out, struct err *e)
{
  const char *path;
  struct memfile memory;
  if (platform_file(o->engine, on, &path, &memory, e) != OK)
    return FAIL;
  const struct engine_config c = {.platform = on,
                                  .platform_file = path,
                                  .platform_name = memory.f != NULL ? "platform" : path,
                                  .model = o->model,
                                  .precision_s = o->precision_s,
                                  .maxmin_precision = o->maxmin_precision};
  const enum status s = run_with_file(o, p, &c, m, blocked, out, e);
  memfile_close(&memory);
  return s;
}
