/* Campaigns of traffic matrices: each mapper places each matrix, and its mapping is scored. Nothing
 * is simulated; mappers are compared by the estimated time. */
#include <stdlib.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/placement.h"
#include "campaign/plan/plan.h"
#include "campaign/run/experiment.h"
#include "campaign/run/worker.h"
#include "common/mem.h"
#include "mappers/mapper.h"
#include "traces/matrix/spec.h"

/* --- matrices --------------------------------------------------------------------------------- */

static enum status checksum(struct plan_subject *x, char *hex, struct err *e)
{
  return checksum_file(x->file.name, hex, e);
}

/* Reads the number of ranks.  A bad spec is an error.  An invalid file makes only its runs fail;
 * their identity contains the checksum of the file. */
static enum status look_at_matrix(const struct plan *p, struct plan_subject *x, struct err *e)
{
  const char *name = x->file.name;
  const bool spec = matrix_spec_is(name);
  struct matrix m;
  struct err why;
  if (!spec && (plan_check_lasting(name, e) != OK || checksum(x, x->file.checksum, e) != OK))
    return FAIL;
  if (matrix_spec_open(&m, name, &p->matrix, &why) == OK) {
    x->ranks = m.ranks;
    matrix_clear(&m);
    return OK;
  }
  if (!spec)
    return plan_keep_problem(x, &why, e);
  *e = why;
  return FAIL;
}

/* Opens the matrix, unless it was opened for another machine. */
static enum status check_matrix(const struct plan *p, const struct plan_args *a,
                                struct plan_subject *x, size_t input, struct err *e)
{
  const struct plan_subject *known = plan_find_opened(p, input, a->subject.count);
  const enum status s = known == NULL ? look_at_matrix(p, x, e) : plan_copy_file(x, known, e);
  x->opened = s == OK;
  return s == OK ? placement_check_room(p, x, e) : FAIL;
}

static enum status add_matrix(struct plan *p, const struct plan_args *a, size_t machine,
                              size_t input, struct err *e)
{
  struct plan_subject *x;
  if (placement_add_subject(p, a, machine, input, &x, e) != OK)
    return FAIL;
  return a->needed == NULL || a->needed[p->subjects - 1] ? check_matrix(p, a, x, input, e) : OK;
}

/* Reads the matrix once for all runs. */
static void open_matrix(const struct plan *p, size_t i)
{
  struct plan_subject *x = &p->subject[i];
  struct err why, e;
  if (x->problem == NULL && x->matrix.ranks == 0 &&
      matrix_spec_open(&x->matrix, x->file.name, &p->matrix, &why) != OK)
    plan_keep_problem(x, &why, &e); /* if this fails, each run fails because it has no ranks */
}

static void drop_matrix(const struct plan *p, size_t i)
{
  matrix_clear(&p->subject[i].matrix);
}

/* --- the kind --------------------------------------------------------------------------------- */

/* Refuses mappers that need simulated times. */
static enum status check_mappers(const struct plan *p, struct err *e)
{
  const struct mapper *row;
  for (size_t i = 0; i < p->methods; i++) {
    const char *spec = p->method[i].spec;
    if (mapper_is_spec(spec) && mapper_find(spec, &row, NULL, e) != OK)
      return FAIL;
    if (mapper_is_spec(spec) && row->simulates == MAPPER_SIMULATES)
      return err_set(e, "mapper '%s' simulates candidates: it needs --trace", row->name);
  }
  return OK;
}

static const struct cli_option OPTIONS[] = {
    {.kind = OPTION_TABLE, .table = job_settings_options},
    {.kind = OPTION_TABLE, .table = matrix_options},
    {.name = NULL},
};

static char *options_text(const struct plan *p, const struct settings *settings, struct err *e)
{
  static const struct matrix_reading USUAL = {.format = NULL};
  OWNED char *all = settings_text(settings, &cli_option_key, e);
  OWNED char *own =
      all == NULL ? NULL : cli_option_text(&cli_option_key, matrix_options, &p->matrix, &USUAL, e);
  return own == NULL ? NULL : mem_printf(e, "%s%s%s", all, *own == '\0' ? "" : " ", own);
}

static enum status add_to_machine(struct plan *p, const struct plan_args *a, size_t m,
                                  struct err *e)
{
  const struct platform *on = p->machine[m].on;
  if (on != NULL && platform_need_routes(on, "metrics of matrices", e) != OK)
    return FAIL;
  for (size_t i = 0; i < a->subject.count; i++)
    if (add_matrix(p, a, m, i, e) != OK)
      return FAIL;
  return OK;
}

/* The groups of columns include the simulation, so that tables of traces and of matrices have equal
 * columns. */
static enum status add(struct plan *p, const struct plan_args *a, struct err *e)
{
  p->matrix = a->matrix;
  if ((p->subject = mem_array(plan_subjects(a), sizeof *p->subject, e)) == NULL ||
      placement_add(p, a, e) != OK || check_mappers(p, e) != OK)
    return FAIL;
  for (size_t m = 0; m < p->machines; m++)
    if (add_to_machine(p, a, m, e) != OK)
      return FAIL;
  p->groups = RUN_BIT(RUN_SIM) | RUN_BIT(RUN_METRICS) | placement_groups(p);
  p->options = options_text(p, &a->settings, e);
  return p->options != NULL ? OK : FAIL;
}

static enum status make(const struct run_worker *w, char *const extra[RUN_EXTRAS],
                        struct run_result *r, struct err *e)
{
  (void)extra; /* matrices leave no files */
  struct plan_subject *x = &w->plan->subject[w->run->subject];
  const struct experiment one = {.platform = plan_machine(w->plan, w->run->subject)->on,
                                 .trace = &x->trace,
                                 .mapping = w->run->spec,
                                 .settings = w->settings};
  return experiment_score(&one, &x->matrix, r, e);
}

const struct kind kind_matrices = {
    .name = "matrices",
    .subject = {"matrix"},
    .method = "mapper",
    .seeds = true,
    .time = "estimated_time_s",
    .methods = "mappers",
    .spread = RUN_SPREAD,
    .timings = RUN_BIT(RUN_TIMING),
    .test = "Welch's over the seeds on one matrix, paired over the matrices for matrix *",
    .default_baseline = "xyz",
    .options = OPTIONS,
    .add = add,
    .print = placement_print,
    .print_run = placement_print_run,
    .prepare = open_matrix,
    .drop = drop_matrix,
    .checksum = checksum,
    .make = make,
};
