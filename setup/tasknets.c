#include "setup/tasknets.h"

#include <math.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/process/machine.h"
#include "setup/inputs.h"
#include "sim/sim.h"
#include "sim/tasknet/engines.h"
#include "sim/tasknet/record.h"
#include "tasks/cost.h"
#include "tasks/files/files.h"
#include "tasks/hosts.h"

static const struct tasknets_model abstract = {"abstract", NULL}, flow = {"flow", "flow"},
                                   simgrid = {"simgrid", "simgrid"},
                                   full = {"simgrid-full", "simgrid-full"};

#define LIST(ROW) ROW(abstract) ROW(flow) ROW(simgrid) ROW(full)

const struct registry tasknets_models = REGISTRY("model of task networks", LIST);

#define AT(FIELD) offsetof(struct tasknets_result, FIELD)

const struct column tasknets_columns[] = {
    {"tasks", COLUMN_U32, AT(tasks)},
    {"hosts", COLUMN_U32, AT(hosts)},
    {"makespan_s", COLUMN_DOUBLE, AT(makespan_s)},
    {"expected_makespan_s", COLUMN_DOUBLE, AT(expected_s)},
    {"machine_use", COLUMN_DOUBLE, AT(use)},
    {"speedup", COLUMN_DOUBLE, AT(speedup)},
    {"steals", COLUMN_U64, AT(steals)},
    {"stolen_tasks", COLUMN_U64, AT(stolen)},
    {.name = NULL},
};

/* State of a run. */
struct job {
  const struct tasknets_options *o;
  const struct platform *platform;
  struct platform *own; /* `platform` if it is opened here; NULL: it is the caller's */
  struct hosts hosts;
  struct farm farm, loaded;
  const struct tasknet *net;
  struct tasknet read; /* `net` if it is opened here; empty: it is the caller's */
  struct tasknet_units units;
  struct schedule schedule;
  struct loads *loads;
  uint32_t *rank; /* one rank on each host, for loads */
  struct abstract_run run;
  struct outfile per_task, per_host, timeline;
};

struct tasknets_options tasknets_defaults(void)
{
  const struct sim_options usual = sim_defaults();
  return (struct tasknets_options){.model = registry_at(&tasknets_models, 0),
                                   .network_model = usual.model,
                                   .precision_s = usual.precision_s,
                                   .maxmin_precision = usual.maxmin_precision,
                                   .steal = registry_at(&steal_policies, 0),
                                   .seed = 1};
}

static void job_clear(struct job *j)
{
  outfile_abandon(&j->per_task);
  outfile_abandon(&j->per_host);
  outfile_abandon(&j->timeline);
  abstract_clear(&j->run);
  loads_free(j->loads);
  free(j->rank);
  schedule_clear(&j->schedule);
  farm_clear(&j->loaded);
  farm_clear(&j->farm);
  hosts_clear(&j->hosts);
  tasknet_clear(&j->read);
  platform_free(j->own);
}

/* The first that is given: the option, the value in the network file, the default. */
static double unit_of(double asked, double said, double usual)
{
  return asked > 0 ? asked : said > 0 ? said : usual;
}

static enum status check_scheduler(const struct tasknets_options *o, struct err *e)
{
  const struct scheduler *row;
  if (scheduler_check(o->scheduler, &row, e) != OK)
    return FAIL;
  if (o->search != NULL && o->search->seconds > 0 && !row->searches)
    return err_set(e, "scheduler '%s' does not search: it takes no time limit", row->name);
  return OK;
}

static enum status open_all(struct job *j, struct err *e)
{
  const struct tasknets_options *o = j->o;
  if (o->scheduler != NULL && check_scheduler(o, e) != OK)
    return FAIL;
  if (o->output != NULL && outfile_check(o->output, e) != OK)
    return FAIL;
  if (o->on == NULL && inputs_platform(&j->own, o->platform, o->cores, e) != OK)
    return FAIL;
  j->platform = o->on == NULL ? j->own : o->on;
  if (platform_need_routes(j->platform, "scheduling", e) != OK ||
      hosts_make(&j->hosts, j->platform, e) != OK ||
      (o->net == NULL && tasknet_open(&j->read, o->network, e) != OK))
    return FAIL;
  j->net = o->net == NULL ? &j->read : o->net;
  j->units.work = unit_of(o->units.work, j->net->units.work, TASKNETS_WORK);
  j->units.data = unit_of(o->units.data, j->net->units.data, TASKNETS_DATA);
  return farm_of(&j->farm, j->platform, &j->hosts, &j->units, e);
}

static enum status open_files(struct job *j, struct err *e)
{
  const struct tasknets_options *o = j->o;
  return outfile_open_if(&j->per_task, o->per_task, e) == OK &&
                 outfile_open_if(&j->per_host, o->per_host, e) == OK
             ? outfile_open_if(&j->timeline, o->timeline, e)
             : FAIL;
}

/* Draws the loads as for a program with one rank on each host.  In the abstract model, sets *load
 * too. */
static enum status draw_loads(const struct tasknets_options *o, const struct platform *p,
                              const uint32_t *rank, struct loads **out, struct load_abstract *load,
                              struct err *e)
{
  const struct load_site site = {p, rank, platform_hosts(p), o->seed - 1};
  if (loads_new(out, &o->loads, &site, e) != OK)
    return FAIL;
  return o->model->engine != NULL ? OK : loads_abstract(*out, load, e);
}

/* Places one rank on each host. */
static uint32_t *list_ranks(uint32_t hosts, struct err *e)
{
  uint32_t *rank = mem_array(hosts, sizeof *rank, e);
  for (uint32_t h = 0; rank != NULL && h < hosts; h++)
    rank[h] = h;
  return rank;
}

static enum status make_loads(struct job *j, struct err *e)
{
  struct load_abstract load;
  if ((j->rank = list_ranks(j->farm.hosts, e)) == NULL ||
      draw_loads(j->o, j->platform, j->rank, &j->loads, &load, e) != OK)
    return FAIL;
  return j->o->model->engine != NULL ? OK
                                     : farm_load(&j->loaded, &j->farm, load.tasks, &load.losses, e);
}

enum status tasknets_check_loads(const struct tasknets_options *o, const struct platform *p,
                                 struct err *e)
{
  struct loads *loads = NULL;
  struct load_abstract ignored;
  OWNED uint32_t *rank = list_ranks(platform_hosts(p), e);
  const enum status s = rank == NULL ? FAIL : draw_loads(o, p, rank, &loads, &ignored, e);
  loads_free(loads);
  return s;
}

static enum status schedule(struct job *j, struct tasknets_result *out, struct err *e)
{
  const struct scheduler_input in = {
      .net = j->net, .farm = &j->farm, .hosts = &j->hosts, .search = j->o->search};
  const struct tasknets_options *o = j->o;
  if (o->scheduler == NULL)
    return schedule_load(&j->schedule, j->net, &j->farm, j->platform, o->schedule, e);
  const double begin = machine_cpu_seconds();
  if (scheduler_run(o->scheduler, &in, &j->schedule, e) != OK)
    return FAIL;
  out->scheduling_s = machine_cpu_seconds() - begin;
  if (o->search != NULL)
    out->bound_s = o->search->bound_s;
  return OK;
}

static enum status execute_abstractly(struct job *j, struct err *e)
{
  const struct dates_plan plan = {j->schedule.host, j->schedule.place};
  const struct abstract_input in = {j->net,           &j->loaded,  &plan,
                                    j->farm.class_of, j->o->steal, j->o->seed};
  return abstract_execute(&in, &j->run, e);
}

static enum status execute_on_engine(struct job *j, struct load_figures *load, struct err *e)
{
  const struct tasknets_options *o = j->o;
  const struct dates_plan plan = {j->schedule.host, j->schedule.place};
  const struct engines_input in = {
      .actors = {.queues = {j->net, &plan, j->farm.class_of, o->steal, j->farm.hosts, o->seed},
                 .units = j->units},
      .run = {.platform = j->platform,
              .engine = registry_get(&engines, o->model->engine, e),
              .model = o->network_model,
              .precision_s = o->precision_s,
              .maxmin_precision = o->maxmin_precision,
              .loads = j->loads}};
  return engines_execute(&in, &j->run, load, e);
}

static enum status execute(struct job *j, struct tasknets_result *out, struct err *e)
{
  const bool engine = j->o->model->engine != NULL;
  if ((engine ? execute_on_engine(j, &out->load, e) : execute_abstractly(j, e)) != OK)
    return FAIL;
  out->loaded = engine && j->o->loads.count > 0;
  out->makespan_s = j->run.makespan_s;
  out->steals = j->run.steals;
  out->stolen = j->run.stolen;
  return OK;
}

static enum status print_files(struct job *j, const struct record *t, struct err *e)
{
  const struct tasknets_options *o = j->o;
  if (o->per_task != NULL && record_print_tasks(t, j->per_task.f, e) != OK)
    return FAIL;
  if (o->per_host != NULL)
    record_print_hosts(t, j->per_host.f);
  if (o->timeline != NULL && record_print_timeline(t, o->timeline_format, j->timeline.f, e) != OK)
    return FAIL;
  return o->gantt == NULL
             ? OK
             : record_print_timeline(t, registry_at(&timeline_formats, 0), o->gantt, e);
}

static enum status save_files(struct job *j, struct err *e)
{
  struct record t;
  if (record_new(&t, j->net, j->platform, &j->run, j->schedule.place, e) != OK)
    return FAIL;
  const enum status s = print_files(j, &t, e);
  record_clear(&t);
  return s == OK && outfile_commit(&j->per_task, e) == OK && outfile_commit(&j->per_host, e) == OK
             ? outfile_commit(&j->timeline, e)
             : FAIL;
}

static void sum_up(const struct job *j, struct tasknets_result *out)
{
  double work = 0, fastest = 0;
  for (uint32_t a = 0; a < j->net->arrays; a++)
    work += tasknet_array_sum(j->net, a).compute;
  for (uint32_t c = 0; c < j->farm.classes; c++)
    fastest = fmax(fastest, j->farm.speed[c]);
  out->tasks = j->net->elements;
  out->hosts = j->farm.hosts;
  out->expected_s = schedule_makespan(&j->schedule);
  const bool takes_time = out->makespan_s > 0;
  out->use = takes_time ? work / (farm_total_speed(&j->farm) * out->makespan_s) : 0;
  out->speedup = takes_time ? work / fastest / out->makespan_s : 1;
}

enum status tasknets_run(const struct tasknets_options *o, struct tasknets_result *out,
                         struct err *e)
{
  struct job j = {.o = o};
  struct tasknets_result made = {.bound_s = NAN};
  enum status s = open_all(&j, e);
  if (s == OK)
    s = open_files(&j, e);
  if (s == OK)
    s = make_loads(&j, e);
  if (s == OK)
    s = schedule(&j, &made, e);
  if (s == OK)
    s = execute(&j, &made, e);
  if (s == OK)
    s = save_files(&j, e);
  if (s == OK && o->output != NULL)
    s = schedule_save(&j.schedule, j.net, j.platform, o->output, e);
  if (s == OK) {
    sum_up(&j, &made);
    *out = made;
  }
  job_clear(&j);
  return s;
}

void tasknets_report(const struct tasknets_result *x, struct report *r)
{
  column_report(tasknets_columns, x, r);
  if (!isnan(x->bound_s))
    report_double(r, "expected_lower_bound_s", x->bound_s);
  if (!x->loaded)
    return;
  report_double(r, "background_flops", x->load.flops);
  report_u64(r, "background_messages", x->load.messages);
  report_u64(r, "background_bytes", x->load.bytes);
}
