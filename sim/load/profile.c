/* A file of profiles: speeds of hosts, bandwidths and latencies of links that change with time. */
#include "sim/load/kind.h"

struct profile_load {
  struct load base;
  const char *path;
};

static const struct spec_option OPTIONS[] = {
    {"file", SPEC_REST, offsetof(struct profile_load, path), NULL, .help = "file of profiles",
     .ends = ','},
    {.name = NULL},
};

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

const struct load_kind load_profile = {
    .name = "profile",
    .example = "profile:FILE",
    .help = "speeds of hosts, bandwidths and latencies of links by time, from FILE",
    .varies = true,
    .of_platform = true,
    .bytes = sizeof(struct profile_load),
    .options = OPTIONS,
    .add_profiles = add_profiles,
    .file = file,
};
