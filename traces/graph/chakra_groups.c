#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textfile.h"
#include "common/mem.h"
#include "traces/graph/chakra.h"

/* Limit of strings of JSON within each other. */
enum { NESTED = 4 };

/* Limit of the bytes of a file of JSON. */
enum { JSON_MOST = 1 << 26 };

struct reader {
  struct chakra_names *names;
  struct chakra_groups *groups;
  struct err *e;
};

void chakra_groups_clear(struct chakra_groups *g)
{
  names_clear(&g->defined);
  comm_table_clear(&g->comms);
}

void chakra_names_clear(struct chakra_names *n)
{
  names_clear(&n->name);
  free(n->comm);
  *n = (struct chakra_names){.comm = NULL};
}

bool chakra_names_find(const struct chakra_names *n, const char *name, const struct comm **out)
{
  if (n->set != NULL && chakra_names_find(n->set, name, out))
    return true;
  const uint32_t number = names_find(&n->name, name);
  if (number != NAMES_NONE)
    *out = n->comm[number];
  return number != NAMES_NONE;
}

static bool is_world(const struct comm_list *l, uint32_t ranks)
{
  return l->size == 0 || (l->runs == 1 && l->size == ranks && l->run[0].first == 0 &&
                          (ranks == 1 || l->run[0].stride == 1));
}

/* Two groups of one name are one group if they have the same members. */
static enum status define(struct chakra_groups *g, const char *name, struct comm_list *l,
                          const struct comm **out, struct err *e)
{
  uint32_t number;
  *out = NULL;
  if (is_world(l, g->ranks))
    return OK;
  char *key = mem_printf(e, "%s", name);
  for (uint32_t i = 0; key != NULL && i < l->runs; i++) {
    const struct comm_run *r = &l->run[i];
    char *longer =
        mem_printf(e, "%s\n%" PRId64 " %" PRId64 " %" PRIu32, key, r->first, r->stride, r->count);
    free(key);
    key = longer;
  }
  const enum status s = key == NULL ? FAIL : names_add(&g->defined, key, &number, e);
  free(key);
  return s == OK ? comm_define(&g->comms, number + 1, g->ranks, l, out, e) : FAIL;
}

static enum status keep(struct chakra_names *n, struct chakra_groups *g, const char *name,
                        struct comm_list *l, struct err *e)
{
  const struct comm *comm;
  uint32_t number;
  if (chakra_names_find(n, name, &comm)) /* PyTorch states groups again */
    return OK;
  if (define(g, name, l, &comm, e) != OK || names_add(&n->name, name, &number, e) != OK ||
      MEM_GROW(n->comm, n->room, (size_t)number + 1, e) != OK)
    return FAIL;
  n->comm[number] = comm;
  return OK;
}

static enum status read_ranks(const struct reader *r, const json_t *ranks, struct comm_list *l)
{
  size_t i;
  json_t *rank;
  json_array_foreach(ranks, i, rank)
  {
    if (!json_is_integer(rank))
      return err_set(r->e, "the ranks are no list of integers");
    const struct comm_run one = {.first = json_integer_value(rank), .count = 1};
    if (comm_list_add(l, r->groups->ranks, &one, r->e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_group(const struct reader *r, const char *name, const json_t *ranks)
{
  struct comm_list l = {0};
  enum status status = read_ranks(r, ranks, &l);
  if (status == OK)
    status = keep(r->names, r->groups, name, &l, r->e);
  if (status != OK)
    err_prefix(r->e, "process group '%.64s': ", name);
  comm_list_clear(&l);
  return status;
}

/* An object with "pg_name" and "ranks" is a group.  Sets *found accordingly. */
static enum status read_object(const struct reader *r, const json_t *x, bool *found)
{
  const json_t *name = json_object_get(x, "pg_name"), *ranks = json_object_get(x, "ranks");
  char number[32];
  *found = json_is_array(ranks) && (json_is_string(name) || json_is_integer(name));
  if (!*found)
    return OK;
  snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(name));
  return read_group(r, json_is_string(name) ? json_string_value(name) : number, ranks);
}

static enum status read_text(const struct reader *r, const char *text, size_t length, int depth);

/* Reads the groups in @p x, at any depth.  Recursion: at most as deep as JSON may be nested. */
static enum status read_value(const struct reader *r, const json_t *x, int depth)
{
  const char *key;
  size_t i;
  json_t *part;
  bool found = false;
  if (json_is_string(x))
    return read_text(r, json_string_value(x), json_string_length(x), depth + 1);
  if (json_is_object(x) && read_object(r, x, &found) != OK)
    return FAIL;
  if (found)
    return OK;
  json_array_foreach(x, i, part)
  {
    if (read_value(r, part, depth) != OK)
      return FAIL;
  }
  json_object_foreach((json_t *)x, key, part)
  {
    if (read_value(r, part, depth) != OK)
      return FAIL;
  }
  return OK;
}

/* The value of JSON whose quotes are escaped, as PyTorch puts JSON into strings; NULL: not JSON. */
static json_t *unescape(const char *text, size_t length)
{
  char *quoted = malloc(length + 2);
  json_t *value = NULL;
  if (quoted == NULL)
    return NULL;
  quoted[0] = quoted[length + 1] = '"';
  memcpy(quoted + 1, text, length);
  value = json_loadb(quoted, length + 2, JSON_DECODE_ANY, NULL);
  free(quoted);
  return value;
}

/* Reads the groups in a text.  A text that is not JSON has none. */
static enum status read_text(const struct reader *r, const char *text, size_t length, int depth)
{
  if (depth > NESTED)
    return OK;
  json_t *x = json_loadb(text, length, JSON_DECODE_ANY, NULL);
  if (x == NULL)
    x = unescape(text, length);
  const enum status status = x == NULL ? OK : read_value(r, x, depth);
  json_decref(x);
  return status;
}

enum status chakra_read_groups(struct chakra_names *n, struct chakra_groups *g, const char *text,
                               size_t length, struct err *e)
{
  const struct reader r = {n, g, e};
  return read_text(&r, text, length, 0);
}

enum status chakra_load_groups(struct chakra_names *n, struct chakra_groups *g, const char *path,
                               struct err *e)
{
  const struct reader r = {n, g, e};
  const char *name;
  json_t *ranks;
  char *text;
  size_t length;
  if (textfile_load(&text, &length, path, path, JSON_MOST, e) != OK)
    return FAIL;
  json_error_t why;
  json_t *x = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
  enum status status = OK;
  free(text);
  if (x == NULL)
    return err_at(e, path, why.line < 1 ? 1 : (uint64_t)why.line, "column %d: %s", why.column,
                  why.text);
  json_object_foreach(x, name, ranks)
  {
    if (status == OK && json_is_array(ranks))
      status = read_group(&r, name, ranks);
  }
  if (status == OK)
    status = read_value(&r, x, 0);
  json_decref(x);
  return status == OK ? OK : err_prefix(e, "%s: ", path);
}
