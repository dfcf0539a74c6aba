#include "platforms/mapping/binding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "platforms/inside/inside.h"

#define NO_CORE UINT32_MAX
#define BLANKS  " \t\v\f\r"

bool binding_find(const struct platform *p, const char *name, uint32_t *host)
{
  if (platform_find_host(p, name, host))
    return true;
  if (platform_inside(p) == NULL || !platform_find_host(platform_nodes(p), name, host))
    return false;
  *host += platform_hosts(p);
  return true;
}

void binding_clear(struct binding_choices *c)
{
  for (size_t i = 0; i < c->count; i++)
    free(c->choice[i].core);
  free(c->choice);
  *c = (struct binding_choices){0};
}

/* @p allowed: by core; NULL: all cores. */
static uint32_t least_loaded(const uint32_t *load, const bool *allowed, uint32_t cores)
{
  uint32_t best = NO_CORE;
  for (uint32_t c = 0; c < cores; c++)
    if ((allowed == NULL || allowed[c]) && (best == NO_CORE || load[c] < load[best]))
      best = c;
  return best;
}

/* Puts a rank that has a node on a core. */
static void settle_rank(struct mapping *m, uint32_t rank, const struct platform *p,
                        const bool *allowed, uint32_t *load)
{
  const uint32_t cores = platform_inside(p)->cores;
  const uint32_t first = (m->host[rank] - platform_hosts(p)) * cores;
  m->host[rank] = first + least_loaded(load + first, allowed, cores);
  load[m->host[rank]]++;
}

enum status binding_settle(struct mapping *m, const struct platform *p,
                           const struct binding_choices *choices, struct err *e)
{
  const struct inside *in = platform_inside(p);
  const uint32_t hosts = platform_hosts(p);
  if (in == NULL)
    return OK;
  uint32_t *load = mem_array(hosts, sizeof *load, e);
  if (load == NULL)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->host[r] < hosts)
      load[m->host[r]]++;
  for (size_t i = 0; i < choices->count; i++)
    settle_rank(m, choices->choice[i].rank, p, choices->choice[i].core, load);
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->host[r] >= hosts)
      settle_rank(m, r, p, NULL, load);
  m->cores = in->cores;
  free(load);
  return OK;
}

/* --- slots ------------------------------------------------------------------------------------ */

/* The kind of object that a number of SLOTS names. */
enum slot_kind { SLOT_CORE, SLOT_CPU, SLOT_PACKAGE, SLOT_OF_PACKAGE };

struct slots {
  const struct inside *in;
  bool *core;       /* by core: named */
  uint32_t package; /* of SLOT_OF_PACKAGE */
};

/* The core with processing unit @p cpu. */
static bool find_cpu(const struct inside *in, uint64_t cpu, uint32_t *core)
{
  for (*core = 0; *core < in->cores && in->cpu[*core] != cpu;)
    ++*core;
  return *core < in->cores;
}

/* Names all cores of a package.  False if there is none. */
static bool name_package(const struct slots *s, uint32_t package)
{
  uint32_t core, i = 0;
  for (; inside_find(s->in, "package", package, i, &core); i++)
    s->core[core] = true;
  return i > 0;
}

/* Names the cores of object @p n.  False if there is no such object. */
static bool name_object(const struct slots *s, enum slot_kind kind, uint32_t n)
{
  uint32_t core = n;
  if (kind == SLOT_PACKAGE)
    return name_package(s, n);
  if (kind == SLOT_CORE  ? n >= s->in->cores
      : kind == SLOT_CPU ? !find_cpu(s->in, n, &core)
                         : !inside_find(s->in, "package", s->package, n, &core))
    return false;
  s->core[core] = true;
  return true;
}

/* Reads a number at *text. */
static bool number(const char **text, uint32_t *out)
{
  char *end;
  const unsigned long n = strtoul(*text, &end, 10);
  if (**text < '0' || **text > '9' || n > UINT32_MAX)
    return false;
  *text = end;
  *out = (uint32_t)n;
  return true;
}

/* Names the objects of "N,N-M,..." at *text, and moves *text behind it. */
static bool name_ranges(const struct slots *s, enum slot_kind kind, const char **text)
{
  for (;; ++*text) {
    uint32_t first, last;
    if (!number(text, &first))
      return false;
    last = first;
    if (**text == '-' && (++*text, !number(text, &last)))
      return false;
    if (last < first)
      return false;
    for (uint32_t n = first; n <= last; n++)
      if (!name_object(s, kind, n))
        return false;
    if (**text != ',')
      return true;
  }
}

/* Names the cores of a part of SLOTS, without a semicolon. */
static bool name_part(struct slots *s, bool physical, const char **text)
{
  const bool socket = **text == 's' || **text == 'S';
  const char *at = *text += socket;
  if (!number(&at, &s->package) || *at != ':')
    return name_ranges(s, socket ? SLOT_PACKAGE : physical ? SLOT_CPU : SLOT_CORE, text);
  *text = at + 1;
  if (**text != '*')
    return name_ranges(s, SLOT_OF_PACKAGE, text);
  ++*text;
  return name_package(s, s->package);
}

static bool name_all(struct slots *s, const char *text)
{
  const bool physical = *text == 'p' || *text == 'P';
  for (text += physical; name_part(s, physical, &text); text++)
    if (*text != ';')
      return text[strspn(text, BLANKS)] == '\0';
  return false;
}

enum status binding_slots(const struct platform *p, const char *slots, uint32_t rank,
                          uint32_t *host, struct binding_choices *choices, struct err *e)
{
  const struct inside *in = platform_inside(p);
  const uint32_t hosts = platform_hosts(p);
  uint32_t n = 0, core = 0;
  slots += strspn(slots, BLANKS);
  if (in == NULL || *host < hosts ||
      (*slots == '*' && slots[1 + strspn(slots + 1, BLANKS)] == '\0'))
    return OK;
  struct slots s = {in, mem_array(in->cores, sizeof *s.core, e), 0};
  if (s.core == NULL || MEM_GROW(choices->choice, choices->room, choices->count + 1, e) != OK) {
    free(s.core);
    return FAIL;
  }
  const bool good = name_all(&s, slots);
  for (uint32_t c = 0; c < in->cores; c++)
    if (s.core[c]) {
      core = c;
      n++;
    }
  if (good && n > 1 && n < in->cores) {
    choices->choice[choices->count++] = (struct binding_choice){rank, s.core};
    return OK;
  }
  free(s.core);
  if (!good)
    return err_set(e, "slots '%.80s' are not cores of the node, which has %" PRIu32 " cores", slots,
                   in->cores);
  if (n == 1)
    *host = (*host - hosts) * in->cores + core;
  return OK;
}

enum status binding_nodes(struct mapping *out, const struct mapping *m, const struct platform *p,
                          struct err *e)
{
  if (mapping_new(out, m->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    out->host[r] = platform_node(p, m->host[r]);
  return OK;
}

/* The cores of the ranks of a node.  A local rank is the index of a rank within its node. */
struct list {
  struct arena mem;
  uint32_t *core, *from; /* by local rank; from: the first node that has it */
  uint32_t count;
};

static enum status make_list(struct list *l, const struct mapping *m, const struct platform *p,
                             struct err *e)
{
  const struct platform *nodes = platform_nodes(p);
  const struct inside *in = platform_inside(p);
  char one[PLATFORM_NAME_SIZE], other[PLATFORM_NAME_SIZE];
  uint32_t *ranks = arena_array(&l->mem, platform_hosts(nodes), sizeof *ranks);
  l->core = arena_array(&l->mem, m->ranks, sizeof *l->core);
  l->from = arena_array(&l->mem, m->ranks, sizeof *l->from);
  if (arena_status(&l->mem) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++) {
    const uint32_t node = platform_node(p, m->host[r]), at = ranks[node]++;
    const uint32_t core = m->host[r] % in->cores;
    if (at == l->count) {
      l->core[at] = core;
      l->from[at] = node;
      l->count++;
    } else if (l->core[at] != core) {
      return err_set(e,
                     "local rank %" PRIu32 " of node %s is on core %" PRIu32
                     ", but on node %s it is on core %" PRIu32
                     ": the format binds all nodes alike (give the mapper cores=same, or write a "
                     "rankfile)",
                     at, platform_host_name(nodes, l->from[at], one, sizeof one), l->core[at],
                     platform_host_name(nodes, node, other, sizeof other), core);
    }
  }
  return OK;
}

enum status binding_check(const struct mapping *m, const struct platform *p, struct err *e)
{
  struct list l = {.mem = {.e = e}};
  const enum status s = platform_inside(p) == NULL ? OK : make_list(&l, m, p, e);
  arena_clear(&l.mem);
  return s;
}

enum status binding_write(const struct mapping *m, const struct platform *p, const char *prefix,
                          FILE *f, struct err *e)
{
  struct list l = {.mem = {.e = e}};
  const struct inside *in = platform_inside(p);
  enum status s = in == NULL ? OK : make_list(&l, m, p, e);
  if (s == OK && in != NULL) {
    fputs(prefix, f);
    for (uint32_t i = 0; i < l.count; i++)
      fprintf(f, "%s%" PRIu32, i == 0 ? "" : ",", in->cpu[l.core[i]]);
    fputc('\n', f);
  }
  arena_clear(&l.mem);
  return s;
}
