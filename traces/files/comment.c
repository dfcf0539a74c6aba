#define _DEFAULT_SOURCE
#include "traces/files/comment.h"

#include <inttypes.h>
#include <string.h>

#include "common/lines.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/search.h"
#include "traces/comm.h"

static const char PREFIX[] = "# haichi:";

bool comment_speaks(const char *text, size_t length)
{
  const size_t n = sizeof PREFIX - 1;
  return length >= n && memcmp(text, PREFIX, n) == 0 && (length == n || lines_is_blank(text[n]));
}

/* --- the communicators that a rank has stated ------------------------------------------------ */

struct wanted {
  const struct action_reader *reader;
  uint32_t id;
};

static bool id_is_below(const void *key, size_t i)
{
  const struct wanted *w = key;
  return w->reader->known[i]->id < w->id;
}

/* Index of the id in the rank's sorted list, or where to insert it. */
static size_t place_of(const struct action_reader *r, uint32_t id)
{
  return search(0, r->knowns, id_is_below, &(struct wanted){r, id});
}

static const struct comm *known_comm(const struct action_reader *r, uint32_t id)
{
  const size_t i = place_of(r, id);
  return i < r->knowns && r->known[i]->id == id ? r->known[i] : NULL;
}

static enum status make_known(struct action_reader *r, const struct comm *c, struct err *e)
{
  if (MEM_GROW(r->known, r->known_room, r->knowns + 1, e) != OK)
    return FAIL;
  const size_t i = place_of(r, c->id);
  memmove(r->known + i + 1, r->known + i, (r->knowns++ - i) * sizeof *r->known);
  r->known[i] = c;
  return OK;
}

/* --- keys ------------------------------------------------------------------------------------ */

/* The words after the key. */
struct values {
  char *const *word;
  size_t count;
  struct action_reader *reader;
};

static enum status take_id(const struct values *v, uint32_t *id, struct err *e)
{
  int64_t value;
  struct err why;
  if (num_i64(v->word[0], 1, COMM_ID_MAX, &value, &why) != OK)
    return err_set(e, "communicator: %s", why.text);
  *id = (uint32_t)value;
  return OK;
}

/* RANK or FIRST:STRIDE:COUNT. */
static enum status add_members(const struct values *v, char *word, struct comm_list *l,
                               struct err *e)
{
  const int64_t ranks = v->reader->ranks;
  int64_t part[3] = {0, 0, 1};
  struct err why;
  int n = 0;
  for (char *rest = word, *at; (at = strsep(&rest, ":")) != NULL; n++) {
    if (n == 3)
      return err_set(e, "members: more than FIRST:STRIDE:COUNT");
    const int64_t min = n == 2 ? 1 : n == 1 ? -ranks : 0;
    if (num_i64(at, min, n == 0 ? ranks - 1 : ranks, &part[n], &why) != OK)
      return err_set(e, "members: %s", why.text);
  }
  if (n == 2)
    return err_set(e, "members: '%.64s' has a stride but no count", word);
  const struct comm_run run = {part[0], part[1], (uint32_t)part[2], 0};
  return comm_list_add(l, v->reader->ranks, &run, e);
}

static enum status list_members(const struct values *v, struct comm_list *l, struct err *e)
{
  for (size_t i = 1; i < v->count; i++)
    if (add_members(v, v->word[i], l, e) != OK)
      return FAIL;
  return OK;
}

static enum status define(const struct values *v, struct action *a, bool *skip, struct err *e)
{
  struct action_reader *r = v->reader;
  struct comm_list l = {0};
  const struct comm *c;
  uint32_t id, member;
  if (take_id(v, &id, e) != OK)
    return FAIL;
  if (known_comm(r, id) != NULL)
    return err_set(e, "communicator %" PRIu32 " has its members already", id);
  if (list_members(v, &l, e) != OK || comm_define(r->comms, id, r->ranks, &l, &c, e) != OK) {
    comm_list_clear(&l);
    return FAIL;
  }
  if (!comm_member(c, r->rank, &member))
    return err_set(e, "rank %" PRIu32 " is not a member of communicator %" PRIu32, r->rank, id);
  *a = (struct action){.kind = ACTION_DEFINE, .comm = c};
  *skip = false;
  return make_known(r, c, e);
}

static enum status on(const struct values *v, struct action *a, bool *skip, struct err *e)
{
  struct action_reader *r = v->reader;
  uint32_t id;
  (void)a;
  *skip = true;
  if (r->on != NULL)
    return err_set(e, "a second communicator for the same action");
  if (take_id(v, &id, e) != OK)
    return FAIL;
  if ((r->on = known_comm(r, id)) == NULL)
    return err_set(e, "communicator %" PRIu32 " has no members: the rank has not stated them", id);
  r->members = comm_size(r->on, r->ranks);
  return OK;
}

static enum status iteration(const struct values *v, struct action *a, bool *skip, struct err *e)
{
  int64_t count = ACTION_MARK_END;
  if (strcmp(v->word[0], "end") != 0 && num_i64(v->word[0], 1, UINT32_MAX, &count, e) != OK)
    return FAIL;
  *a = (struct action){.kind = ACTION_MARK, .count = count};
  *skip = false;
  return OK;
}

static enum status request(const struct values *v, struct action *a, bool *skip, struct err *e)
{
  int64_t value;
  (void)a;
  *skip = true;
  if (v->reader->name != 0)
    return err_set(e, "a second name for the same request");
  if (num_i64(v->word[0], 1, INT32_MAX, &value, e) != OK)
    return FAIL;
  v->reader->name = (int32_t)value;
  return OK;
}

/* The line that tells a reader that smpirun cannot replay the file; no effect. */
static enum status notice(const struct values *v, struct action *a, bool *skip, struct err *e)
{
  (void)v;
  (void)a;
  (void)e;
  *skip = true;
  return OK;
}

static const struct {
  const char *key;
  size_t min, max; /* values */
  enum status (*parse)(const struct values *v, struct action *a, bool *skip, struct err *e);
} KEYS[] = {
    {"comm", 2, SIZE_MAX, define}, {"on", 1, 1, on},
    {"request", 1, 1, request},    {"iteration", 1, 1, iteration},
    {"has", 0, SIZE_MAX, notice},
};

static enum status parse_key(const struct values *v, const char *key, struct action *a, bool *skip,
                             struct err *e)
{
  struct err why;
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
    if (strcmp(KEYS[i].key, key) != 0)
      continue;
    if (v->count < KEYS[i].min || v->count > KEYS[i].max)
      return err_set(e, "# haichi: %s: %zu values are too %s", key, v->count,
                     v->count < KEYS[i].min ? "few" : "many");
    if (KEYS[i].parse(v, a, skip, &why) != OK)
      return err_set(e, "# haichi: %s: %s", key, why.text);
    return OK;
  }
  return err_set(e, "# haichi: the key '%.64s' is not known", key);
}

enum status comment_parse(struct action_reader *r, const struct comment *c, struct action *a,
                          bool *skip, struct err *e)
{
  const struct action_words *w = c->words;
  *skip = true;
  if (!comment_speaks(c->text, c->length))
    return OK;
  if (action_split(c->words, c->text, c->length, e) != OK)
    return FAIL;
  if (w->count < 3)
    return err_set(e, "# haichi: no key follows");
  const struct values v = {w->word + 3, w->count - 3, r};
  return parse_key(&v, w->word[2], a, skip, e);
}

/* --- the next action ------------------------------------------------------------------------- */

static enum status apply_name(struct action_reader *r, struct action *a, struct err *e)
{
  const bool waits =
      (a->kind == ACTION_WAIT || a->kind == ACTION_TEST) && a->source == ACTION_COLLECTIVE;
  if (!action_is_nonblocking(a->kind) && !waits)
    return err_set(e, "%s: only requests of nonblocking collectives have names, not %" PRId32,
                   action_name(a->kind), r->name);
  a->name = r->name;
  r->name = 0;
  return OK;
}

static enum status apply_comm(struct action_reader *r, struct action *a, struct err *e)
{
  if (!action_is_collective(a->kind))
    return err_set(e, "%s: only collectives are on communicator %" PRIu32, action_name(a->kind),
                   r->on->id);
  a->comm = r->on;
  r->on = NULL;
  r->members = r->ranks;
  return OK;
}

enum status comment_apply(struct action_reader *r, struct action *a, struct err *e)
{
  if (r->name != 0 && apply_name(r, a, e) != OK)
    return FAIL;
  return r->on == NULL ? OK : apply_comm(r, a, e);
}

enum status comment_finish(const struct action_reader *r, struct err *e)
{
  if (r->name != 0)
    return err_set(e, "no action follows whose request has the name %" PRId32, r->name);
  if (r->on == NULL)
    return OK;
  return err_set(e, "no action follows that is on communicator %" PRIu32, r->on->id);
}
