#include <stdlib.h>

#include "cli/cli.h"
#include "cli/explain/derivatives.h"
#include "cli/explain/tables.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/report.h"
#include "setup/jobs.h"
#include "setup/settings.h"
#include "sim/explain/explained.h"
#include "sim/flow/maxmin.h"

struct explain_args {
  const char *platform, *trace, *mapping;
  const char *path;        /* file to write, or NULL */
  const char *derivatives; /* file to write, or NULL */
  struct settings settings;
  struct job_specs jobs;
  uint32_t top;
};

#define AT(FIELD) offsetof(struct explain_args, FIELD)

static enum status parse_job(void *record, char *text, struct err *e)
{
  return job_specs_add(&((struct explain_args *)record)->jobs, text, e);
}

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as torus:8x8x8", .at = AT(platform),
     .required = true},
    {"trace", 't', "T", "Trace to replay", .at = AT(trace)},
    {"job", 0, "JOB",
     "In place of --trace, several times: TRACE[,mapping=M][,hosts=0-63+HOST][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = parse_job, .several = true},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"mapper", 0, "M", "--mapping (-m) takes a mapper spec, as greedy, or a file of a mapping",
     .kind = OPTION_HINT},
    {"path", 0, "FILE", "Write each stretch of the critical path", .at = AT(path)},
    {"derivatives", 0, "FILE",
     "Write the derivatives by each bandwidth, latency and host speed (- for standard output)",
     .at = AT(derivatives)},
    {"top", 0, "N", "Rows of each table (10)", .kind = OPTION_U32, .at = AT(top), .min = 1,
     .max = UINT32_MAX},
    {.kind = OPTION_TABLE, .table = settings_options, .at = AT(settings)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  struct explain_args *a = record;
  bool ends = false;
  if ((a->trace == NULL) == (a->jobs.count == 0))
    return err_set(e, a->trace == NULL ? "no --trace given"
                                       : "--trace and --job; give a --job for each program");
  if (a->trace != NULL)
    a->jobs.job[a->jobs.count++] = (struct job_spec){.trace = a->trace};
  for (size_t i = 0; i < a->jobs.count; i++)
    ends = ends || !a->jobs.job[i].repeat;
  return ends ? OK : err_set(e, "all jobs are repeated, and none ends");
}

/* --- the stretches ---------------------------------------------------------------------------- */

/* The stretches of the path, from the last to the first. */
struct stretches {
  struct path_stretch *at;
  size_t count, room;
};

static enum status keep(void *data, const struct path_stretch *s, struct err *e)
{
  struct stretches *all = data;
  if (MEM_GROW(all->at, all->room, all->count + 1, e) != OK)
    return FAIL;
  all->at[all->count++] = *s;
  return OK;
}

static void print_stretch(const struct tables *t, FILE *f, const struct path_stretch *s)
{
  char actor[TABLES_NAME], pair[TABLES_NAME] = "-", link[PLATFORM_NAME_SIZE] = "-";
  const char *name = link;
  if (s->src != CAUSES_NONE)
    tables_pair(t, s->src, s->dst, pair);
  if (s->link != MAXMIN_NONE)
    name = platform_link_name(t->platform, t->link[s->link], link, sizeof link);
  fprintf(f, "%.17g\t%.17g\t%s\t%.12g\t%s\t%s\t%s\t%s\t%u\t%u\n", s->begin, s->end,
          path_cause_name(s->cause), s->slowed_s, tables_actor(t, s->actor, actor), pair, name,
          causes_action(t->causes, s->action), s->line, s->iteration);
}

static enum status write_path(const struct tables *t, const char *path, const struct stretches *all,
                              struct err *e)
{
  struct outfile out = {0};
  if (outfile_open(&out, path, e) != OK)
    return FAIL;
  fputs("begin_s\tend_s\tcause\tslowed_s\trank\tmessage\tlink\tcall\tline\titeration\n", out.f);
  for (size_t i = all->count; i > 0; i--)
    print_stretch(t, out.f, &all->at[i - 1]);
  const enum status s = outfile_commit(&out, e);
  outfile_abandon(&out);
  return s;
}

/* --- a run ------------------------------------------------------------------------------------ */

static enum status write_derivatives(const struct explain_args *a, const struct tables *t,
                                     const struct sim_job *job, struct err *e)
{
  bool background[JOBS_MOST];
  const struct sim_model model = sim_model_on(a->settings.options.model, t->platform);
  const struct adjoint_options o = {
      .platform = t->platform, .background = background, .weight_s = model.weight_s};
  struct derivatives d;
  struct outfile out = {0};
  for (size_t i = 0; i < a->jobs.count; i++)
    background[i] = job_is_background(&job[i]);
  enum status s = derivatives_find(&d, t, &o, e);
  if (s == OK)
    s = outfile_open(&out, a->derivatives, e);
  if (s == OK) {
    derivatives_print_all(&d, t, out.f);
    s = outfile_commit(&out, e);
  }
  if (s == OK)
    s = derivatives_print(&d, t, stdout, e);
  outfile_abandon(&out);
  derivatives_clear(&d);
  return s;
}

static enum status print(const struct explain_args *a, const struct platform *p,
                         const struct explained *x, const struct stretches *all,
                         const struct sim_job *job, struct err *e)
{
  struct tables t = {.platform = p, .causes = x->causes, .path = &x->path, .most = a->top};
  struct report r;
  enum status s = tables_begin(&t, e);
  if (s == OK && a->path != NULL)
    s = write_path(&t, a->path, all, e);
  if (s == OK) {
    report_begin(&r, stdout, &report_tsv);
    report_double(&r, "simulated_time_s", (double)x->path.time_s);
    report_u64(&r, "stretches", x->path.stretches);
    report_end(&r);
    s = tables_print(&t, stdout, e);
    if (s == OK && a->derivatives != NULL)
      s = write_derivatives(a, &t, job, e);
  }
  free(t.link);
  return s;
}

static enum status explain(const struct explain_args *a, const struct platform *p,
                           const struct placed_job *placed, FILE *blocked, struct err *e)
{
  struct sim_job job[JOBS_MOST];
  struct stretches all = {0};
  struct explained x;
  const struct path_options path = {.stretch = a->path == NULL ? NULL : keep, .data = &all};
  for (size_t i = 0; i < a->jobs.count; i++)
    job[i] = placed[i].job;
  enum status s = explained_run(&x, &a->settings.options, job, a->jobs.count, p, blocked, &path, e);
  if (s == OK)
    s = print(a, p, &x, &all, job, e);
  explained_clear(&x);
  free(all.at);
  return s;
}

static enum status place(const struct explain_args *a, const struct platform *p, FILE *blocked,
                         struct err *e)
{
  struct placed_job placed[JOBS_MOST];
  const struct job_defaults d = {.mapping = a->mapping,
                                 .hosts = a->settings.hosts,
                                 .ranks_per_host = a->settings.reading.collectives.ranks_per_host,
                                 .reading = &a->settings.reading,
                                 .options = &a->settings.options};
  bool shared = false;
  const bool one = a->trace != NULL;
  enum status s = one ? job_place(&placed[0], &a->jobs.job[0], &d, p, e)
                      : jobs_place(placed, &a->jobs, NULL, &d, p, &shared, e);
  for (size_t i = 0; i < a->jobs.count && s == OK; i++)
    cli_note_moved(a->jobs.job[i].mapping == NULL ? a->mapping : a->jobs.job[i].mapping,
                   placed[i].moved);
  if (s == OK)
    s = explain(a, p, placed, blocked, e);
  if (one)
    placed_job_clear(&placed[0]);
  else
    placed_jobs_clear(placed, &a->jobs);
  return s;
}

static enum status run(const void *args, FILE *blocked, struct err *e)
{
  const struct explain_args *a = args;
  struct platform *p;
  if ((a->path != NULL && outfile_check(a->path, e) != OK) ||
      inputs_platform_named(&p, a->platform, a->settings.cores, a->settings.names, NULL, e) != OK)
    return FAIL;
  cli_note_firewalls(p, &a->settings.options);
  const enum status s = place(a, p, blocked, e);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      NULL,
      "Replays a trace on a platform and explains the simulated time: walks back from the end of "
      "the last rank along the events that each date depends on, and prints where the time goes, "
      "by cause, link, pair of ranks, MPI call, rank and iteration.",
      OPTIONS, NULL, check};
  struct explain_args a = {.mapping = "xyz", .settings = settings_defaults(), .top = 10};
  options_parse(&USAGE, argc, argv, &a);
  return cli_simulate(run, &a);
}

const struct cli_command cmd_explain = {
    "explain", "show where the simulated time goes: the critical path and its causes", run_command};
