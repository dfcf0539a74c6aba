#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "campaign/remote/backend.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "common/err.h"
#include "mappers/mapper.h"
#include "mappers/schedule/scheduler.h"
#include "platforms/topology/topology.h"
#include "sim/effects/effects.h"
#include "sim/engine.h"
#include "sim/load/load.h"
#include "sim/model.h"
#include "sim/overlay/spec.h"
#include "tasks/files/files.h"
#include "tasks/generate.h"
#include "traces/collectives/collective.h"
#include "traces/collectives/picked.h"
#include "traces/collectives/tally.h"
#include "traces/generators/generator.h"
#include "traces/generators/npb/npb.h"
#include "traces/matrix/load.h"

/* The Markdown table of `haichi list collectives --table`: all algorithms and the messages that
 * they send. */

/** Maximum number of ranks: an all-to-all of 1024 ranks has a million messages. */
#define COLLECTIVES_TABLE_RANKS 1024u

/** The calls to count.  The table has columns for each number of ranks; a cell has a value for each
 *  number of bytes. */
struct collectives_table {
  uint32_t ranks[2], bytes[2]; /**< second entry 0: the table has only the first one */
  uint32_t per_host;
};

enum { MESSAGES, ROUNDS, BYTES, FIGURES };

/* The printed figures of one call. */
struct figures {
  char text[FIGURES][32];
};

/* Prints "16 and 64". */
static void print_numbers(const uint32_t list[2], FILE *f)
{
  fprintf(f, "%" PRIu32, list[0]);
  if (list[1] != 0)
    fprintf(f, " and %" PRIu32, list[1]);
}

static void print_head(const struct collectives_table *t, FILE *f)
{
  fputs("On ", f);
  print_numbers(t->ranks, f);
  fprintf(f, " ranks, %" PRIu32 " per host, with blocks of ", t->per_host);
  print_numbers(t->bytes, f);
  fprintf(f, " bytes%s:\n\n| algorithm |",
          t->bytes[1] == 0 ? "" : " (two numbers in a cell: one for each size)");
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    fprintf(f, " messages, %" PRIu32 " ranks | rounds | blocks a rank |", t->ranks[r]);
  fputs(" source |\n| --- |", f);
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    fputs(" ---: | ---: | ---: |", f);
  fputs(" --- |\n", f);
}

/* @p block: bytes of a block, which is the unit of the printed bytes.  0: a barrier, which has no
 * blocks; its bytes are printed with the unit B. */
static void write_figures(struct figures *out, const struct tally *t, uint32_t block)
{
  snprintf(out->text[MESSAGES], sizeof *out->text, "%" PRIu64, t->messages);
  snprintf(out->text[ROUNDS], sizeof *out->text, "%" PRIu64, t->rounds);
  if (block == 0)
    snprintf(out->text[BYTES], sizeof *out->text, "%" PRIu64 " B", t->bytes);
  else
    snprintf(out->text[BYTES], sizeof *out->text, "%.6g", (double)t->bytes / block);
}

struct algorithm {
  enum action_kind kind;
  size_t i; /* index in collective_algorithm() */
};

/* Prints the columns for t->ranks[r] ranks. */
static enum status print_columns(const struct collectives_table *t, size_t r,
                                 const struct algorithm *a, FILE *f, struct err *e)
{
  struct figures of[2];
  size_t n = 0;
  for (; n < 2 && t->bytes[n] != 0; n++) {
    const struct picked_call call = {t->ranks[r], t->per_host, t->bytes[n]};
    struct tally tally;
    if (tally_call(&tally, a->kind, a->i, &call, e) != OK)
      return FAIL;
    write_figures(&of[n], &tally, a->kind == ACTION_BARRIER ? 0 : call.bytes);
  }
  for (int c = 0; c < FIGURES; c++) {
    const bool differ = n == 2 && strcmp(of[0].text[c], of[1].text[c]) != 0;
    fprintf(f, " %s%s%s |", of[0].text[c], differ ? " / " : "", differ ? of[1].text[c] : "");
  }
  return OK;
}

static enum status print_row(const struct collectives_table *t, const struct algorithm *a, FILE *f,
                             struct err *e)
{
  const struct collective_algorithm *row = collective_algorithm(a->kind, a->i);
  fprintf(f, "| `%s=%s` |", action_name(a->kind), row->name);
  for (size_t r = 0; r < 2 && t->ranks[r] != 0; r++)
    if (print_columns(t, r, a, f, e) != OK)
      return FAIL;
  fprintf(f, " `%s` |\n", row->source);
  return OK;
}

/* Prints a sentence that describes the calls, and a row for each algorithm with the counts of
 * tally.h and the source.  Selectors of libraries are left out. */
static enum status collectives_table_print(const struct collectives_table *t, FILE *f,
                                           struct err *e)
{
  print_head(t, f);
  for (int kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; collective_algorithm(kind, i) != NULL; i++) {
      const struct algorithm a = {kind, i};
      if ((i == 0 || !picked_chooses(kind, i)) && print_row(t, &a, f, e) != OK)
        return FAIL;
    }
  return OK;
}

/* Prints the options that have a name; @p prefix precedes them in a spec. */
static void list_options(const char *row, const char *prefix, const struct spec_option *o,
                         const char *note)
{
  for (; o != NULL && o->name != NULL; o++)
    if (o->ends == '\0')
      printf("%s:%s%s%s%s\t%s%s\n", row, prefix, o->name, o->type == SPEC_FLAG ? "" : "=",
             o->default_value == NULL ? "" : o->default_value, o->help, note);
}

static void list_mappers(void)
{
  static const char *const NEEDS[] = {[MAPPER_ANY] = "any platform",
                                      [MAPPER_ROUTES] = "any platform but opaque ones",
                                      [MAPPER_GRID] = "torus, mesh, hypercube"};
  const struct mapper *m;
  for (size_t i = 0; (m = registry_at(&mappers, i)) != NULL; i++) {
    printf("%s\t%s (%s)\n", m->name, m->help, NEEDS[m->needs]);
    list_options(m->name, "", m->options, "");
  }
  list_options("...", "", mapper_common, " (every mapper; any platform but opaque ones)");
}

static void list_topologies(void)
{
  for (size_t i = 0; registry_at(&topologies, i) != NULL; i++)
    printf("%s\t%s\n", topology_example(i), topology_help(i));
}

/* Stands for the positional options of a spec, which the example shows, with their separator. */
static const char *positional(const struct spec_option *o)
{
  char end = ',';
  for (; o->name != NULL && o->ends != '\0'; o++)
    end = o->ends;
  return end == ':' ? "...:" : "...,";
}

static void list_benchmarks(void)
{
  const struct npb_benchmark *b;
  const struct generator_kind *kind;
  for (size_t i = 0; (b = registry_at(&npb_benchmarks, i)) != NULL; i++)
    printf("npb:%s.A.64\t%s\n", b->name, b->help);
  for (size_t i = 0; (kind = registry_at(&generators, i)) != NULL; i++) {
    printf("%s\t%s\n", kind->example, kind->help);
    list_options(kind->name, positional(kind->options), kind->options, "");
  }
}

static void list_algorithms(void)
{
  const struct collective_algorithm *a;
  for (int kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; (a = collective_algorithm(kind, i)) != NULL; i++)
      printf("%s=%s\t%s\n", action_name(kind), a->name, a->help);
}

/* Prints the algorithm that each selector picks for the call. */
static enum status list_picks(const struct picked_call *call, struct err *e)
{
  const struct collective_algorithm *a;
  char name[256];
  for (int kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; (a = collective_algorithm(kind, i)) != NULL; i++) {
      if (!picked_chooses(kind, i))
        continue;
      if (picked_name(name, sizeof name, kind, i, call, e) != OK)
        return FAIL;
      printf("%s=%s\t%s\n", action_name(kind), a->name, name);
    }
  return OK;
}

static void list_models(void)
{
  const struct sim_model *m;
  for (size_t i = 0; (m = registry_at(&sim_models, i)) != NULL; i++)
    printf("%s\t%s\n", m->name, m->help);
}

static void list_engines(void)
{
  const struct engine *g;
  for (size_t i = 0; (g = registry_at(&engines, i)) != NULL; i++)
    printf("%s\t%s\n", g->name, g->help);
}

static void list_loads(void)
{
  for (size_t i = 0; registry_at(&load_kinds, i) != NULL; i++)
    printf("%s\t%s\n", load_example(i), load_help(i));
}

static void list_effects(void)
{
  for (size_t i = 0; registry_at(&effect_kinds, i) != NULL; i++)
    printf("%s\t%s\n", effect_example(i), effect_help(i));
}

static void list_overlays(void)
{
  const struct overlay_kind *k;
  for (size_t i = 0; (k = registry_at(&overlay_kinds, i)) != NULL; i++)
    printf("%s\t%s\n", k->name, k->help);
}

static void list_tasknets(void)
{
  printf("%s\ta random network of the MegaScript paper\n", tasknet_random_example);
  for (size_t i = 0; registry_at(&tasknet_formats, i) != NULL; i++)
    printf("%s\t%s\n", registry_name(&tasknet_formats, i), tasknet_format_help(i));
}

static void list_schedulers(void)
{
  const struct scheduler *s;
  for (size_t i = 0; (s = registry_at(&schedulers, i)) != NULL; i++) {
    printf("%s\t%s\n", s->name, s->help);
    list_options(s->name, "", s->options, "");
  }
}

static void list_matrices(void)
{
  for (size_t i = 0; registry_at(&matrix_formats, i) != NULL; i++)
    printf("%s\t%s\n", registry_name(&matrix_formats, i), matrix_format_help(i));
}

static void list_backends(void)
{
  const struct backend *b;
  for (size_t i = 0; (b = registry_at(&backends, i)) != NULL; i++)
    printf("%s\t%s\n", b->name, b->help);
}

struct listing {
  const char *name;
  void (*print)(void);
};

static const struct listing MAPPERS = {"mappers", list_mappers},
                            TOPOLOGIES = {"topologies", list_topologies},
                            BENCHMARKS = {"benchmarks", list_benchmarks},
                            COLLECTIVES = {"collectives", list_algorithms},
                            MODELS = {"models", list_models}, ENGINES = {"engines", list_engines},
                            LOADS = {"loads", list_loads}, EFFECTS = {"effects", list_effects},
                            OVERLAYS = {"overlays", list_overlays},
                            TASKNETS = {"tasknets", list_tasknets},
                            SCHEDULERS = {"schedulers", list_schedulers},
                            BACKENDS = {"backends", list_backends},
                            MATRICES = {"matrices", list_matrices};

#define LIST(ROW)                                                                                  \
  ROW(MAPPERS)                                                                                     \
  ROW(TOPOLOGIES)                                                                                  \
  ROW(BENCHMARKS)                                                                                  \
  ROW(COLLECTIVES)                                                                                 \
  ROW(MODELS)                                                                                      \
  ROW(ENGINES)                                                                                     \
  ROW(LOADS) ROW(EFFECTS) ROW(OVERLAYS) ROW(TASKNETS) ROW(SCHEDULERS) ROW(BACKENDS) ROW(MATRICES)

static const struct registry listings = REGISTRY("list", LIST);

/* Default of --bytes: a double. */
#define DEFAULT_BYTES 8

#define NOT_GIVEN UINT32_MAX

struct list_args {
  const struct listing *listing;
  bool table;
  struct picked_call call; /* ranks, bytes and per_host may be NOT_GIVEN */
};

#define AT(FIELD) offsetof(struct list_args, FIELD)

static const struct cli_option OPTIONS[] = {
    {"ranks", 0, "N",
     "collectives: list the algorithms that default and the MPI libraries select for N ranks",
     .kind = OPTION_U32, .at = AT(call.ranks), .min = 1, .max = OPTIONS_RANKS},
    {"bytes", 0, "BYTES", "collectives: bytes of a message or of a rank's block, for --ranks (8)",
     .kind = OPTION_U32, .at = AT(call.bytes), .max = INT32_MAX, .needs = "ranks table"},
    {"per-host", 0, "K",
     "collectives: ranks per host, which fill the hosts in order, for --ranks (1)",
     .kind = OPTION_U32, .at = AT(call.per_host), .min = 1, .max = OPTIONS_RANKS,
     .needs = "ranks table"},
    {"table", 0, NULL,
     "collectives: list the messages, rounds and bytes of each algorithm instead, for --ranks (16 "
     "and 64) and --bytes (1024 and 1048576)",
     .kind = OPTION_FLAG, .at = AT(table)},
    {.name = NULL},
};

static enum status take_list(void *record, char *word, struct err *e)
{
  struct list_args *a = record;
  if (a->listing != NULL)
    return err_set(e, "'%s' is one operand too many", word);
  a->listing = registry_get(&listings, word, e);
  return a->listing == NULL ? FAIL : OK;
}

static enum status check_table(const struct picked_call *call, struct err *e)
{
  if (call->ranks != NOT_GIVEN && call->ranks > COLLECTIVES_TABLE_RANKS)
    return err_set(e, "--ranks: %" PRIu32 " is above the maximum of a table, %u", call->ranks,
                   COLLECTIVES_TABLE_RANKS);
  if (call->bytes == 0)
    return err_set(e, "--bytes: 0 is below the minimum of a table, 1");
  return OK;
}

static enum status check(void *record, struct err *e)
{
  const struct list_args *a = record;
  char names[256];
  registry_list(&listings, names, sizeof names);
  if (a->listing == NULL)
    return err_set(e, "no list given: expected %s", names);
  if ((a->table || a->call.ranks != NOT_GIVEN) && a->listing != &COLLECTIVES)
    return err_set(e, "--%s is for 'list collectives'", a->table ? "table" : "ranks");
  if (a->table)
    return check_table(&a->call, e);
  return OK;
}

static enum status print_table(const struct picked_call *call, struct err *e)
{
  struct collectives_table t = {.ranks = {16, 64}, .bytes = {1024, 1048576}, .per_host = 1};
  if (call->ranks != NOT_GIVEN) {
    t.ranks[0] = call->ranks;
    t.ranks[1] = 0;
  }
  if (call->bytes != NOT_GIVEN) {
    t.bytes[0] = call->bytes;
    t.bytes[1] = 0;
  }
  if (call->per_host != NOT_GIVEN)
    t.per_host = call->per_host;
  return collectives_table_print(&t, stdout, e);
}

static enum status print_list(struct list_args *a, struct err *e)
{
  if (a->table)
    return print_table(&a->call, e);
  if (a->call.ranks == NOT_GIVEN) {
    a->listing->print();
    return OK;
  }
  if (a->call.bytes == NOT_GIVEN)
    a->call.bytes = DEFAULT_BYTES;
  if (a->call.per_host == NOT_GIVEN)
    a->call.per_host = 1;
  return list_picks(&a->call, e);
}

static int run_command(int argc, char **argv)
{
  char names[256] = "";
  struct list_args a = {.call = {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN}};
  struct err e;
  size_t n = 0;
  for (size_t i = 0; registry_at(&listings, i) != NULL; i++)
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i == 0 ? "" : "|",
                          registry_name(&listings, i));
  const struct usage usage = {
      names, "Lists the names that options take, one per line, with a tab before the description.",
      OPTIONS, take_list, check};
  options_parse(&usage, argc, argv, &a);
  return print_list(&a, &e) == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_list = {
    "list", "list the mappers, topologies and other names that options take", run_command};
