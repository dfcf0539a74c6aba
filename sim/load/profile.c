/* A file of profiles: speeds of hosts, bandwidths and latencies of links that change with time. */
#include <stdlib.h>

#include "common/mem.h"
#include "sim/load/kind.h"

struct profile_load {
  struct load base;
  char *path;
};

static enum status parse(struct load **out, const char *text, struct err *e)
{
  if (*text == '\0')
    return err_set(e, "no file");
  struct profile_load *l = mem_array(1, sizeof *l, e);
  if (l == NULL)
    return FAIL;
  *out = &l->base;
  if ((l->path = mem_strdup(text, e)) != NULL)
    return OK;
  free(l);
  return FAIL;
}

static const char *file(const struct load *l)
{
  return ((const struct profile_load *)l)->path;
}

static enum status add_profiles(const struct load *l, const struct loads *all, struct profiles *out,
                                struct err *e)
{
  (void)all;
  return profiles_read(out, l->site->platform, file(l), e);
}

static void clear(struct load *l)
{
  free(((struct profile_load *)l)->path);
}

const struct load_kind load_profile = {
    .name = "profile",
    .example = "profile:FILE",
    .help = "speeds of hosts, bandwidths and latencies of links by time, from FILE",
    .varies = true,
    .of_platform = true,
    .parse = parse,
    .add_profiles = add_profiles,
    .file = file,
    .clear = clear,
};
