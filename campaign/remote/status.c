#include "campaign/remote/status.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/remote/backend.h"
#include "campaign/remote/submission.h"
#include "common/mem.h"
#include "common/report.h"

struct look {
  const char *runs;
  struct report report;
};

static size_t count_made(const struct look *l, const struct submission *s)
{
  size_t n = 0;
  for (size_t i = 0; i < s->items; i++) {
    struct err ignored;
    OWNED char *path = mem_printf(&ignored, "%s/%s.tsv", l->runs, s->item[i].key);
    n += path != NULL && access(path, F_OK) == 0;
  }
  return n;
}

static void print_job(struct look *l, const struct backend *b, struct backend_handle *h)
{
  struct backend_view v;
  b->poll(h, &v);
  report_text(&l->report, "job", h->id);
  report_text(&l->report, "state", !v.known ? "unknown" : v.alive ? "at work" : "over");
  if (v.known)
    report_u64(&l->report, "tasks_running", v.running);
  if (v.known)
    report_u64(&l->report, "tasks_waiting", v.waiting);
  if (v.says[0] != '\0')
    report_text(&l->report, "reason", v.says);
}

static enum status print_submission(void *arg, const char *path, struct err *e)
{
  struct look *l = arg;
  struct submission s;
  const struct backend *on;
  struct backend_handle job;
  if (submission_open(&s, path, 0, e) != OK)
    return FAIL;
  const enum status status = submission_job(&s, &on, &job, e);
  report_text(&l->report, "submission", path);
  report_text(&l->report, "on", on == NULL ? "" : on->name);
  report_u64(&l->report, "runs", s.items);
  report_u64(&l->report, "runs_made", count_made(l, &s));
  report_u64(&l->report, "tasks", s.tasks);
  if (on != NULL)
    print_job(l, on, &job);
  submission_clear(&s);
  return status;
}

/* True for results, KEY.tsv, and false for files for pictures. */
static int is_result(const struct dirent *d)
{
  const char *dot = strchr(d->d_name, '.');
  return dot != NULL && dot != d->d_name && strcmp(dot, ".tsv") == 0;
}

static enum status count_stored(const char *runs, uint64_t *count, struct err *e)
{
  DIR *d = opendir(runs);
  const struct dirent *entry;
  *count = 0;
  if (d == NULL)
    return err_errno(e, runs, "cannot open");
  while ((entry = readdir(d)) != NULL)
    *count += (uint64_t)is_result(entry);
  closedir(d);
  return OK;
}

enum status status_print(const char *folder, FILE *f, struct err *e)
{
  struct look l = {.runs = NULL};
  uint64_t stored;
  char *runs = mem_printf(e, "%s/runs", folder);
  enum status s = runs == NULL ? FAIL : count_stored(runs, &stored, e);
  if (s == OK) {
    l.runs = runs;
    report_begin(&l.report, f, NULL);
    report_u64(&l.report, "runs_stored", stored);
    s = submission_each(folder, print_submission, &l, e);
    report_end(&l.report);
  }
  free(runs);
  return s;
}
