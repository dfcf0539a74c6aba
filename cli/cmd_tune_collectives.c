#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/num.h"
#include "mappers/mapper.h"
#include "plots/plot.h"
#include "setup/place.h"
#include "setup/runs/tuning.h"
#include "setup/settings.h"

struct tune_args {
  const char *platform, *mapping, *output, *pictures;
  uint32_t ranks, jobs; /* 0: not given */
  struct tuning_spec spec;
  bool some; /* --collective has been given */
  struct settings settings;
};

/* --- options ---------------------------------------------------------------------------------- */

static enum status want(struct tuning_spec *s, const char *name, struct err *e)
{
  enum action_kind kind;
  if (collective_kind(&kind, name, strlen(name), e) != OK)
    return FAIL;
  s->wanted[kind - ACTION_BARRIER] = true;
  return OK;
}

static enum status parse_collective(void *record, char *text, struct err *e)
{
  struct tune_args *a = record;
  a->some = true;
  for (char *rest = text, *name; (name = strsep(&rest, ",")) != NULL;)
    if (want(&a->spec, name, e) != OK)
      return FAIL;
  return OK;
}

static enum status parse_size(const char *text, uint64_t *out, struct err *e)
{
  double bytes;
  if (num_quantity_bare(text, NUM_SIZE, &bytes, e) != OK)
    return FAIL;
  if (bytes < 1 || bytes > TUNING_MOST_BYTES || bytes != floor(bytes))
    return err_set(e, "'%.32s' is not a whole number of bytes from 1 to %d", text,
                   TUNING_MOST_BYTES);
  *out = (uint64_t)bytes;
  return OK;
}

static enum status parse_sizes(void *record, char *text, struct err *e)
{
  struct tuning_spec *s = &((struct tune_args *)record)->spec;
  char *to = strchr(text, '-');
  if (to == NULL)
    to = text;
  else
    *to++ = '\0';
  if (parse_size(text, &s->from, e) != OK || parse_size(to, &s->to, e) != OK)
    return FAIL;
  return s->from <= s->to ? OK : err_set(e, "from %s to %s: the first is larger", text, to);
}

#define AT(FIELD) offsetof(struct tune_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, such as torus:8x8x8", .at = AT(platform),
     .required = true},
    {"ranks", 0, "N", "Ranks that call the collectives", .kind = OPTION_U32, .at = AT(ranks),
     .min = 1, .max = OPTIONS_RANKS, .required = true},
    {"mapping", 0, "M", "Mapping file, or mapper spec, as random:seed=3 (xyz)", .at = AT(mapping)},
    {"collective", 0, "NAME,...",
     "Only these collectives; may be repeated (all with several algorithms)", .kind = OPTION_PARSE,
     .parse = parse_collective, .several = true},
    {"sizes", 0, "FROM-TO", "Range of sizes, as 8-64KiB, or one size, as 1MiB (8-16MiB)",
     .kind = OPTION_PARSE, .parse = parse_sizes},
    {"factor", 0, "N", "Factor from each size to the next (4)", .kind = OPTION_U32,
     .at = AT(spec.factor), .min = 2, .max = 1024},
    {"jobs", 'j', "N", "Simulations in parallel (all cores); changes no result", .kind = OPTION_U32,
     .at = AT(jobs), .min = 1, .max = CLI_MOST_JOBS},
    {"output", 'o', "FILE", "Write the selection, for --collectives of other commands, to FILE",
     .at = AT(output), .writes = true},
    {"pictures", 0, "DIR", "Write the table and a picture of each collective to DIR",
     .at = AT(pictures)},
    {.kind = OPTION_TABLE, .table = simulation_options, .at = AT(settings)},
    {.name = NULL},
};

/* Selects the collectives that have an algorithm besides the default. */
static void want_all(struct tuning_spec *s)
{
  for (int k = 0; k < COLLECTIVE_KINDS; k++)
    s->wanted[k] = collective_algorithm((enum action_kind)(ACTION_BARRIER + k), 1) != NULL;
}

static enum status check(void *record, struct err *e)
{
  struct tune_args *a = record;
  (void)e;
  if (!a->some)
    want_all(&a->spec);
  return OK;
}

/* --- output ----------------------------------------------------------------------------------- */

/* Prints every input and setting that the results depend on. */
static enum status print_origin(const struct tune_args *a, FILE *f, struct err *e)
{
  OWNED char *text = settings_text(&a->settings, &cli_option_whole_key, e);
  if (text == NULL)
    return FAIL;
  fprintf(f, "# haichi %s tune-collectives platform=%s ranks=%" PRIu32 " mapping=%s\n# %s\n",
          HAICHI_VERSION, a->platform, a->ranks, a->mapping, text);
  return OK;
}

static enum status write_selection(const struct tune_args *a, const struct tuning *t, struct err *e)
{
  struct tuned best = {.rows = 0};
  struct outfile o;
  if (tuning_select(t, &best, e) != OK || outfile_open(&o, a->output, e) != OK)
    return FAIL;
  const enum status s = print_origin(a, o.f, e);
  tuned_print(&best, o.f);
  return outfile_end(&o, s, e);
}

/* Path such as DIR/allreduce.tsv.  Free with free(). */
static char *name_file(const struct tune_args *a, int k, const char *ending, struct err *e)
{
  const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
  return mem_printf(e, "%s/%s.%s", a->pictures, action_name(kind), ending);
}

static enum status write_table(const char *path, const struct tuning *t, enum action_kind kind,
                               struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  tuning_print(t, kind, o.f);
  return outfile_commit(&o, e);
}

static enum status draw_one(const struct tune_args *a, const struct tuning *t, int k, bool draws,
                            struct err *e)
{
  const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
  OWNED char *table = name_file(a, k, "tsv", e);
  OWNED char *picture = table == NULL ? NULL : name_file(a, k, "svg", e);
  const struct plot p = {.kind = "collective",
                         .input = (const char *const *)&table,
                         .inputs = 1,
                         .output = (const char *const *)&picture,
                         .outputs = 1};
  enum status s = picture == NULL ? FAIL : write_table(table, t, kind, e);
  if (s == OK && draws && kind != ACTION_BARRIER)
    s = plot_draw(&p, e);
  return s;
}

static enum status draw(const struct tune_args *a, const struct tuning *t, struct err *e)
{
  const bool draws = cli_can_draw();
  for (int k = 0; k < COLLECTIVE_KINDS; k++)
    if (a->spec.wanted[k] && draw_one(a, t, k, draws, e) != OK)
      return FAIL;
  return OK;
}

/* Creates the folder, and checks that the files in it can be written, before the simulations, which
 * may take long. */
static enum status prepare_pictures(const struct tune_args *a, struct err *e)
{
  enum status s = outfile_folder(a->pictures, e);
  for (int k = 0; k < COLLECTIVE_KINDS && s == OK; k++) {
    OWNED char *table = name_file(a, k, "tsv", e);
    s = table == NULL ? FAIL : outfile_check(table, e);
  }
  return s;
}

/* Prints the first error of each algorithm that fails. */
static void print_failures(const struct tuning *t)
{
  for (uint32_t i = 0; i < t->runs; i++) {
    const struct tuning_run *r = &t->run[i];
    bool said = false;
    for (uint32_t k = 0; k < i && !said; k++)
      said = t->run[k].kind == r->kind && t->run[k].algorithm == r->algorithm &&
             isnan(t->run[k].time_s);
    if (isnan(r->time_s) && !said)
      fprintf(stderr, "haichi: %s=%s with %" PRIu64 " bytes: %s\n", action_name(r->kind),
              collective_algorithm(r->kind, r->algorithm)->name, r->bytes, r->why);
  }
}

/* --- the command ------------------------------------------------------------------------------ */

/* Refuses mappers that need the traffic of a program: here there is no program. */
static enum status place(struct tune_args *a, const struct platform *p, struct mapping *m,
                         struct err *e)
{
  const struct matrix none = {.ranks = a->ranks};
  const struct mapper *row;
  bool needed = false;
  const struct place place = {.mapping = a->mapping,
                              .hosts = a->settings.hosts,
                              .ranks_per_host = a->settings.reading.collectives.ranks_per_host,
                              .ranks = a->ranks,
                              .traffic = &none};
  if (mapper_is_spec(a->mapping) && mapper_find(a->mapping, &row, &needed, e) != OK)
    return FAIL;
  if (needed)
    return err_set(e, "mapper '%s' needs the traffic of a program; give a file that it has written",
                   a->mapping);
  return place_ranks(&place, p, m, e);
}

static enum status simulate(struct tune_args *a, struct err *e)
{
  struct platform *p;
  struct mapping m;
  struct tuning t;
  if (outfile_check(a->output, e) != OK ||
      settings_platform(&p, a->platform, &a->settings, e) != OK)
    return FAIL;
  enum status s = place(a, p, &m, e);
  if (s != OK) {
    platform_free(p);
    return FAIL;
  }
  if (a->pictures != NULL)
    s = prepare_pictures(a, e);
  a->spec.platform = p;
  a->spec.mapping = &m;
  a->spec.sim = &a->settings.options;
  a->spec.parallel = cli_jobs(a->jobs);
  if (s == OK && (s = tuning_simulate(&t, &a->spec, e)) == OK) {
    tuning_print(&t, ACTION_KINDS, stdout);
    print_failures(&t);
    if (a->output != NULL)
      s = write_selection(a, &t, e);
    if (s == OK && a->pictures != NULL)
      s = draw(a, &t, e);
    tuning_clear(&t);
  }
  mapping_clear(&m);
  platform_free(p);
  return s;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {NULL,
                                     "Simulates every algorithm of collectives over sizes under a "
                                     "mapping and prints the time of each, in seconds and relative "
                                     "to the fastest.",
                                     OPTIONS, NULL, check};
  struct tune_args a = {.mapping = "xyz",
                        .spec = {.from = 8, .to = 16 << 20, .factor = 4},
                        .settings = cli_settings(false)};
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  return simulate(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_tune_collectives = {
    "tune-collectives", "find the fastest algorithms of collectives by size", run_command};
