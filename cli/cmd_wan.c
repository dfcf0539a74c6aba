#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/files/outfile.h"
#include "common/num.h"
#include "common/process/threads.h"
#include "common/report.h"
#include "setup/wan_inputs.h"
#include "wan/connectivity.h"
#include "wan/export.h"
#include "wan/probing.h"
#include "wan/routed.h"

struct wan_args {
  struct wan_place place;
  const char *dot, *output;
  uint32_t beta, root, pings, threads;
  double alpha; /* 0: not given */
  double timeout_s;
  bool one_sided;
  uint64_t graphs;
  const struct bounding_method *method;
  const struct report_format *format;
  struct reading reading;
};

static struct wan_args defaults(void)
{
  return (struct wan_args){.place.seed = 1,
                           .pings = 1,
                           .timeout_s = 1,
                           .graphs = 1000000,
                           .method = &bounding_mcmpi,
                           .reading = cli_reading()};
}

/* --- options ---------------------------------------------------------------------------------- */

#define AT(FIELD) offsetof(struct wan_args, FIELD)

static enum status parse_timeout(void *record, char *text, struct err *e)
{
  double s;
  if (num_quantity(text, NUM_TIME, &s, e) != OK)
    return FAIL;
  if (s > 1000)
    return err_set(e, "'%s' is above 1000 s", text);
  ((struct wan_args *)record)->timeout_s = s;
  return OK;
}

/* Placement of the processes, for all subcommands. */
static const struct cli_option PLACE_OPTIONS[] = {
    {"platform", 'p', "P", "Platform file or spec, as clusters:platforms/intrigger4.clusters",
     .at = AT(place.platform)},
    {"processes", 'n', "N", "N processes, the same number in each cluster (one on each host)",
     .kind = OPTION_U32, .at = AT(place.processes), .min = 2, .max = OPTIONS_RANKS},
    {"mapping", 0, "M", "Hosts of the processes: a file or a mapper spec", .at = AT(place.mapping)},
    {"seed", 0, "S", "Random seed (1)", .kind = OPTION_U64, .at = AT(place.seed),
     .max = UINT64_MAX},
    {.kind = OPTION_TABLE, .table = report_options, .at = AT(format)},
    {.name = NULL},
};

/* Options of the estimation of RTTs. */
static const struct cli_option ESTIMATE_OPTIONS[] = {
    {"timeout", 0, "TIME", "Timeout of a blocked connection (1s)", .kind = OPTION_PARSE,
     .parse = parse_timeout},
    {"pings", 0, "K", "Pings of a measurement (1)", .kind = OPTION_U32, .at = AT(pings), .min = 1,
     .max = 1000},
    {"one-sided", 0, NULL, "Only the process that connects learns from a measurement",
     .kind = OPTION_FLAG, .at = AT(one_sided)},
    {.name = NULL},
};

static enum status check_place(void *record, struct err *e)
{
  const struct wan_args *a = record;
  if (a->place.platform == NULL && a->place.random_rtt == 0)
    return err_set(e, "no --platform given");
  return OK;
}

static enum status check_beta(void *record, struct err *e)
{
  const struct wan_args *a = record;
  if (check_place(record, e) != OK)
    return FAIL;
  return a->beta == 0 ? err_set(e, "no --beta given") : OK;
}

/* --- inputs ----------------------------------------------------------------------------------- */

static int run_with_inputs(const struct wan_args *a,
                           enum status (*run)(const struct wan_args *a, struct wan_inputs *in,
                                              struct err *e))
{
  struct err e;
  struct wan_inputs in;
  struct wan_place place = a->place;
  place.reading = &a->reading;
  enum status s = wan_inputs_read(&in, &place, &e);
  cli_note_moved(place.mapping == NULL ? "xyz" : place.mapping, in.moved);
  if (s == OK)
    s = run(a, &in, &e);
  wan_inputs_clear(&in);
  return s == OK ? CLI_OK : cli_fail(&e);
}

static enum status estimate(const struct wan_args *a, const struct processes *p,
                            struct probing *out, struct err *e)
{
  const struct probing_input in = {
      p,        a->alpha,     (uint64_t)(a->timeout_s * PROCESSES_PS_PER_S + 0.5),
      a->pings, a->one_sided, a->place.seed};
  return probing_run(out, &in, e);
}

/* Calls @p print with @p x and the file @p path; does nothing if @p path is NULL. */
static enum status save(const char *path, void (*print)(const struct export_graph *x, FILE *f),
                        const struct export_graph *x, struct err *e)
{
  struct outfile o;
  if (path == NULL)
    return OK;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  print(x, o.f);
  return outfile_commit(&o, e);
}

/* --- graph ------------------------------------------------------------------------------------ */

static void report_routes(struct report *r, const char *prefix, const struct routing *routes)
{
  const struct routing_figures f = routing_figures(routes);
  r->prefix = prefix;
  report_double(r, "mean_hops", f.mean_hops);
  report_u64(r, "most_hops", f.most_hops);
  report_double(r, "mean_rtt_s", f.mean_rtt_s);
  report_double(r, "most_rtt_s", f.most_rtt_s);
  r->prefix = NULL;
}

static void print_graph(const struct wan_args *a, const struct wan_inputs *in,
                        const struct routed *g)
{
  struct report r;
  const struct bounding *b = &g->bounding;
  const uint32_t n = in->processes.n;
  const double pairs = (double)n * (n - 1) / 2;
  report_begin(&r, cli_report_stream((const char *const[]){a->dot, a->output}, 2), a->format);
  report_u64(&r, "processes", n);
  report_u64(&r, "clusters", in->processes.clusters);
  report_double(&r, "selected_per_process", (double)b->selected / n);
  report_double(&r, "selected_percent", 100 * (double)b->selected_pairs / pairs);
  report_u64(&r, "attempted", b->selected);
  report_u64(&r, "attempted_between_clusters", b->selected_between);
  report_u64(&r, "blocked", b->blocked);
  report_u64(&r, "opened", adjacency_count(&b->graph));
  report_double(&r, "pairs_percent", 100 * (double)adjacency_count(&b->graph) / pairs);
  report_text(&r, "connected", g->components == 1 ? "yes" : "no");
  report_u64(&r, "components", g->components);
  report_u64(&r, "routed_pairs", routing_figures(&g->routing).pairs);
  report_u64(&r, "direct_pairs", routing_figures(&g->routing).direct);
  report_routes(&r, "", &g->routing);
  report_double(&r, "unrouted_mean_rtt_s", processes_mean_rtt_s(&in->processes));
  if (g->components == 1)
    report_routes(&r, "tree_", &g->on_tree);
  report_end(&r);
}

static enum status draw_graph(const struct wan_args *a, struct wan_inputs *in,
                              const uint64_t *rtt_ps, struct err *e)
{
  const struct bounding_input draw = {.processes = &in->processes,
                                      .rtt_ps = rtt_ps,
                                      .traffic = in->traffic,
                                      .method = a->method,
                                      .beta = a->beta,
                                      .seed = a->place.seed};
  struct routed g;
  if (outfile_check_distinct((const char *const[]){a->dot, a->output}, 2, e) != OK ||
      outfile_check(a->dot, e) != OK || outfile_check(a->output, e) != OK)
    return FAIL;
  enum status s = routed_new(&g, &draw, a->root, e);
  const struct export_graph x = {&in->processes, &g.bounding.graph,
                                 g.components == 1 ? &g.tree : NULL};
  if (s == OK && (s = save(a->dot, export_dot, &x, e)) == OK)
    s = save(a->output, export_table, &x, e);
  if (s == OK)
    print_graph(a, in, &g);
  routed_clear(&g);
  return s;
}

static enum status graph(const struct wan_args *a, struct wan_inputs *in, struct err *e)
{
  struct probing d = {.n = 0};
  if (a->root >= in->processes.n)
    return err_set(e, "--root %u is none of the %u processes", a->root, in->processes.n);
  if (a->alpha > 0 && estimate(a, &in->processes, &d, e) != OK)
    return FAIL;
  const enum status s = draw_graph(a, in, d.rtt_ps, e);
  probing_clear(&d);
  return s;
}

static enum status check_graph(void *record, struct err *e)
{
  const struct wan_args *a = record;
  if (a->alpha == 0 && (a->timeout_s != 1 || a->pings != 1 || a->one_sided))
    return err_set(e, "--timeout, --pings and --one-sided are for --alpha, which is not given");
  return check_beta(record, e);
}

static int run_graph(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_TABLE, .table = PLACE_OPTIONS},
      {"random-rtt", 0, "N", "Instead of a platform: N processes with random RTTs",
       .kind = OPTION_U32, .at = AT(place.random_rtt), .min = 2, .max = OPTIONS_RANKS,
       .excludes = "platform processes mapping"},
      {"beta", 0, "B", "Density: number of processes selected from each block", .kind = OPTION_U32,
       .at = AT(beta), .min = 1, .max = OPTIONS_RANKS},
      {"select", 0, "HOW", "Method of selection: %s (mcmpi)", .kind = OPTION_ROW, .at = AT(method),
       .rows = &bounding_methods},
      {"trace", 't', "T", "Trace whose messages the selection follows (uniform)",
       .at = AT(place.trace), .excludes = "matrix"},
      {"matrix", 0, "M", "Traffic matrix that the selection follows", .at = AT(place.matrix)},
      {.kind = OPTION_TABLE, .table = matrix_options, .at = AT(place.matrix_reading)},
      {"alpha", 0, "A", "Order processes by RTTs estimated with this alpha (by true RTTs)",
       .kind = OPTION_DOUBLE, .at = AT(alpha), .least = 1, .most = 1e9},
      {.kind = OPTION_TABLE, .table = ESTIMATE_OPTIONS},
      {"root", 0, "P", "Root of the spanning tree (0)", .kind = OPTION_U32, .at = AT(root),
       .max = OPTIONS_RANKS},
      {"dot", 0, "FILE", "Write the graph for Graphviz to FILE", .at = AT(dot), .writes = true},
      {"output", 'o', "FILE", "Write a table of the connections to FILE, for haichi plot wan",
       .at = AT(output), .writes = true},
      {.kind = OPTION_TABLE, .table = reading_options, .at = AT(reading)},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      NULL,
      "Draws the bounding graph of MC-MPI: the connections between processes of several clusters "
      "that firewalls allow, the routes on them and the spanning tree.",
      OPTIONS, NULL, check_graph};
  struct wan_args a = defaults();
  options_parse(&USAGE, argc, argv, &a);
  return run_with_inputs(&a, graph);
}

/* --- latency ---------------------------------------------------------------------------------- */

static void report_errors(struct report *r, const char *prefix, const struct probing_errors *x)
{
  char name[64];
  report_u64(r, prefix, x->count);
  snprintf(name, sizeof name, "%s_mean_error", prefix);
  report_double(r, name, x->mean);
  snprintf(name, sizeof name, "%s_largest_error", prefix);
  report_double(r, name, x->most);
}

static void print_latency(const struct wan_args *a, const struct probing_figures *f, uint32_t n)
{
  struct report r;
  report_begin(&r, cli_report_stream((const char *const[]){a->output}, 1), a->format);
  report_u64(&r, "processes", n);
  report_double(&r, "alpha", a->alpha);
  report_double(&r, "time_s", f->time_s);
  report_double(&r, "mean_time_s", f->mean_time_s);
  report_double(&r, "mean_time_without_timeouts_s", f->round_trips_s);
  report_u64(&r, "measurements", f->measured);
  report_u64(&r, "timeouts", f->timeouts);
  report_u64(&r, "told_bytes", f->bytes);
  report_errors(&r, "estimates_of_measured", &f->direct);
  report_errors(&r, "estimates_without_triangle", &f->crooked);
  report_errors(&r, "estimates_of_estimates", &f->chained);
  report_u64(&r, "longest_chain", f->longest_chain);
  report_u64(&r, "from_other_side", f->filled);
  report_u64(&r, "unknown", f->unknown);
  report_end(&r);
}

/* Writes a row for each ordered pair: its estimated RTT, the depth of the estimate, and its true
 * RTT. */
static enum status save_matrix(const struct wan_args *a, const struct processes *p,
                               const struct probing *d, struct err *e)
{
  struct outfile o;
  if (a->output == NULL)
    return OK;
  if (outfile_open(&o, a->output, e) != OK)
    return FAIL;
  probing_print(d, p, o.f);
  return outfile_commit(&o, e);
}

static enum status latency(const struct wan_args *a, struct wan_inputs *in, struct err *e)
{
  struct probing d;
  if (estimate(a, &in->processes, &d, e) != OK)
    return FAIL;
  const enum status s = save_matrix(a, &in->processes, &d, e);
  if (s == OK)
    print_latency(a, &d.figures, d.n);
  probing_clear(&d);
  return s;
}

static int run_latency(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_TABLE, .table = PLACE_OPTIONS},
      {"alpha", 0, "A", "Estimate an RTT if two known RTTs differ by more than this factor (5)",
       .kind = OPTION_DOUBLE, .at = AT(alpha), .least = 1, .most = 1e9},
      {.kind = OPTION_TABLE, .table = ESTIMATE_OPTIONS},
      {"output", 'o', "FILE", "Write the matrix of RTTs to FILE", .at = AT(output), .writes = true},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      NULL,
      "Simulates how the processes of MC-MPI measure and estimate their round-trip times: the time "
      "of the measurements, and the errors of the estimates.",
      OPTIONS, NULL, check_place};
  struct wan_args a = defaults();
  a.alpha = 5;
  options_parse(&USAGE, argc, argv, &a);
  return run_with_inputs(&a, latency);
}

/* --- connectivity ----------------------------------------------------------------------------- */

static enum status connectivity(const struct wan_args *a, struct wan_inputs *in, struct err *e)
{
  struct report r;
  struct connectivity c;
  const struct connectivity_input run = {&in->processes, a->beta, a->place.seed, a->graphs,
                                         a->threads};
  if (connectivity_run(&c, &run, e) != OK)
    return FAIL;
  report_begin(&r, stdout, a->format);
  report_u64(&r, "processes", in->processes.n);
  report_u64(&r, "beta", a->beta);
  report_u64(&r, "seed", a->place.seed);
  report_u64(&r, "graphs", c.graphs);
  report_u64(&r, "disconnected", c.disconnected);
  report_double(&r, "probability", c.probability);
  report_double(&r, "probability_low", c.low);
  report_double(&r, "probability_high", c.high);
  report_double(&r, "cut_off_probability", c.cut_off_probability);
  report_end(&r);
  return OK;
}

static int run_connectivity(int argc, char **argv)
{
  static const struct cli_option OPTIONS[] = {
      {.kind = OPTION_TABLE, .table = PLACE_OPTIONS},
      {"beta", 0, "B", "Density: number of processes selected from each block", .kind = OPTION_U32,
       .at = AT(beta), .min = 1, .max = OPTIONS_RANKS},
      {"graphs", 0, "N", "Graphs to draw (1000000)", .kind = OPTION_U64, .at = AT(graphs), .min = 1,
       .max = UINT64_C(1) << 40},
      {"threads", 0, "N", "Threads (all cores); changes no result", .kind = OPTION_U32,
       .at = AT(threads), .min = 1, .max = THREADS_MOST},
      {.name = NULL},
  };
  static const struct usage USAGE = {
      NULL,
      "Draws many bounding graphs of MC-MPI under uniform traffic and counts those that firewalls "
      "leave disconnected.",
      OPTIONS, NULL, check_beta};
  struct wan_args a = defaults();
  options_parse(&USAGE, argc, argv, &a);
  return run_with_inputs(&a, connectivity);
}

/* --- all -------------------------------------------------------------------------------------- */

static const struct cli_command
    GRAPH = {"graph", "draw a bounding graph: connections, routes, spanning tree", run_graph},
    LATENCY = {"latency", "simulate the estimation of round-trip times", run_latency},
    CONNECTIVITY = {"connectivity", "probability that a bounding graph is disconnected",
                    run_connectivity};

#define LIST(ROW) ROW(GRAPH) ROW(LATENCY) ROW(CONNECTIVITY)

static const struct registry subcommands = REGISTRY("subcommand", LIST);

static int run_command(int argc, char **argv)
{
  return cli_run_subcommand(&subcommands, "", argc, argv);
}

const struct cli_command cmd_wan = {"wan", "connections of processes across wide-area clusters",
                                    run_command};
