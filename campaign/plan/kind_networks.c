/* Campaigns of task networks: each scheduler schedules each network, which is executed under each
 * load. */
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/kind.h"
#include "campaign/plan/plan.h"
#include "campaign/run/worker.h"
#include "common/mem.h"
#include "mappers/schedule/scheduler.h"
#include "sim/engine.h"
#include "tasks/files/files.h"
#include "tasks/generate.h"

/* --- networks and loads ----------------------------------------------------------------------- */

/* The word for a network without load. */
static const char NO_LOAD[] = "none";

static enum status keep_file(struct plan_input *in, const struct tasknet *n, struct err *e)
{
  return tasknet_is_spec(in->name) ? OK : checksum_tasknet(n, in->name, in->checksum, e);
}

/* Checks the network.  A bad spec is an error.  An invalid file makes only its runs fail; their
 * identity contains the checksum of the file. */
static enum status look_at_network(struct plan_subject *x, struct err *e)
{
  const char *name = x->file.name;
  struct tasknet n;
  struct err why;
  if (!tasknet_is_spec(name) && plan_check_lasting(name, e) != OK)
    return FAIL;
  if (tasknet_open(&n, name, &why) == OK) {
    const enum status s = keep_file(&x->file, &n, e);
    tasknet_clear(&n);
    return s;
  }
  if (!tasknet_is_spec(name) && checksum_file(name, x->file.checksum, e) == OK)
    return plan_keep_problem(x, &why, e);
  *e = why;
  return FAIL;
}

/* True if @p text begins with "+KIND", the next spec of a load.  A plus may also be part of a file
 * name. */
static bool begins_spec(const char *text)
{
  return *text == '+' && registry_find(&load_kinds, text + 1, strcspn(text + 1, ":")) != NULL;
}

/* Splits @p text, such as "tasks:10+links:p=0.1", in place and adds its specs; @p text must outlive
 * @p l. */
static enum status add_loads(struct load_specs *l, char *text, struct err *e)
{
  if (strcmp(text, NO_LOAD) == 0)
    return OK;
  for (char *begin = text, *end; begin != NULL; begin = end) {
    for (end = begin; *end != '\0' && !begins_spec(end); end++)
      ;
    if (*end != '\0')
      *end++ = '\0';
    else
      end = NULL;
    if (load_specs_add(l, begin, e) != OK)
      return FAIL;
  }
  return OK;
}

/* If the specs read files, computes a checksum of all specs with the checksums of their files. */
static enum status checksum_loads(const struct load_specs *l, char *hex, struct err *e)
{
  static const struct load_specs NONE = {.count = 0};
  char *text = cli_option_text(&cli_option_key, load_options, l, &NONE, e);
  if (text != NULL && strstr(text, " sha256=") != NULL)
    checksum_text(text, hex);
  free(text);
  return text != NULL ? OK : FAIL;
}

/* Checks a load on all machines.  @p own are the specs of this load; p->tasknets has the specs that
 * are part of all loads. */
static enum status check_specs(const struct plan *p, const struct load_specs *own, char *hex,
                               struct err *e)
{
  struct tasknets_options o = p->tasknets;
  for (size_t i = 0; i < own->count; i++)
    if (load_specs_add(&o.loads, own->spec[i], e) != OK)
      return FAIL;
  o.seed = p->seed;
  for (size_t m = 0; m < p->machines; m++)
    if (p->machine[m].on != NULL && tasknets_check_loads(&o, p->machine[m].on, e) != OK)
      return FAIL;
  return checksum_loads(own, hex, e);
}

static enum status look_at_load(const struct plan *p, const char *word, char *hex, struct err *e)
{
  struct load_specs own = {.count = 0};
  struct err why;
  char *text = mem_strdup(word, e);
  if (text == NULL)
    return FAIL;
  enum status s = plan_check_name(word, false, &why);
  if (s == OK)
    s = add_loads(&own, text, &why);
  if (s == OK)
    s = check_specs(p, &own, hex, &why);
  free(text);
  return s == OK ? OK : err_set(e, "load '%.200s': %s", word, why.text);
}

static bool is_needed(const struct plan *p, const struct plan_args *a, size_t first)
{
  bool needed = a->needed == NULL;
  for (size_t i = first; i < first + p->loads; i++)
    needed = needed || a->needed[i];
  return needed;
}

static enum status add_subject(struct plan *p, size_t machine, const char *network,
                               const struct plan_input *load, struct err *e)
{
  struct plan_subject *x = &p->subject[p->subjects];
  if ((x->file.name = mem_strdup(network, e)) == NULL)
    return FAIL;
  p->subjects++;
  x->machine = machine;
  x->load = *load;
  x->load.name = mem_strdup(load->name, e);
  return x->load.name == NULL ? FAIL : OK;
}

/* Opens the network for its first load, unless it was opened for another machine, and copies its
 * checksum and problem to the subjects of the other loads. */
static enum status check_network(struct plan *p, const struct plan_args *a, size_t input,
                                 size_t first, struct err *e)
{
  const struct plan_subject *known =
      plan_find_opened(p, input * p->loads, a->subject.count * p->loads);
  struct plan_subject *x = &p->subject[first];
  if (is_needed(p, a, first)) {
    if ((known == NULL ? look_at_network(x, e) : plan_copy_file(x, known, e)) != OK)
      return FAIL;
    x->opened = true;
  }
  for (size_t i = first + 1; i < p->subjects; i++)
    if (plan_copy_file(&p->subject[i], x, e) != OK)
      return FAIL;
  return OK;
}

static enum status add_network(struct plan *p, const struct plan_args *a, size_t machine,
                               size_t input, const struct plan_input *load, struct err *e)
{
  const char *name = a->subject.word[input];
  const size_t first = p->subjects;
  if (plan_check_name(name, true, e) != OK)
    return FAIL;
  for (size_t i = 0; i < input; i++)
    if (strcmp(a->subject.word[i], name) == 0)
      return err_set(e, "network '%s' is given twice", name);
  for (size_t i = 0; i < p->loads; i++)
    if (add_subject(p, machine, name, &load[i], e) != OK)
      return FAIL;
  return check_network(p, a, input, first, e);
}

/* Lists the loads; their names are not copied. */
static enum status list_loads(const struct plan *p, const struct plan_args *a,
                              struct plan_input *load, struct err *e)
{
  for (size_t i = 0; i < p->loads; i++) {
    load[i].name = a->load.count == 0 ? (char *)NO_LOAD : a->load.word[i];
    for (size_t k = 0; k < i; k++)
      if (strcmp(load[i].name, load[k].name) == 0)
        return err_set(e, "load '%.200s' is given twice", load[i].name);
    if (look_at_load(p, load[i].name, load[i].checksum, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status add_networks(struct plan *p, const struct plan_args *a, struct err *e)
{
  struct plan_input *load = mem_array(p->loads, sizeof *load, e);
  enum status s = load == NULL ? FAIL : list_loads(p, a, load, e);
  for (size_t m = 0; m < p->machines; m++)
    for (size_t i = 0; s == OK && i < a->subject.count; i++)
      s = add_network(p, a, m, i, load, e);
  free(load);
  return s;
}

/* --- schedulers ------------------------------------------------------------------------------- */

/* Adds a scheduler.  Its label includes the stealing policy, unless that is the first row of the
 * registry, "none". */
static enum status add_scheduler(struct plan *p, const char *spec, const struct steal_policy *steal,
                                 struct err *e)
{
  struct plan_method *m = &p->method[p->methods];
  const struct scheduler *row;
  const bool steals = steal != registry_at(&steal_policies, 0);
  if (plan_check_name(spec, false, e) != OK || scheduler_check(spec, &row, e) != OK ||
      (m->spec = mem_strdup(spec, e)) == NULL)
    return FAIL;
  p->methods++;
  m->steal = steal;
  m->label = mem_printf(e, "%s%s%s", spec,
                        !steals                     ? ""
                        : strchr(spec, ':') == NULL ? ":steal="
                                                    : ",steal=",
                        steals ? steal->name : "");
  if (m->label == NULL)
    return FAIL;
  for (size_t i = 0; i + 1 < p->methods; i++)
    if (strcmp(p->method[i].label, m->label) == 0)
      return err_set(e, "scheduler '%s' is given twice", m->label);
  return OK;
}

static enum status add_schedulers(struct plan *p, const struct plan_args *a, struct err *e)
{
  const struct steal_policy *steal = registry_at(&steal_policies, 0);
  for (size_t k = 0; k < a->steal.count; k++)
    for (size_t i = 0; i < k; i++)
      if (strcmp(a->steal.word[i], a->steal.word[k]) == 0)
        return err_set(e, "stealing policy '%.80s' is given twice", a->steal.word[k]);
  for (size_t i = 0; i < a->method.count; i++)
    for (size_t k = 0; k < p->steals; k++) {
      if (a->steal.count > 0 &&
          (steal = registry_get(&steal_policies, a->steal.word[k], e)) == NULL)
        return FAIL;
      if (add_scheduler(p, a->method.word[i], steal, e) != OK)
        return FAIL;
    }
  return OK;
}

/* --- options ---------------------------------------------------------------------------------- */

#define AT(FIELD) offsetof(struct tasknets_options, FIELD)

static enum status add_simgrid(const void *options, size_t i, FILE *f, struct err *e)
{
  const char *name = ((const struct tasknets_options *)options)->model->engine;
  const struct engine *engine = name == NULL ? NULL : registry_get(&engines, name, e);
  (void)i;
  if (engine != NULL && engine->loads_file)
    settings_print_simgrid(f);
  return OK;
}

static const struct cli_option OPTIONS[] = {
    {.name = "model", .kind = OPTION_ROW, .at = AT(model), .more = add_simgrid},
    {.name = "network-model", .kind = OPTION_ROW, .at = AT(network_model)},
    {.name = "precision", .kind = OPTION_DOUBLE, .at = AT(precision_s)},
    {.name = "maxmin-precision", .kind = OPTION_DOUBLE, .at = AT(maxmin_precision)},
    {.name = "cores", .kind = OPTION_U32, .at = AT(cores)},
    {.name = "work", .kind = OPTION_QUANTITY, .unit = NUM_SPEED, .at = AT(units.work)},
    {.name = "data", .kind = OPTION_QUANTITY, .unit = NUM_SIZE, .at = AT(units.data)},
    {.name = "seed", .kind = OPTION_U64, .at = AT(seed)},
    {.kind = OPTION_TABLE, .table = load_options, .at = AT(loads)},
    {.name = NULL},
};

/* The options that are not zero, as NAME=VALUE.  The options of the network are left out for the
 * abstract model, which has no links. */
static char *options_text(const struct plan *p, struct err *e)
{
  static const struct tasknets_options ZERO = {.cores = 0};
  struct tasknets_options o = p->tasknets;
  o.seed = p->seed;
  if (o.model->engine == NULL) {
    o.network_model = NULL;
    o.precision_s = o.maxmin_precision = 0;
  }
  return cli_option_text(&cli_option_key, OPTIONS, &o, &ZERO, e);
}

/* --- the kind --------------------------------------------------------------------------------- */

static enum status add(struct plan *p, const struct plan_args *a, struct err *e)
{
  const bool engine = a->tasknets.model->engine != NULL;
  p->loads = a->load.count == 0 ? 1 : a->load.count;
  p->steals = a->steal.count == 0 ? 1 : a->steal.count;
  for (size_t m = 0; m < p->machines; m++)
    if (p->machine[m].on != NULL && platform_need_routes(p->machine[m].on, "scheduling", e) != OK)
      return FAIL;
  if ((p->subject = mem_array(plan_subjects(a), sizeof *p->subject, e)) == NULL ||
      (p->method = mem_array(a->method.count * p->steals, sizeof *p->method, e)) == NULL ||
      add_schedulers(p, a, e) != OK || add_networks(p, a, e) != OK)
    return FAIL;
  p->groups = RUN_BIT(RUN_NETWORK);
  if (engine && (a->load.count > 0 || a->tasknets.loads.count > 0))
    p->groups |= RUN_BIT(RUN_LOAD);
  p->options = options_text(p, e);
  return p->options == NULL ? FAIL : OK;
}

static void print(const struct plan *p, FILE *f)
{
  for (size_t i = 0; i < p->subjects / p->machines; i += p->loads)
    plan_print_input("network", &p->subject[i].file, f);
  for (size_t i = 0; i < p->loads; i++)
    plan_print_input("load", &p->subject[i].load, f);
  for (size_t i = 0; i < p->methods; i += p->steals)
    fprintf(f, "scheduler %s\n", p->method[i].spec);
  for (size_t i = 0; i < p->steals; i++)
    fprintf(f, "steal %s\n", p->method[i].steal->name);
}

static void print_run(const struct plan *p, const struct plan_run *r, FILE *f)
{
  plan_print_input("network", &p->subject[r->subject].file, f);
  plan_print_input("load", &p->subject[r->subject].load, f);
  fprintf(f, "scheduler %s\nsteal %s\n", r->spec, p->method[r->method].steal->name);
}

/* Opens a network file.  Random networks are not shared, since they differ in each repetition. */
static void open_network(const struct plan *p, size_t i)
{
  struct plan_subject *x = &p->subject[i];
  struct err why, e;
  if (!tasknet_is_spec(x->file.name) && x->net.arrays == 0 && x->problem == NULL &&
      tasknet_open(&x->net, x->file.name, &why) != OK)
    plan_keep_problem(x, &why, &e); /* if this fails, each run reads the file and fails */
}

static enum status checksum(struct plan_subject *x, char *hex, struct err *e)
{
  const char *name = x->file.name;
  return x->net.arrays == 0 ? checksum_file(name, hex, e) : checksum_tasknet(&x->net, name, hex, e);
}

static void drop_network(const struct plan *p, size_t i)
{
  tasknet_clear(&p->subject[i].net);
}

/* The network of the run: the file, or the random spec with the number of the repetition added to
 * its seed. */
static char *network_of(const struct run_worker *w, struct err *e)
{
  const char *name = w->plan->subject[w->run->subject].file.name;
  return tasknet_is_spec(name) ? tasknet_spec_after(name, w->run->repeat, e) : mem_strdup(name, e);
}

/* Schedules and executes the network.  Splits @p load in place. */
static enum status execute(const struct run_worker *w, const char *network, char *load,
                           struct run_result *r, struct err *e)
{
  struct tasknets_options o = w->plan->tasknets;
  if (add_loads(&o.loads, load, e) != OK)
    return FAIL;
  o.network = network;
  if (w->plan->subject[w->run->subject].net.arrays > 0)
    o.net = &w->plan->subject[w->run->subject].net;
  o.on = plan_machine(w->plan, w->run->subject)->on;
  o.scheduler = w->run->spec;
  o.steal = w->plan->method[w->run->method].steal;
  o.seed = w->plan->seed + w->run->repeat;
  *r = (struct run_result){.status = RUN_OK,
                           .groups = RUN_BIT(RUN_NETWORK) | RUN_BIT(RUN_SCHEDULING)};
  if (tasknets_run(&o, &r->net, e) != OK)
    return FAIL;
  r->groups |= r->net.loaded ? RUN_BIT(RUN_LOAD) : 0;
  r->sim.background = r->net.load;
  return OK;
}

static enum status make(const struct run_worker *w, char *const extra[RUN_EXTRAS],
                        struct run_result *r, struct err *e)
{
  (void)extra; /* networks leave no files */
  char *network = network_of(w, e);
  char *load = network == NULL ? NULL : mem_strdup(w->plan->subject[w->run->subject].load.name, e);
  const enum status s = load == NULL ? FAIL : execute(w, network, load, r, e);
  free(load);
  free(network);
  return s;
}

const struct kind kind_networks = {
    .name = "networks",
    .subject = {"network", "load"},
    .method = "scheduler",
    .time = "makespan_s",
    .methods = "schedulers",
    .spread = RUN_NETWORK_SPREAD,
    .timings = RUN_BIT(RUN_TIMING) | RUN_BIT(RUN_SCHEDULING),
    .paired = true,
    .test = "paired over the repetitions on one network under one load, paired over all networks "
            "and loads for network *",
    .default_baseline = "heft",
    .options = OPTIONS,
    .add = add,
    .print = print,
    .print_run = print_run,
    .prepare = open_network,
    .drop = drop_network,
    .checksum = checksum,
    .make = make,
};
