#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/explain/against.h"
#include "cli/explain/derivatives.h"
#include "cli/explain/differences.h"
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
  const char *platform, *trace, *mapping, *against;
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
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform),
     .required = true},
    {"trace", 't', "T", "Trace to replay", .at = AT(trace)},
    {"job", 0, "JOB",
     "Instead of --trace; may be repeated: TRACE[,mapping=M][,hosts=0-63+HOST][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = parse_job, .several = true},
    {"mapping", 'm', "MAPPING", "File or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"mapper", 0, "M", "--mapping (-m) takes a mapper spec, as greedy, or a file of a mapping",
     .kind = OPTION_HINT},
    {"against", 0, "MAPPING", "Explain the difference from this second mapping", .at = AT(against)},
    {"path", 0, "FILE", "Write each stretch of the critical path", .at = AT(path)},
    {"derivatives", 0, "FILE", "Write the derivatives by each bandwidth, latency and host speed",
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
  if (a->against != NULL && (a->trace == NULL || a->path != NULL || a->derivatives != NULL))
    return err_set(e, "--against takes one --trace, and no --path or --derivatives");
  if (a->path != NULL && a->derivatives != NULL && strcmp(a->path, a->derivatives) == 0)
    return err_set(e, "%s: two tables in one file", a->path);
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
                                     const struct sim_job *job, FILE *f, struct err *e)
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
    s = derivatives_print(&d, t, f, e);
  outfile_abandon(&out);
  derivatives_clear(&d);
  return s;
}

static enum status print(const struct explain_args *a, const struct platform *p,
                         const struct explained *x, const struct stretches *all,
                         const struct sim_job *job, struct err *e)
{
  struct tables t = {.platform = p, .causes = x->causes, .path = &x->path, .most = a->top};
  const char *const tables[] = {a->path, a->derivatives};
  FILE *f = cli_report_stream(tables, 2);
  struct report r;
  enum status s = tables_begin(&t, e);
  if (s == OK && a->path != NULL)
    s = write_path(&t, a->path, all, e);
  if (s == OK) {
    report_begin(&r, f, &report_tsv);
    report_double(&r, "simulated_time_s", (double)x->path.time_s);
    report_u64(&r, "stretches", x->path.stretches);
    report_end(&r);
    s = tables_print(&t, f, e);
    if (s == OK && a->derivatives != NULL)
      s = write_derivatives(a, &t, job, f, e);
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

/* --- two mappings ----------------------------------------------------------------------------- */

/* One of two mappings. */
struct one_side {
  struct placed_job placed;
  struct explained x;
  struct tables tables;
};

static enum status explain_side(const struct explain_args *a, const char *mapping,
                                const struct platform *p, FILE *blocked, struct one_side *out,
                                struct err *e)
{
  const struct job_defaults d = {.mapping = mapping,
                                 .hosts = a->settings.hosts,
                                 .ranks_per_host = a->settings.reading.collectives.ranks_per_host,
                                 .reading = &a->settings.reading,
                                 .options = &a->settings.options};
  const struct path_options path = {0};
  if (job_place(&out->placed, &a->jobs.job[0], &d, p, e) != OK)
    return FAIL;
  cli_note_moved(mapping, out->placed.moved);
  if (explained_run(&out->x, &a->settings.options, &out->placed.job, 1, p, blocked, &path, e) != OK)
    return FAIL;
  out->tables =
      (struct tables){.platform = p, .causes = out->x.causes, .path = &out->x.path, .most = a->top};
  return tables_begin(&out->tables, e);
}

static void clear_side(struct one_side *s)
{
  free(s->tables.link);
  explained_clear(&s->x);
  placed_job_clear(&s->placed);
}

/* The fifth line: the time of the slower run if its link limited no message. */
static enum status print_worth(const struct explain_args *a, struct one_side *slow,
                               const char *name, uint32_t link, FILE *blocked, struct err *e)
{
  struct sim_options o = a->settings.options;
  const struct platform *p = slow->tables.platform;
  const double before = (double)slow->x.path.time_s;
  struct sim_result result;
  char text[PLATFORM_NAME_SIZE];
  if (link == CAUSES_NONE || platform_is_opaque(p) || platform_profiles(p) > 0) {
    puts(link == CAUSES_NONE
             ? "No link is the reason, so none alone is worth a part of it."
             : "The bandwidths of this platform cannot be changed to tell what the link "
               "is worth.");
    return OK;
  }
  o.unlimited = &link;
  if (sim_run(&o, &slow->placed.job, 1, p, blocked, &result, e) != OK)
    return FAIL;
  printf("Without a limit on link %s %s takes %.6g s: alone worth %.3g %%.\n",
         platform_link_name(p, link, text, sizeof text), name, result.simulated_time_s,
         100 * (1 - result.simulated_time_s / before));
  return OK;
}

static enum status compare(const struct explain_args *a, struct one_side *first,
                           struct one_side *second, FILE *blocked, struct err *e)
{
  const struct against_side x = {a->mapping, &first->tables}, y = {a->against, &second->tables};
  const bool second_slower = second->x.path.time_s > first->x.path.time_s;
  const struct against_side *slow = second_slower ? &y : &x, *fast = second_slower ? &x : &y;
  struct against_reason reason[AGAINST_KINDS];
  if (against_find(reason, slow->tables, fast->tables, e) != OK ||
      against_print(reason, slow, fast, stdout, e) != OK)
    return FAIL;
  if (second->x.path.time_s != first->x.path.time_s &&
      print_worth(a, second_slower ? second : first, slow->name,
                  against_link(&reason[0], slow->tables), blocked, e) != OK)
    return FAIL;
  return differences_print(&first->tables, &second->tables, stdout, e);
}

static enum status explain_both(const struct explain_args *a, const struct platform *p,
                                FILE *blocked, struct err *e)
{
  struct one_side first = {0}, second = {0};
  enum status s = explain_side(a, a->mapping, p, blocked, &first, e);
  if (s == OK)
    s = explain_side(a, a->against, p, blocked, &second, e);
  if (s == OK)
    s = compare(a, &first, &second, blocked, e);
  clear_side(&first);
  clear_side(&second);
  return s;
}

static enum status run(const void *args, FILE *blocked, struct err *e)
{
  const struct explain_args *a = args;
  struct platform *p;
  if ((a->path != NULL && outfile_check(a->path, e) != OK) ||
      (a->derivatives != NULL && outfile_check(a->derivatives, e) != OK) ||
      settings_platform(&p, a->platform, &a->settings, NULL, e) != OK)
    return FAIL;
  cli_note_firewalls(p, &a->settings.options);
  const enum status s =
      a->against != NULL ? explain_both(a, p, blocked, e) : place(a, p, blocked, e);
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
  struct explain_args a = {.mapping = "xyz", .settings = cli_settings(false), .top = 10};
  options_parse(&USAGE, argc, argv, &a);
  return cli_simulate(run, &a);
}

const struct cli_command cmd_explain = {
    "explain", "show where the simulated time goes: the critical path and its causes", run_command};
