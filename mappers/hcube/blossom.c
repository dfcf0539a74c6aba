#include "mappers/hcube/blossom.h"

#include <assert.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/mem.h"

#define NONE UINT32_MAX

enum label { UNLABELLED, OUTER, INNER };

/* An arc as seen from one of its ends. */
struct end {
  uint32_t to;
  int64_t weight; /* twice the weight of the arc, to make half of a slack an integer */
};

/* An arc of the tree or of the cycle of a blossom. */
struct step {
  uint32_t from, to;
};

/* A vertex (index below n), or a blossom: an odd cycle of vertices and blossoms. */
struct node {
  uint32_t parent;     /* enclosing blossom; NONE if outermost */
  uint32_t base;       /* the vertex with its partner outside the node */
  uint32_t next, prev; /* neighbours in the parent's cycle */
  uint32_t first;      /* of a blossom: a node of its cycle */
  struct step around;  /* arc to `next` */
  struct step entered; /* of a labelled node: the arc from its tree parent */
  int64_t dual;        /* at the time `since` */
  int64_t since;       /* time of the last settle() */
  enum label label;    /* of outermost nodes */
  uint32_t mark;       /* number of the last walk up the tree that visited it */
};

/* At `time` the arc between `from` and `to` becomes tight, or, if `to` is NONE, blossom `from` must
 * be expanded. */
struct event {
  int64_t time;
  uint32_t from, to;
};

struct matching {
  uint32_t n;
  size_t *first; /* by vertex, offset in `end` */
  struct end *end;
  struct node *node; /* 2n */
  uint32_t *top;     /* by vertex: the outermost node that contains it */
  uint32_t *mate;    /* not owned */
  uint32_t *unused;  /* unused blossoms */
  uint32_t unused_count;
  uint32_t *labelled; /* nodes labelled in this search; some have lost their label */
  size_t labels, label_room;
  uint32_t *leaf, *stack; /* vertices of one node, and scratch to find them */
  struct event *heap;
  size_t events, event_room;
  int64_t now;    /* change of the duals since the search began */
  int64_t limit;  /* time when the dual of an outer vertex becomes 0 */
  uint32_t ender; /* that vertex */
  uint32_t walk;
};

/* --- events ----------------------------------------------------------------------------------- */

static bool is_before(const struct event *x, const struct event *y)
{
  if (x->time != y->time)
    return x->time < y->time;
  return x->from != y->from ? x->from < y->from : x->to < y->to;
}

/* Adds an event.  Drops events after the limit, because the search ends before them. */
static enum status push(struct matching *s, struct event x, struct err *e)
{
  if (x.time > s->limit)
    return OK;
  if (MEM_GROW(s->heap, s->event_room, s->events + 1, e) != OK)
    return FAIL;
  size_t i = s->events++;
  for (; i > 0 && is_before(&x, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = x;
  return OK;
}

static struct event pop(struct matching *s)
{
  const struct event least = s->heap[0], x = s->heap[--s->events];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < s->events; i = child) {
    child += child + 1 < s->events && is_before(&s->heap[child + 1], &s->heap[child]);
    if (!is_before(&s->heap[child], &x))
      break;
    s->heap[i] = s->heap[child];
  }
  s->heap[i] = x;
  return least;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Fills s->leaf with the vertices of a node and returns their number. */
static uint32_t leaves(struct matching *s, uint32_t b)
{
  uint32_t n = 0, depth = 0;
  s->stack[depth++] = b;
  while (depth > 0) {
    const uint32_t x = s->stack[--depth];
    if (x < s->n) {
      s->leaf[n++] = x;
      continue;
    }
    uint32_t c = s->node[x].first;
    do {
      s->stack[depth++] = c;
      c = s->node[c].next;
    } while (c != s->node[x].first);
  }
  return n;
}

static int64_t dual_now(const struct matching *s, uint32_t v)
{
  const struct node *x = &s->node[v];
  const enum label l = s->node[s->top[v]].label;
  const int64_t change = s->now - x->since;
  return x->dual + (l == OUTER ? -change : l == INNER ? change : 0);
}

/* Updates the duals of an outermost node and of its vertices to the current time.  Leaves the
 * vertices in s->leaf and returns their number. */
static uint32_t settle(struct matching *s, uint32_t b)
{
  struct node *x = &s->node[b];
  const uint32_t n = leaves(s, b);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = s->leaf[i];
    s->node[v].dual = dual_now(s, v);
    s->node[v].since = s->now;
  }
  if (b >= s->n) {
    const int64_t change = 2 * (s->now - x->since);
    x->dual += x->label == OUTER ? change : x->label == INNER ? -change : 0;
    x->since = s->now;
  }
  return n;
}

/* The node in the cycle of blossom @p b that contains vertex @p v. */
static uint32_t child_with(const struct matching *s, uint32_t b, uint32_t v)
{
  uint32_t c = v;
  while (s->node[c].parent != b)
    c = s->node[c].parent;
  return c;
}

/* True if the forward way around the cycle from @p c to @p end has an even number of arcs. */
static bool goes_forward(const struct matching *s, uint32_t c, uint32_t end)
{
  bool even = true;
  for (; c != end; c = s->node[c].next)
    even = !even;
  return even;
}

/* The arc from @p c to its neighbour in the cycle; sets *to to the neighbour. */
static struct step step_from(const struct matching *s, uint32_t c, bool forward, uint32_t *to)
{
  const struct node *x = &s->node[c];
  *to = forward ? x->next : x->prev;
  const struct step arc = forward ? x->around : s->node[x->prev].around;
  return forward ? arc : (struct step){arc.to, arc.from};
}

/* Changes partners within node @p b so that @p v becomes its base. */
static void rebase(struct matching *s, uint32_t b, uint32_t v)
{
  if (b < s->n || s->node[b].base == v)
    return;
  uint32_t c = child_with(s, b, v);
  const uint32_t last = child_with(s, b, s->node[b].base);
  const bool forward = goes_forward(s, c, last);
  rebase(s, c, v);
  while (c != last) {
    uint32_t one, two;
    step_from(s, c, forward, &one);
    const struct step arc = step_from(s, one, forward, &two);
    rebase(s, one, arc.from);
    rebase(s, two, arc.to);
    s->mate[arc.from] = arc.to;
    s->mate[arc.to] = arc.from;
    c = two;
  }
  s->node[b].base = v;
}

/* Changes partners along the tree from outer vertex @p v to the root: the root gets a partner and
 * @p v becomes free for another. */
static void flip(struct matching *s, uint32_t v)
{
  for (;;) {
    const uint32_t outer = s->top[v];
    rebase(s, outer, v);
    const uint32_t from = s->node[outer].entered.from;
    if (from == NONE)
      return;
    const uint32_t inner = s->top[from];
    const struct step arc = s->node[inner].entered;
    rebase(s, inner, arc.to);
    s->mate[arc.to] = arc.from;
    s->mate[arc.from] = arc.to;
    v = arc.from;
  }
}

/* --- the tree --------------------------------------------------------------------------------- */

/* Adds the events of the arcs of @p v.  The outermost node of @p v is outer or unlabelled. */
static enum status scan(struct matching *s, uint32_t v, struct err *e)
{
  const bool outer = s->node[s->top[v]].label == OUTER;
  const int64_t dual = dual_now(s, v);
  for (size_t i = s->first[v]; i < s->first[v + 1]; i++) {
    const uint32_t to = s->end[i].to;
    const enum label l = s->node[s->top[to]].label;
    if (s->top[to] == s->top[v] || l == INNER || (!outer && l != OUTER))
      continue;
    const int64_t slack = dual + dual_now(s, to) - s->end[i].weight;
    const bool both = outer && l == OUTER;
    const struct event x = {s->now + (both ? slack / 2 : slack), outer ? v : to, outer ? to : v};
    if (push(s, x, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Updates the limit for vertex @p v, which has become outer. */
static void watch(struct matching *s, uint32_t v)
{
  const int64_t end = s->now + s->node[v].dual;
  if (end < s->limit) {
    s->limit = end;
    s->ender = v;
  }
}

/* Labels the outermost, unlabelled node @p b, which the tree reaches by arc @p by. */
static enum status set_label(struct matching *s, uint32_t b, enum label l, struct step by,
                             struct err *e)
{
  if (MEM_GROW(s->labelled, s->label_room, s->labels + 1, e) != OK)
    return FAIL;
  s->labelled[s->labels++] = b;
  const uint32_t n = settle(s, b);
  s->node[b].label = l;
  s->node[b].entered = by;
  if (l == INNER)
    return b < s->n ? OK : push(s, (struct event){s->now + s->node[b].dual / 2, b, NONE}, e);
  for (uint32_t i = 0; i < n; i++)
    watch(s, s->leaf[i]);
  for (uint32_t i = 0; i < n; i++)
    if (scan(s, s->leaf[i], e) != OK)
      return FAIL;
  return OK;
}

/* Extends the tree by the node of by.to and the node of its partner.  If it has no partner,
 * enlarges the matching and sets *done. */
static enum status grow(struct matching *s, struct step by, bool *done, struct err *e)
{
  const uint32_t inner = s->top[by.to], base = s->node[inner].base, partner = s->mate[base];
  if (partner == BLOSSOM_FREE) {
    flip(s, by.from);
    rebase(s, inner, by.to);
    s->mate[by.to] = by.from;
    s->mate[by.from] = by.to;
    *done = true;
    return OK;
  }
  if (set_label(s, inner, INNER, by, e) != OK)
    return FAIL;
  return set_label(s, s->top[partner], OUTER, (struct step){base, partner}, e);
}

/* The tree parent of a labelled node; NONE for the root. */
static uint32_t tree_parent(const struct matching *s, uint32_t b)
{
  const uint32_t from = s->node[b].entered.from;
  return from == NONE ? NONE : s->top[from];
}

/* The lowest common ancestor of @p a and @p b in the tree; may be one of them. */
static uint32_t meet(struct matching *s, uint32_t a, uint32_t b)
{
  s->walk++;
  for (uint32_t x = a; x != NONE; x = tree_parent(s, x))
    s->node[x].mark = s->walk;
  while (s->node[b].mark != s->walk)
    b = tree_parent(s, b);
  return b;
}

static void put_after(struct matching *s, uint32_t x, uint32_t next, struct step arc)
{
  s->node[x].next = next;
  s->node[next].prev = x;
  s->node[x].around = arc;
}

/* Builds the cycle of blossom @p b from @p arc and the two tree paths from its ends up to node
 * @p low. */
static void make_cycle(struct matching *s, uint32_t b, uint32_t low, struct step arc)
{
  uint32_t x = s->top[arc.from];
  const uint32_t other = s->top[arc.to];
  put_after(s, x, other, arc);
  for (uint32_t up; x != low; x = up) {
    up = tree_parent(s, x);
    put_after(s, up, x, s->node[x].entered);
  }
  x = other;
  for (uint32_t up; x != low; x = up) {
    up = tree_parent(s, x);
    const struct step by = s->node[x].entered;
    put_after(s, x, up, (struct step){by.to, by.from});
  }
  s->node[b].first = low;
}

/* Puts the nodes of its cycle into blossom @p b and removes their labels.  Inner vertices become
 * outer; they are kept at the end of s->labelled until they are scanned. */
static enum status adopt(struct matching *s, uint32_t b, struct err *e)
{
  size_t fresh = s->labels;
  uint32_t c = s->node[b].first;
  do {
    const bool was_inner = s->node[c].label == INNER;
    const uint32_t n = settle(s, c);
    if (MEM_GROW(s->labelled, s->label_room, s->labels + n + 1, e) != OK)
      return FAIL;
    for (uint32_t i = 0; i < n; i++) {
      s->top[s->leaf[i]] = b;
      if (was_inner)
        s->labelled[s->labels++] = s->leaf[i];
    }
    s->node[c].parent = b;
    s->node[c].label = UNLABELLED;
    c = s->node[c].next;
  } while (c != s->node[b].first);
  for (size_t i = fresh; i < s->labels; i++)
    watch(s, s->labelled[i]);
  for (size_t i = fresh; i < s->labels; i++)
    if (scan(s, s->labelled[i], e) != OK)
      return FAIL;
  s->labels = fresh;
  s->labelled[s->labels++] = b;
  return OK;
}

/* Makes a blossom of the cycle closed by @p arc, which joins two outer nodes. */
static enum status shrink(struct matching *s, struct step arc, struct err *e)
{
  assert(s->unused_count > 0);
  const uint32_t low = meet(s, s->top[arc.from], s->top[arc.to]);
  const uint32_t b = s->unused[--s->unused_count];
  make_cycle(s, b, low, arc);
  struct node *x = &s->node[b];
  x->parent = NONE;
  x->base = s->node[low].base;
  x->entered = s->node[low].entered;
  x->dual = 0;
  x->since = s->now;
  x->label = OUTER;
  return adopt(s, b, e);
}

/* Takes the nodes of the cycle out of inner blossom @p b, without labels. */
static void release(struct matching *s, uint32_t b)
{
  settle(s, b);
  uint32_t c = s->node[b].first;
  do {
    const uint32_t n = leaves(s, c);
    for (uint32_t i = 0; i < n; i++)
      s->top[s->leaf[i]] = c;
    s->node[c].parent = NONE;
    s->node[c].label = UNLABELLED;
    s->node[c].since = s->now;
    c = s->node[c].next;
  } while (c != s->node[b].first);
}

/* Adds the events of the arcs of all vertices of an unlabelled node. */
static enum status scan_all(struct matching *s, uint32_t b, struct err *e)
{
  const uint32_t n = leaves(s, b);
  for (uint32_t i = 0; i < n; i++)
    if (scan(s, s->leaf[i], e) != OK)
      return FAIL;
  return OK;
}

/* Expands inner blossom @p b, whose dual has become 0.  The tree keeps the path of even length
 * around the cycle, from the node that the tree enters to the base. */
static enum status open_blossom(struct matching *s, uint32_t b, struct err *e)
{
  struct step by = s->node[b].entered;
  const uint32_t start = child_with(s, b, by.to), last = child_with(s, b, s->node[b].base);
  const bool forward = goes_forward(s, start, last);
  release(s, b);
  uint32_t c = start;
  enum label l = INNER;
  for (;;) {
    uint32_t next;
    if (set_label(s, c, l, by, e) != OK)
      return FAIL;
    if (c == last)
      break;
    by = step_from(s, c, forward, &next);
    c = next;
    l = l == INNER ? OUTER : INNER;
  }
  for (c = s->node[start].next; c != start; c = s->node[c].next)
    if (s->node[c].label == UNLABELLED && scan_all(s, c, e) != OK)
      return FAIL;
  s->node[b].label = UNLABELLED;
  s->unused[s->unused_count++] = b;
  return OK;
}

/* True if the event is still valid, since labels may have changed after it was added. */
static bool holds(const struct matching *s, const struct event *x, int64_t weight)
{
  return s->top[x->from] != s->top[x->to] && s->node[s->top[x->from]].label == OUTER &&
         s->node[s->top[x->to]].label != INNER &&
         dual_now(s, x->from) + dual_now(s, x->to) == weight;
}

static int64_t weight_of(const struct matching *s, uint32_t v, uint32_t to)
{
  int64_t most = 0; /* of parallel arcs, the heaviest becomes tight first */
  for (size_t i = s->first[v]; i < s->first[v + 1]; i++)
    if (s->end[i].to == to && s->end[i].weight > most)
      most = s->end[i].weight;
  return most;
}

static enum status handle(struct matching *s, const struct event *x, bool *done, struct err *e)
{
  if (x->to == NONE) {
    const struct node *b = &s->node[x->from];
    const bool due = b->label == INNER && b->parent == NONE && b->dual == 2 * (s->now - b->since);
    return due ? open_blossom(s, x->from, e) : OK;
  }
  if (!holds(s, x, weight_of(s, x->from, x->to)))
    return OK;
  const struct step arc = {x->from, x->to};
  if (s->node[s->top[x->to]].label == OUTER)
    return shrink(s, arc, e);
  return grow(s, arc, done, e);
}

/* Ends the search: settles the duals and removes the labels. */
static void clean(struct matching *s)
{
  for (size_t i = 0; i < s->labels; i++) {
    const uint32_t b = s->labelled[i];
    if (s->node[b].parent == NONE && s->node[b].label != UNLABELLED) {
      settle(s, b);
      s->node[b].label = UNLABELLED;
    }
  }
  s->labels = s->events = 0;
  s->now = 0;
}

/* Matches the free vertex @p root, or frees another vertex with dual 0. */
static enum status match_from(struct matching *s, uint32_t root, struct err *e)
{
  bool done = false;
  s->limit = INT64_MAX;
  enum status status = set_label(s, s->top[root], OUTER, (struct step){NONE, root}, e);
  while (status == OK && !done && s->events > 0 && s->heap[0].time <= s->limit) {
    const struct event x = pop(s);
    s->now = x.time;
    status = handle(s, &x, &done, e);
  }
  if (status == OK && !done) {
    s->now = s->limit;
    flip(s, s->ender);
    s->mate[s->ender] = BLOSSOM_FREE;
  }
  clean(s);
  return status;
}

/* --- matching --------------------------------------------------------------------------------- */

static void fill_ends(struct matching *s, const struct blossom_arc *arc, size_t arcs)
{
  for (size_t i = 0; i < arcs; i++) {
    s->first[arc[i].a + 1]++;
    s->first[arc[i].b + 1]++;
  }
  for (uint32_t v = 0; v < s->n; v++)
    s->first[v + 1] += s->first[v];
  for (size_t i = arcs; i-- > 0;) { /* backwards: first[v + 1] moves down to the start of its row */
    s->end[--s->first[arc[i].a + 1]] = (struct end){arc[i].b, 2 * arc[i].weight};
    s->end[--s->first[arc[i].b + 1]] = (struct end){arc[i].a, 2 * arc[i].weight};
  }
  for (uint32_t v = 0; v < s->n; v++)
    s->first[v] = s->first[v + 1];
  s->first[s->n] = 2 * arcs;
}

/* Sets each dual to half the weight of the vertex's heaviest arc and matches arcs that are heaviest
 * at both ends. */
static void begin(struct matching *s)
{
  for (uint32_t v = 0; v < 2 * s->n; v++) {
    s->node[v] = (struct node){.parent = NONE, .base = v};
    if (v >= s->n) {
      s->unused[s->unused_count++] = 3 * s->n - 1 - v;
      continue;
    }
    s->top[v] = v;
    s->mate[v] = BLOSSOM_FREE;
    for (size_t i = s->first[v]; i < s->first[v + 1]; i++)
      if (s->end[i].weight / 2 > s->node[v].dual)
        s->node[v].dual = s->end[i].weight / 2;
  }
  for (uint32_t v = 0; v < s->n; v++)
    for (size_t i = s->first[v]; i < s->first[v + 1] && s->mate[v] == BLOSSOM_FREE; i++) {
      const uint32_t to = s->end[i].to;
      if (s->mate[to] != BLOSSOM_FREE || s->node[v].dual + s->node[to].dual != s->end[i].weight)
        continue;
      s->mate[v] = to;
      s->mate[to] = v;
    }
}

/* The slack of an arc, including the duals of blossoms that contain both ends. */
static int64_t slack_of(struct matching *s, const struct blossom_arc *arc)
{
  int64_t slack = s->node[arc->a].dual + s->node[arc->b].dual - 2 * arc->weight;
  s->walk++;
  for (uint32_t x = s->node[arc->a].parent; x != NONE; x = s->node[x].parent)
    s->node[x].mark = s->walk;
  for (uint32_t x = s->node[arc->b].parent; x != NONE; x = s->node[x].parent)
    slack += s->node[x].mark == s->walk ? s->node[x].dual : 0;
  return slack;
}

static enum status match_all(struct matching *s, struct err *e)
{
  begin(s);
  for (uint32_t v = 0; v < s->n; v++)
    if (s->mate[v] == BLOSSOM_FREE && s->node[v].dual > 0 && match_from(s, v, e) != OK)
      return FAIL;
  return OK;
}

enum status blossom_match(uint32_t n, const struct blossom_arc *arc, size_t arcs, uint32_t *mate,
                          bool *tight, struct err *e)
{
  ARENA(mem, e);
  const size_t size = n;
  struct matching s = {.n = n,
                       .mate = mate,
                       .first = arena_array(&mem, size + 1, sizeof *s.first),
                       .end = arena_array(&mem, 2 * arcs, sizeof *s.end),
                       .node = arena_array(&mem, 2 * size, sizeof *s.node),
                       .top = arena_array(&mem, size, sizeof *s.top),
                       .unused = arena_array(&mem, size, sizeof *s.unused),
                       .leaf = arena_array(&mem, size, sizeof *s.leaf),
                       .stack = arena_array(&mem, 2 * size, sizeof *s.stack)};
  enum status status = arena_status(&mem);
  if (status == OK) {
    fill_ends(&s, arc, arcs);
    status = match_all(&s, e);
  }
  for (size_t i = 0; status == OK && tight != NULL && i < arcs; i++)
    tight[i] = slack_of(&s, &arc[i]) == 0;
  free(s.labelled);
  free(s.heap);
  return status;
}
