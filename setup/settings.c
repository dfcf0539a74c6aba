#include "setup/settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/simgrid/api.h"

struct settings settings_defaults(void)
{
  return (struct settings){.options = sim_defaults(), .reading = reading_defaults()};
}

struct job_defaults settings_placement(const struct settings *s, const char *mapping)
{
  return (struct job_defaults){.mapping = mapping,
                               .hosts = s->hosts,
                               .ranks_per_host = s->reading.collectives.ranks_per_host,
                               .reading = &s->reading,
                               .options = &s->options};
}

bool settings_have_load(const struct settings *s)
{
  return s->options.loads.count > 0 || s->jobs.count > 0;
}

void settings_print_simgrid(FILE *f)
{
  char version[16];
  struct err ignored;
  if (simgrid_api_version(version, sizeof version, &ignored) == OK)
    fprintf(f, " simgrid=%s", version);
}

enum status settings_platform(struct platform **out, const char *text, const struct settings *s,
                              struct err *e)
{
  if (s->names == NULL && s->node == NULL)
    return inputs_platform(out, text, s->cores, e);
  char *full = platform_text(text, s->node, s->names, e);
  const enum status status = full == NULL ? FAIL : inputs_platform(out, full, s->cores, e);
  free(full);
  return status;
}

char *settings_text(const struct settings *s, const struct cli_option_style *key, struct err *e)
{
  const struct settings usual = settings_defaults();
  return cli_option_text(key, job_settings_options, s, &usual, e);
}
