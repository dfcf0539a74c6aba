#define _GNU_SOURCE
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/num.h"

static error_t parse_short_help(int key, char *arg, struct argp_state *state)
{
  (void)arg;
  if (key != 'h')
    return ARGP_ERR_UNKNOWN;
  argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
  return 0;
}

enum { MOST_CHILDREN = 8 };

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
  static const struct argp_option OPTIONS[] = {{NULL, 'h', NULL, OPTION_HIDDEN, "", 0}, {0}};
  static const struct argp SHORT_HELP = {OPTIONS, parse_short_help, NULL, NULL, NULL, NULL, NULL};
  struct argp_child children[MOST_CHILDREN + 2] = {{0}};
  struct argp with_help = *argp;
  size_t n = 0;
  for (; argp->children != NULL && argp->children[n].argp != NULL && n < MOST_CHILDREN; n++)
    children[n] = argp->children[n];
  children[n].argp = &SHORT_HELP;
  with_help.children = children;
  const error_t bad = argp_parse(&with_help, argc, argv, ARGP_IN_ORDER, NULL, input);
  if (bad == 0)
    return;
  fprintf(stderr, "%s: bad usage; see `%s --help'\n", argv[0], argv[0]);
  exit(CLI_USAGE);
}

uint64_t cli_number(const struct argp_state *state, const char *option, const char *text,
                    uint64_t min, uint64_t max)
{
  uint64_t value = 0;
  struct err e;
  if (num_u64(text, max, &value, &e) != OK)
    argp_error(state, "%s: %s", option, e.text);
  else if (value < min)
    argp_error(state, "%s: %" PRIu64 " is below the minimum of %" PRIu64, option, value, min);
  return value;
}

enum { KEY_COLLECTIVE = 1024, KEY_UNPACK_LIMIT };

static const struct argp_option UNPACK_OPTIONS[] = {
    {"unpack-limit", KEY_UNPACK_LIMIT, "SIZE", 0,
     "Bytes of temporary files that a packed or merged trace may take (4GiB)", 0},
    {0},
};

static error_t parse_unpack(int key, char *arg, struct argp_state *state)
{
  struct reading *r = state->input;
  double bytes = 0;
  struct err e;
  if (key != KEY_UNPACK_LIMIT)
    return ARGP_ERR_UNKNOWN;
  if (num_quantity(arg, NUM_SIZE, &bytes, &e) != OK)
    argp_error(state, "--unpack-limit: %s", e.text);
  r->unpack_limit = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
  return 0;
}

const struct argp cli_unpack_argp = {UNPACK_OPTIONS, parse_unpack, NULL, NULL, NULL, NULL, NULL};

static const struct argp_option COLLECTIVE_OPTIONS[] = {
    {"collective", KEY_COLLECTIVE, "NAME=ALG", 0,
     "Algorithm of a collective (see haichi list collectives)", 0},
    {0},
};

static error_t parse_collective(int key, char *arg, struct argp_state *state)
{
  struct reading *r = state->input;
  struct err e;
  if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = r;
  else if (key != KEY_COLLECTIVE)
    return ARGP_ERR_UNKNOWN;
  else if (collectives_set(&r->collectives, arg, &e) != OK)
    argp_error(state, "--collective: %s", e.text);
  return 0;
}

static const struct argp_child UNPACK[] = {{&cli_unpack_argp, 0, NULL, 0}, {0}};

const struct argp cli_reading_argp = {
    COLLECTIVE_OPTIONS, parse_collective, NULL, NULL, UNPACK, NULL, NULL};

char *cli_help_names(const char *before, names_fn *names)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL)
    return NULL;
  fputs(before, f);
  for (size_t i = 0; names(i) != NULL; i++)
    fprintf(f, "%s%s", i == 0 ? "" : names(i + 1) == NULL ? " or " : ", ", names(i));
  fprintf(f, " (%s)", names(0));
  fclose(f);
  return text;
}

void cli_report_format(const struct argp_state *state, enum report_format *format, const char *text)
{
  struct err e;
  if (report_parse_format(text, format, &e) != OK)
    argp_error(state, "--format: %s", e.text);
}

void cli_operand(const struct argp_state *state, const char **place, const char *text)
{
  if (*place != NULL)
    argp_error(state, "'%s' is one operand too many", text);
  *place = text;
}

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}
