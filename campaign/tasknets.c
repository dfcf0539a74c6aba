#include "campaign/tasknets.h"

#include <math.h>
#include <time.h>

#include "campaign/inputs.h"
#include "common/mem.h"
#include "common/outfile.h"
#include "tasks/cost.h"
#include "tasks/files/files.h"
#include "tasks/hosts.h"

static const struct tasknets_model abstract = {
    "abstract", "the paper's: bandwidths between hosts, no links, no contention"};

#define LIST(ROW) ROW(abstract)

const struct registry tasknets_models = REGISTRY("model of task networks", LIST);

/* All that a run needs. */
struct job {
  const struct tasknets_options *o;
  struct platform *platform;
  struct hosts hosts;
  struct farm farm, loaded;
  struct tasknet net;
  struct schedule schedule;
  struct loads *loads;
  uint32_t *rank; /* a rank on each host, for loads */
};

struct tasknets_options tasknets_defaults(void)
{
  return (struct tasknets_options){.model = registry_at(&tasknets_models, 0),
                                   .steal = registry_at(&steal_policies, 0),
                                   .units = {1e9, 1e6},
                                   .seed = 1};
}

static void job_clear(struct job *j)
{
  loads_free(j->loads);
  free(j->rank);
  schedule_clear(&j->schedule);
  farm_clear(&j->loaded);
  farm_clear(&j->farm);
  hosts_clear(&j->hosts);
  tasknet_clear(&j->net);
  platform_free(j->platform);
}

static enum status open_all(struct job *j, struct err *e)
{
  const struct tasknets_options *o = j->o;
  if (o->scheduler != NULL && scheduler_check(o->scheduler, e) != OK)
    return FAIL;
  if (o->output != NULL && outfile_check(o->output, e) != OK)
    return FAIL;
  if (inputs_platform(&j->platform, o->platform, NULL, e) != OK ||
      platform_need_routes(j->platform, "scheduling", e) != OK ||
      hosts_make(&j->hosts, j->platform, e) != OK || tasknet_open(&j->net, o->network, e) != OK)
    return FAIL;
  return farm_of(&j->farm, j->platform, &j->hosts, &o->units, e);
}

/* Competing tasks are drawn as for a program with a rank on each host. */
static enum status load_farm(struct job *j, struct err *e)
{
  struct load_abstract load;
  j->rank = mem_array(j->farm.hosts, sizeof *j->rank, e);
  if (j->rank == NULL)
    return FAIL;
  for (uint32_t h = 0; h < j->farm.hosts; h++)
    j->rank[h] = h;
  const struct load_site site = {j->platform, j->rank, j->farm.hosts, j->o->seed - 1};
  if (loads_new(&j->loads, &j->o->loads, &site, e) != OK ||
      loads_abstract(j->loads, &load, e) != OK)
    return FAIL;
  return farm_load(&j->loaded, &j->farm, load.tasks, load.loss, load.seed, e);
}

static double cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum status schedule(struct job *j, struct tasknets_result *out, struct err *e)
{
  const struct scheduler_input in = {&j->net, &j->farm, &j->hosts};
  const struct tasknets_options *o = j->o;
  if (o->scheduler == NULL)
    return schedule_load(&j->schedule, &j->net, &j->farm, j->platform, o->schedule, e);
  const double begin = cpu_seconds();
  if (scheduler_run(o->scheduler, &in, &j->schedule, e) != OK)
    return FAIL;
  out->scheduling_s = cpu_seconds() - begin;
  return OK;
}

static enum status execute(const struct job *j, struct tasknets_result *out, struct err *e)
{
  const struct dates_plan plan = {j->schedule.host, j->schedule.place};
  const struct abstract_input in = {&j->net,          &j->loaded,  &plan,
                                    j->farm.class_of, j->o->steal, j->o->seed};
  struct abstract_run run;
  if (abstract_execute(&in, &run, e) != OK)
    return FAIL;
  out->makespan_s = run.makespan_s;
  out->steals = run.steals;
  out->stolen = run.stolen;
  abstract_clear(&run);
  return OK;
}

static void sum_up(const struct job *j, struct tasknets_result *out)
{
  double work = 0, fastest = 0;
  for (uint32_t a = 0; a < j->net.arrays; a++)
    work += tasknet_array_sum(&j->net, a).compute;
  for (uint32_t c = 0; c < j->farm.classes; c++)
    fastest = fmax(fastest, j->farm.speed[c]);
  out->tasks = j->net.elements;
  out->hosts = j->farm.hosts;
  out->expected_s = schedule_makespan(&j->schedule);
  out->use = work / (farm_total_speed(&j->farm) * out->makespan_s);
  out->speedup = work / fastest / out->makespan_s;
}

enum status tasknets_run(const struct tasknets_options *o, struct tasknets_result *out,
                         struct err *e)
{
  struct job j = {.o = o};
  struct tasknets_result made = {0};
  enum status s = open_all(&j, e);
  if (s == OK)
    s = load_farm(&j, e);
  if (s == OK)
    s = schedule(&j, &made, e);
  if (s == OK)
    s = execute(&j, &made, e);
  if (s == OK && o->output != NULL)
    s = schedule_save(&j.schedule, &j.net, j.platform, o->output, e);
  if (s == OK) {
    sum_up(&j, &made);
    *out = made;
  }
  job_clear(&j);
  return s;
}

void tasknets_report(const struct tasknets_result *x, struct report *r)
{
  report_u64(r, "tasks", x->tasks);
  report_u64(r, "hosts", x->hosts);
  report_double(r, "makespan_s", x->makespan_s);
  report_double(r, "expected_makespan_s", x->expected_s);
  report_double(r, "machine_use", x->use);
  report_double(r, "speedup", x->speedup);
  report_u64(r, "steals", x->steals);
  report_u64(r, "stolen_tasks", x->stolen);
}
