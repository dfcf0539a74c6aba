#include "cli/explain/stretches.h"

#include <string.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "sim/flow/maxmin.h"

enum status stretches_keep(void *data, const struct path_stretch *s, struct err *e)
{
  struct stretches *all = data;
  if (MEM_GROW(all->at, all->room, all->count + 1, e) != OK)
    return FAIL;
  all->at[all->count++] = *s;
  return OK;
}

static void print_stretch(const struct tables *t, FILE *f, const struct path_stretch *s)
{
  char actor[TABLES_NAME], pair[TABLES_NAME] = "-", link[PLATFORM_NAME_SIZE] = "-";
  const char *name = link;
  if (s->src != CAUSES_NONE)
    tables_pair(t, s->src, s->dst, pair);
  if (s->link != MAXMIN_NONE)
    name = platform_link_name(t->platform, t->link[s->link], link, sizeof link);
  fprintf(f, "%.17g\t%.17g\t%s\t%.12g\t%s\t%s\t%s\t%s\t%u\t%u\n", s->begin, s->end,
          path_cause_name(s->cause), s->slowed_s, tables_actor(t, s->actor, actor), pair, name,
          causes_action(t->causes, s->action), s->line, s->iteration);
}

enum path_cause stretches_cause(const struct path_stretch *s)
{
  if (s->slowed_s <= 0.5 * (s->end - s->begin))
    return s->cause;
  return s->cause == PATH_TRANSFER ? PATH_CONTENTION : PATH_CROWDED;
}

static void print_interval(const struct tables *t, FILE *f, const struct path_stretch *s)
{
  char actor[TABLES_NAME];
  fprintf(f, "%s,%.17g,%.17g,%s\n", tables_actor(t, s->actor, actor), s->begin, s->end,
          path_cause_name(stretches_cause(s)));
}

static bool is_csv(const char *path)
{
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".csv") == 0;
}

enum status stretches_write(const struct stretches *all, const struct tables *t, const char *path,
                            struct err *e)
{
  struct outfile out;
  const bool csv = is_csv(path);
  if (outfile_open(&out, path, e) != OK)
    return FAIL;
  fputs(csv ? "rank,start_s,end_s,state\n"
            : "begin_s\tend_s\tcause\tslowed_s\trank\tmessage\tlink\tcall\tline\titeration\n",
        out.f);
  for (size_t i = all->count; i > 0; i--)
    (csv ? print_interval : print_stretch)(t, out.f, &all->at[i - 1]);
  return outfile_commit(&out, e);
}
