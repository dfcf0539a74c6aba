#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "common/mem.h"
#include "plots/plot.h"

static const struct argp_option OPTIONS[] = {
    {"output", 'o', "PICTURE", 0, "Draw it there: the ending .svg, .png, .pdf or .eps says how", 0},
    {"baseline", 'b', "MAPPER", 0,
     "Mapper that speedup and metrics compare with (xyz, else the first)", 0},
    {"platform", 'p', "P", 0, "Platform of links: a file or spec, as torus:8x8x8", 0},
    {0},
};

struct plot_args {
  struct plot plot;
  const char **input; /* room for all operands */
  const char *output, *platform;
};

static void check_args(const struct argp_state *state, const struct plot_args *a)
{
  const struct plot *p = &a->plot;
  const struct plot_kind *kind = NULL;
  struct err e;
  if (p->kind == NULL)
    argp_error(state, "no KIND given");
  else if (plot_kind_find(p->kind, &kind, &e) != OK)
    argp_error(state, "%s", e.text);
  else if (p->inputs == 0 || p->inputs > kind->most)
    argp_error(state, "%s takes %s%zu file%s: %s", kind->name, kind->most > 1 ? "1 to " : "",
               kind->most, kind->most > 1 ? "s" : "", kind->inputs);
  else if (a->output == NULL)
    argp_error(state, "no -o PICTURE given");
  else if (plot_check_output(a->output, &e) != OK)
    argp_error(state, "%s", e.text);
  else if (kind->needs_platform && a->platform == NULL)
    argp_error(state, "no --platform given");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct plot_args *a = state->input;
  switch (key) {
  case 'o':
    a->output = arg;
    return 0;
  case 'b':
    a->plot.baseline = arg;
    return 0;
  case 'p':
    a->platform = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (a->plot.kind == NULL)
      a->plot.kind = arg;
    else
      a->input[a->plot.inputs++] = arg;
    return 0;
  case ARGP_KEY_END:
    check_args(state, a);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static enum status run(struct plot_args *a, struct err *e)
{
  struct platform *p = NULL;
  if (a->platform != NULL && inputs_platform(&p, a->platform, NULL, e) != OK)
    return FAIL;
  a->plot.platform = p;
  a->plot.output = &a->output;
  a->plot.outputs = 1;
  const enum status s = plot_draw(&a->plot, e);
  platform_free(p);
  return s;
}

/* "speedup RESULTS.tsv: mean speedup ...", a line a kind. */
static char *describe_kinds(void)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  const struct plot_kind *kind;
  if (f == NULL)
    return NULL;
  for (size_t i = 0; (kind = plot_kind_at(i)) != NULL; i++)
    fprintf(f, "%s%s %s: %s.", i == 0 ? "" : "\n", kind->name, kind->inputs, kind->help);
  fclose(f);
  return text;
}

static char *filter_help(int key, const char *text, void *input)
{
  (void)input;
  return key == ARGP_KEY_HELP_POST_DOC ? describe_kinds() : (char *)text;
}

static int run_command(int argc, char **argv)
{
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      "KIND FILE...",
      "Draws a picture of results, to be shown 8.5 cm wide, with gnuplot.\v",
      NULL,
      filter_help,
      NULL};
  struct err e;
  struct plot_args a = {0};
  a.input = mem_array((size_t)argc, sizeof *a.input, &e);
  if (a.input == NULL)
    return cli_fail(&e);
  a.plot.input = a.input;
  cli_parse(&ARGP, argc, argv, &a);
  const enum status s = run(&a, &e);
  free(a.input);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_plot = {"plot", "draw a picture of results", run_command};
