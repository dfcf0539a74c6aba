#include "campaign/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/plan/machine.h"
#include "campaign/results/provenance.h"
#include "common/files/cleanup.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/text_list.h"

/* True for lines of provenance that may differ between commands of one campaign.  A stored run is
 * reused only if its own identity (run/store.h) is unchanged. */
static bool may_change(const char *kind)
{
  static const char *const KINDS[] = {"haichi", "routes", "audit"};
  const struct cli_option *option = cli_option_find(job_settings_options, kind, strlen(kind));
  return TEXT_LIST_HAS(KINDS, kind) || (option != NULL && option->key == OPTION_KEY_NEVER);
}

static enum status describe_plan(struct provenance *out, const struct plan *p, struct err *e)
{
  struct textout plan;
  if (textout_begin(&plan, e) != OK)
    return FAIL;
  plan_print(p, plan.f);
  OWNED char *text = textout_end(&plan, OK, e);
  char *line, *rest = text;
  enum status s = text == NULL ? FAIL : OK;
  while (s == OK && (line = strsep(&rest, "\n")) != NULL)
    s = *line == '\0' ? OK : provenance_add(out, line, e);
  return s;
}

/* Reads the next range of seeds, as "1..3", from *at and skips the comma after it.  Returns false
 * at the end of the text, or if the text does not begin with such a range. */
static bool next_range(const char **at, uint64_t *first, uint64_t *last)
{
  char *end;
  *first = strtoull(*at, &end, 10);
  if (end == *at || strncmp(end, "..", 2) != 0)
    return false;
  const char *second = end + 2;
  *last = strtoull(second, &end, 10);
  if (end == second || (*end != ',' && *end != '\0'))
    return false;
  *at = end + (*end == ',');
  return true;
}

/* True if the ranges of @p seeds hold all seeds from @p first to @p last, in any order. */
static bool has_range(const char *seeds, uint64_t first, uint64_t last)
{
  uint64_t low, high;
  for (const char *at = seeds; next_range(&at, &low, &high);)
    if (low <= first && first <= high)
      return last <= high || has_range(seeds, high + 1, last);
  return false;
}

/* True if @p seeds hold all seeds of @p old.  Both are lists of ranges, as "1..3,7..7". */
static bool has_seeds(const char *seeds, const char *old)
{
  uint64_t first, last;
  while (*old != '\0')
    if (!next_range(&old, &first, &last) || !has_range(seeds, first, last))
      return false;
  return true;
}

static bool is_continued(const struct provenance *now, const struct provenance_line *old)
{
  for (size_t i = 0; i < now->lines; i++) {
    const struct provenance_line *l = &now->line[i];
    if (strcmp(l->kind, old->kind) != 0)
      continue;
    if (strcmp(l->kind, "repeat") == 0)
      return strtoull(old->value, NULL, 10) <= strtoull(l->value, NULL, 10);
    if (strcmp(l->value, old->value) == 0 && has_seeds(l->seeds, old->seeds))
      return true;
  }
  return false;
}

/* True for an option of machines that the old campaign did not have: the old machines had the
 * default value, which no machine of the plan has. */
static bool is_new_option(const struct provenance *old, const struct provenance_line *l)
{
  const enum machine_option o = machine_find(l->kind);
  return o != MACHINE_OPTIONS && o != MACHINE_PLATFORM && provenance_find(old, l->kind) == NULL;
}

/* The first line of @p old that is missing in @p now.  If there is none: a line of @p now with a
 * new option of machines, and *now_only is set.  NULL: @p now continues @p old. */
static const struct provenance_line *find_other(const struct provenance *old,
                                                const struct provenance *now, bool *now_only)
{
  *now_only = false;
  for (size_t i = 0; i < old->lines; i++)
    if (!may_change(old->line[i].kind) && !is_continued(now, &old->line[i]))
      return &old->line[i];
  *now_only = true;
  for (size_t i = 0; i < now->lines; i++)
    if (is_new_option(old, &now->line[i]))
      return &now->line[i];
  return NULL;
}

static enum status remove_file(const char *folder, const char *name, struct err *e)
{
  OWNED char *path = mem_printf(e, "%s/%s", folder, name);
  if (path == NULL)
    return FAIL;
  cleanup_remove(path);
  return OK;
}

/* Removes platform-1.xml .. platform-4096.xml. */
static enum status remove_platforms(const char *folder, struct err *e)
{
  for (int i = 1; i <= MACHINE_MOST; i++) {
    char name[48];
    snprintf(name, sizeof name, "platform-%d.xml", i);
    if (remove_file(folder, name, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status empty_folder(const char *folder, struct err *e)
{
  static const char *const LEFT[] = {"results.tsv", "timings.tsv",     "repeats.tsv",
                                     "summary.tsv", "differences.tsv", "platform.xml",
                                     "runs"};
  for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++)
    if (remove_file(folder, LEFT[i], e) != OK)
      return FAIL;
  return remove_platforms(folder, e);
}

static enum status overwrite_folder(const char *folder, struct err *e)
{
  OWNED char *remote = mem_printf(e, "%s/on", folder);
  if (remote == NULL)
    return FAIL;
  return access(remote, F_OK) == 0
             ? err_set(e, "%s: runs of the campaign to overwrite are submitted: see %s/on", folder,
                       folder)
             : empty_folder(folder, e);
}

static enum status refuse(const char *folder, const struct provenance_line *l, bool now_only,
                          struct err *e)
{
  return err_set(e,
                 "%s: holds another campaign, %s %s %s%s%s: take another folder, or replace the "
                 "campaign with --overwrite",
                 folder, now_only ? "without" : "with", l->kind, l->value,
                 *l->seeds == '\0' ? "" : " seeds ", l->seeds);
}

/* True for the results.tsv of a campaign that was killed before it wrote its first line. */
static bool is_empty(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && st.st_size == 0;
}

static enum status claim(const char *folder, const struct plan *p, bool overwrite,
                         const char *results, struct provenance *old, struct err *e)
{
  struct provenance now = {.lines = 0};
  bool now_only;
  if (outfile_check_plain(results, e) != OK || provenance_load(old, results, e) != OK)
    return FAIL;
  if (is_empty(results))
    return OK;
  if (old->lines == 0)
    return overwrite ? overwrite_folder(folder, e)
                     : err_set(e,
                               "%s: not the results of a campaign: take another folder, or replace "
                               "the file with --overwrite",
                               results);
  enum status s = describe_plan(&now, p, e);
  if (s == OK) {
    const struct provenance_line *other = find_other(old, &now, &now_only);
    if (other != NULL)
      s = overwrite ? overwrite_folder(folder, e) : refuse(folder, other, now_only, e);
  }
  provenance_clear(&now);
  return s;
}

enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                  struct err *e)
{
  struct provenance old = {.lines = 0};
  OWNED char *results = mem_printf(e, "%s/results.tsv", folder);
  if (results == NULL)
    return FAIL;
  const enum status s =
      access(results, F_OK) == 0 ? claim(folder, p, overwrite, results, &old, e) : OK;
  provenance_clear(&old);
  return s;
}
