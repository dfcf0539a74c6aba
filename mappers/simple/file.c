#include "mappers/mapper.h"

static enum status load(const struct mapper_input *in, const struct mapper_values *values,
                        struct mapping *out, struct err *e)
{
  const char *path = values->value[0];
  struct mapping m;
  struct err why;
  if (path[0] == '\0')
    return err_set(e, "mapper 'file' needs a path, as file:path=NAME");
  if (mapping_load(&m, path, in->platform, in->ranks, e) != OK)
    return FAIL;
  if (mapping_check(&m, in->platform, in->ranks_per_host, &why) != OK) {
    mapping_clear(&m);
    return err_set(e, "%s: %s", path, why.text);
  }
  *out = m;
  return OK;
}

static const char *file(const struct mapper_values *values)
{
  return values->value[0];
}

static const struct mapper_option OPTIONS[] = {
    {.name = "path",
     .default_value = "",
     .help = "hostfile, rankfile or list of coordinates; the rest of the spec, commas included",
     .takes_rest = true},
    {.name = NULL},
};

const struct mapper map_file = {
    .name = "file",
    .help = "the mapping of a file",
    .options = OPTIONS,
    .file = file,
    .map = load,
};
