#include <string.h>

#include "campaign/analysis/overview.h"
#include "campaign/remote/status.h"
#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "plots/campaign_plots.h"

static enum status check_baseline(struct compare_args *a, const struct plan *p, struct err *e)
{
  if (a->baseline == NULL)
    a->baseline = p->method[plan_find_method(p, p->kind->default_baseline) % p->methods].label;
  if (plan_find_method(p, a->baseline) < p->methods)
    return OK;
  return err_set(e, "baseline '%s' is none of the %s (names without seeds: %s%s)", a->baseline,
                 p->kind->methods, p->method[0].label, p->methods > 1 ? ", ..." : "");
}

static enum status make_tables(const struct compare_args *a, const struct campaign_args *c,
                               struct campaign_outcome *out, struct err *e)
{
  if (campaign_run(c, out, e) != OK)
    return FAIL;
  if (out->detached)
    printf("%zu runs are submitted; haichi compare --status %s prints their progress\n",
           out->submitted, a->output);
  else
    printf("%s/results.tsv\n%s%s%s/summary.tsv\n%s/differences.tsv\n", a->output,
           c->plan->repeats > 1 ? a->output : "", c->plan->repeats > 1 ? "/repeats.tsv\n" : "",
           a->output, a->output);
  fflush(stdout);
  return OK;
}

static enum status failed_runs(const struct campaign_args *c, const struct campaign_outcome *out,
                               struct err *e)
{
  char again[128] = "";
  if (out->kept > 0)
    snprintf(again, sizeof again,
             "; %zu of them failed in an earlier command (--retry-failed repeats them)", out->kept);
  return err_set(e,
                 "%zu of %zu runs failed, the first one: %s; the reasons are in %s/results.tsv%s",
                 out->failed, c->plan->runs + c->audit->count, out->reason, c->folder, again);
}

static enum status run_campaign(const struct compare_args *a, const struct campaign_args *c,
                                struct err *e)
{
  struct campaign_outcome out;
  if (make_tables(a, c, &out, e) != OK)
    return FAIL;
  const struct campaign_plots plots = {
      .campaign = c, .ok = out.ok, .baseline = a->baseline, .format = a->format};
  enum status s = OK;
  if (!a->no_plots && !out.detached && cli_can_draw())
    s = campaign_plots_draw(&plots, stdout, e);
  if (s == OK && !out.detached)
    s = compare_explain(a, c, out.ok, e);
  if (s == OK && !out.detached)
    s = overview_print(c->plan->kind, a->output, a->baseline, stdout, e);
  if (s == OK && out.failed > 0 && !out.detached)
    s = failed_runs(c, &out, e);
  campaign_outcome_clear(&out);
  return s;
}

static enum status run_plan(struct compare_args *a, const struct plan *p, struct err *e)
{
  struct audit audit;
  const struct campaign_args c = compare_args_campaign(a, p, &audit);
  for (size_t i = 0; i < p->machines && p->kind == &kind_traces; i++) {
    const struct machine *m = &p->machine[i];
    cli_note_firewalls(m->on, &m->settings.options);
    cli_note_cores_each(m->on, m->settings.reading.collectives.ranks_per_host,
                        &m->settings.options);
  }
  if (check_baseline(a, p, e) != OK ||
      audit_draw(&audit, p, &a->settings, a->audit, a->seed, e) != OK)
    return FAIL;
  const enum status s = run_campaign(a, &c, e);
  audit_clear(&audit);
  return s;
}

static enum status run(struct compare_args *a, struct err *e)
{
  const struct plan_args what = compare_args_plan(a, NULL);
  const struct backend_spec *on = &a->remote.on;
  struct plan p;
  if (a->status != NULL)
    return status_print(a->status, stdout, e);
  if ((on->backend != NULL && on->backend->check(on, e) != OK) || plan_make(&p, &what, e) != OK)
    return FAIL;
  const enum status s = run_plan(a, &p, e);
  plan_clear(&p);
  return s;
}

static int run_command(int argc, char **argv)
{
  struct compare_args a;
  struct submission_words words;
  struct err e;
  if (argc == 4 && strcmp(argv[1], "--run-task") == 0)
    return compare_task(argv[2], argv[3]);
  /* Copies the words first, since parsing changes them. */
  if (submission_words_make(&words, argc, argv, &e) != OK)
    return cli_fail(&e);
  compare_args_parse(&a, argc, argv);
  a.remote.words = words;
  const enum status s = run(&a, &e);
  compare_args_clear(&a);
  return s == OK ? CLI_OK : cli_fail(&e);
}

const struct cli_command cmd_compare = {
    "compare", "compare mappers of traces or matrices, schedulers of networks; tables and plots",
    run_command};
