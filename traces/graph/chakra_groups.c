#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/graph/chakra.h"

enum { KEY = 32, NAME = 256 };

/* The text while it is read.  Quotes may be escaped, as PyTorch puts JSON into strings. */
struct scan {
  const char *at, *end;
  char key[NAME], group[NAME];
  bool has_key, has_group;
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
  if (names_find(&n->name, name) != NAMES_NONE) /* PyTorch states groups again */
    return OK;
  if (define(g, name, l, &comm, e) != OK || names_add(&n->name, name, &number, e) != OK ||
      MEM_GROW(n->comm, n->room, (size_t)number + 1, e) != OK)
    return FAIL;
  n->comm[number] = comm;
  return OK;
}

/* Takes a string up to its closing quote. */
static void take_string(struct scan *s, char *out)
{
  size_t n = 0;
  for (; s->at < s->end && *s->at != '"'; s->at++)
    if (*s->at != '\\' && n + 1 < NAME)
      out[n++] = *s->at;
  out[n] = '\0';
  s->at += s->at < s->end;
}

/* Takes the ranks of an array up to its bracket; *whole is false if it is no array of ranks. */
static enum status take_ranks(struct scan *s, uint32_t ranks, struct comm_list *l, bool *whole,
                              struct err *e)
{
  while (s->at < s->end && *s->at != ']') {
    if (isspace((unsigned char)*s->at) || *s->at == ',') {
      s->at++;
      continue;
    }
    int64_t value = 0;
    if (!isdigit((unsigned char)*s->at)) {
      *whole = false;
      return OK;
    }
    for (; s->at < s->end && isdigit((unsigned char)*s->at) && value < UINT32_MAX; s->at++)
      value = value * 10 + (*s->at - '0');
    if (comm_list_add(l, ranks, &(struct comm_run){.first = value, .count = 1}, e) != OK)
      return FAIL;
  }
  *whole = s->at < s->end;
  return OK;
}

/* An array: of the ranks of a group, if the key says so. */
static enum status take_array(struct scan *s, struct chakra_names *n, struct chakra_groups *g,
                              bool keyed, struct err *e)
{
  const bool ranks = s->has_key && strcmp(s->key, "ranks") == 0 && s->has_group;
  const char *name = ranks ? s->group : keyed && s->has_key ? s->key : NULL;
  struct comm_list l = {0};
  bool whole = true;
  if (name == NULL)
    return OK;
  enum status status = take_ranks(s, g->ranks, &l, &whole, e);
  if (status == OK && whole)
    status = keep(n, g, name, &l, e);
  if (status != OK)
    err_prefix(e, "process group '%.64s': ", name);
  comm_list_clear(&l);
  s->has_group = s->has_key = false;
  return status;
}

/* A string is a key if a colon follows, and the name of a group after "pg_name". */
static void take_word(struct scan *s)
{
  char word[NAME];
  take_string(s, word);
  const char *c = s->at;
  while (c < s->end && (isspace((unsigned char)*c) || *c == '\\'))
    c++;
  if (c < s->end && *c == ':') {
    memcpy(s->key, word, NAME);
    s->has_key = true;
  } else if (s->has_key && strcmp(s->key, "pg_name") == 0) {
    memcpy(s->group, word, NAME);
    s->has_group = true;
    s->has_key = false;
  }
}

enum status chakra_read_groups(struct chakra_names *n, struct chakra_groups *g, const char *text,
                               size_t length, bool keyed, struct err *e)
{
  struct scan s = {.at = text, .end = text + length};
  while (s.at < s.end) {
    const char c = *s.at++;
    if (c == '"')
      take_word(&s);
    else if (c == '[' && take_array(&s, n, g, keyed, e) != OK)
      return FAIL;
  }
  return OK;
}
