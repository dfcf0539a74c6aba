/* Tables of options that several commands share. */

#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/num.h"
#include "common/report.h"
#include "setup/settings.h"
#include "sim/engine.h"
#include "sim/output/timeline.h"
#include "traces/matrix/load.h"

const struct cli_option report_options[] = {
    {"format", 0, "FORMAT", "%s (tsv)", .kind = OPTION_ROW, .rows = &report_formats},
    {.name = NULL},
};

static enum status parse_unpack_limit(void *record, char *text, struct err *e)
{
  double bytes;
  if (num_quantity(text, NUM_SIZE, &bytes, e) != OK)
    return FAIL;
  ((struct reading *)record)->unpack_limit = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
  return OK;
}

static enum status parse_recorded_speed(void *record, char *text, struct err *e)
{
  double speed;
  if (num_quantity(text, NUM_SPEED, &speed, e) != OK)
    return FAIL;
  if (!(speed > 0))
    return err_set(e, "the speed '%s' is not above 0", text);
  ((struct reading *)record)->recorded.speed = speed;
  return OK;
}

const struct cli_option unpack_options[] = {
    {"unpack-limit", 0, "SIZE",
     "Bytes of temporary files that a packed, merged or recorded trace may take (4GiB)",
     .kind = OPTION_PARSE, .parse = parse_unpack_limit},
    {"recorded-speed", 0, "SPEED",
     "For traces with times: speed of the machine where they were recorded (1Gf)",
     .kind = OPTION_PARSE, .parse = parse_recorded_speed},
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

/* Parses a library or a file.  An error in the file is bad input, not bad usage. */
static enum status parse_collectives(void *record, char *text, struct err *e)
{
  struct collectives *c = &((struct reading *)record)->collectives;
  if (collectives_select(c, text, e) == OK)
    return OK;
  if (!inputs_is_file(text))
    return FAIL;
  if (collectives_load(c, text, e) != OK)
    exit(cli_fail(e));
  return OK;
}

const struct cli_option reading_options[] = {
    {"collective", 0, "NAME=ALG", "Algorithm of a collective (see haichi list collectives)",
     .kind = OPTION_PARSE, .parse = parse_collective, .several = true},
    {"collectives", 0, "LIBRARY|FILE",
     "Choose algorithms like a library: default, ompi, mpich, mvapich2 or impi (default), or by a "
     "file of tune-collectives",
     .kind = OPTION_PARSE, .parse = parse_collectives},
    {.kind = OPTION_TABLE, .table = unpack_options},
    {.name = NULL},
};

static enum status parse_matrix_unit(void *reading, char *text, struct err *e)
{
  return matrix_reading_unit(reading, text, e);
}

const struct cli_option matrix_options[] = {
    {"matrix-format", 0, "FORMAT", "Format of --matrix: %s (detected)", .kind = OPTION_ROW,
     .at = offsetof(struct matrix_reading, format), .rows = &matrix_formats},
    {"matrix-unit", 0, "UNIT",
     "Unit of the numbers in --matrix: of bytes, as kB or 64KiB, or of rates, as Bps or Mbps (B)",
     .kind = OPTION_PARSE, .parse = parse_matrix_unit},
    {.name = NULL},
};

enum status options_matrix(const char *matrix, const struct matrix_reading *r, struct err *e)
{
  if (matrix != NULL || (r->format == NULL && r->unit <= 0))
    return OK;
  return err_set(e, "--matrix-%s without --matrix", r->format != NULL ? "format" : "unit");
}

enum status options_parse_load(void *specs, char *text, struct err *e)
{
  return load_specs_add(specs, text, e);
}

static enum status parse_effect(void *effects, char *text, struct err *e)
{
  return effects_add(effects, text, e);
}

static enum status parse_overlay(void *spec, char *text, struct err *e)
{
  return overlay_spec_parse(spec, text, e);
}

/* Reads the list.  A file or environment that cannot be read is bad input, not bad usage.  The list
 * is kept until the process ends. */
static enum status parse_hosts(void *record, char *text, struct err *e)
{
  static struct allocation_list *list;
  allocation_list_free(list);
  list = NULL;
  if (allocation_list_read(&list, text, e) != OK) {
    if (inputs_is_file(text) || strcmp(text, "slurm") == 0)
      exit(cli_fail(e));
    return FAIL;
  }
  ((struct settings *)record)->hosts = list;
  return OK;
}

#define AT(FIELD) offsetof(struct settings, FIELD)

const struct cli_option simulation_options[] = {
    {"hosts", 0, "LIST",
     "Hosts that ranks may use: names as nid[001-064,070], numbers as 0-63, a file, -, or slurm, "
     "the hosts of the Slurm job (all)",
     .kind = OPTION_PARSE, .parse = parse_hosts},
    {"ranks-per-host", 0, "K", "Ranks that a host takes (1, or the cores of --node)",
     .kind = OPTION_U32, .at = AT(reading.collectives.ranks_per_host), .min = 1,
     .max = OPTIONS_RANKS},
    {"cores", 0, "N", "Cores of every host of a platform that is a spec (1)", .kind = OPTION_U32,
     .at = AT(cores), .min = 1, .max = PLATFORM_MOST_CORES},
    {"node", 0, "NODE",
     "Inside of the hosts: 'pack:2 numa:2 core:8' as hwloc describes it, an hwloc XML file, or "
     "here (this machine); then ';LEVEL=LATENCY:BANDWIDTH:MEMORY'",
     .at = AT(node)},
    {"names", 0, "FILE", "Names of the hosts, in the order of the platform: lists as nid[000-511]",
     .at = AT(names)},
    {"model", 'M', "MODEL", "Network model: %s (smpi)", .kind = OPTION_ROW, .at = AT(options.model),
     .rows = &sim_models},
    {"engine", 0, "ENGINE", "Engine: %s (flow)", .kind = OPTION_ROW, .at = AT(options.engine),
     .rows = &engines},
    {"eager-threshold", 0, "BYTES", "Start smaller messages without waiting for the receive (0)",
     .kind = OPTION_U64, .at = AT(options.eager_threshold), .max = INT64_MAX},
    {"compute-scale", 0, "X", "Factor on computations and sleeps; 0: communication only (1)",
     .kind = OPTION_DOUBLE, .at = AT(options.compute_scale), .most = 1e12},
    {"jitter", 0, "X", "Lengthen or shorten each computation by a random share up to X (0)",
     .kind = OPTION_DOUBLE, .at = AT(options.jitter), .most = 0.5},
    {"precision", 0, "S",
     "Merge events closer than this, in seconds: SimGrid's surf/precision (1e-9)",
     .kind = OPTION_DOUBLE, .at = AT(options.precision_s), .least = 1e-15, .most = 1},
    {"maxmin-precision", 0, "X",
     "Precision of SimGrid's solver, its maxmin/precision; engine flow has none (1e-5)",
     .kind = OPTION_DOUBLE, .at = AT(options.maxmin_precision), .least = 1e-15, .most = 1e-2},
    {"background", 0, "LOAD",
     "Load besides the program, as tasks:10 (see haichi list loads); may be repeated",
     .kind = OPTION_PARSE, .parse = options_parse_load, .at = AT(options.loads), .several = true},
    {"effect", 0, "EFFECT",
     "Optional model of a real machine, as noise:sd=2% (see haichi list effects); may be repeated",
     .kind = OPTION_PARSE, .parse = parse_effect, .at = AT(options.effects), .several = true},
    {"overlay", 0, "OVERLAY",
     "Connect some pairs only and relay: mcmpi, random, all or lazy, as mcmpi,density=4",
     .kind = OPTION_PARSE, .parse = parse_overlay, .at = AT(options.overlay)},
    {.name = NULL},
};

const struct cli_option settings_options[] = {
    {.kind = OPTION_TABLE, .table = simulation_options},
    {.kind = OPTION_TABLE, .table = reading_options, .at = AT(reading)},
    {.name = NULL},
};

enum status options_timeline(const char *file, const struct timeline_format **format, struct err *e)
{
  if (file == NULL && *format != NULL)
    return err_set(e, "--timeline-format without --timeline");
  if (file == NULL || *format != NULL || timeline_format_of(file, format, e) == OK)
    return OK;
  return err_prefix(e, "--timeline: ");
}
