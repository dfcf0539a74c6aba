#include <inttypes.h>

#include "campaign/settings.h"
#include "cli/cli.h"
#include "common/num.h"

enum { KEY_RANKS_PER_HOST = 512, KEY_ENGINE, KEY_EAGER, KEY_SCALE, KEY_PRECISION, KEY_MAXMIN };

static const struct argp_option OPTIONS[] = {
    {"ranks-per-host", KEY_RANKS_PER_HOST, "K", 0, "Ranks that a host takes (1)", 0},
    {"model", 'M', "MODEL", 0, "Network model:", 0},
    {"engine", KEY_ENGINE, "ENGINE", 0, "What simulates (see haichi list engines)", 0},
    {"eager-threshold", KEY_EAGER, "BYTES", 0,
     "Start smaller messages without waiting for the receive (0)", 0},
    {"compute-scale", KEY_SCALE, "X", 0,
     "Factor on computations and sleeps; 0: communication only (1)", 0},
    {"precision", KEY_PRECISION, "S", 0,
     "Merge events closer than this, in seconds: SimGrid's surf/precision (1e-9)", 0},
    {"maxmin-precision", KEY_MAXMIN, "X", 0,
     "Precision of SimGrid's solver, its maxmin/precision; engine flow has none (1e-5)", 0},
    {0},
};

static error_t parse_checked(int key, const char *arg, struct argp_state *state)
{
  struct settings *a = state->input;
  const char *option;
  struct err e;
  enum status s;
  switch (key) {
  case 'M':
    option = "--model";
    s = sim_model_find(arg, &a->options.model, &e);
    break;
  case KEY_ENGINE:
    option = "--engine";
    s = engine_find(arg, &a->options.engine, &e);
    break;
  case KEY_SCALE:
    option = "--compute-scale";
    s = num_double(arg, 0, 1e12, &a->options.compute_scale, &e);
    break;
  case KEY_PRECISION:
    option = "--precision";
    s = num_double(arg, 1e-15, 1, &a->options.precision_s, &e);
    break;
  case KEY_MAXMIN:
    option = "--maxmin-precision";
    s = num_double(arg, 1e-15, 1e-2, &a->options.maxmin_precision, &e);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  if (s != OK)
    argp_error(state, "%s: %s", option, e.text);
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct settings *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->reading;
    return 0;
  case KEY_RANKS_PER_HOST:
    a->ranks_per_host = (uint32_t)cli_number(state, "--ranks-per-host", arg, 1, 1u << 20);
    return 0;
  case KEY_EAGER:
    a->options.eager_threshold = cli_number(state, "--eager-threshold", arg, 0, INT64_MAX);
    return 0;
  default:
    return parse_checked(key, arg, state);
  }
}

static const struct argp_child CHILDREN[] = {{&cli_reading_argp, 0, NULL, 0}, {0}};

static char *filter_help(int key, const char *text, void *input)
{
  (void)input;
  return key == 'M' ? cli_help_names("Network model: ", sim_model_name) : (char *)text;
}

const struct argp cli_settings_argp = {OPTIONS, parse, NULL, NULL, CHILDREN, filter_help, NULL};
