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
  else if (kind == &plot_links && a->platform == NULL)
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

int cmd_plot(int argc, char **argv)
{
  static const struct argp ARGP = {
      OPTIONS,
      parse,
      "speedup RESULTS.tsv\n"
      "metrics RESULTS.tsv\n"
      "matrix MATRIX.tsv\n"
      "links LINKS.tsv...\n"
      "timeline TIMELINE.csv",
      "Draws a picture of results, to be shown 8.5 cm wide, with gnuplot."
      "\vspeedup: mean speedup over --baseline of each mapper on each trace, and its spread over "
      "seeds.\n"
      "metrics: hop-bytes and largest link load against simulated time, relative to --baseline.\n"
      "matrix: bytes from each rank to each other (haichi trace matrix).\n"
      "links: bytes over each link of --platform (haichi sim --links); up to 4 files side by "
      "side.\n"
      "timeline: what each rank did when (haichi sim --timeline).",
      NULL,
      NULL,
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
