#include "campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "campaign/analysis/summary.h"
#include "campaign/folder.h"
#include "campaign/item.h"
#include "campaign/local.h"
#include "campaign/remote/remote.h"
#include "campaign/state.h"
#include "common/files/cleanup.h"
#include "common/files/outfile.h"
#include "common/mem.h"

/* --- the folder ------------------------------------------------------------------------------- */

/* Locks the folder against other commands, which would overwrite its files.  A POSIX record lock is
 * not inherited by the workers and ends with the process.  On a file system without locks nothing
 * prevents two commands in one folder. */
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
            ? err_set(e, "%s: another haichi compare is running in this folder", c->args->folder)
            : err_errno(e, path, "cannot lock");
  return s;
}

/* Writes the platform of a spec as a file that the user can inspect, if SimGrid can simulate it. */
static enum status save_platform(const struct machine *m, const char *folder, const char *name,
                                 struct err *e)
{
  if (!platform_is_spec(m->name) || !platform_savable(m->on))
    return OK;
  OWNED char *path = mem_printf(e, "%s/%s", folder, name);
  if (path == NULL || outfile_check_plain(path, e) != OK)
    return FAIL;
  return platform_save(m->on, path, e);
}

/* Writes platform.xml, or platform-1.xml and so on for several machines. */
static enum status save_platforms(const struct campaign_args *a, struct err *e)
{
  char name[48] = "platform.xml";
  enum status s = OK;
  for (size_t i = 0; s == OK && i < a->plan->machines; i++) {
    if (a->plan->machines > 1)
      snprintf(name, sizeof name, "platform-%zu.xml", i + 1);
    s = save_platform(&a->plan->machine[i], a->folder, name, e);
  }
  return s;
}

static enum status prepare_folder(struct campaign *c, struct err *e)
{
  const char *folder = c->args->folder;
  c->created = access(folder, F_OK) != 0;
  if (outfile_folder(folder, e) != OK || lock_folder(c, e) != OK ||
      campaign_folder_claim(folder, c->args->plan, c->args->overwrite, e) != OK ||
      (c->runs = mem_printf(e, "%s/runs", folder)) == NULL || outfile_folder(c->runs, e) != OK ||
      remote_look(c, e) != OK || (!c->shared && run_store_remove_partial(c->runs, e) != OK))
    return FAIL;
  return save_platforms(c->args, e);
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

/* --- the campaign ----------------------------------------------------------------------------- */

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

/* Writes the summary.  Also removes the temporary files of killed workers, unless other machines
 * may still be writing temporary files. */
static enum status write_tables(struct campaign *c, struct err *e)
{
  if ((!c->shared && run_store_remove_partial(c->runs, e) != OK) || rows_close(c->rows, e) != OK)
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
