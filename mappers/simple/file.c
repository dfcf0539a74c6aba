#include "mappers/mapper.h"

static const char *path_of(const void *options)
{
  return *(const char *const *)options;
}

static enum status load(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const char *path = path_of(in->options);
  struct mapping m;
  struct err why;
  if (mapping_load(&m, path, in->platform, in->ranks, e) != OK)
    return FAIL;
  if (mapping_check(&m, in->platform, in->ranks_per_host, &why) != OK) {
    mapping_clear(&m);
    return err_set(e, "%s: %s", path, why.text);
  }
  *out = m;
  return OK;
}

static const struct spec_option OPTIONS[] = {
    {"path", SPEC_REST, 0, NULL,
     .help = "hostfile, rankfile or list of coordinates; the rest of the spec, commas included"},
    {.name = NULL},
};

const struct mapper map_file = {
    .name = "file",
    .help = "the mapping of a file",
    .options = OPTIONS,
    .in_order = true,
    .file = path_of,
    .map = load,
};
