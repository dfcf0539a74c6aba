#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "plots/plot.h"
#include "setup/inputs.h"

struct plot_args {
  struct plot plot;
  struct option_words words; /* the kind, then the inputs */
  const char *output, *platform;
};

#define AT(FIELD) offsetof(struct plot_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_OPERAND, .at = AT(words)},
    {"output", 'o', "PICTURE",
     "Picture to draw; its extension .svg, .png, .pdf or .eps is the format", .at = AT(output),
     .writes = true},
    {"baseline", 'b', "MAPPER",
     "Mapper or scheduler to compare with (xyz or heft; the first one if the results lack it)",
     .at = AT(plot.baseline)},
    {"machine", 0, "MACHINE",
     "For results on several platforms: draw only platform MACHINE, as 'torus:8x8, 1GBps' (all)",
     .at = AT(plot.machine)},
    {"platform", 'p', "P",
     "For links, or for the hosts of a timeline: platform file or spec, such as torus:8x8x8",
     .at = AT(platform)},
    {.name = NULL},
};

static enum status check(void *record, struct err *e)
{
  struct plot_args *a = record;
  struct plot *p = &a->plot;
  const struct plot_kind *kind = registry_get(&plot_kinds, a->words.word[0], e);
  if (kind == NULL)
    return FAIL;
  p->kind = kind->name;
  p->input = a->words.word + 1;
  p->inputs = a->words.count - 1;
  if (p->inputs == 0 || p->inputs > kind->most)
    return err_set(e, "%s takes %s%zu file%s: %s", kind->name, kind->most > 1 ? "1 to " : "",
                   kind->most, kind->most > 1 ? "s" : "", kind->inputs);
  if (a->output == NULL)
    return err_set(e, "no --output given");
  if (plot_check_output(a->output, e) != OK)
    return FAIL;
  if (p->machine != NULL && !kind->by_machine)
    return err_set(e, "--machine is for plots of results, not for %s", kind->name);
  if (p->baseline != NULL && !kind->takes_baseline)
    return err_set(e, "%s takes no --baseline", kind->name);
  if (a->platform != NULL && !kind->takes_platform && !kind->needs_platform)
    return err_set(e, "%s takes no --platform", kind->name);
  return kind->needs_platform && a->platform == NULL ? err_set(e, "no --platform given") : OK;
}

static enum status run(struct plot_args *a, struct err *e)
{
  struct platform *p = NULL;
  if (a->platform != NULL && inputs_platform(&p, a->platform, 0, e) != OK)
    return FAIL;
  a->plot.platform = p;
  a->plot.output = &a->output;
  a->plot.outputs = 1;
  const enum status s = plot_draw(&a->plot, e);
  platform_free(p);
  return s;
}

/* Help of the command, with a line for each kind: "speedup RESULTS.tsv: mean speedup ...".  The
 * caller frees it with free(). */
static char *describe(struct err *e)
{
  struct textout text;
  const struct plot_kind *kind;
  if (textout_begin(&text, e) != OK)
    return NULL;
  fputs("Draws a picture of results with gnuplot, for a width of 8.5 cm.\v", text.f);
  for (size_t i = 0; (kind = registry_at(&plot_kinds, i)) != NULL; i++)
    fprintf(text.f, "%s%s %s: %s.", i == 0 ? "" : "\n", kind->name, kind->inputs, kind->help);
  return textout_end(&text, OK, e);
}

static int run_command(int argc, char **argv)
{
  struct err e;
  struct plot_args a = {0};
  OWNED char *doc = describe(&e);
  if (doc == NULL)
    return cli_fail(&e);
  const struct usage usage = {"KIND FILE...", doc, OPTIONS, NULL, check};
  options_parse(&usage, argc, argv, &a);
  const enum status s = run(&a, &e);
  free(a.words.word);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_plot = {"plot", "draw a picture of results", run_command};
