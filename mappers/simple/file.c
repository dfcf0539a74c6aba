#include "mappers/simple/file.h"

#include "common/mem.h"
#include "platforms/inside/inside.h"
#include "platforms/part.h"

enum status file_load(const struct mapper_input *in, const char *path, const char *name,
                      struct mapping *out, struct err *e)
{
  struct mapping m;
  struct err why;
  if (mapping_load_as(&m, path, name, in->platform, in->ranks, e) != OK)
    return FAIL;
  if (mapping_check(&m, in->platform, in->ranks_per_host, &why) != OK) {
    mapping_clear(&m);
    return err_set(e, "%s: %s", name, why.text);
  }
  *out = m;
  return OK;
}

static const char *path_of(const void *options)
{
  return *(const char *const *)options;
}

static enum status load(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const char *path = path_of(in->options);
  struct mapper_input on = *in;
  if (in->inside == NULL)
    return file_load(in, path, path, out, e);
  OWNED struct platform *cores = platform_cores_of(in->platform, in->inside, e);
  on.platform = cores;
  if (cores == NULL || file_load(&on, path, path, out, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++) {
    in->core[r] = out->host[r] % in->inside->cores;
    out->host[r] /= in->inside->cores;
  }
  out->cores = 0;
  return OK;
}

static const struct spec_option OPTIONS[] = {
    {"path", SPEC_REST, 0, NULL,
     .help = "hostfile, rankfile or list of coordinates; takes the rest of the spec, with commas"},
    {.name = NULL},
};

const struct mapper map_file = {
    .name = "file",
    .help = "the mapping of a file",
    .options = OPTIONS,
    .in_order = true,
    .sets_cores = true,
    .file = path_of,
    .map = load,
};
