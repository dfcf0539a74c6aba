#include "campaign/remote/status.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/machine.h"
#include "campaign/remote/backend.h"
#include "campaign/remote/submission.h"
#include "campaign/results/provenance.h"
#include "common/mem.h"
#include "common/report.h"

struct look {
  const char *runs;
  struct report report;
  struct plan_words machine[MACHINE_OPTIONS]; /* values of the options in results.tsv */
  size_t subjects;                            /* number of subjects on each machine */
};

static bool is_made(const struct look *l, const struct submission_item *x)
{
  struct err ignored;
  OWNED char *path = mem_printf(&ignored, "%s/%s.tsv", l->runs, x->key);
  return path != NULL && access(path, F_OK) == 0;
}

/* Returns the number of items of a machine (-1: of all machines); *made is the number with a stored
 * result. */
static size_t count(const struct look *l, const struct submission *s, int64_t machine, size_t *made)
{
  size_t n = 0;
  *made = 0;
  for (size_t i = 0; i < s->items; i++)
    if (machine < 0 || s->item[i].subject / l->subjects == (size_t)machine) {
      n++;
      *made += is_made(l, &s->item[i]);
    }
  return n;
}

/* --- machines --------------------------------------------------------------------------------- */

static enum status take_line(struct look *l, const struct provenance_line *line, size_t *inputs,
                             size_t *loads, struct err *e)
{
  const enum machine_option o = machine_find(line->kind);
  *loads += strcmp(line->kind, "load") == 0;
  for (size_t i = 0; registry_at(&kinds, i) != NULL; i++) {
    const struct kind *k = registry_at(&kinds, i);
    *inputs += strcmp(line->kind, k->subject[0]) == 0;
  }
  if (o == MACHINE_OPTIONS)
    return OK;
  struct plan_words *w = &l->machine[o];
  if (MEM_GROW(w->word, w->room, w->count + 1, e) != OK)
    return FAIL;
  w->word[w->count++] = line->value;
  return OK;
}

/* Reads the machines of the campaign from its provenance; @p about owns the texts. */
static enum status find_machines(struct look *l, const struct provenance *about, struct err *e)
{
  size_t inputs = 0, loads = 0;
  for (size_t i = 0; i < about->lines; i++)
    if (take_line(l, &about->line[i], &inputs, &loads, e) != OK)
      return FAIL;
  l->subjects = inputs * (loads == 0 ? 1 : loads);
  return OK;
}

/* Reports the runs of each machine, if there are several. */
static enum status print_machines(struct look *l, const struct submission *s, struct err *e)
{
  const size_t machines = l->subjects == 0 ? 1 : machine_count(l->machine);
  for (size_t m = 0; machines > 1 && m < machines; m++) {
    const char *value[MACHINE_OPTIONS];
    size_t made, n = count(l, s, (int64_t)m, &made);
    machine_choose(value, l->machine, m);
    for (int o = MACHINE_PLATFORM + 1; o < MACHINE_OPTIONS; o++)
      value[o] = l->machine[o].count > 1 ? value[o] : NULL;
    char *label = machine_label(value, e);
    if (label == NULL)
      return FAIL;
    report_text(&l->report, "platform", label);
    report_u64(&l->report, "platform_runs", n);
    report_u64(&l->report, "platform_runs_made", made);
    free(label);
  }
  return OK;
}

/* --- submissions ------------------------------------------------------------------------------ */

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
  if (v.reason[0] != '\0')
    report_text(&l->report, "reason", v.reason);
}

static enum status print_submission(void *arg, const char *path, struct err *e)
{
  struct look *l = arg;
  struct submission s;
  const struct backend *on;
  struct backend_handle job;
  if (submission_open(&s, path, 0, e) != OK)
    return FAIL;
  enum status status = submission_job(&s, &on, &job, e);
  size_t made, items = count(l, &s, -1, &made);
  report_text(&l->report, "submission", path);
  report_text(&l->report, "on", on == NULL ? "" : on->name);
  report_u64(&l->report, "runs", items);
  report_u64(&l->report, "runs_made", made);
  report_u64(&l->report, "tasks", s.tasks);
  if (on != NULL)
    print_job(l, on, &job);
  if (status == OK)
    status = print_machines(l, &s, e);
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

static enum status print_all(struct look *l, const char *folder, const struct provenance *about,
                             uint64_t stored, FILE *f, struct err *e)
{
  const uint64_t rows = provenance_rows(about);
  report_begin(&l->report, f, NULL);
  if (rows > 0)
    report_u64(&l->report, "campaign_runs", rows * provenance_repeats(about));
  report_u64(&l->report, "runs_stored", stored);
  const enum status s = submission_each(folder, print_submission, l, e);
  report_end(&l->report);
  return s;
}

/* Without results.tsv the campaign has not begun, and its machines are unknown. */
static enum status load_provenance(struct provenance *about, const char *folder, struct err *e)
{
  OWNED char *path = mem_printf(e, "%s/results.tsv", folder);
  if (path == NULL)
    return FAIL;
  return access(path, F_OK) == 0 ? provenance_load(about, path, e) : OK;
}

enum status status_print(const char *folder, FILE *f, struct err *e)
{
  struct look l = {.runs = NULL};
  struct provenance about = {.lines = 0};
  uint64_t stored;
  char *runs = mem_printf(e, "%s/runs", folder);
  enum status s = runs == NULL ? FAIL : count_stored(runs, &stored, e);
  l.runs = runs;
  if (s == OK)
    s = load_provenance(&about, folder, e);
  if (s == OK)
    s = find_machines(&l, &about, e);
  if (s == OK)
    s = print_all(&l, folder, &about, stored, f, e);
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    free(l.machine[o].word);
  provenance_clear(&about);
  free(runs);
  return s;
}
