/* WfCommons' JSON (WfFormat 1.0 to 1.5).  The specification and the execution of a workflow are
 * separate objects; up to 1.4 each task may contain both. */
#include <jansson.h>
#include <string.h>

#include "common/mem.h"
#include "tasks/files/format.h"
#include "tasks/files/workflow.h"

/* MHz of a machine without a speed in the file. */
static const double REFERENCE_MHZ = 1000;

struct importer {
  struct workflow g;
  const struct tasknet_text *text;
  json_t *tasks, *executions; /* executions: objects by task id; NULL: in the tasks */
  json_t *machines;           /* object by name */
  json_t *aliases;            /* maps names to ids */
  bool timed;                 /* a task has a run time */
  struct err *e;
};

/* The line of the first occurrence of a name.  jansson reports lines only for syntax errors. */
static uint64_t line_of(const struct tasknet_text *t, const char *name)
{
  const size_t length = strlen(name);
  uint64_t line = 1;
  for (const char *c = t->bytes; *c != '\0'; c++) {
    line += *c == '\n';
    if (*c == '"' && strncmp(c + 1, name, length) == 0 && c[length + 1] == '"')
      return line;
  }
  return 1;
}

static enum status fail(const struct importer *x, const char *name, const char *what)
{
  return err_at(x->e, x->text->path, line_of(x->text, name), "'%.80s': %s", name, what);
}

static const char *text_of(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

static const char *id_of(const json_t *task)
{
  const char *id = text_of(task, "id");
  return id != NULL ? id : text_of(task, "name");
}

/* The value of the first key that the object has. */
static json_t *any_of(const json_t *object, const char *const *keys)
{
  json_t *value = NULL;
  for (; *keys != NULL && value == NULL; keys++)
    value = json_object_get(object, *keys);
  return value;
}

/* Reads a number in [0, 1e200], or @p fallback if it is absent. */
static enum status number_of(const struct importer *x, const char *owner, const json_t *value,
                             double fallback, double *out)
{
  *out = fallback;
  if (value == NULL || json_is_null(value))
    return OK;
  *out = json_number_value(value);
  if (json_is_number(value) && *out >= 0 && *out <= TASKNET_MOST_COST)
    return OK;
  OWNED char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
  return err_at(x->e, x->text->path, line_of(x->text, owner),
                "'%.80s': a time, size or speed is %.40s, not a number of [0, 1e+200]", owner,
                text == NULL ? "invalid" : text);
}

/* --- tasks --- */

/* Speed in MHz of the machine that executed a task. */
static enum status speed_of(const struct importer *x, const char *task, const json_t *execution,
                            double *out)
{
  static const char *const SPEEDS[] = {"speedInMHz", "speed", NULL};
  const char *machine = text_of(execution, "machine");
  if (machine == NULL)
    machine = json_string_value(json_array_get(json_object_get(execution, "machines"), 0));
  const json_t *found = machine == NULL ? NULL : json_object_get(x->machines, machine);
  if (machine != NULL && found == NULL)
    return err_at(x->e, x->text->path, line_of(x->text, task),
                  "'%.80s': its machine '%.80s' is not in the list of machines", task, machine);
  if (number_of(x, task, any_of(json_object_get(found, "cpu"), SPEEDS), REFERENCE_MHZ, out) != OK)
    return FAIL;
  return *out > 0 ? OK : fail(x, task, "the speed of its machine is 0");
}

static enum status add_task(struct importer *x, const json_t *task)
{
  static const char *const RUNTIMES[] = {"runtimeInSeconds", "runtime", NULL};
  const char *id = id_of(task), *name = text_of(task, "name");
  double runtime, speed = REFERENCE_MHZ;
  if (id == NULL)
    return err_at(x->e, x->text->path, 1, "a task without id and name");
  const json_t *execution = x->executions == NULL ? task : json_object_get(x->executions, id);
  if (execution == NULL)
    return fail(x, id, "the task has no execution");
  x->timed = x->timed || any_of(execution, RUNTIMES) != NULL;
  if (number_of(x, id, any_of(execution, RUNTIMES), 0, &runtime) != OK ||
      speed_of(x, id, execution, &speed) != OK)
    return FAIL;
  if (name != NULL && json_object_get(x->aliases, name) == NULL)
    json_object_set_new(x->aliases, name, json_string(id));
  if (workflow_add_task(&x->g, id, runtime * speed * 1e6, 0, x->e) == OK)
    return OK;
  return err_place(x->e, x->text->path, line_of(x->text, id));
}

/* Finds a task by the id or name used in another task. */
static enum status find_task(const struct importer *x, const char *of, const json_t *name,
                             uint32_t *task)
{
  const char *text = json_string_value(name);
  if (text == NULL)
    return fail(x, of, "a parent or child is not a string");
  *task = workflow_find(&x->g, text);
  if (*task == TASKNET_NONE) {
    const char *id = text_of(x->aliases, text);
    *task = id == NULL ? TASKNET_NONE : workflow_find(&x->g, id);
  }
  return *task != TASKNET_NONE ? OK : fail(x, text, "there is no such task");
}

/* The list @p key of a task; *out is NULL if the task has none. */
static enum status list_of(const struct importer *x, const json_t *task, const char *key,
                           const json_t **out)
{
  *out = json_object_get(task, key);
  if (json_is_null(*out))
    *out = NULL;
  if (*out == NULL || json_is_array(*out))
    return OK;
  const char *id = id_of(task);
  return err_at(x->e, x->text->path, line_of(x->text, id), "'%.80s': %s is no array", id, key);
}

static enum status add_edges(struct importer *x, const json_t *task, const char *key, bool parents)
{
  const char *id = id_of(task);
  const uint32_t self = workflow_find(&x->g, id);
  size_t i;
  const json_t *name, *list;
  if (list_of(x, task, key, &list) != OK)
    return FAIL;
  json_array_foreach(list, i, name)
  {
    uint32_t other;
    if (find_task(x, id, name, &other) != OK ||
        workflow_add_edge(&x->g, parents ? other : self, parents ? self : other, 0, x->e) != OK)
      return FAIL;
  }
  return OK;
}

/* Adds a file that a task reads or writes: a name, or up to 1.4 an object with its size and
 * direction. */
static enum status add_use(struct importer *x, const json_t *task, const json_t *file, bool writes)
{
  static const char *const SIZES[] = {"sizeInBytes", "size", NULL}, *const NAMES[] = {"id", "name",
                                                                                      NULL};
  const char *id = id_of(task), *name = json_string_value(file);
  double size = -1;
  uint32_t number;
  if (json_is_object(file)) {
    const char *link = text_of(file, "link");
    name = json_string_value(any_of(file, NAMES));
    writes = link != NULL && strcmp(link, "output") == 0;
    if (number_of(x, id, any_of(file, SIZES), -1, &size) != OK)
      return FAIL;
  }
  if (name == NULL)
    return fail(x, id, "a file without a name");
  if (workflow_add_file(&x->g, name, size, &number, x->e) != OK)
    return FAIL;
  return workflow_add_use(&x->g, workflow_find(&x->g, id), number, writes, x->e);
}

static enum status add_uses(struct importer *x, const json_t *task)
{
  static const struct {
    const char *key;
    bool writes;
  } LISTS[] = {{"inputFiles", false}, {"outputFiles", true}, {"files", false}};
  for (size_t k = 0; k < sizeof LISTS / sizeof *LISTS; k++) {
    size_t i;
    const json_t *file, *list;
    if (list_of(x, task, LISTS[k].key, &list) != OK)
      return FAIL;
    json_array_foreach(list, i, file)
    {
      if (add_use(x, task, file, LISTS[k].writes) != OK)
        return FAIL;
    }
  }
  return OK;
}

static enum status add_all(struct importer *x)
{
  size_t i;
  const json_t *task;
  json_array_foreach(x->tasks, i, task) if (add_task(x, task) != OK) return FAIL;
  json_array_foreach(x->tasks, i, task) if (add_edges(x, task, "parents", true) != OK ||
                                            add_edges(x, task, "children", false) != OK ||
                                            add_uses(x, task) != OK) return FAIL;
  if (workflow_finish(&x->g, x->e) != OK)
    return FAIL;
  return x->timed || json_array_size(x->tasks) == 0
             ? OK
             : err_at(x->e, x->text->path, line_of(x->text, "tasks"), "no task has a run time");
}

/* --- the document --- */

/* Converts an array of objects to an object of objects, keyed by one of their strings. */
static json_t *by_key(const json_t *array, const char *key)
{
  json_t *out = json_object();
  size_t i;
  json_t *item;
  json_array_foreach(array, i, item) if (text_of(item, key) != NULL)
      json_object_set(out, text_of(item, key), item);
  return out;
}

static enum status add_files(struct importer *x, const json_t *files)
{
  size_t i;
  const json_t *file;
  json_array_foreach(files, i, file)
  {
    const char *id = id_of(file);
    double size;
    uint32_t unused;
    if (id == NULL)
      return err_at(x->e, x->text->path, line_of(x->text, "files"), "a file without an id");
    if (number_of(x, id, json_object_get(file, "sizeInBytes"), 0, &size) != OK ||
        workflow_add_file(&x->g, id, size, &unused, x->e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_workflow(struct importer *x, const json_t *root)
{
  static const char *const TASKS[] = {"tasks", "jobs", NULL};
  const json_t *workflow = json_object_get(root, "workflow");
  const json_t *apart = json_object_get(workflow, "specification");
  const json_t *execution = json_object_get(workflow, "execution");
  x->tasks = any_of(apart != NULL ? apart : workflow, TASKS);
  if (!json_is_array(x->tasks))
    return err_at(x->e, x->text->path, 1, "no workflow of WfCommons: it has no list of tasks");
  x->executions = apart == NULL ? NULL : by_key(json_object_get(execution, "tasks"), "id");
  x->machines =
      by_key(json_object_get(apart == NULL ? workflow : execution, "machines"), "nodeName");
  x->aliases = json_object();
  if (add_files(x, json_object_get(apart, "files")) != OK)
    return FAIL;
  return add_all(x);
}

static enum status read_wfcommons(struct tasknet *n, struct tasknet_text *t, struct err *e)
{
  json_error_t error;
  struct importer x = {.g = {.n = n}, .text = t, .e = e};
  json_t *root = json_loadb(t->bytes, t->length, JSON_REJECT_DUPLICATES, &error);
  if (root == NULL)
    return err_at(e, t->path, error.line < 1 ? 1 : (uint64_t)error.line, "column %d: %s",
                  error.column, error.text);
  const enum status s = read_workflow(&x, root);
  json_decref(x.executions);
  json_decref(x.machines);
  json_decref(x.aliases);
  json_decref(root);
  workflow_clear(&x.g);
  return s;
}

static bool is_json(const char *begin)
{
  return *begin == '{';
}

const struct tasknet_format tasknet_wfcommons = {.name = "wfcommons",
                                                 .help =
                                                     "WfCommons' JSON: costs in cycles and bytes",
                                                 .is = is_json,
                                                 .read = read_wfcommons};
