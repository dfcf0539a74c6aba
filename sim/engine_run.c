#include "sim/engine_file.h"

static bool has_speeds(const struct profiles *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    if (s->profile[i].kind == PROFILE_SPEED)
      return true;
  return false;
}

enum status engine_file(struct engine_config *c, const struct engine *engine,
                        struct memfile *memory, struct err *e)
{
  const struct platform *p = c->platform;
  const bool speeds = has_speeds(c->profiles);
  const char *path = platform_path(p);
  c->platform_file = c->platform_name = path;
  if (!engine->loads_file || (path != NULL && !speeds && !platform_is_bare(p)))
    return OK;
  if (memfile_open(memory, "platform", e) != OK)
    return FAIL;
  const enum status s = speeds         ? profiles_print(c->profiles, p, memory->f, e)
                        : path != NULL ? platform_print_zoned(p, memory->f, e)
                                       : platform_print(p, memory->f, e);
  if (s != OK || memfile_flush(memory, e) != OK)
    return FAIL;
  c->platform_file = memory->path;
  if (path == NULL)
    c->platform_name = "platform";
  return OK;
}
