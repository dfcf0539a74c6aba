#include "platforms/inside/inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/inside/reader.h"

/* Defaults of the levels; docs/models.md has their sources. */
static const struct inside_level DEFAULTS[] = {
    {.name = "machine", .latency_s = 250e-9, .bandwidth = 6e9, .memory_bandwidth = 60e9},
    {.name = "package", .latency_s = 150e-9, .bandwidth = 8e9, .memory_bandwidth = 100e9},
    {.name = "die", .latency_s = 120e-9, .bandwidth = 8e9, .memory_bandwidth = 100e9},
    {.name = "numa", .latency_s = 100e-9, .bandwidth = 10e9, .memory_bandwidth = 50e9},
    {.name = "l3", .latency_s = 50e-9, .bandwidth = 10e9, .memory_bandwidth = 200e9},
    {.name = "l2", .latency_s = 50e-9, .bandwidth = 10e9, .memory_bandwidth = 100e9},
};

enum { DEFAULTS_COUNT = sizeof DEFAULTS / sizeof *DEFAULTS };

void inside_free(struct inside *in)
{
  if (in == NULL)
    return;
  for (uint32_t l = 0; l < INSIDE_MOST_LEVELS; l++)
    free(in->level[l].object);
  free(in->cpu);
  free(in->text);
  free(in->file);
  free(in);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void set_defaults(struct inside *in)
{
  for (uint32_t l = 0; l < in->levels; l++)
    for (size_t d = 0; d < DEFAULTS_COUNT; d++)
      if (strcmp(in->level[l].name, DEFAULTS[d].name) == 0) {
        in->level[l].latency_s = DEFAULTS[d].latency_s;
        in->level[l].bandwidth = DEFAULTS[d].bandwidth;
        in->level[l].memory_bandwidth = DEFAULTS[d].memory_bandwidth;
      }
}

/* Parses "LATENCY:BANDWIDTH:MEMORY".  Empty and missing fields keep their values. */
static enum status parse_values(struct inside_level *x, char *text, struct err *e)
{
  double *const field[] = {&x->latency_s, &x->bandwidth, &x->memory_bandwidth};
  static const enum num_unit unit[] = {NUM_TIME, NUM_BANDWIDTH, NUM_BANDWIDTH};
  char *rest = text;
  for (int i = 0; rest != NULL; i++) {
    char *word = strsep(&rest, ":");
    if (i == 3)
      return err_set(e, "more than LATENCY:BANDWIDTH:MEMORY");
    if (*word != '\0' && num_quantity(word, unit[i], field[i], e) != OK)
      return FAIL;
  }
  return OK;
}

/* Parses "LEVEL=LATENCY:BANDWIDTH:MEMORY". */
static enum status parse_level(struct inside *in, char *text, struct err *e)
{
  char names[80] = "", *values = text;
  const char *name = strsep(&values, "=");
  struct err why;
  for (uint32_t l = 0; l < in->levels; l++) {
    err_list(names, sizeof names, in->level[l].name);
    if (strcmp(in->level[l].name, name) != 0)
      continue;
    if (values == NULL)
      return err_set(e, "level '%s' without =LATENCY:BANDWIDTH:MEMORY", name);
    return parse_values(&in->level[l], values, &why) == OK
               ? OK
               : err_set(e, "level '%s': %s", name, why.text);
  }
  return err_set(e, "no level '%.40s'; the node has %s", name, names);
}

/* Parses "SPEC;LEVEL=...;...". */
static enum status parse(struct inside *in, char *text, struct err *e)
{
  char *rest = text;
  const char *description = strsep(&rest, ";");
  const size_t n = strlen(description);
  const bool file = strcmp(description, "here") != 0 && access(description, F_OK) == 0;
  if (!file && n > 4 && strcmp(description + n - 4, ".xml") == 0)
    return err_set(e, "%s: no such file", description);
  if ((file && (in->file = mem_strdup(description, e)) == NULL) ||
      reader_read(in, description, e) != OK)
    return FAIL;
  for (uint32_t l = 0; l < in->levels; l++) {
    in->level[l].first = in->objects;
    in->objects += in->level[l].objects;
  }
  set_defaults(in);
  while (rest != NULL)
    if (parse_level(in, strsep(&rest, ";"), e) != OK)
      return FAIL;
  return OK;
}

enum status inside_new(struct inside **out, const char *text, struct err *e)
{
  struct inside *in = mem_array(1, sizeof *in, e);
  char *copy = in == NULL ? NULL : mem_strdup(text, e);
  enum status s = copy == NULL ? FAIL : OK;
  if (s == OK && (in->text = mem_strdup(text, e)) == NULL)
    s = FAIL;
  if (s == OK)
    s = parse(in, copy, e) == OK ? OK : err_prefix(e, in->file != NULL ? "" : "node: ");
  free(copy);
  if (s == OK)
    *out = in;
  else
    inside_free(in);
  return s;
}

/* --- routes ----------------------------------------------------------------------------------- */

uint32_t inside_common(const struct inside *in, uint32_t a, uint32_t b)
{
  uint32_t l = in->levels - 1;
  while (in->level[l].object[a] != in->level[l].object[b])
    l--;
  return l;
}

uint32_t inside_route(const struct inside *in, uint32_t a, uint32_t b, uint32_t *link,
                      double *latency_s)
{
  const uint32_t common = inside_common(in, a, b);
  uint32_t n = 0;
  for (uint32_t l = in->levels - 1; l > common; l--)
    link[n++] = in->level[l].first + in->level[l].object[a];
  link[n++] = in->level[common].first + in->level[common].object[a];
  link[n++] = in->objects + common;
  for (uint32_t l = common + 1; l < in->levels; l++)
    link[n++] = in->level[l].first + in->level[l].object[b];
  *latency_s = in->level[common].latency_s;
  return n;
}

/* The level of an object. */
static const struct inside_level *level_of(const struct inside *in, uint32_t object)
{
  uint32_t l = in->levels - 1;
  while (in->level[l].first > object)
    l--;
  return &in->level[l];
}

double inside_link(const struct inside *in, uint32_t link, double *latency_s, bool *fat)
{
  *fat = link >= in->objects;
  *latency_s = *fat ? in->level[link - in->objects].latency_s : 0;
  return *fat ? in->level[link - in->objects].bandwidth : level_of(in, link)->memory_bandwidth;
}

void inside_link_name(const struct inside *in, uint32_t link, const char *node, char *name,
                      size_t size)
{
  if (link >= in->objects) {
    snprintf(name, size, "%s-%s", node, in->level[link - in->objects].name);
    return;
  }
  const struct inside_level *l = level_of(in, link);
  snprintf(name, size, "%s-%s-%" PRIu32, node, l->name, link - l->first);
}

bool inside_find(const struct inside *in, const char *level, uint32_t object, uint32_t i,
                 uint32_t *core)
{
  for (uint32_t l = 0; l < in->levels; l++)
    for (uint32_t c = 0; strcmp(in->level[l].name, level) == 0 && c < in->cores; c++)
      if (in->level[l].object[c] == object && i-- == 0) {
        *core = c;
        return true;
      }
  return false;
}
