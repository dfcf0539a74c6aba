#include "traces/dumpi/dumpi_comms.h"

#include <stdlib.h>

#include "common/mem.h"

/* A call that creates communicators from a parent, and the arguments that decide the members. */
struct dumpi_creation {
  unsigned function;
  int32_t parent, id; /* the rank's numbers of communicators */
  /* Of a split.  For MPI_Comm_create, color is the communicator that numbers the members. */
  int32_t color, key;
  /* Members of a group; sides of a grid; for MPI_Cart_sub, whether each side remains.  Owned. */
  uint32_t *member;
  uint32_t count;
  uint32_t comm; /* resolved: number of the communicator; UINT32_MAX: none for this rank */
};

/* A group as one rank has made it: ranks of a communicator. */
struct group {
  int32_t id;
  int32_t of;       /* the rank's number of the communicator */
  uint32_t *member; /* owned; NULL: all members of `of' */
  uint32_t count;
};

struct named {
  int32_t id;
  uint32_t comm;
};

struct dumpi_map {
  struct dumpi_creation *creation; /* in order; owned */
  size_t creation_room, creations, next;
  struct group *group; /* the last one of each id; owned */
  size_t group_room, groups;
  struct named *named; /* owned */
  size_t named_room, names;
};

enum { NONE = UINT32_MAX };

enum status dumpi_comms_init(struct dumpi_comms *c, uint32_t ranks, struct err *e)
{
  *c = (struct dumpi_comms){.ranks = ranks};
  if ((c->map = mem_array(ranks, sizeof *c->map, e)) == NULL ||
      MEM_GROW(c->comm, c->comm_room, (size_t)ranks + 1, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i <= ranks; i++) {
    struct dumpi_comm *x = &c->comm[c->comms++];
    *x = (struct dumpi_comm){.count = i == 0 ? ranks : 1};
    if ((x->member = mem_array(x->count, sizeof *x->member, e)) == NULL)
      return FAIL;
    for (uint32_t k = 0; k < x->count; k++)
      x->member[k] = i == 0 ? k : i - 1;
  }
  c->comm[0].number = 1;
  return OK;
}

/* --- first pass ------------------------------------------------------------------------------ */

static struct group *find_group(struct dumpi_map *m, int32_t id)
{
  for (size_t i = 0; i < m->groups; i++)
    if (m->group[i].id == id)
      return &m->group[i];
  return NULL;
}

static enum status set_group(struct dumpi_map *m, const struct group *g, struct err *e)
{
  struct group *old = find_group(m, g->id);
  if (old == NULL) {
    if (MEM_GROW(m->group, m->group_room, m->groups + 1, e) != OK)
      return FAIL;
    old = &m->group[m->groups++];
  } else {
    free(old->member);
  }
  *old = *g;
  return OK;
}

/* Member @p i of a group in the numbering of g->of. */
static uint32_t member_of(const struct group *g, uint32_t i)
{
  return g->member == NULL ? i : g->member[i];
}

/* The ranks that a call on groups names: the array, or the ranges first, last, stride. */
static enum status list_ranks(const struct dumpi_record *r, uint32_t **out, uint32_t *count,
                              struct err *e)
{
  const bool ranges = r->function >= DUMPI_GROUP_RANGE_INCL;
  size_t room = 0;
  for (uint32_t k = 0; k < r->arrays; k++) {
    const int32_t *x = r->value + r->array[k].first;
    const uint32_t n = r->array[k].count;
    const int64_t first = ranges && n >= 3 ? x[0] : 0,
                  last = ranges && n >= 3 ? x[1] : (int64_t)n - 1;
    const int64_t stride = ranges && n >= 3 ? x[2] : 1;
    for (int64_t v = first; stride != 0 && (stride > 0 ? v <= last : v >= last); v += stride) {
      if (MEM_GROW(*out, room, (size_t)*count + 1, e) != OK)
        return FAIL;
      (*out)[(*count)++] = (uint32_t)(ranges ? v : x[v]);
      if (*count > 1 << 20)
        return err_set(e, "a group of more than 2^20 ranks");
    }
  }
  return OK;
}

/* Adds to @p g the members of @p from with the listed indices, or with all other indices. */
static enum status pick(struct group *g, const struct group *from, const struct dumpi_record *r,
                        struct err *e)
{
  const bool without = r->function == DUMPI_GROUP_EXCL || r->function == DUMPI_GROUP_RANGE_EXCL;
  uint32_t *index = NULL, count = 0;
  enum status s = list_ranks(r, &index, &count, e);
  bool *out = s == OK ? mem_array(from->count, sizeof *out, e) : NULL;
  if (out == NULL ||
      (g->member = mem_array((size_t)count + from->count, sizeof *g->member, e)) == NULL)
    s = FAIL;
  for (uint32_t i = 0; s == OK && i < count; i++) {
    if (index[i] >= from->count)
      continue;
    out[index[i]] = true;
    if (!without)
      g->member[g->count++] = member_of(from, index[i]);
  }
  for (uint32_t i = 0; s == OK && without && i < from->count; i++)
    if (!out[i])
      g->member[g->count++] = member_of(from, i);
  free(out);
  free(index);
  return s;
}

static bool has(const struct group *g, uint32_t member)
{
  for (uint32_t i = 0; i < g->count; i++)
    if (member_of(g, i) == member)
      return true;
  return false;
}

static enum status combine(struct group *g, const struct group *a, const struct group *b,
                           unsigned function, struct err *e)
{
  if ((g->member = mem_array((size_t)a->count + b->count, sizeof *g->member, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < a->count; i++)
    if (function == DUMPI_GROUP_UNION ||
        has(b, member_of(a, i)) == (function == DUMPI_GROUP_INTERSECTION))
      g->member[g->count++] = member_of(a, i);
  for (uint32_t i = 0; function == DUMPI_GROUP_UNION && i < b->count; i++)
    if (!has(a, member_of(b, i)))
      g->member[g->count++] = member_of(b, i);
  return OK;
}

/* Stores a group as ranks of its communicator: members of communicators other than the world are
 * known only after dumpi_comms_resolve(). */
static enum status note_group(struct dumpi_comms *c, struct dumpi_map *m,
                              const struct dumpi_record *r, struct err *e)
{
  struct group g = {.id = r->number[r->numbers - 1]};
  if (r->function == DUMPI_COMM_GROUP) {
    g.of = r->number[0];
    g.count = c->ranks;
    return set_group(m, &g, e);
  }
  const struct group *a = find_group(m, r->number[0]);
  const bool two = r->function >= DUMPI_GROUP_UNION && r->function <= DUMPI_GROUP_DIFFERENCE;
  const struct group *b = two ? find_group(m, r->number[1]) : NULL;
  if (a == NULL || (two && (b == NULL || a->of != b->of)))
    return OK;
  g.of = a->of;
  if ((two ? combine(&g, a, b, r->function, e) : pick(&g, a, r, e)) != OK) {
    free(g.member);
    return FAIL;
  }
  return set_group(m, &g, e);
}

/* True if the call creates a communicator; *x describes it. */
static bool creates(const struct dumpi_record *r, struct dumpi_creation *x)
{
  *x = (struct dumpi_creation){.function = r->function, .parent = r->number[0], .comm = NONE};
  switch (r->function) {
  case DUMPI_COMM_SPLIT:
    x->color = r->number[1];
    x->key = r->number[2];
    break;
  case DUMPI_COMM_DUP:
  case DUMPI_COMM_CREATE:
  case DUMPI_CART_CREATE:
  case DUMPI_INTERCOMM_CREATE:
  case DUMPI_INTERCOMM_MERGE:
    break;
  case DUMPI_GRAPH_CREATE:
  case DUMPI_CART_SUB:
    x->parent = r->number[1];
    break;
  default:
    return false;
  }
  x->id = r->number[r->numbers - 1];
  return r->numbers > 1;
}

/* Stores the sides of a grid or, for MPI_Cart_sub, whether each side remains. */
static enum status keep_sides(struct dumpi_creation *y, const struct dumpi_record *r, struct err *e)
{
  const struct dumpi_array *a = &r->array[0];
  if ((y->member = mem_array(a->count, sizeof *y->member, e)) == NULL)
    return FAIL;
  y->count = a->count;
  for (uint32_t i = 0; i < a->count; i++)
    y->member[i] = (uint32_t)r->value[a->first + i];
  return OK;
}

enum status dumpi_comms_note(struct dumpi_comms *c, uint32_t rank, const struct dumpi_record *r,
                             struct err *e)
{
  struct dumpi_map *m = &c->map[rank];
  struct dumpi_creation x;
  if (r->function >= DUMPI_COMM_GROUP && r->function <= DUMPI_GROUP_RANGE_EXCL && r->numbers > 0)
    return note_group(c, m, r, e);
  if (!creates(r, &x))
    return OK;
  if (MEM_GROW(m->creation, m->creation_room, m->creations + 1, e) != OK)
    return FAIL;
  m->creation[m->creations] = x;
  struct dumpi_creation *y = &m->creation[m->creations++];
  if (r->function == DUMPI_CART_CREATE || r->function == DUMPI_GRAPH_CREATE)
    c->reordered |= r->number[r->numbers - 2] != 0;
  if (r->function == DUMPI_GRAPH_CREATE)
    y->count = (uint32_t)r->number[2];
  if ((r->function == DUMPI_CART_CREATE || r->function == DUMPI_CART_SUB) && r->arrays > 0)
    return keep_sides(y, r, e);
  const struct group *g = r->function == DUMPI_COMM_CREATE ? find_group(m, r->number[1]) : NULL;
  if (g == NULL)
    return OK;
  if ((y->member = mem_array(g->count, sizeof *y->member, e)) == NULL)
    return FAIL;
  y->count = g->count;
  y->color = g->of;
  for (uint32_t i = 0; i < g->count; i++)
    y->member[i] = member_of(g, i);
  return OK;
}

/* --- resolution ------------------------------------------------------------------------------ */

static uint32_t find_named(const struct dumpi_map *m, uint32_t rank, int32_t id)
{
  if (id == DUMPI_COMM_WORLD || id == DUMPI_COMM_SELF)
    return id == DUMPI_COMM_WORLD ? 0 : rank + 1;
  for (size_t i = m->names; i-- > 0;)
    if (m->named[i].id == id)
      return m->named[i].comm;
  return NONE;
}

static enum status set_named(struct dumpi_map *m, int32_t id, uint32_t comm, struct err *e)
{
  size_t i = 0;
  while (i < m->names && m->named[i].id != id)
    i++;
  if (i == m->names) {
    if (MEM_GROW(m->named, m->named_room, m->names + 1, e) != OK)
      return FAIL;
    m->names++;
  }
  m->named[i] = (struct named){id, comm};
  return OK;
}

static struct dumpi_creation *next_of(const struct dumpi_comms *c, uint32_t rank)
{
  struct dumpi_map *m = &c->map[rank];
  return m->next < m->creations ? &m->creation[m->next] : NULL;
}

/* Adds a communicator with room for @p count members. */
static enum status add_comm(struct dumpi_comms *c, uint32_t count, uint32_t *number, struct err *e)
{
  uint32_t *member = mem_array(count, sizeof *member, e);
  if (member == NULL || MEM_GROW(c->comm, c->comm_room, (size_t)c->comms + 1, e) != OK) {
    free(member);
    return FAIL;
  }
  c->comm[c->comms] = (struct dumpi_comm){.member = member};
  *number = c->comms++;
  return OK;
}

/* One collective creation from a parent. */
struct round {
  struct dumpi_comms *c;
  uint32_t parent;
  struct dumpi_creation **call; /* by member of the parent */
  uint32_t *order;              /* members, for sorting */
  uint64_t *group;              /* by member: label of its new communicator; UINT64_MAX: none */
};

static void join(struct round *r, uint32_t number, uint32_t i)
{
  struct dumpi_comm *x = &r->c->comm[number];
  x->member[x->count++] = r->c->comm[r->parent].member[i];
  if (r->call[i]->id != DUMPI_COMM_NULL)
    r->call[i]->comm = number;
}

/* Members of each group become a communicator, in the order of keys. */
static enum status form(struct round *r, struct err *e)
{
  const uint32_t n = r->c->comm[r->parent].count;
  for (uint32_t i = 1; i < n; i++) /* insertion sort: keys are usually in order */
    for (uint32_t k = i; k > 0 && r->call[r->order[k]]->key < r->call[r->order[k - 1]]->key; k--) {
      const uint32_t t = r->order[k];
      r->order[k] = r->order[k - 1];
      r->order[k - 1] = t;
    }
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t group = r->group[r->order[i]];
    uint32_t number;
    if (group == UINT64_MAX)
      continue;
    if (add_comm(r->c, n, &number, e) != OK)
      return FAIL;
    for (uint32_t k = i; k < n; k++)
      if (r->group[r->order[k]] == group) {
        join(r, number, r->order[k]);
        r->group[r->order[k]] = UINT64_MAX;
      }
  }
  return OK;
}

/* Label of a member's part of a grid: its coordinates on the sides that do not remain. */
static uint64_t slice(const struct dumpi_comm *grid, const struct dumpi_creation *x,
                      uint32_t member)
{
  uint64_t group = 0, scale = 1;
  uint32_t rest = member;
  for (uint32_t d = grid->sides; d-- > 0;) {
    const uint32_t side = grid->side[d] == 0 ? 1 : grid->side[d], at = rest % side;
    rest /= side;
    if (d < x->count && x->member[d] != 0)
      continue;
    group += at * scale;
    scale *= side;
  }
  return group;
}

static uint32_t cells(const struct dumpi_creation *x)
{
  uint64_t n = 1;
  for (uint32_t i = 0; x->function == DUMPI_CART_CREATE && i < x->count; i++)
    n = n * x->member[i] > UINT32_MAX ? UINT32_MAX : n * x->member[i];
  return x->function == DUMPI_CART_CREATE ? (uint32_t)n : x->count;
}

static uint64_t group_of(const struct round *r, uint32_t i)
{
  const struct dumpi_creation *x = r->call[i];
  switch (x->function) {
  case DUMPI_COMM_DUP:
    return 0;
  case DUMPI_COMM_SPLIT:
    return x->color < 0 || x->id == DUMPI_COMM_NULL ? UINT64_MAX : (uint64_t)x->color;
  case DUMPI_CART_SUB:
    return slice(&r->c->comm[r->parent], x, i);
  default:
    return i < cells(x) ? 0 : UINT64_MAX;
  }
}

/* Forms the communicator of the group that member @p from of the parent has listed in
 * MPI_Comm_create. */
static enum status form_group(struct round *r, uint32_t from, struct err *e)
{
  const uint32_t n = r->c->comm[r->parent].count, rank = r->c->comm[r->parent].member[from];
  const struct dumpi_creation *x = r->call[from];
  uint32_t number;
  const uint32_t of = find_named(&r->c->map[rank], rank, x->color);
  if (of == NONE || add_comm(r->c, x->count, &number, e) != OK)
    return of == NONE ? OK : FAIL;
  for (uint32_t k = 0; k < x->count; k++) {
    const struct dumpi_comm *base = &r->c->comm[of];
    const uint32_t world = x->member[k] < base->count ? base->member[x->member[k]] : NONE;
    for (uint32_t i = 0; i < n; i++)
      if (r->c->comm[r->parent].member[i] == world)
        join(r, number, i);
  }
  return OK;
}

/* The groups of different members are equal or disjoint. */
static enum status form_listed(struct round *r, struct err *e)
{
  for (uint32_t i = 0; i < r->c->comm[r->parent].count; i++) {
    const struct dumpi_creation *x = r->call[i];
    if (x->id != DUMPI_COMM_NULL && x->member != NULL && x->comm == NONE &&
        form_group(r, i, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status keep_grid(struct round *r, struct err *e)
{
  const struct dumpi_creation *x = r->call[0];
  if (x->function != DUMPI_CART_CREATE || x->comm == NONE)
    return OK;
  struct dumpi_comm *c = &r->c->comm[x->comm];
  if ((c->side = mem_array(x->count, sizeof *c->side, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < x->count; i++)
    c->side[i] = x->member[i];
  c->sides = x->count;
  return OK;
}

static enum status finish_round(struct round *r, struct err *e)
{
  const unsigned function = r->call[0]->function;
  const uint32_t n = r->c->comm[r->parent].count;
  enum status s = OK;
  for (uint32_t i = 0; i < n; i++) {
    r->order[i] = i;
    r->group[i] = group_of(r, i);
  }
  if (function == DUMPI_COMM_CREATE)
    s = form_listed(r, e);
  else if (function != DUMPI_INTERCOMM_CREATE && function != DUMPI_INTERCOMM_MERGE)
    s = form(r, e) == OK ? keep_grid(r, e) : FAIL;
  for (uint32_t i = 0; s == OK && i < n; i++) {
    struct dumpi_map *m = &r->c->map[r->c->comm[r->parent].member[i]];
    m->next++;
    s = set_named(m, r->call[i]->id, r->call[i]->comm, e);
  }
  return s;
}

/* Carries out the rank's next creation and sets *ready, if all members of its parent have reached a
 * creation by the same function on this parent.  Communicators made from an
 * intercommunicator stay unknown. */
static enum status try_round(struct dumpi_comms *c, uint32_t rank, bool *ready, struct err *e)
{
  const struct dumpi_creation *x = next_of(c, rank);
  const uint32_t parent = find_named(&c->map[rank], rank, x->parent);
  *ready = true;
  if (parent == NONE) {
    c->map[rank].next++;
    return set_named(&c->map[rank], x->id, NONE, e);
  }
  const uint32_t n = c->comm[parent].count;
  struct round r = {.c = c, .parent = parent, .call = mem_array(n, sizeof *r.call, e)};
  enum status s = OK;
  if (r.call == NULL || (r.order = mem_array(n, sizeof *r.order, e)) == NULL ||
      (r.group = mem_array(n, sizeof *r.group, e)) == NULL)
    s = FAIL;
  for (uint32_t i = 0; s == OK && *ready && i < n; i++) {
    const uint32_t other = c->comm[parent].member[i];
    r.call[i] = next_of(c, other);
    *ready = r.call[i] != NULL && r.call[i]->function == x->function &&
             find_named(&c->map[other], other, r.call[i]->parent) == parent;
  }
  if (s == OK && *ready)
    s = finish_round(&r, e);
  free(r.call);
  free(r.order);
  free(r.group);
  return s;
}

enum status dumpi_comms_resolve(struct dumpi_comms *c, struct err *e)
{
  bool moved = true;
  while (moved) {
    moved = false;
    for (uint32_t rank = 0; rank < c->ranks; rank++) {
      bool ready = true;
      while (ready && next_of(c, rank) != NULL) {
        if (try_round(c, rank, &ready, e) != OK)
          return FAIL;
        moved |= ready;
      }
    }
  }
  return OK;
}

/* --- second pass ----------------------------------------------------------------------------- */

void dumpi_comms_begin(struct dumpi_comms *c, uint32_t rank)
{
  c->map[rank].names = 0;
  c->map[rank].next = 0;
}

/* Ignores failures: the resolution has made room for all names that it found. */
void dumpi_comms_pass(struct dumpi_comms *c, uint32_t rank, const struct dumpi_record *r)
{
  struct dumpi_creation x;
  struct dumpi_map *m = &c->map[rank];
  struct err unused;
  if (!creates(r, &x) || m->next == m->creations)
    return;
  (void)set_named(m, x.id, m->creation[m->next++].comm, &unused);
}

struct dumpi_comm *dumpi_comms_find(struct dumpi_comms *c, uint32_t rank, int32_t id)
{
  const uint32_t number = find_named(&c->map[rank], rank, id);
  return number == NONE ? NULL : &c->comm[number];
}

void dumpi_comms_clear(struct dumpi_comms *c)
{
  for (uint32_t i = 0; i < c->comms; i++) {
    free(c->comm[i].member);
    free(c->comm[i].side);
  }
  for (uint32_t r = 0; c->map != NULL && r < c->ranks; r++) {
    struct dumpi_map *m = &c->map[r];
    for (size_t i = 0; i < m->creations; i++)
      free(m->creation[i].member);
    for (size_t i = 0; i < m->groups; i++)
      free(m->group[i].member);
    free(m->creation);
    free(m->group);
    free(m->named);
  }
  free(c->comm);
  free(c->map);
  *c = (struct dumpi_comms){0};
}
