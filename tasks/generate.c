#include "tasks/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "common/spec.h"

/* Specs of other things also begin with "random:".  Their fields differ. */
#define PREFIX "random:"

const char tasknet_random_example[] = "random:tasks=1000,seed=1";

static const char *const ARRAYS[] = {"yes", "no", NULL}, *const DRAW[] = {"arrays", "tasks", NULL},
                         *const BEHIND[] = {"task", "array", NULL},
                         *const INPUTS[] = {"arriving", "drawn", NULL},
                         *const PATTERNS[] = {"A", "B", "C", "D", "drawn", NULL};

enum { PATTERN_DRAWN = 4 };

struct node {
  uint32_t count;
  uint32_t in, out; /* streams; TASKNET_NONE: none */
};

struct growing {
  uint32_t tasks, large, most_cost, loops;
  uint32_t arrays, draw, behind, inputs, patterns; /* index in the list of names */
  uint64_t seed;
  struct node *node;
  size_t node_room;
  uint32_t nodes;
  bool *each; /* by stream: joins arrays element by element */
  size_t each_room;
  uint32_t streams;
  uint64_t elements;
};

bool tasknet_is_spec(const char *text)
{
  return strncmp(text, PREFIX, strlen(PREFIX)) == 0;
}

#define AT(FIELD) offsetof(struct growing, FIELD)

/* Described in generate.h. */
static const struct spec_option OPTIONS[] = {
    {"tasks", SPEC_U32, AT(tasks), "1000", .help = "", .least = 1, .most = TASKNET_MOST},
    {"seed", SPEC_U64, AT(seed), "1", .help = ""},
    {"large", SPEC_U32, AT(large), "1", .help = "", .least = 1, .most = TASKNET_MOST},
    {"arrays", SPEC_CHOICE, AT(arrays), "yes", .help = "", .names = ARRAYS},
    {"draw", SPEC_CHOICE, AT(draw), "arrays", .help = "", .names = DRAW},
    {"behind", SPEC_CHOICE, AT(behind), "task", .help = "", .names = BEHIND},
    {"costs", SPEC_U32, AT(most_cost), "100", .help = "", .least = 1, .most = 1e9},
    {"inputs", SPEC_CHOICE, AT(inputs), "arriving", .help = "", .names = INPUTS},
    {"patterns", SPEC_CHOICE, AT(patterns), "A", .help = "", .names = PATTERNS},
    {"loops", SPEC_U32, AT(loops), "10", .help = "", .least = 1, .most = 1e9},
    {.name = NULL},
};

static enum status add_node(struct growing *g, struct node node, struct err *e)
{
  if (MEM_GROW(g->node, g->node_room, (size_t)g->nodes + 1, e) != OK)
    return FAIL;
  g->node[g->nodes++] = node;
  g->elements += node.count;
  return OK;
}

static enum status add_stream(struct growing *g, bool each, struct err *e)
{
  if (MEM_GROW(g->each, g->each_room, (size_t)g->streams + 1, e) != OK)
    return FAIL;
  g->each[g->streams++] = each;
  return OK;
}

/* Puts a new node behind node @p at. */
static enum status connect(struct growing *g, uint32_t at, struct err *e)
{
  const struct node before = g->node[at];
  const bool each = g->behind == 1 && before.count > 1;
  const struct node node = {.count = each ? before.count : 1, .in = g->streams, .out = before.out};
  /* The stream can stay element by element only if its new producer has the same number of
   * elements. */
  if (before.out != TASKNET_NONE && !each)
    g->each[before.out] = false;
  g->node[at].out = g->streams;
  return add_stream(g, each, e) == OK ? add_node(g, node, e) : FAIL;
}

/* Puts a new task in parallel to node @p at. */
static enum status fork_task(struct growing *g, uint32_t at, struct err *e)
{
  const struct node node = {.count = 1, .in = g->node[at].in, .out = g->node[at].out};
  if (node.in != TASKNET_NONE)
    g->each[node.in] = false;
  if (node.out != TASKNET_NONE)
    g->each[node.out] = false;
  return add_node(g, node, e);
}

/* Turns a task into an array. */
static void multiply(struct growing *g, uint32_t at, struct rng *r)
{
  const uint32_t least = g->tasks / 10, most = g->tasks / 5;
  const uint32_t count = least + (uint32_t)rng_below(r, (uint64_t)most - least + 1);
  if (g->node[at].count > 1 || count < 2)
    return;
  g->elements += count - 1;
  g->node[at].count = count;
}

/* Draws the node to change next.  Without arrays both values of draw= are equivalent. */
static uint32_t draw(const struct growing *g, struct rng *r)
{
  if (g->draw == 0 || g->elements == g->nodes)
    return (uint32_t)rng_below(r, g->nodes);
  uint64_t task = rng_below(r, g->elements);
  uint32_t at = 0;
  while (task >= g->node[at].count)
    task -= g->node[at++].count;
  return at;
}

static enum status grow(struct growing *g, struct err *e)
{
  struct rng r = rng_new(g->seed, 0);
  const struct node first = {.count = 1, .in = TASKNET_NONE, .out = 0},
                    last = {.count = 1, .in = 0, .out = TASKNET_NONE};
  if (add_stream(g, false, e) != OK || add_node(g, first, e) != OK || add_node(g, last, e) != OK)
    return FAIL;
  while (g->elements < g->tasks) {
    const uint32_t at = draw(g, &r);
    const uint64_t way = rng_below(&r, g->arrays == 0 ? 3 : 2);
    if (way == 0 && connect(g, at, e) != OK)
      return FAIL;
    if (way == 1 && fork_task(g, at, e) != OK)
      return FAIL;
    if (way == 2)
      multiply(g, at, &r);
  }
  return OK;
}

static enum status add_array(struct tasknet *n, const struct growing *g, uint32_t at, struct rng *r,
                             struct err *e)
{
  char name[16];
  const double compute = 1 + (double)rng_below(r, g->most_cost);
  const double out = 1 + (double)rng_below(r, g->most_cost);
  const double in = 1 + (double)rng_below(r, g->most_cost);
  const uint32_t pattern = (uint32_t)rng_below(r, PATTERN_DRAWN);
  const uint64_t count = (uint64_t)g->node[at].count * (g->node[at].count > 1 ? g->large : 1);
  snprintf(name, sizeof name, "t%" PRIu32, at);
  if (count > TASKNET_MOST)
    return err_set(e, "an array of %" PRIu64 " elements, above %u", count, TASKNET_MOST);
  const struct tasknet_new_array a = {
      .name = name,
      .count = (uint32_t)count,
      .pattern = g->patterns == PATTERN_DRAWN ? pattern : g->patterns,
      .cost = {compute, g->inputs == 0 ? TASKNET_ARRIVING : in, out, g->loops}};
  return tasknet_add_array(n, &a, e);
}

/* Lists of the nodes on each side of the streams. */
struct sides {
  uint32_t *next[2];  /* by node: the next node; TASKNET_NONE: the last */
  uint32_t *first[2]; /* by stream: the first node */
};

static void list_sides(const struct growing *g, struct sides *s)
{
  for (uint32_t i = 0; i < g->streams; i++)
    s->first[0][i] = s->first[1][i] = TASKNET_NONE;
  for (uint32_t i = g->nodes; i-- > 0;) {
    const uint32_t at[2] = {g->node[i].out, g->node[i].in};
    for (int side = 0; side < 2; side++)
      if (at[side] != TASKNET_NONE) {
        s->next[side][i] = s->first[side][at[side]];
        s->first[side][at[side]] = i;
      }
  }
}

static enum status add_streams(struct tasknet *n, const struct growing *g, const struct sides *s,
                               struct err *e)
{
  for (uint32_t i = 0; i < g->streams; i++) {
    char name[16];
    snprintf(name, sizeof name, "s%" PRIu32, i);
    const uint32_t width = g->each[i] ? n->array[s->first[0][i]].count : 1;
    if (tasknet_add_stream(n, name, width, 0, e) != OK)
      return FAIL;
    for (uint32_t k = s->first[0][i]; k != TASKNET_NONE; k = s->next[0][k])
      if (tasknet_add_producer(n, k, TASKNET_OUTPUT, e) != OK)
        return FAIL;
    for (uint32_t k = s->first[1][i]; k != TASKNET_NONE; k = s->next[1][k])
      if (tasknet_add_consumer(n, k, e) != OK)
        return FAIL;
  }
  return OK;
}

static enum status build(struct tasknet *n, const struct growing *g, struct err *e)
{
  struct sides sides = {0};
  struct rng r = rng_new(g->seed, 1);
  enum status s = OK;
  for (int side = 0; side < 2 && s == OK; side++)
    if ((sides.next[side] = mem_array(g->nodes, sizeof(uint32_t), e)) == NULL ||
        (sides.first[side] = mem_array(g->streams, sizeof(uint32_t), e)) == NULL)
      s = FAIL;
  for (uint32_t i = 0; i < g->nodes && s == OK; i++)
    s = add_array(n, g, i, &r, e);
  if (s == OK) {
    list_sides(g, &sides);
    s = add_streams(n, g, &sides, e);
  }
  for (int side = 0; side < 2; side++) {
    free(sides.next[side]);
    free(sides.first[side]);
  }
  return s == OK ? tasknet_seal(n, e) : FAIL;
}

/* Appends the new seed to the text without the old one. */
char *tasknet_spec_after(const char *spec, uint64_t more, struct err *e)
{
  struct growing g;
  struct err why;
  OWNED char *text = NULL;
  OWNED char *seed = NULL;
  char *after = NULL;
  enum status s = spec_parse(NULL, OPTIONS, spec + strlen(PREFIX), &g, &why);
  if (s != OK)
    err_set(e, "%.80s: %s", spec, why.text);
  else if ((text = mem_strdup(spec + strlen(PREFIX), e)) != NULL &&
           spec_cut(OPTIONS, text, "seed", &seed, e) == OK)
    after =
        mem_printf(e, PREFIX "%s%sseed=%" PRIu64, text, *text == '\0' ? "" : ",", g.seed + more);
  return after;
}

enum status tasknet_generate(struct tasknet *out, const char *spec, struct err *e)
{
  struct growing g = {0};
  struct tasknet n = {0};
  struct err why;
  if (!tasknet_is_spec(spec))
    return err_set(e, "'%.80s' is not a spec such as %s", spec, tasknet_random_example);
  enum status s = spec_parse(NULL, OPTIONS, spec + strlen(PREFIX), &g, &why);
  if (s == OK)
    s = grow(&g, &why);
  if (s == OK)
    s = build(&n, &g, &why);
  free(g.node);
  free(g.each);
  if (s == OK) {
    *out = n;
    return OK;
  }
  tasknet_clear(&n);
  return err_set(e, "%.80s: %s", spec, why.text);
}
