#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/mem.h"
#include "plots/plot.h"
#include "setup/inputs.h"

struct plot_args {
  struct plot plot;
  const char **input; /* room for all operands; owned */
  const char *output, *platform;
};

#define AT(FIELD) offsetof(struct plot_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "PICTURE", "Draw it there: the ending .svg, .png, .pdf or .eps says how",
     .at = AT(output)},
    {"baseline", 'b', "MAPPER", "Mapper or scheduler to compare with (xyz or heft, else the first)",
     .at = AT(plot.baseline)},
    {"platform", 'p', "P",
     "Platform of links, or of the hosts of a timeline: a file or spec, as torus:8x8x8",
     .at = AT(platform)},
    {.name = NULL},
};

static enum status take_word(void *record, char *word, struct err *e)
{
  struct plot_args *a = record;
  (void)e;
  if (a->plot.kind == NULL)
    a->plot.kind = word;
  else
    a->input[a->plot.inputs++] = word;
  return OK;
}

static enum status check(void *record, struct err *e)
{
  const struct plot_args *a = record;
  const struct plot *p = &a->plot;
  if (p->kind == NULL)
    return err_set(e, "no KIND given");
  const struct plot_kind *kind = registry_get(&plot_kinds, p->kind, e);
  if (kind == NULL)
    return FAIL;
  if (p->inputs == 0 || p->inputs > kind->most)
    return err_set(e, "%s takes %s%zu file%s: %s", kind->name, kind->most > 1 ? "1 to " : "",
                   kind->most, kind->most > 1 ? "s" : "", kind->inputs);
  if (a->output == NULL)
    return err_set(e, "no -o PICTURE given");
  if (plot_check_output(a->output, e) != OK)
    return FAIL;
  return kind->needs_platform && a->platform == NULL ? err_set(e, "no --platform given") : OK;
}

static enum status run(struct plot_args *a, struct err *e)
{
  struct platform *p = NULL;
  if (a->platform != NULL && inputs_platform(&p, a->platform, 0, NULL, e) != OK)
    return FAIL;
  a->plot.platform = p;
  a->plot.output = &a->output;
  a->plot.outputs = 1;
  const enum status s = plot_draw(&a->plot, e);
  platform_free(p);
  return s;
}

/* Help of the command, with a line for each kind: "speedup RESULTS.tsv: mean speedup ...". */
static char *describe(void)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  const struct plot_kind *kind;
  if (f == NULL)
    return NULL;
  fputs("Draws a picture of results, to be shown 8.5 cm wide, with gnuplot.\v", f);
  for (size_t i = 0; (kind = registry_at(&plot_kinds, i)) != NULL; i++)
    fprintf(f, "%s%s %s: %s.", i == 0 ? "" : "\n", kind->name, kind->inputs, kind->help);
  fclose(f);
  return text;
}

static int run_command(int argc, char **argv)
{
  struct err e;
  struct plot_args a = {0};
  a.input = mem_array((size_t)argc, sizeof *a.input, &e);
  if (a.input == NULL)
    return cli_fail(&e);
  a.plot.input = a.input;
  char *doc = describe();
  const struct usage usage = {"KIND FILE...", doc, OPTIONS, take_word, check};
  options_parse(&usage, argc, argv, &a);
  free(doc);
  const enum status s = run(&a, &e);
  free(a.input);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_plot = {"plot", "draw a picture of results", run_command};
