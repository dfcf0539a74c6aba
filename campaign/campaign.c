#include "campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/analysis/summary.h"
#include "campaign/item.h"
#include "campaign/local.h"
#include "campaign/plan/plan.h"
#include "campaign/remote/remote.h"
#include "campaign/results/provenance.h"
#include "campaign/state.h"
#include "common/err.h"
#include "common/files/cleanup.h"
#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/mem.h"

/* The folder of a campaign: checks which campaign its results belong to, and empties it. */

/* True for lines that may differ between commands of one campaign.  Stored runs are checked one by
 * one (run/store.h). */
static bool may_change(const char *kind)
{
  static const char *const KINDS[] = {"haichi", "routes", "audit"};
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (strcmp(kind, KINDS[i]) == 0)
      return true;
  return false;
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
 * at the end of the text or if it has another form. */
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

/* True if @p seeds hold all seeds of @p old, both as "1..3,7..7". */
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

/* First line of @p old that @p now does not continue; NULL: it continues all lines. */
static const struct provenance_line *find_other(const struct provenance *old,
                                                const struct provenance *now)
{
  for (size_t i = 0; i < old->lines; i++)
    if (!may_change(old->line[i].kind) && !is_continued(now, &old->line[i]))
      return &old->line[i];
  return NULL;
}

static enum status empty_folder(const char *folder, struct err *e)
{
  static const char *const LEFT[] = {"results.tsv", "timings.tsv",     "repeats.tsv",
                                     "summary.tsv", "differences.tsv", "platform.xml",
                                     "runs"};
  for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++) {
    OWNED char *path = mem_printf(e, "%s/%s", folder, LEFT[i]);
    if (path == NULL)
      return FAIL;
    cleanup_remove(path);
  }
  return OK;
}

static enum status refuse(const char *folder, const struct provenance_line *l, bool overwrite,
                          struct err *e)
{
  OWNED char *remote = mem_printf(e, "%s/on", folder);
  if (remote == NULL)
    return FAIL;
  const bool busy = access(remote, F_OK) == 0;
  if (!overwrite)
    return err_set(
        e,
        "%s: holds another campaign, with %s %s%s%s: take another folder, or replace it by "
        "--overwrite",
        folder, l->kind, l->value, *l->seeds == '\0' ? "" : " seeds ", l->seeds);
  return busy ? err_set(e, "%s: runs of the campaign to overwrite are submitted: see %s/on", folder,
                        folder)
              : empty_folder(folder, e);
}

/* Checks that @p folder, which exists, has no results.tsv, or results of a campaign that @p p
 * continues: same platform and options, and all subjects, methods, seeds and repetitions of the
 * old campaign are in the plan.  If the folder holds another campaign, removes its tables and runs
 * if @p overwrite is set, and fails if not.  Pictures stay until they are drawn again
 * (plots/campaign_plots.h reports the others). */
static enum status campaign_folder_claim(const char *folder, const struct plan *p, bool overwrite,
                                         struct err *e)
{
  struct provenance old = {.lines = 0}, now = {.lines = 0};
  OWNED char *path = mem_printf(e, "%s/results.tsv", folder);
  if (path == NULL)
    return FAIL;
  enum status s = OK;
  if (access(path, F_OK) == 0 && (s = outfile_check_plain(path, e)) == OK &&
      (s = provenance_load(&old, path, e)) == OK && (s = describe_plan(&now, p, e)) == OK) {
    const struct provenance_line *other = find_other(&old, &now);
    s = other == NULL ? OK : refuse(folder, other, overwrite, e);
  }
  provenance_clear(&old);
  provenance_clear(&now);
  return s;
}

/* --- the folder ------------------------------------------------------------------------------- */

/* Two campaigns in one folder would overwrite each other's files.  A POSIX record lock is not
 * inherited by the workers and ends with the process.  On a file system without locks the user must
 * not start two campaigns at a time. */
static enum status lock_folder(struct campaign *c, struct err *e)
{
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  OWNED char *path = mem_printf(e, "%s/lock", c->args->folder);
  if (path == NULL)
    return FAIL;
  c->lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  enum status s = c->lock < 0 ? err_errno(e, path, "cannot open") : OK;
  if (s == OK && fcntl(c->lock, F_SETLK, &all) != 0 && errno != ENOLCK && errno != EOPNOTSUPP)
    s = errno == EACCES || errno == EAGAIN
            ? err_set(e, "%s: another haichi compare is at work there", c->args->folder)
            : err_errno(e, path, "cannot lock");
  return s;
}

/* Writes the platform of a spec as a file that the user can inspect, if SimGrid can simulate it. */
static enum status save_platform(const struct campaign_args *a, struct err *e)
{
  if (!platform_is_spec(a->plan->platform.name) || !platform_savable(a->plan->on))
    return OK;
  OWNED char *path = mem_printf(e, "%s/platform.xml", a->folder);
  if (path == NULL || outfile_check_plain(path, e) != OK)
    return FAIL;
  return platform_save(a->plan->on, path, e);
}

static enum status prepare_folder(struct campaign *c, struct err *e)
{
  const char *folder = c->args->folder;
  c->created = access(folder, F_OK) != 0;
  if (outfile_folder(folder, e) != OK || lock_folder(c, e) != OK ||
      campaign_folder_claim(folder, c->args->plan, c->args->overwrite, e) != OK ||
      (c->runs = mem_printf(e, "%s/runs", folder)) == NULL || outfile_folder(c->runs, e) != OK ||
      remote_look(c, e) != OK || (!c->shared && run_store_clean(c->runs, e) != OK))
    return FAIL;
  return save_platform(c->args, e);
}

static enum status take_finished(struct campaign *c, struct err *e)
{
  for (size_t i = 0; i < item_count(c->args); i++) {
    const struct run_worker w = item_worker(c->args, c->runs, i);
    const enum item_state state = item_load(c->args, c->runs, i, &c->result[i]);
    if (state != ITEM_STORED)
      progress_add(c->progress, item_group(c->args, i));
    if ((state != ITEM_STORED && run_worker_forget(&w, e) != OK) ||
        (state == ITEM_STORED && state_finish(c, i, e) != OK))
      return FAIL;
    c->outcome.kept += state == ITEM_STORED && c->result[i].status != RUN_OK;
  }
  return OK;
}

/* --- all -------------------------------------------------------------------------------------- */

static enum status open_all(struct campaign *c, struct err *e)
{
  const struct campaign_args *a = c->args;
  const size_t n = item_count(a);
  c->done = mem_array(n, sizeof *c->done, e);
  c->outcome.ok = c->done == NULL ? NULL : mem_array(n, sizeof *c->outcome.ok, e);
  c->result = c->outcome.ok == NULL ? NULL : mem_array(n, sizeof *c->result, e);
  if (c->result == NULL || prepare_folder(c, e) != OK ||
      progress_new(&c->progress, stderr, item_groups(a), e) != OK)
    return FAIL;
  return rows_open(&c->rows, a->plan, a->audit, a->folder, e);
}

static void close_all(struct campaign *c)
{
  remote_forget(c);
  progress_free(c->progress);
  rows_free(c->rows);
  free(c->done);
  free(c->result);
  free(c->runs);
  if (c->lock >= 0)
    close(c->lock);
}

/* Removes the temporary files of killed workers, unless other machines may still be writing theirs.
 */
static enum status write_tables(struct campaign *c, struct err *e)
{
  if ((!c->shared && run_store_clean(c->runs, e) != OK) || rows_close(c->rows, e) != OK)
    return FAIL;
  return summary_write(c->args->plan, c->result, c->args->folder, e);
}

static void keep_reason(struct campaign *c)
{
  for (size_t i = item_count(c->args); i-- > 0;)
    if (!c->outcome.ok[i])
      snprintf(c->outcome.reason, sizeof c->outcome.reason, "%.*s",
               (int)sizeof c->outcome.reason - 1, c->result[i].reason);
}

enum status campaign_run(const struct campaign_args *a, struct campaign_outcome *out, struct err *e)
{
  struct campaign c = {.args = a, .lock = -1};
  enum status s = open_all(&c, e);
  if (s == OK)
    s = take_finished(&c, e);
  if (s == OK)
    s = a->remote == NULL ? local_make(&c, e) : remote_make(&c, e);
  if (s == OK && !c.outcome.detached)
    s = write_tables(&c, e);
  if (s == OK)
    keep_reason(&c);
  if (s == OK)
    *out = c.outcome;
  else
    campaign_outcome_clear(&c.outcome);
  if (c.refused && c.created && c.outcome.submitted == 0)
    cleanup_remove(a->folder); /* nothing was submitted: undoes the creation of the folder */
  close_all(&c);
  return s;
}

void campaign_outcome_clear(struct campaign_outcome *o)
{
  free(o->ok);
  *o = (struct campaign_outcome){0};
}

char *campaign_extra(const struct campaign_args *a, size_t i, enum run_extra extra, struct err *e)
{
  OWNED char *runs = mem_printf(e, "%s/runs", a->folder);
  if (runs == NULL)
    return NULL;
  const struct run_worker w = {
      .plan = a->plan, .run = &a->plan->run[i], .options = a->plan->options, .folder = runs};
  return run_worker_extra(&w, extra, e);
}
