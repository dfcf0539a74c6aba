#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/remote/task.h"
#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "common/mem.h"
#include "common/num.h"

static enum status make_task(const struct compare_args *a, const struct submission *s,
                             const bool *needed, struct err *e)
{
  const struct plan_args what = compare_args_plan(a, needed);
  struct plan p;
  struct audit audit;
  if (plan_make(&p, &what, e) != OK)
    return FAIL;
  enum status status = audit_draw(&audit, &p, &a->settings, a->audit, a->seed, e);
  if (status == OK) {
    const struct campaign_args c = compare_args_campaign(a, &p, &audit);
    status = task_make(&c, s, e);
    audit_clear(&audit);
  }
  plan_clear(&p);
  return status;
}

static enum status need_subjects(const struct compare_args *a, const struct submission *s,
                                 struct err *e)
{
  const struct plan_args what = compare_args_plan(a, NULL);
  const size_t subjects = plan_subjects(&what);
  bool *needed = mem_array(subjects, sizeof *needed, e);
  enum status status = needed == NULL ? FAIL : OK;
  for (size_t i = 0; i < s->items && status == OK; i++) {
    if (s->item[i].subject < subjects)
      needed[s->item[i].subject] = true;
    else
      status = err_set(e, "%s: a task has %s number %zu, but the command has only %zu", s->path,
                       what.kind->subject[0], s->item[i].subject, subjects);
  }
  if (status == OK && s->items > 0)
    status = make_task(a, s, needed, e);
  free(needed);
  return status;
}

/* Enters the working directory of the command that submitted the task, parses the words of the
 * command, and executes the task. */
static enum status execute_task(const struct submission_words *w, const struct submission *s,
                                struct err *e)
{
  static char NAME[] = "haichi compare";
  struct compare_args a;
  if (w->count == 0)
    return err_set(e, "%s/words: no folder and no command", s->path);
  if (chdir(w->word[0]) != 0)
    return err_errno(e, w->word[0], "cannot enter the folder");
  char **argv = mem_array(w->count + 1, sizeof *argv, e);
  if (argv == NULL)
    return FAIL;
  memcpy(argv, w->word, w->count * sizeof *argv);
  argv[0] = NAME;
  compare_args_parse(&a, (int)w->count, argv);
  const enum status status = need_subjects(&a, s, e);
  compare_args_clear(&a);
  free(argv);
  return status;
}

/* Name of this machine: the name of the Slurm node, the host name, or "task". */
static const char *node_name(void)
{
  const char *name = getenv("SLURMD_NODENAME");
  if (name == NULL)
    name = getenv("HOSTNAME");
  return name == NULL ? "task" : name;
}

int compare_task(const char *path, const char *number)
{
  struct submission_words words = {.text = NULL};
  struct submission s = {.path = NULL};
  uint64_t task;
  struct err e;
  enum status status = num_u64(number, UINT32_MAX, &task, &e);
  if (status == OK && task == 0)
    status = err_set(&e, "tasks are numbered from 1");
  if (status == OK)
    status = submission_open(&s, path, (uint32_t)task, &e);
  if (status == OK)
    status = submission_words_read(&words, path, &e);
  if (status == OK)
    status = execute_task(&words, &s, &e);
  submission_words_clear(&words);
  submission_clear(&s);
  if (status == OK)
    return CLI_OK;
  struct err named;
  err_set(&named, "%s: %s", node_name(), e.text);
  return cli_fail(&named);
}
