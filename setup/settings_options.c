/* The settings as tables of options.  The order of the rows is the order of the words in a key
 * (settings_text()), which stored results contain: add rows where they belong, but move none. */

#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "mappers/mapper.h"
#include "setup/checksum.h"
#include "setup/settings.h"
#include "sim/engine.h"
#include "traces/matrix/load.h"

static enum status print_checksum(const char *file, FILE *f, struct err *e)
{
  char sum[CHECKSUM_SIZE];
  if (checksum_file(file, sum, e) != OK)
    return FAIL;
  fputs(sum, f);
  return OK;
}

/* --- the simulation --------------------------------------------------------------------------- */

static enum status add_simgrid(const void *settings, size_t i, FILE *f, struct err *e)
{
  (void)i;
  (void)e;
  if (((const struct settings *)settings)->options.engine->loads_file)
    settings_print_simgrid(f);
  return OK;
}

static enum status parse_overlay(void *spec, char *text, struct err *e)
{
  return overlay_spec_parse(spec, text, e);
}

static bool print_overlay(const void *spec, size_t i, FILE *f)
{
  const struct overlay_spec *s = spec;
  if (i > 0 || s->kind == NULL)
    return false;
  overlay_spec_print(s, f);
  return true;
}

static enum status parse_effect(void *effects, char *text, struct err *e)
{
  return effects_add(effects, text, e);
}

static bool print_effect(const void *effects, size_t i, FILE *f)
{
  const struct effects *x = effects;
  return i < x->count && fputs(x->spec[i], f) >= 0;
}

/* Reads the list.  It is kept until the process ends. */
static enum status parse_hosts(void *hosts, char *text, struct err *e)
{
  static struct allocation_list *list;
  allocation_list_free(list);
  list = NULL;
  if (allocation_list_read(&list, text, e) != OK)
    return FAIL;
  *(const struct allocation_list **)hosts = list;
  return OK;
}

static bool is_hosts_input(const char *text)
{
  return inputs_is_file(text) || strcmp(text, "slurm") == 0;
}

static bool print_hosts(const void *hosts, size_t i, FILE *f)
{
  const struct allocation_list *l = *(const struct allocation_list *const *)hosts;
  if (i > 0 || l == NULL)
    return false;
  allocation_list_print(l, f);
  return true;
}

#define AT(FIELD) offsetof(struct settings, FIELD)

static const struct cli_option SIMULATION[] = {
    {"model", 'M', "MODEL", "Network model: %s (smpi)", .kind = OPTION_ROW, .at = AT(options.model),
     .rows = &sim_models, .key = OPTION_KEY_ALWAYS},
    {"engine", 0, "ENGINE", "Engine: %s (flow)", .kind = OPTION_ROW, .at = AT(options.engine),
     .rows = &engines, .key = OPTION_KEY_ALWAYS, .more = add_simgrid},
    {"precision", 0, "S",
     "Merge events closer than this, in seconds: SimGrid's surf/precision (1e-9)",
     .kind = OPTION_DOUBLE, .at = AT(options.precision_s), .least = 1e-15, .most = 1,
     .key = OPTION_KEY_ALWAYS},
    {"maxmin-precision", 0, "X",
     "Precision of SimGrid's solver, its maxmin/precision; engine flow has none (1e-5)",
     .kind = OPTION_DOUBLE, .at = AT(options.maxmin_precision), .least = 1e-15, .most = 1e-2,
     .key = OPTION_KEY_ALWAYS},
    {"compute-scale", 0, "X", "Factor on computations and sleeps; 0: communication only (1)",
     .kind = OPTION_DOUBLE, .at = AT(options.compute_scale), .most = 1e12,
     .key = OPTION_KEY_ALWAYS},
    {"jitter", 0, "X", "Lengthen or shorten each computation by a random share up to X (0)",
     .kind = OPTION_DOUBLE, .at = AT(options.jitter), .most = 0.5},
    {"overlay", 0, "OVERLAY",
     "Connect only some pairs of processes and relay all other messages: mcmpi, random, all or "
     "lazy, as mcmpi,density=4",
     .kind = OPTION_PARSE, .parse = parse_overlay, .print = print_overlay,
     .at = AT(options.overlay)},
    {"effect", 0, "EFFECT",
     "Optional model of a real machine, as noise:sd=2% (see haichi list effects); may be repeated",
     .kind = OPTION_PARSE, .parse = parse_effect, .print = print_effect, .at = AT(options.effects),
     .several = true},
    {"eager-threshold", 0, "BYTES", "Start smaller messages without waiting for the receive (0)",
     .kind = OPTION_U64, .at = AT(options.eager_threshold), .max = INT64_MAX,
     .key = OPTION_KEY_ALWAYS},
    {"ranks-per-host", 0, "K", "Ranks that a host takes (1, or the cores of --node)",
     .kind = OPTION_U32, .at = AT(reading.collectives.ranks_per_host), .min = 1,
     .max = SETTINGS_MOST_RANKS, .key = OPTION_KEY_ALWAYS},
    {"hosts", 0, "LIST",
     "Hosts that ranks may use: names as nid[001-064,070], numbers as 0-63, a file, -, or slurm, "
     "the hosts of the Slurm job (all)",
     .kind = OPTION_PARSE, .parse = parse_hosts, .is_input = is_hosts_input, .print = print_hosts,
     .at = AT(hosts)},
    {.name = NULL},
};

/* --- reading of traces ------------------------------------------------------------------------ */

const struct cli_option unpack_options[] = {
    {"unpack-limit", 0, "SIZE",
     "Bytes of temporary files that a packed, merged or recorded trace may take (4GiB)",
     .kind = OPTION_SIZE, .at = offsetof(struct reading, unpack_limit), .key = OPTION_KEY_NEVER},
    {"recorded-speed", 0, "SPEED",
     "For traces with times: speed of the machine where they were recorded (1Gf)",
     .kind = OPTION_QUANTITY, .unit = NUM_SPEED, .at = offsetof(struct reading, recorded.speed)},
    {"align", 0, NULL,
     "For traces with times: start each rank at its recorded start, by corrected clocks",
     .kind = OPTION_FLAG, .at = offsetof(struct reading, recorded.align)},
    {"partial", 0, NULL, "Accept recorded traces with missing calls", .kind = OPTION_FLAG,
     .at = offsetof(struct reading, partial)},
    {.name = NULL},
};

static enum status parse_collective(void *record, char *text, struct err *e)
{
  return collectives_set(&((struct reading *)record)->collectives, text, e);
}

/* True if the algorithm is neither SMPI's default nor left to the file. */
static bool is_chosen(const struct collectives *c, int k)
{
  return c->algorithm[k] != 0 || (c->tuned_file != NULL && (c->named >> k & 1) != 0);
}

static bool print_collective(const void *record, size_t i, FILE *f)
{
  const struct collectives *c = &((const struct reading *)record)->collectives;
  int k = 0;
  while (k < COLLECTIVE_KINDS && (!is_chosen(c, k) || i-- > 0))
    k++;
  if (k == COLLECTIVE_KINDS)
    return false;
  const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
  fprintf(f, "%s=%s", action_name(kind), collective_algorithm(kind, c->algorithm[k])->name);
  return true;
}

/* Parses a library or a file. */
static enum status parse_collectives(void *record, char *text, struct err *e)
{
  struct collectives *c = &((struct reading *)record)->collectives;
  if (collectives_select(c, text, e) == OK)
    return OK;
  return inputs_is_file(text) ? collectives_load(c, text, e) : FAIL;
}

static bool print_tuned(const void *record, size_t i, FILE *f)
{
  const char *file = ((const struct reading *)record)->collectives.tuned_file;
  return i == 0 && file != NULL && fputs(file, f) >= 0;
}

static enum status add_tuned_checksum(const void *record, size_t i, FILE *f, struct err *e)
{
  (void)i;
  fputs(" sha256=", f);
  return print_checksum(((const struct reading *)record)->collectives.tuned_file, f, e);
}

static const struct cli_option COLLECTIVES[] = {
    {"collective", 0, "NAME=ALG", "Algorithm of a collective (see haichi list collectives)",
     .kind = OPTION_PARSE, .parse = parse_collective, .print = print_collective, .several = true},
    {"collectives", 0, "LIBRARY|FILE",
     "Choose algorithms like a library: default, ompi, mpich, mvapich2 or impi (default), or by a "
     "file of tune-collectives",
     .kind = OPTION_PARSE, .parse = parse_collectives, .is_input = inputs_is_file,
     .print = print_tuned, .more = add_tuned_checksum},
    {.name = NULL},
};

const struct cli_option reading_options[] = {
    {.kind = OPTION_TABLE, .table = unpack_options},
    {.kind = OPTION_TABLE, .table = COLLECTIVES},
    {.name = NULL},
};

/* --- hosts, loads and jobs -------------------------------------------------------------------- */

static const struct cli_option HOSTS[] = {
    {"cores", 0, "N", "Cores of every host of a platform that is a spec (1)", .kind = OPTION_U32,
     .at = AT(cores), .min = 1, .max = PLATFORM_MOST_CORES},
    {"node", 0, "NODE",
     "Inside of the hosts: 'pack:2 numa:2 core:8' as hwloc describes it, an hwloc XML file, or "
     "here (this machine); then ';LEVEL=LATENCY:BANDWIDTH:MEMORY'",
     .at = AT(node), .key = OPTION_KEY_PLATFORM},
    {"names", 0, "FILE", "Names of the hosts, in the order of the platform: lists as nid[000-511]",
     .at = AT(names), .key = OPTION_KEY_PLATFORM},
    {.name = NULL},
};

enum status settings_parse_load(void *specs, char *text, struct err *e)
{
  return load_specs_add(specs, text, e);
}

static bool print_load(const void *specs, size_t i, FILE *f)
{
  const struct load_specs *l = specs;
  return i < l->count && fputs(l->spec[i], f) >= 0;
}

/* The checksum of the file that the load reads, if any. */
static enum status add_load_checksum(const void *specs, size_t i, FILE *f, struct err *e)
{
  char *file;
  if (load_spec_file(((const struct load_specs *)specs)->spec[i], &file, e) != OK)
    return FAIL;
  fputs(file == NULL ? "" : " sha256=", f);
  const enum status s = file == NULL ? OK : print_checksum(file, f, e);
  free(file);
  return s;
}

const struct cli_option load_options[] = {
    {"background", 0, "LOAD",
     "Load besides the program, as tasks:10 (see haichi list loads); may be repeated",
     .kind = OPTION_PARSE, .parse = settings_parse_load, .print = print_load,
     .more = add_load_checksum, .several = true},
    {.name = NULL},
};

const struct cli_option simulation_options[] = {
    {.kind = OPTION_TABLE, .table = SIMULATION},
    {.kind = OPTION_TABLE, .table = HOSTS},
    {.kind = OPTION_TABLE, .table = load_options, .at = AT(options.loads)},
    {.name = NULL},
};

const struct cli_option settings_options[] = {
    {.kind = OPTION_TABLE, .table = SIMULATION},
    {.kind = OPTION_TABLE, .table = unpack_options, .at = AT(reading)},
    {.kind = OPTION_TABLE, .table = HOSTS},
    {.kind = OPTION_TABLE, .table = COLLECTIVES, .at = AT(reading)},
    {.kind = OPTION_TABLE, .table = load_options, .at = AT(options.loads)},
    {.name = NULL},
};

enum status settings_parse_job(void *specs, char *text, struct err *e)
{
  return job_specs_add(specs, text, e);
}

static bool print_job(const void *jobs, size_t i, FILE *f)
{
  const struct job_specs *s = jobs;
  if (i >= s->count)
    return false;
  job_spec_print(&s->job[i], f);
  return true;
}

/* The checksum of the trace, unless it is generated, and of the mapping if it is a file. */
static enum status add_job_checksums(const void *settings, size_t i, FILE *f, struct err *e)
{
  const struct settings *s = settings;
  const struct job_spec *j = &s->jobs.job[i];
  struct input_trace t = {.name = j->trace, .reading = &s->reading};
  struct trace *opened;
  char sum[CHECKSUM_SIZE];
  enum status status = input_trace_open(&t, &opened, e);
  if (status == OK && trace_input(opened, 0) != NULL &&
      (status = checksum_trace(opened, sum, e)) == OK)
    fprintf(f, " sha256=%s", sum);
  input_trace_clear(&t);
  if (status != OK || j->mapping == NULL || mapper_is_spec(j->mapping))
    return status;
  fputs(" mapping-sha256=", f);
  return print_checksum(j->mapping, f, e);
}

const struct cli_option job_settings_options[] = {
    {.kind = OPTION_TABLE, .table = settings_options},
    {"job", 0, "JOB", "Background program: TRACE[,mapping=M][,hosts=0-63][,start=S][,repeat]",
     .kind = OPTION_PARSE, .parse = settings_parse_job, .print = print_job,
     .more = add_job_checksums, .at = AT(jobs), .several = true},
    {.name = NULL},
};

static enum status parse_matrix_unit(void *reading, char *text, struct err *e)
{
  return matrix_reading_unit(reading, text, e);
}

static bool print_matrix_unit(const void *reading, size_t i, FILE *f)
{
  const struct matrix_reading *r = reading;
  if (i > 0 || r->unit <= 0)
    return false;
  report_number(f, r->unit);
  fputs(r->rate ? "Bps" : "B", f);
  return true;
}

const struct cli_option matrix_options[] = {
    {"matrix-format", 0, "FORMAT", "Format of --matrix: %s (detected)", .kind = OPTION_ROW,
     .at = offsetof(struct matrix_reading, format), .rows = &matrix_formats, .needs = "matrix"},
    {"matrix-unit", 0, "UNIT",
     "Unit of the numbers in --matrix: of bytes, as kB or 64KiB, or of rates, as Bps or Mbps (B)",
     .kind = OPTION_PARSE, .parse = parse_matrix_unit, .print = print_matrix_unit,
     .needs = "matrix"},
    {.name = NULL},
};
