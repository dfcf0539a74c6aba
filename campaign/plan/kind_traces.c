/* Campaigns of traces: each mapper places each trace, which is then replayed. */
#include <string.h>
#include <unistd.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/placement.h"
#include "campaign/plan/plan.h"
#include "campaign/run/experiment.h"
#include "campaign/run/worker.h"
#include "common/mem.h"
#include "traces/generators/generator.h"

/* --- traces ----------------------------------------------------------------------------------- */

/* Refuses standard input and pipes.  A name without a file may be the prefix of a set of files. */
static enum status check_lasting(const char *name, struct err *e)
{
  const bool file = strcmp(name, "-") == 0 || access(name, F_OK) == 0;
  return file && !generator_is_spec(name) ? plan_check_lasting(name, e) : OK;
}

static enum status checksum(struct plan_subject *t, char *hex, struct err *e)
{
  struct trace *trace;
  struct err why;
  return input_trace_open(&t->trace, &trace, &why) == OK ? checksum_trace(trace, hex, e)
                                                         : checksum_file(t->file.name, hex, e);
}

/* Reads the number of ranks.  A bad spec is an error.  An invalid file makes only its runs fail;
 * their identity contains the checksum of the file. */
static enum status look_at_trace(struct plan_subject *t, struct err *e)
{
  const char *name = t->file.name;
  struct trace *trace;
  struct err why;
  if (check_lasting(name, e) != OK)
    return FAIL;
  if (input_trace_open(&t->trace, &trace, &why) == OK) {
    t->ranks = trace_ranks(trace);
    return trace_input(trace, 0) == NULL ? OK : checksum_trace(trace, t->file.checksum, e);
  }
  if (!generator_is_spec(name) && checksum_file(name, t->file.checksum, e) == OK)
    return plan_keep_problem(t, &why, e);
  *e = why;
  return FAIL;
}

/* Opens the trace, unless it was opened for another machine. */
static enum status check_trace(struct plan *p, const struct plan_args *a, struct plan_subject *t,
                               size_t input, struct err *e)
{
  const struct plan_subject *known = plan_find_opened(p, input, a->subject.count);
  enum status s = OK;
  if (known == NULL) {
    s = look_at_trace(t, e);
    input_trace_close_files(&t->trace);
  } else {
    s = plan_copy_file(t, known, e);
  }
  t->opened = s == OK;
  return s == OK ? placement_check_room(p, t, e) : FAIL;
}

static enum status add_trace(struct plan *p, const struct plan_args *a, size_t machine,
                             size_t input, struct err *e)
{
  struct plan_subject *t;
  if (placement_add_subject(p, a, machine, input, &t, e) != OK)
    return FAIL;
  t->trace.name = t->file.name;
  return a->needed == NULL || a->needed[p->subjects - 1] ? check_trace(p, a, t, input, e) : OK;
}

/* Reads the traffic and the phases once for all runs. */
static void count_traffic(const struct plan *p, size_t i)
{
  struct plan_subject *t = &p->subject[i];
  const struct matrix *traffic;
  const struct phases *phases;
  struct err why, e;
  if (t->problem != NULL)
    return;
  if (input_trace_traffic(&t->trace, &traffic, &why) != OK ||
      (!platform_is_opaque(plan_machine(p, i)->on) &&
       input_trace_phases(&t->trace, NULL, &phases, &why) != OK))
    plan_keep_problem(t, &why, &e); /* if this fails, each run counts the traffic and fails */
}

static void drop_trace(const struct plan *p, size_t i)
{
  input_trace_clear(&p->subject[i].trace);
}

/* --- the kind --------------------------------------------------------------------------------- */

static enum status add(struct plan *p, const struct plan_args *a, struct err *e)
{
  if ((p->subject = mem_array(plan_subjects(a), sizeof *p->subject, e)) == NULL ||
      placement_add(p, a, e) != OK)
    return FAIL;
  for (size_t m = 0; m < p->machines; m++)
    for (size_t i = 0; i < a->subject.count; i++)
      if (add_trace(p, a, m, i, e) != OK)
        return FAIL;
  p->groups = experiment_groups(&a->settings) | RUN_BIT(RUN_METRICS) | placement_groups(p);
  p->options = settings_text(&a->settings, &cli_option_key, e);
  return p->options != NULL ? OK : FAIL;
}

static enum status make(const struct run_worker *w, char *const extra[RUN_EXTRAS],
                        struct run_result *r, struct err *e)
{
  const struct experiment x = {.platform = plan_machine(w->plan, w->run->subject)->on,
                               .trace = &w->plan->subject[w->run->subject].trace,
                               .mapping = w->run->spec,
                               .settings = w->settings,
                               .load_seed = w->run->repeat,
                               .links = extra[RUN_LINKS],
                               .matrix = extra[RUN_MATRIX]};
  return experiment_run(&x, r, e);
}

const struct kind kind_traces = {
    .name = "traces",
    .subject = {"trace"},
    .method = "mapper",
    .seeds = true,
    .time = "simulated_time_s",
    .methods = "mappers",
    .spread = RUN_SPREAD,
    .timings = RUN_BIT(RUN_TIMING),
    .extras = true,
    .test = "Welch's test over the runs on one trace, paired over the traces for trace *",
    .default_baseline = "xyz",
    .options = job_settings_options,
    .add = add,
    .print = placement_print,
    .print_run = placement_print_run,
    .prepare = count_traffic,
    .drop = drop_trace,
    .checksum = checksum,
    .make = make,
};
