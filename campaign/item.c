#include "campaign/item.h"

#include <stdio.h>

size_t item_count(const struct campaign_args *a)
{
  return a->plan->runs + a->audit->count;
}

static bool is_audit(const struct campaign_args *a, size_t i)
{
  return i >= a->plan->runs;
}

const struct plan_run *item_run(const struct campaign_args *a, size_t i)
{
  return &a->plan->run[is_audit(a, i) ? a->audit->run[i - a->plan->runs] : i];
}

size_t item_group(const struct campaign_args *a, size_t i)
{
  return item_run(a, i)->subject + (is_audit(a, i) ? a->plan->subjects : 0);
}

size_t item_groups(const struct campaign_args *a)
{
  return 2 * a->plan->subjects;
}

struct run_worker item_worker(const struct campaign_args *a, const char *runs, size_t i)
{
  const bool audit = is_audit(a, i);
  const struct plan_run *run = item_run(a, i);
  const size_t machine = a->plan->subject[run->subject].machine;
  return (struct run_worker){.plan = a->plan,
                             .run = run,
                             .settings = audit ? &a->audit->settings[machine]
                                               : &a->plan->machine[machine].settings,
                             .options = audit ? a->audit->options : a->plan->options,
                             .folder = runs,
                             .extras = a->extras && !audit};
}

/* True if the run need not be repeated.  A run that timed out is repeated if the time limit has
 * changed, and a run that failed if --unpack-limit has changed; --retry-failed repeats both. */
static bool reusable(const struct campaign_args *a, const struct run_result *r)
{
  if (r->status == RUN_OK)
    return true;
  return !a->retry_failed &&
         (r->status == RUN_TIMEOUT ? r->timeout_s == a->timeout_s
                                   : r->unpack_limit == a->settings.reading.unpack_limit);
}

enum item_state item_load(const struct campaign_args *a, const char *runs, size_t i,
                          struct run_result *r)
{
  const struct run_worker w = item_worker(a, runs, i);
  struct err e;
  bool found = false;
  if (run_worker_load(&w, r, &found, &e) != OK) {
    fprintf(stderr, "haichi: %s; the run is made again\n", e.text);
    return ITEM_REFUSED;
  }
  return !found ? ITEM_ABSENT : reusable(a, r) ? ITEM_STORED : ITEM_REFUSED;
}
