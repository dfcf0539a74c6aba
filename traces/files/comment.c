#include "traces/files/comment.h"

#include <inttypes.h>
#include <string.h>

#include "common/containers/search.h"
#include "common/files/lines.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/comm.h"
#include "traces/datatype.h"

enum { TYPES_MAX = 1024 /* per rank */ };

static const char PREFIX[] = "# haichi:";

bool comment_has_key(const char *text, size_t length)
{
  const size_t n = sizeof PREFIX - 1;
  return length >= n && memcmp(text, PREFIX, n) == 0 && (length == n || lines_is_blank(text[n]));
}

/* --- communicators stated by a rank ----------------------------------------------------------- */

struct wanted {
  const struct action_reader *reader;
  uint64_t id;
};

static bool id_is_below(const void *key, size_t i)
{
  const struct wanted *w = key;
  return w->reader->known[i]->id < w->id;
}

/* Index of the id in the rank's sorted list, or where to insert it. */
static size_t place_of(const struct action_reader *r, uint64_t id)
{
  return search(0, r->knowns, id_is_below, &(struct wanted){r, id});
}

static const struct comm *known_comm(const struct action_reader *r, uint64_t id)
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

static enum status take_id(const struct values *v, uint64_t *id, struct err *e)
{
  int64_t value;
  struct err why;
  if (num_i64(v->word[0], 1, INT64_MAX, &value, &why) != OK)
    return err_set(e, "communicator: %s", why.text);
  *id = (uint64_t)value;
  return OK;
}

/* Parses RANK or FIRST:STRIDE:COUNT. */
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

/* Stores the action of a comment. */
static const struct action *give(struct action_reader *r, struct action a)
{
  r->action = a;
  return &r->action;
}

static enum status define(const struct values *v, const struct action **a, struct err *e)
{
  struct action_reader *r = v->reader;
  struct comm_list l = {0};
  const struct comm *c;
  uint64_t id;
  uint32_t member;
  if (take_id(v, &id, e) != OK)
    return FAIL;
  if (known_comm(r, id) != NULL)
    return err_set(e, "communicator %" PRIu64 " has its members already", id);
  if (list_members(v, &l, e) != OK || comm_define(r->comms, id, r->ranks, &l, &c, e) != OK) {
    comm_list_clear(&l);
    return FAIL;
  }
  if (!comm_member(c, r->rank, &member))
    return err_set(e, "rank %" PRIu32 " is not a member of communicator %" PRIu64, r->rank, id);
  *a = give(r, (struct action){.kind = ACTION_DEFINE, .comm = c});
  return make_known(r, c, e);
}

static enum status on(const struct values *v, const struct action **a, struct err *e)
{
  struct action_reader *r = v->reader;
  uint64_t id;
  (void)a;
  if (r->on != NULL)
    return err_set(e, "a second communicator for the same action");
  if (take_id(v, &id, e) != OK)
    return FAIL;
  if ((r->on = known_comm(r, id)) == NULL)
    return err_set(e, "communicator %" PRIu64 " has no members: the rank has not stated them", id);
  r->members = comm_size(r->on, r->ranks);
  r->neighbours = action_reader_neighbours(r, r->on);
  return OK;
}

/* Takes the communicator of a topology.  A rank may state only one topology for it. */
static enum status take_comm(const struct values *v, const struct comm **out, struct err *e)
{
  uint64_t id;
  if (take_id(v, &id, e) != OK)
    return FAIL;
  *out = known_comm(v->reader, id);
  if (*out == NULL)
    return err_set(e, "communicator %" PRIu64 " has no members: the rank has not stated them", id);
  if (action_reader_neighbours(v->reader, *out) != NULL)
    return err_set(e, "communicator %" PRIu64 " has its neighbours already", id);
  return OK;
}

/* Stores @p n, which is emptied on success, as the rank's neighbours in @p c. */
static enum status keep_topology(struct action_reader *r, const struct comm *c,
                                 struct neighbours *n, const struct action **a, struct err *e)
{
  if (MEM_GROW(r->topology, r->topology_room, r->topologies + 1, e) != OK)
    return FAIL;
  struct action_topology *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  *t = (struct action_topology){c, *n};
  *n = (struct neighbours){.sources = 0};
  r->topology[r->topologies++] = t;
  *a = give(r, (struct action){.kind = ACTION_TOPOLOGY, .comm = c, .neighbours = &t->neighbours});
  return OK;
}

/* Parses SIDE, or SIDEp for a periodic axis. */
static enum status add_side(struct neighbours_grid *g, char *word, struct err *e)
{
  int64_t side;
  const size_t n = strlen(word);
  if (g->axes == NEIGHBOURS_AXES_MAX)
    return err_set(e, "more than %d sides", NEIGHBOURS_AXES_MAX);
  g->periodic[g->axes] = n > 1 && word[n - 1] == 'p';
  if (g->periodic[g->axes])
    word[n - 1] = '\0';
  struct err why;
  if (num_i64(word, 1, UINT32_MAX, &side, &why) != OK)
    return err_set(e, "a side: %s", why.text);
  g->side[g->axes++] = (uint32_t)side;
  return OK;
}

static enum status cart(const struct values *v, const struct action **a, struct err *e)
{
  struct neighbours n = {.sources = 0};
  const struct comm *c;
  uint32_t member = 0;
  if (take_comm(v, &c, e) != OK)
    return FAIL;
  for (size_t i = 1; i < v->count; i++)
    if (add_side(&n.grid, v->word[i], e) != OK)
      return FAIL;
  if (neighbours_grid_size(&n.grid) != comm_size(c, 0))
    return err_set(e, "the sides make %" PRIu32 " ranks, but communicator %" PRIu64 " has %" PRIu32,
                   neighbours_grid_size(&n.grid), c->id, comm_size(c, 0));
  comm_member(c, v->reader->rank, &member);
  if (neighbours_of_grid(&n, member, e) == OK && keep_topology(v->reader, c, &n, a, e) == OK)
    return OK;
  neighbours_clear(&n);
  return FAIL;
}

/* Parses from MEMBER... to MEMBER... */
static enum status list_neighbours(const struct values *v, const struct comm *c,
                                   struct neighbours *n, struct err *e)
{
  bool from = true;
  struct err why;
  int64_t member;
  if (strcmp(v->word[1], "from") != 0)
    return err_set(e, "'%.32s' is not 'from'", v->word[1]);
  for (size_t i = 2; i < v->count; i++) {
    if (from && strcmp(v->word[i], "to") == 0) {
      from = false;
      continue;
    }
    if (num_i64(v->word[i], NEIGHBOURS_NONE, (int64_t)comm_size(c, 0) - 1, &member, &why) != OK)
      return err_set(e, "a neighbour: %s", why.text);
    if (neighbours_add(n, from, (int32_t)member, e) != OK)
      return FAIL;
  }
  return from ? err_set(e, "no 'to' follows") : OK;
}

static enum status graph(const struct values *v, const struct action **a, struct err *e)
{
  struct neighbours n = {.sources = 0};
  const struct comm *c;
  if (take_comm(v, &c, e) != OK)
    return FAIL;
  if (list_neighbours(v, c, &n, e) == OK && keep_topology(v->reader, c, &n, a, e) == OK)
    return OK;
  neighbours_clear(&n);
  return FAIL;
}

static enum status from(const struct values *v, const struct action **a, struct err *e)
{
  struct action_reader *r = v->reader;
  int64_t source;
  (void)a;
  if (r->source != ACTION_ANY_SOURCE)
    return err_set(e, "a second source for the same Start");
  if (num_i64(v->word[0], 0, (int64_t)r->ranks - 1, &source, e) != OK)
    return FAIL;
  r->source = (int32_t)source;
  return OK;
}

static enum status iteration(const struct values *v, const struct action **a, struct err *e)
{
  int64_t count = ACTION_MARK_END;
  if (strcmp(v->word[0], "end") != 0 && num_i64(v->word[0], 1, UINT32_MAX, &count, e) != OK)
    return FAIL;
  *a = give(v->reader, (struct action){.kind = ACTION_MARK, .count = count});
  return OK;
}

static enum status keep_type(struct action_reader *r, struct action_type t, struct err *e)
{
  for (size_t i = 0; i < r->types; i++)
    if (r->type[i].id == t.id) {
      r->type[i] = t;
      return OK;
    }
  if (r->types == TYPES_MAX)
    return err_set(e, "more than %d derived datatypes", TYPES_MAX);
  if (MEM_GROW(r->type, r->type_room, r->types + 1, e) != OK)
    return FAIL;
  r->type[r->types++] = t;
  return OK;
}

/* A datatype may be restated: SMPI's tracer writes one number for all derived datatypes. */
static enum status type(const struct values *v, const struct action **a, struct err *e)
{
  int64_t id, bytes;
  struct err why;
  if (num_i64(v->word[0], DATATYPE_DERIVED, INT16_MAX, &id, &why) != OK)
    return err_set(e, "datatype: %s", why.text);
  if (id != DATATYPE_DERIVED && id < DATATYPE_COUNT)
    return err_set(e, "datatype: %" PRId64 " is SMPI's own, a derived one has -1 or %d to %d", id,
                   DATATYPE_COUNT, INT16_MAX);
  if (num_i64(v->word[1], 1, INT32_MAX, &bytes, &why) != OK)
    return err_set(e, "bytes: %s", why.text);
  *a = give(v->reader, (struct action){.kind = ACTION_TYPE, .type = (int16_t)id, .count = bytes});
  return keep_type(v->reader, (struct action_type){(int16_t)id, (uint32_t)bytes}, e);
}

static enum status request(const struct values *v, const struct action **a, struct err *e)
{
  int64_t value;
  (void)a;
  if (v->reader->name != 0)
    return err_set(e, "a second name for the same request");
  if (num_i64(v->word[0], 1, INT32_MAX, &value, e) != OK)
    return FAIL;
  v->reader->name = (int32_t)value;
  return OK;
}

/* The line that warns readers that smpirun cannot replay the file; no effect. */
static enum status notice(const struct values *v, const struct action **a, struct err *e)
{
  (void)v;
  (void)a;
  (void)e;
  return OK;
}

static const struct {
  const char *key;
  size_t min, max; /* number of values */
  enum status (*parse)(const struct values *v, const struct action **a, struct err *e);
} KEYS[] = {
    {"comm", 2, SIZE_MAX, define}, {"on", 1, 1, on},
    {"cart", 2, SIZE_MAX, cart},   {"graph", 3, SIZE_MAX, graph},
    {"from", 1, 1, from},          {"request", 1, 1, request},
    {"type", 2, 2, type},          {"iteration", 1, 1, iteration},
    {"has", 0, SIZE_MAX, notice},
};

static enum status parse_key(const struct values *v, const char *key, const struct action **a,
                             struct err *e)
{
  struct err why;
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
    if (strcmp(KEYS[i].key, key) != 0)
      continue;
    if (v->count < KEYS[i].min || v->count > KEYS[i].max)
      return err_set(e, "# haichi: %s: %zu values are too %s", key, v->count,
                     v->count < KEYS[i].min ? "few" : "many");
    if (KEYS[i].parse(v, a, &why) != OK)
      return err_set(e, "# haichi: %s: %s", key, why.text);
    return OK;
  }
  return err_set(e, "# haichi: the key '%.64s' is not known", key);
}

enum status comment_parse(struct action_reader *r, const struct comment *c, const struct action **a,
                          struct err *e)
{
  const struct action_words *w = c->words;
  *a = NULL;
  if (!comment_has_key(c->text, c->length))
    return OK;
  if (action_split(c->words, c->text, c->length, e) != OK)
    return FAIL;
  if (w->count < 3)
    return err_set(e, "# haichi: no key follows");
  const struct values v = {w->word + 3, w->count - 3, r};
  return parse_key(&v, w->word[2], a, e);
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

/* Checks that both ends of a message, or of the message that is waited for, are members. */
static enum status check_ends(const struct action_reader *r, const struct action *a, struct err *e)
{
  const int32_t end[] = {a->partner, a->kind >= ACTION_SENDRECV ? a->source : ACTION_ANY_SOURCE};
  uint32_t member;
  for (size_t i = 0; i < sizeof end / sizeof *end; i++)
    if (end[i] >= 0 && !comm_member(r->on, (uint32_t)end[i], &member))
      return err_set(e, "%s: rank %" PRId32 " is not a member of communicator %" PRIu64,
                     action_name(a->kind), end[i], r->on->id);
  return OK;
}

/* The name of a collective's request is enough to find it. */
static enum status apply_comm(struct action_reader *r, struct action *a, struct err *e)
{
  const bool message = action_is_message(a->kind) && a->source != ACTION_COLLECTIVE;
  if (!message && !action_is_collective(a->kind))
    return err_set(e, "%s: only collectives and messages are on communicator %" PRIu64,
                   action_name(a->kind), r->on->id);
  if (message && check_ends(r, a, e) != OK)
    return FAIL;
  a->comm = r->on;
  r->on = NULL;
  r->neighbours = NULL;
  r->members = r->ranks;
  return OK;
}

enum status comment_apply(struct action_reader *r, struct err *e)
{
  struct action *a = &r->action;
  if (r->source != ACTION_ANY_SOURCE)
    return err_set(e, "%s: only a Start that receives takes the source %" PRId32,
                   action_name(a->kind), r->source);
  if (r->name != 0 && apply_name(r, a, e) != OK)
    return FAIL;
  return r->on == NULL ? OK : apply_comm(r, a, e);
}

enum status comment_finish(const struct action_reader *r, struct err *e)
{
  if (r->source != ACTION_ANY_SOURCE)
    return err_set(e, "no Start follows that receives from %" PRId32, r->source);
  if (r->name != 0)
    return err_set(e, "no action follows whose request has the name %" PRId32, r->name);
  if (r->on == NULL)
    return OK;
  return err_set(e, "no action follows that is on communicator %" PRIu64, r->on->id);
}
