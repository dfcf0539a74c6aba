#include "campaign/plan/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/plan.h"
#include "common/files/table.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"
#include "sim/simgrid/api.h"

static const struct {
  const char *column, *word;
  const char *after; /* follows the value in names of machines */
  uint32_t most;     /* upper limit, if the option is a number */
} OPTION[MACHINE_OPTIONS] = {
    [MACHINE_PLATFORM] = {"platform", "platform", "", 0},
    [MACHINE_BANDWIDTH] = {"bandwidth", "bandwidth", "", 0},
    [MACHINE_LATENCY] = {"latency", "latency", "", 0},
    [MACHINE_CORES] = {"cores", "cores", " cores", PLATFORM_MOST_CORES},
    [MACHINE_RANKS] = {"ranks_per_host", "ranks-per-host", " ranks per host", MACHINE_MOST_RANKS},
};

const char *machine_column(enum machine_option o)
{
  return OPTION[o].column;
}

const char *machine_word(enum machine_option o)
{
  return OPTION[o].word;
}

enum machine_option machine_find(const char *word)
{
  enum machine_option o = MACHINE_PLATFORM;
  while (o < MACHINE_OPTIONS && strcmp(OPTION[o].word, word) != 0)
    o++;
  return o;
}

/* --- making ----------------------------------------------------------------------------------- */

size_t machine_count(const struct plan_words value[MACHINE_OPTIONS])
{
  size_t n = 1;
  for (int o = 0; o < MACHINE_OPTIONS && n <= MACHINE_MOST; o++)
    n *= value[o].count == 0 ? 1 : value[o].count;
  return n;
}

enum status machine_checksum(const struct machine *m, char *hex, struct err *e)
{
  return checksum_platform(m->on, platform_path(m->on), hex, e);
}

/* Sets the identity of a platform that reads files: the checksum of the files and, if it is opaque,
 * the version of SimGrid, which computes its routes. */
static enum status identify_platform(struct machine *m, struct err *e)
{
  const char *other;
  for (size_t i = 0; (other = platform_file(m->on, i)) != NULL; i++)
    if (plan_check_lasting(other, e) != OK)
      return FAIL;
  if (platform_is_opaque(m->on) && simgrid_api_version(m->router, sizeof m->router, e) != OK)
    return FAIL;
  return machine_checksum(m, m->checksum, e);
}

/* Opens the platform @p name, a spec or a file, without the file of host names. */
static enum status open_platform(struct machine *m, const char *name, struct err *e)
{
  static const char WHOLE[] = "compare would not notice a change there";
  const struct platform_params params = {.bandwidth = m->value[MACHINE_BANDWIDTH],
                                         .latency = m->value[MACHINE_LATENCY],
                                         .cores = m->settings.cores};
  if ((!platform_is_spec(name) && inputs_is_file(name) && plan_check_lasting(name, e) != OK) ||
      inputs_platform_with(&m->on, m->name, &params, WHOLE, e) != OK)
    return FAIL;
  return platform_path(m->on) != NULL || platform_file(m->on, 0) != NULL ? identify_platform(m, e)
                                                                         : OK;
}

enum status machine_number(enum machine_option o, const char *text, uint32_t *out, struct err *e)
{
  uint64_t number;
  if (num_u64(text, OPTION[o].most, &number, e) != OK)
    return FAIL;
  if (number == 0)
    return err_set(e, "'%.64s' is not in [1, %" PRIu32 "]", text, OPTION[o].most);
  *out = (uint32_t)number;
  return OK;
}

void machine_choose(const char *out[MACHINE_OPTIONS],
                    const struct plan_words value[MACHINE_OPTIONS], size_t i)
{
  for (int o = MACHINE_OPTIONS; o-- > 0;) {
    const size_t n = value[o].count;
    out[o] = n == 0 ? NULL : value[o].word[i % n];
    i /= n == 0 ? 1 : n;
  }
}

/* In tables, the name of a platform includes the inside of nodes and the file of host names. */
enum status machine_make(struct machine *m, const struct plan_words value[MACHINE_OPTIONS],
                         size_t i, const struct settings *settings, bool needed, struct err *e)
{
  const bool several = machine_count(value) > 1;
  uint32_t *ranks = &m->settings.reading.collectives.ranks_per_host;
  *m = (struct machine){.settings = *settings};
  machine_choose(m->value, value, i);
  const char *platform = m->value[MACHINE_PLATFORM];
  if ((m->value[MACHINE_CORES] != NULL &&
       machine_number(MACHINE_CORES, m->value[MACHINE_CORES], &m->settings.cores, e) != OK) ||
      (m->value[MACHINE_RANKS] != NULL &&
       machine_number(MACHINE_RANKS, m->value[MACHINE_RANKS], ranks, e) != OK) ||
      plan_check_name(platform, several, e) != OK ||
      (m->name = platform_text(platform, settings->node, settings->names, e)) == NULL)
    return FAIL;
  m->value[MACHINE_PLATFORM] = m->name;
  return needed ? open_platform(m, platform, e) : OK;
}

void machine_clear(struct machine *m)
{
  platform_free(m->on);
  free(m->name);
  *m = (struct machine){.name = NULL};
}

/* --- tables ----------------------------------------------------------------------------------- */

enum status machine_columns_of(struct machine_columns *c, const struct table *t, struct err *e)
{
  char name[32];
  for (int o = 0; o < MACHINE_OPTIONS; o++) {
    snprintf(name, sizeof name, "?%s", OPTION[o].column);
    if (table_column(t, name, &c->at[o], e) != OK)
      return FAIL;
  }
  return OK;
}

char *machine_label(const char *const field[MACHINE_OPTIONS], struct err *e)
{
  struct textout out;
  const char *gap = "";
  if (textout_begin(&out, e) != OK)
    return NULL;
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (field[o] != NULL) {
      fprintf(out.f, "%s%s%s", gap, field[o], OPTION[o].after);
      gap = ", ";
    }
  return textout_end(&out, OK, e);
}

char *machine_row_label(const struct table *t, const struct machine_columns *c, struct err *e)
{
  const char *field[MACHINE_OPTIONS];
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    field[o] = c->at[o] == TABLE_NONE ? NULL : t->field[c->at[o]];
  return machine_label(field, e);
}

char *machine_subject_label(const char *subject, const char *machine, struct err *e)
{
  return *machine == '\0' ? mem_strdup(subject, e) : mem_printf(e, "%s on %s", subject, machine);
}
