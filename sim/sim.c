#include "sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "sim/engine_run.h"
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

const struct column sim_overlay_columns[] = {
    {"connections", COLUMN_U64, AT(overlay.connections)},
    {"connected_percent", COLUMN_DOUBLE, AT(overlay.connected_percent)},
    {"connection_requests", COLUMN_U64, AT(overlay.requests)},
    {"relayed_messages", COLUMN_U64, AT(overlay.relayed_messages)},
    {"relayed_bytes", COLUMN_U64, AT(overlay.relayed_bytes)},
    {"buffer_bytes", COLUMN_U64, AT(overlay.buffer_bytes)},
    {"buffer_bytes_most", COLUMN_U64, AT(overlay.buffer_bytes_most)},
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

/* State of one run. */
struct run {
  const struct sim_options *options;
  const struct platform *platform;
  const struct sim_job *in;
  struct job **job; /* by index of the job */
  size_t jobs;
  struct mapping all;      /* hosts of the ranks of all jobs */
  struct loads *loads;     /* NULL: none */
  struct overlay *overlay; /* NULL: none */
  struct replay_options replay;
};

static struct sim_result result_of(const struct run *r, size_t i)
{
  const struct job_figures f = job_figures(r->job[i]);
  return (struct sim_result){.simulated_time_s = f.time_s,
                             .communication_time_mean_s = f.communication_time_mean_s,
                             .communication_time_max_s = f.communication_time_max_s,
                             .messages = f.messages,
                             .bytes = f.bytes,
                             .runs = f.runs};
}

/* Figures of the loads and the background jobs. */
static struct load_figures background_of(const struct run *r)
{
  struct load_figures sum = {0};
  if (r->loads != NULL)
    sum = loads_figures(r->loads);
  for (size_t i = 0; i < r->jobs; i++) {
    const struct job_figures f = job_figures(r->job[i]);
    if (!job_is_background(&r->in[i]))
      continue;
    sum.flops += f.flops;
    sum.messages += f.messages;
    sum.bytes += f.bytes;
  }
  return sum;
}

static void print_overlay_rank(struct overlay_rank x, FILE *f)
{
  fprintf(f, "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64, x.connections, x.relayed_messages,
          x.relayed_bytes);
}

static void print_ranks(const struct run *r, size_t i, FILE *f)
{
  for (uint32_t k = 0; k < r->in[i].mapping->ranks; k++) {
    const struct rank_result *one = job_rank(r->job[i], k);
    char name[PLATFORM_NAME_SIZE];
    if (r->jobs > 1)
      fprintf(f, "%zu\t", i);
    fprintf(f, "%" PRIu32 "\t%s\t%.12g\t%.12g\t%" PRIu64 "\t%" PRIu64, k,
            platform_host_name(r->platform, r->in[i].mapping->host[k], name, sizeof name),
            one->end_s, one->end_s - r->in[i].start_s - one->busy_s, one->messages, one->bytes);
    if (r->overlay != NULL)
      print_overlay_rank(overlay_rank(r->overlay, k), f);
    fputc('\n', f);
  }
}

static void print_per_rank(const struct run *r, FILE *f)
{
  fprintf(f, "%srank\thost\tend_s\tcommunication_time_s\tmessages\tbytes%s\n",
          r->jobs > 1 ? "job\t" : "",
          r->overlay != NULL ? "\tconnections\trelayed_messages\trelayed_bytes" : "");
  for (size_t i = 0; i < r->jobs; i++)
    if (!job_is_background(&r->in[i]))
      print_ranks(r, i, f);
}

/* End of the last foreground job in s. */
static double end_of(const struct run *r)
{
  double end = 0;
  for (size_t i = 0; i < r->jobs; i++)
    if (!job_is_background(&r->in[i]))
      end = fmax(end, r->in[i].start_s + job_figures(r->job[i]).time_s);
  return end;
}

/* Output files: opened before the run, renamed into place together after it. */
struct outputs {
  struct outfile per_rank, links, timeline;
};

static void abandon_outputs(struct outputs *f)
{
  outfile_abandon(&f->per_rank);
  outfile_abandon(&f->links);
  outfile_abandon(&f->timeline);
}

static bool is_archive(const struct sim_options *o)
{
  return o->timeline != NULL && o->timeline_format->archive;
}

static enum status open_outputs(struct outputs *f, const struct sim_options *o, struct err *e)
{
  *f = (struct outputs){0};
  if (outfile_open_if(&f->per_rank, o->per_rank, e) == OK &&
      outfile_open_if(&f->links, o->links, e) == OK &&
      outfile_open_if(&f->timeline, is_archive(o) ? NULL : o->timeline, e) == OK)
    return OK;
  abandon_outputs(f);
  return FAIL;
}

static enum status save_outputs(struct outputs *f, const struct run *r, struct err *e)
{
  const struct sim_options *o = r->options;
  if (r->replay.timeline != NULL && timeline_finish(r->replay.timeline, e) != OK)
    return FAIL;
  if (o->per_rank != NULL)
    print_per_rank(r, f->per_rank.f);
  if (o->links != NULL && links_print(r->replay.links, f->links.f, r->platform, end_of(r), e) != OK)
    return FAIL;
  if (outfile_commit(&f->timeline, e) != OK || outfile_commit(&f->per_rank, e) != OK)
    return FAIL;
  return outfile_commit(&f->links, e);
}

enum status sim_check_outputs(const struct sim_options *o, struct err *e)
{
  const char *const table[] = {o->per_rank, o->links, o->timeline};
  if (outfile_check_distinct(table, 3, e) != OK)
    return FAIL;
  for (size_t i = 0; i < 3; i++)
    if (table[i] != NULL && outfile_check(table[i], e) != OK)
      return FAIL;
  return o->timeline == NULL ? OK : timeline_check(o->timeline_format, o->timeline, e);
}

/* --- a run ------------------------------------------------------------------------------------ */

static enum status join_mappings(struct run *r, struct err *e)
{
  uint64_t ranks = 0;
  for (size_t i = 0; i < r->jobs; i++)
    ranks += r->in[i].mapping->ranks;
  if (ranks > SIM_MOST_RANKS)
    return err_set(e, "%" PRIu64 " ranks in all are above the maximum of %u", ranks,
                   SIM_MOST_RANKS);
  if (mapping_new(&r->all, (uint32_t)ranks, e) != OK)
    return FAIL;
  uint32_t *host = r->all.host;
  for (size_t i = 0; i < r->jobs; i++)
    for (uint32_t k = 0; k < r->in[i].mapping->ranks; k++)
      *host++ = r->in[i].mapping->host[k];
  return OK;
}

static enum status new_loads(struct run *r, struct err *e)
{
  const struct load_site site = {.platform = r->platform,
                                 .host = r->all.host,
                                 .ranks = r->all.ranks,
                                 .seed = r->options->load_seed};
  if (r->options->loads.count == 0)
    return OK;
  if (loads_new(&r->loads, &r->options->loads, &site, e) != OK)
    return FAIL;
  if (loads_slow_messages(r->loads)) {
    r->replay.extra_bytes = loads_extra_bytes;
    r->replay.slowed = r->loads;
  }
  return OK;
}

/* Creates the link counters and the timeline. */
static enum status new_tables(struct run *r, FILE *timeline, struct err *e)
{
  const struct sim_options *o = r->options;
  if (o->links != NULL && links_new(&r->replay.links, &r->all, e) != OK)
    return FAIL;
  if (o->timeline == NULL)
    return OK;
  const struct timeline_target to = {o->timeline_format, timeline, o->timeline};
  return timeline_new(&r->replay.timeline, &to, r->all.ranks, e);
}

/* Counts the bytes between each pair of ranks; mcmpi selects connections by them. */
static enum status count_traffic(const struct sim_job *j, struct matrix *out, struct err *e)
{
  struct program *p;
  if (job_program(&p, j, e) != OK)
    return FAIL;
  const enum status s = matrix_from_program(out, p, false, e);
  program_free(p);
  return s;
}

/* On an overlay the bytes per link are counted by the overlay, which knows the route of each
 * message. */
static enum status new_overlay(struct run *r, struct err *e)
{
  const struct overlay_spec *s = &r->options->overlay;
  struct overlay_site site = {
      .platform = r->platform, .mapping = &r->all, .links = r->replay.links};
  struct matrix traffic = {0};
  if (s->kind == NULL)
    return OK;
  if (r->jobs > 1 || r->in[0].repeat)
    return err_set(e, "overlay '%s': it takes one program, which is not repeated", s->kind->name);
  if (trace_need_sequences(r->in[0].trace, "an overlay", e) != OK)
    return FAIL;
  if (s->kind->method == &bounding_mcmpi) { /* the other methods ignore the traffic */
    if (count_traffic(&r->in[0], &traffic, e) != OK)
      return FAIL;
    site.traffic = &traffic;
  }
  const enum status status = overlay_new(&r->overlay, s, &site, e);
  matrix_clear(&traffic);
  return status;
}

/* Background jobs are left out of the link counters and the timeline. */
static enum status new_jobs(struct run *r, struct err *e)
{
  uint32_t first = 0;
  if ((r->job = mem_array(r->jobs, sizeof *r->job, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < r->jobs; i++) {
    struct replay_options o = r->replay;
    o.job = (uint32_t)i;
    o.first_rank = first;
    o.links = r->overlay == NULL ? o.links : NULL;
    o.watch = i + 1 == r->jobs ? r->options->watch : NULL;
    o.loop = i == 0 ? r->options->loop : NULL;
    if (job_is_background(&r->in[i])) {
      o.links = NULL;
      o.timeline = NULL;
    }
    if (job_new(&r->job[i], &r->in[i], &o, e) != OK)
      return FAIL;
    first += r->in[i].mapping->ranks;
  }
  return OK;
}

/* The crew member of a job, wrapped by the overlay if there is one. */
static enum status member_of(const struct run *r, size_t i, struct crew_member *out, struct err *e)
{
  *out = job_member(r->job[i]);
  return r->overlay == NULL ? OK : overlay_driver(r->overlay, &out->driver, &out->driver, e);
}

static enum status run_engine(const struct run *r, struct err *e)
{
  const struct sim_options *o = r->options;
  const struct engine_run run = {.platform = r->platform,
                                 .engine = o->engine,
                                 .model = o->model,
                                 .precision_s = o->precision_s,
                                 .maxmin_precision = o->maxmin_precision,
                                 .loads = r->loads,
                                 .effects = o->effects.count > 0 ? &o->effects : NULL,
                                 .seed = o->load_seed,
                                 .causes = o->causes,
                                 .coverage = o->coverage,
                                 .unlimited = o->unlimited};
  OWNED struct crew_member *member = mem_array(r->jobs, sizeof *member, e);
  enum status s = member == NULL ? FAIL : OK;
  for (size_t i = 0; i < r->jobs && s == OK; i++)
    s = member_of(r, i, &member[i], e);
  if (s == OK)
    s = engine_run(&run, member, r->jobs, e);
  return s;
}

static enum status finish_jobs(const struct run *r, FILE *blocked, struct err *e)
{
  enum status s = r->overlay != NULL && overlay_failed(r->overlay) ? FAIL : OK;
  /* Jobs that failed come first: they stopped the others. */
  for (size_t i = 0; i < r->jobs && s == OK; i++)
    if (job_has_failed(r->job[i]))
      s = job_finish(r->job[i], e);
  for (size_t i = 0; i < r->jobs && s == OK; i++)
    if (!job_has_failed(r->job[i]))
      s = job_finish(r->job[i], e);
  for (size_t i = 0; i < r->jobs && s != OK && blocked != NULL; i++)
    job_print_blocked(r->job[i], MOST_BLOCKED, blocked);
  return s;
}

static enum status run_all(struct run *r, struct outputs *files, FILE *blocked, struct err *e)
{
  if (join_mappings(r, e) != OK || new_loads(r, e) != OK ||
      new_tables(r, files->timeline.f, e) != OK || new_overlay(r, e) != OK ||
      new_jobs(r, e) != OK || run_engine(r, e) != OK || finish_jobs(r, blocked, e) != OK)
    return FAIL;
  return save_outputs(files, r, e);
}

static void clear_run(struct run *r)
{
  for (size_t i = 0; r->job != NULL && i < r->jobs; i++)
    job_free(r->job[i]);
  free(r->job);
  overlay_free(r->overlay);
  loads_free(r->loads);
  links_free(r->replay.links);
  timeline_free(r->replay.timeline);
  mapping_clear(&r->all);
}

static void take_results(const struct run *r, struct sim_result *out)
{
  const struct load_figures background = background_of(r);
  for (size_t i = 0; i < r->jobs; i++) {
    out[i] = result_of(r, i);
    out[i].background = background;
    if (r->overlay != NULL)
      out[i].overlay = overlay_figures(r->overlay);
  }
}

enum status sim_run(const struct sim_options *o, const struct sim_job *job, size_t jobs,
                    const struct platform *on, FILE *blocked, struct sim_result *out, struct err *e)
{
  struct run r = {.options = o,
                  .platform = on,
                  .in = job,
                  .jobs = jobs,
                  .replay = {.compute_scale = o->compute_scale,
                             .platform = on,
                             .jitter = o->jitter,
                             .noise = &o->effects.noise,
                             .per_flop = o->effects.per_flop,
                             .jitter_seed = o->load_seed,
                             .eager_threshold = o->eager_threshold}};
  struct outputs files;
  if (open_outputs(&files, o, e) != OK)
    return FAIL;
  const enum status s = run_all(&r, &files, blocked, e);
  if (s == OK)
    take_results(&r, out);
  abandon_outputs(&files);
  clear_run(&r);
  return s;
}
