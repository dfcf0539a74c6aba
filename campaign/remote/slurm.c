/* Back end slurm: a job array, submitted by sbatch, followed by squeue, cancelled by scancel. */
#include <inttypes.h>
#include <string.h>

#include "campaign/remote/backend.h"
#include "campaign/remote/tool.h"
#include "common/mem.h"
#include "common/num.h"

/* Seconds within which Slurm's programs have to answer. */
enum { SUBMIT_S = 120, ANSWER_S = 60 };

/* Options that haichi itself gives, or that change the output or the behaviour of sbatch. */
static const char *const OWN[] = {"--array", "--wrap", "--wait", "--test-only", "--parsable"};

static enum status check(const struct backend_spec *s, struct err *e)
{
  for (size_t i = 0; i < s->options; i++)
    for (size_t k = 0; k < sizeof OWN / sizeof *OWN; k++)
      if (strncmp(s->option[i], OWN[k], strcspn(s->option[i], "=")) == 0)
        return err_set(e, "--on slurm: %s cannot be given: haichi submits an array", s->option[i]);
  if (tool_exists("sbatch") && tool_exists("squeue") && tool_exists("scancel"))
    return OK;
  return err_set(e, "--on slurm: no sbatch, squeue and scancel in PATH: run it where Slurm is "
                    "installed, or leave --on out to make the runs on this machine");
}

/* --- submit ----------------------------------------------------------------------------------- */

/* Skips the prefixes of a message such as "sbatch: error: Batch job submission failed: Invalid". */
static const char *reason_of(const char *message)
{
  static const char *const HEADS[] = {"sbatch: ",
                                      "squeue: ",
                                      "error: ",
                                      "fatal: ",
                                      "Batch job submission failed: ",
                                      "slurm_load_jobs error: "};
  for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++)
    if (strncmp(message, HEADS[i], strlen(HEADS[i])) == 0)
      message += strlen(HEADS[i]);
  return *message == '\0' ? "no reason given" : message;
}

/* The first line is "12", or "12;cluster" if Slurm has several clusters. */
static enum status take_id(struct tool *t, struct backend_handle *h, struct err *e)
{
  char line[BACKEND_ID_SIZE] = "";
  if (t->code != 0)
    return err_set(e, "sbatch refused the job array: %s; change the options of --on slurm",
                   reason_of(t->message));
  if (fgets(line, sizeof line, t->out.f) == NULL || strspn(line, "0123456789") == 0)
    return err_set(e, "sbatch printed no id of the job array: '%.80s'", line);
  line[strspn(line, "0123456789")] = '\0';
  snprintf(h->id, sizeof h->id, "%s", line);
  return OK;
}

static enum status run_sbatch(const char *const *argv, struct backend_handle *h, struct err *e)
{
  struct tool t;
  if (tool_run(&t, argv, SUBMIT_S, e) != OK)
    return FAIL;
  const enum status s = take_id(&t, h, e);
  memfile_close(&t.out);
  return s;
}

static bool is_given(const struct backend_spec *s, const char *name)
{
  for (size_t i = 0; i < s->options; i++)
    if (strncmp(s->option[i], name, strlen(name)) == 0)
      return true;
  return false;
}

/* Later options override earlier ones, so the options of the user come last.  Slurm restarts the
 * tasks of a lost node after two minutes.  If haichi waits for the tasks, it forbids this, since it
 * submits lost items again sooner. */
static enum status submit(const struct backend_call *c, struct backend_handle *h, struct err *e)
{
  char array[40], cores[40], avoid[BACKEND_TEXT + 16];
  const char *own[10] = {
      "sbatch", "--parsable", "--job-name=haichi", "--output=/dev/null", "--ntasks=1",
      array,    cores};
  size_t n = 7;
  snprintf(array, sizeof array, "--array=1-%" PRIu32, c->tasks);
  snprintf(cores, sizeof cores, "--cpus-per-task=%" PRIu32, c->cores);
  snprintf(avoid, sizeof avoid, "--exclude=%s", c->avoid);
  if (!c->detach)
    own[n++] = "--no-requeue";
  if (c->avoid[0] != '\0' && !is_given(c->spec, "--exclude=") && !is_given(c->spec, "--nodelist="))
    own[n++] = avoid;
  OWNED const char **argv = mem_array(n + c->spec->options + 2, sizeof *argv, e);
  if (argv == NULL)
    return FAIL;
  memcpy(argv, own, n * sizeof *argv);
  for (size_t i = 0; i < c->spec->options; i++)
    argv[n++] = c->spec->option[i];
  argv[n++] = c->script;
  return run_sbatch(argv, h, e);
}

/* --- poll ------------------------------------------------------------------------------------- */

enum fate { RUNS, ENDED, FAILED, KILLED, LATE };

static const struct {
  const char *state;
  enum fate fate;
} FATES[] = {
    {"RUNNING", RUNS},     {"COMPLETING", RUNS}, {"CONFIGURING", RUNS},     {"SUSPENDED", RUNS},
    {"COMPLETED", ENDED},  {"FAILED", FAILED},   {"NODE_FAIL", FAILED},     {"BOOT_FAIL", FAILED},
    {"PREEMPTED", FAILED}, {"REVOKED", FAILED},  {"OUT_OF_MEMORY", FAILED}, {"CANCELLED", KILLED},
    {"TIMEOUT", LATE},     {"DEADLINE", LATE},
};
enum { FATE_COUNT = sizeof FATES / sizeof *FATES };

/* Index of a state as squeue ("CANCELLED") or sacct ("CANCELLED by 0") writes it. */
static size_t find_state(const char *state)
{
  const size_t n = strcspn(state, " +");
  size_t i = 0;
  while (i < FATE_COUNT && (strncmp(FATES[i].state, state, n) != 0 || FATES[i].state[n] != '\0'))
    i++;
  return i;
}

static bool has_name(const char *list, const char *name)
{
  const size_t n = strlen(name);
  for (const char *p = list; (p = strstr(p, name)) != NULL; p++)
    if ((p == list || p[-1] == ',') && (p[n] == ',' || p[n] == '\0'))
      return true;
  return false;
}

static void add_name(char *list, const char *name)
{
  const size_t n = strlen(list), size = strlen(name);
  if (size == 0 || has_name(list, name) || n + size + 2 > BACKEND_TEXT)
    return;
  snprintf(list + n, BACKEND_TEXT - n, "%s%s", n == 0 ? "" : ",", name);
}

/* Number of tasks in a list such as "3-7,9%2" or "[3-7]".  Slurm may truncate a long list. */
static uint32_t count_tasks(char *text)
{
  uint32_t count = 0;
  text[strcspn(text, "%]")] = '\0';
  text += *text == '[';
  for (char *word; (word = strsep(&text, ",")) != NULL;) {
    uint32_t first, last;
    char *dash = strchr(word, '-');
    if (dash != NULL)
      *dash = '\0';
    if (num_short(word, &first) && num_short(dash == NULL ? word : dash + 1, &last) &&
        first <= last)
      count += last - first + 1;
  }
  return count;
}

static void take_fate(struct backend_view *v, enum fate fate)
{
  const enum backend_loss loss = fate == KILLED ? BACKEND_CANCELLED
                                 : fate == LATE ? BACKEND_TIME
                                                : BACKEND_LOST;
  if (loss > v->loss)
    v->loss = loss;
}

static void note_failure(struct backend_handle *h, const char *task)
{
  uint32_t n;
  if (h->failed != NULL && num_short(task, &n) && n <= h->tasks)
    h->failed[n] = true;
}

/* Parses a line of squeue: "TASKS|STATE|REASON|HOST". */
static void take_line(char *line, struct backend_handle *h, struct backend_view *v, char *good)
{
  char *field[4], *rest = line, *end = line + strcspn(line, "\n");
  *end = '\0';
  for (size_t i = 0; i < 4; i++)
    field[i] = rest == NULL ? end : strsep(&rest, "|");
  const size_t i = find_state(field[1]);
  if (i == FATE_COUNT) {
    v->alive = true;
    v->waiting += count_tasks(field[0]);
    snprintf(v->reason, sizeof v->reason, "%s", field[2]);
    return;
  }
  v->running += FATES[i].fate == RUNS;
  v->alive |= FATES[i].fate == RUNS;
  take_fate(v, FATES[i].fate);
  if (FATES[i].fate == FAILED) {
    note_failure(h, field[0]);
    add_name(v->avoid, field[3]);
  }
  if (FATES[i].fate == ENDED)
    add_name(good, field[3]);
}

/* Asks sacct about a job that squeue no longer lists. */
static void ask_accounting(struct backend_handle *h, struct backend_view *v)
{
  const char *argv[] = {"sacct", "-n", "-X", "-P", "-o", "State", "-j", h->id, NULL};
  char line[BACKEND_TEXT];
  struct err ignored;
  struct tool t;
  if (!tool_exists("sacct") || tool_run(&t, argv, ANSWER_S, &ignored) != OK)
    return;
  while (t.code == 0 && fgets(line, sizeof line, t.out.f) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    const size_t i = find_state(line);
    if (i < FATE_COUNT)
      take_fate(v, FATES[i].fate);
  }
  memfile_close(&t.out);
}

/* True if @p others has a name that @p list does not have.  Splits @p others in place. */
static bool is_beyond(const char *list, char *others)
{
  bool found = false;
  for (char *name; (name = strsep(&others, ",")) != NULL && !found;)
    found = *name != '\0' && !has_name(list, name);
  return found;
}

static void take_answer(struct tool *t, struct backend_handle *h, struct backend_view *v)
{
  char line[1024];
  char good[BACKEND_TEXT] = "";
  bool any = false;
  const bool gone = t->code != 0 && strstr(t->message, "Invalid job id") != NULL;
  v->known = t->code == 0 || gone;
  if (!v->known)
    snprintf(v->reason, sizeof v->reason, "%.255s", reason_of(t->message));
  while (t->code == 0 && fgets(line, sizeof line, t->out.f) != NULL) {
    take_line(line, h, v, good);
    any = true;
  }
  if (!is_beyond(v->avoid, good)) /* no success on another host: the runs may be at fault */
    v->avoid[0] = '\0';
  if (v->known && !any)
    ask_accounting(h, v);
}

static void poll_array(struct backend_handle *h, struct backend_view *v)
{
  const char *argv[] = {"squeue", "-h", "-t", "all", "-o", "%K|%T|%r|%N", "-j", h->id, NULL};
  struct err e;
  struct tool t;
  *v = (struct backend_view){0};
  if (h->failed != NULL)
    memset(h->failed, 0, (h->tasks + (size_t)1) * sizeof *h->failed);
  if (tool_run(&t, argv, ANSWER_S, &e) != OK) {
    snprintf(v->reason, sizeof v->reason, "%.255s", e.text);
    return;
  }
  take_answer(&t, h, v);
  memfile_close(&t.out);
}

static void cancel(struct backend_handle *h)
{
  const char *argv[] = {"scancel", h->id, NULL};
  struct err ignored;
  struct tool t;
  if (tool_run(&t, argv, ANSWER_S, &ignored) == OK)
    memfile_close(&t.out);
}

const struct backend backend_slurm = {
    .name = "slurm",
    .title = "Slurm",
    .help = "a job array of Slurm; options are those of sbatch, as slurm:partition=long,time=30",
    .check = check,
    .submit = submit,
    .poll = poll_array,
    .cancel = cancel};
