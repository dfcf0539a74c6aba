#include "campaign/results/extras.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/machine.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

static void clear_extra(struct extra *x)
{
  free(x->path);
  free(x->trace);
  free(x->mapper);
  free(x->platform);
  free(x->machine);
}

/* Index of the campaign's line for the mapper of a run; p->lines if none.  The spec of the run is
 * the label with the seed as an additional option, so the longest label that is a prefix of it is
 * chosen. */
static size_t find_mapper(const struct provenance *p, const struct provenance_line *run)
{
  size_t best = p->lines, longest = 0;
  for (size_t i = 0; i < p->lines; i++) {
    const struct provenance_line *l = &p->line[i];
    const size_t n = strlen(l->value);
    const bool same = strcmp(l->kind, "mapper") == 0 && strcmp(l->library, run->library) == 0 &&
                      strcmp(l->checksum, run->checksum) == 0 &&
                      strncmp(l->value, run->value, n) == 0 &&
                      strchr(":,", run->value[n]) != NULL; /* strchr() also finds the final NUL */
    if (same && n > longest) {
      best = i;
      longest = n;
    }
  }
  return best;
}

static size_t find_line(const struct provenance *p, const struct provenance_line *line)
{
  size_t i = 0;
  while (i < p->lines &&
         (strcmp(p->line[i].kind, line->kind) != 0 || strcmp(p->line[i].value, line->value) != 0 ||
          strcmp(p->line[i].checksum, line->checksum) != 0))
    i++;
  return i;
}

/* True if the run belongs to the campaign and is a first repetition.  Sets the indices of its
 * lines. */
static bool belongs(const struct provenance *run, const struct provenance *p, struct extra *x)
{
  x->trace_line = x->mapper_line = p->lines;
  for (size_t i = 0; i < run->lines; i++) {
    const struct provenance_line *l = &run->line[i];
    if (strcmp(l->kind, "mapper") == 0)
      x->mapper_line = find_mapper(p, l);
    else if (strcmp(l->kind, "trace") == 0)
      x->trace_line = find_line(p, l);
    else if (!provenance_has(p, l))
      return false;
  }
  return x->trace_line < p->lines && x->mapper_line < p->lines;
}

/* The number of lines of a kind. */
static size_t count_lines(const struct provenance *p, const char *kind)
{
  size_t n = 0;
  for (size_t i = 0; i < p->lines; i++)
    n += strcmp(p->line[i].kind, kind) == 0;
  return n;
}

/* machine_label() of the run, with the options that have several values in the campaign, and the
 * platform; "" if no option has several values. */
static char *name_machine(const struct provenance *run, const struct provenance *p, struct err *e)
{
  const char *field[MACHINE_OPTIONS] = {NULL};
  bool several = false;
  for (int o = 0; o < MACHINE_OPTIONS; o++) {
    const char *word = machine_word((enum machine_option)o);
    const struct provenance_line *l = provenance_find(run, word);
    if (l != NULL && count_lines(p, word) > 1)
      field[o] = l->value;
    several |= field[o] != NULL;
  }
  const struct provenance_line *platform = provenance_find(run, "platform");
  if (several && platform != NULL)
    field[MACHINE_PLATFORM] = platform->value;
  return machine_label(field, e);
}

static enum status fill(struct extra *x, const struct provenance *run, const struct provenance *p,
                        struct err *e)
{
  const struct provenance_line *platform = provenance_find(run, "platform");
  if ((x->trace = mem_strdup(provenance_find(run, "trace")->value, e)) == NULL ||
      (x->mapper = mem_strdup(provenance_find(run, "mapper")->value, e)) == NULL ||
      (x->platform = mem_strdup(platform == NULL ? "" : platform->value, e)) == NULL ||
      (x->machine = name_machine(run, p, e)) == NULL)
    return FAIL;
  return OK;
}

/* Adds *x.  On failure the caller still owns its path. */
static enum status keep(struct extras *all, const struct extra *x, const struct provenance *run,
                        const struct provenance *p, struct err *e)
{
  struct extra made = *x;
  if (fill(&made, run, p, e) == OK && MEM_GROW(all->extra, all->room, all->count + 1, e) == OK) {
    all->extra[all->count++] = made;
    return OK;
  }
  made.path = NULL;
  clear_extra(&made);
  return FAIL;
}

/* Adds the file @p name of @p folder if its run belongs to the campaign.  The first @p key bytes of
 * @p name are the key of the run, whose result is KEY.tsv. */
static enum status look_at(struct extras *all, const char *folder, const char *name, size_t key,
                           const struct provenance *p, struct err *e)
{
  struct extra x = {.path = NULL};
  struct provenance run = {.lines = 0};
  char *result = mem_printf(e, "%s/runs/%.*s.tsv", folder, (int)key, name);
  if (result == NULL)
    return FAIL;
  struct err ignored; /* a run without a readable result is ignored */
  enum status s = OK;
  if (provenance_load(&run, result, &ignored) == OK && belongs(&run, p, &x)) {
    x.path = mem_printf(e, "%s/runs/%s", folder, name);
    s = x.path == NULL ? FAIL : keep(all, &x, &run, p, e);
    if (s != OK)
      free(x.path);
  }
  provenance_clear(&run);
  free(result);
  return s;
}

static enum status look_through(struct extras *x, DIR *runs, const char *folder,
                                const struct provenance *p, const char *suffix, struct err *e)
{
  for (const struct dirent *d; (d = readdir(runs)) != NULL;) {
    const size_t n = strlen(d->d_name), k = strlen(suffix);
    if (n > k && strcmp(d->d_name + n - k, suffix) == 0 &&
        look_at(x, folder, d->d_name, n - k, p, e) != OK)
      return FAIL;
  }
  return OK;
}

static int by_lines(const void *a, const void *b)
{
  const struct extra *x = a, *y = b;
  return RISING(x->trace_line, y->trace_line) ?: strcmp(x->machine, y->machine)
      ?: RISING(x->mapper_line, y->mapper_line)
      ?: strcmp(x->mapper, y->mapper)
      ?: strcmp(x->path, y->path);
}

enum status extras_find(struct extras *x, const char *folder, const struct provenance *p,
                        enum run_extra kind, struct err *e)
{
  struct extras found = {.count = 0};
  char *path = mem_printf(e, "%s/runs", folder);
  if (path == NULL)
    return FAIL;
  DIR *runs = opendir(path);
  enum status s = runs == NULL && errno != ENOENT ? err_errno(e, path, "cannot open") : OK;
  if (runs != NULL) {
    s = look_through(&found, runs, folder, p, run_extra_suffix(kind), e);
    closedir(runs);
  }
  free(path);
  if (s != OK) {
    extras_clear(&found);
    return FAIL;
  }
  if (found.count > 0)
    qsort(found.extra, found.count, sizeof *found.extra, by_lines);
  *x = found;
  return OK;
}

void extras_clear(struct extras *x)
{
  for (size_t i = 0; i < x->count; i++)
    clear_extra(&x->extra[i]);
  free(x->extra);
  *x = (struct extras){.count = 0};
}
