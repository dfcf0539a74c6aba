#include "cli/explain/scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "sim/output/scene.h"

/* Intervals of the use of links. */
enum { INTERVALS = 1000 };

/* Names of states: causes of the path, then actions. */
enum { COMPUTES = PATH_CAUSES, SLEEPS, ENDED, ACTIONS, NAMES = ACTIONS + CAUSES_ACTIONS };

struct maker {
  const struct explained *x;
  const struct tables *t;
  struct scene *s;
  const char *name[NAMES];
  uint32_t jobs; /* groups: jobs, background load, the critical path */
};

/* --- rows ------------------------------------------------------------------------------------- */

static uint32_t group_of(const struct maker *m, uint32_t actor)
{
  const struct causes_actor a = causes_actor(m->x->causes, actor);
  return a.job == CAUSES_NONE ? m->jobs : a.job;
}

static enum status name_groups(struct maker *m, struct err *e)
{
  struct scene *s = m->s;
  for (uint32_t a = 0; a < causes_actors(m->x->causes); a++) {
    const uint32_t job = causes_actor(m->x->causes, a).job;
    m->jobs = job != CAUSES_NONE && job >= m->jobs ? job + 1 : m->jobs;
  }
  s->groups = m->jobs + 2;
  if ((s->group = mem_array(s->groups, sizeof *s->group, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < s->groups; i++) {
    s->group[i] = i < m->jobs    ? mem_printf(e, "job %" PRIu32, i)
                  : i == m->jobs ? mem_strdup("background load", e)
                                 : mem_strdup("critical path", e);
    if (s->group[i] == NULL)
      return FAIL;
  }
  return OK;
}

static char *name_row(const struct maker *m, uint32_t actor, struct err *e)
{
  const struct causes_actor a = causes_actor(m->x->causes, actor);
  char name[TABLES_NAME], host[PLATFORM_NAME_SIZE];
  return mem_printf(e, "%s%s on %s", a.rank == CAUSES_NONE ? "" : "rank ",
                    tables_actor(m->t, actor, name),
                    platform_host_name(m->t->platform, a.host, host, sizeof host));
}

static enum status name_rows(struct maker *m, struct err *e)
{
  struct scene *s = m->s;
  const uint32_t actors = causes_actors(m->x->causes);
  if ((s->row = mem_array((size_t)actors + 1, sizeof *s->row, e)) == NULL)
    return FAIL;
  s->rows = actors + 1;
  for (uint32_t i = 0; i < s->rows; i++) {
    s->row[i].group = i < actors ? group_of(m, i) : m->jobs + 1;
    s->row[i].name = i < actors ? name_row(m, i, e) : mem_strdup("critical path", e);
    if (s->row[i].name == NULL)
      return FAIL;
  }
  return OK;
}

static void name_states(struct maker *m)
{
  for (int c = 0; c < PATH_CAUSES; c++)
    m->name[c] = path_cause_name((enum path_cause)c);
  m->name[COMPUTES] = "compute";
  m->name[SLEEPS] = "sleep";
  m->name[ENDED] = "ended";
  for (int i = 0; i < CAUSES_ACTIONS; i++) {
    const char *action = causes_action(m->x->causes, (uint8_t)i);
    m->name[ACTIONS + i] = action == NULL || *action == '\0' ? "wait" : action;
  }
  m->s->name = m->name;
  m->s->names = NAMES;
  while (m->s->names > ACTIONS && strcmp(m->name[m->s->names - 1], "wait") == 0)
    m->s->names--;
}

/* --- states and messages ---------------------------------------------------------------------- */

static uint32_t name_of(const struct chronicle_state *x)
{
  if (x->kind == STEP_EXEC || x->kind == STEP_BUSY)
    return COMPUTES;
  return x->kind == STEP_SLEEP ? SLEEPS : ACTIONS + (uint32_t)x->action;
}

static enum status add_states(struct maker *m, const struct stretches *all, struct err *e)
{
  const struct chronicle *c = &m->x->chronicle;
  struct scene *s = m->s;
  if ((s->state = mem_array(c->states + all->count + 2 * c->messages, sizeof *s->state, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < c->states; i++)
    s->state[s->states++] = (struct scene_state){.begin = c->state[i].begin,
                                                 .end = c->state[i].end,
                                                 .row = c->state[i].actor,
                                                 .name = name_of(&c->state[i])};
  for (size_t i = 0; i < all->count; i++) {
    const struct path_stretch *x = &all->at[i];
    s->state[s->states++] = (struct scene_state){.begin = x->begin,
                                                 .end = x->end,
                                                 .row = s->rows - 1,
                                                 .name = stretches_cause(x),
                                                 .detail = s->row[x->actor].name,
                                                 .marked = true};
  }
  return OK;
}

static enum status add_arrows(struct maker *m, struct err *e)
{
  const struct chronicle *c = &m->x->chronicle;
  struct scene *s = m->s;
  if ((s->arrow = mem_array(c->messages, sizeof *s->arrow, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < c->messages; i++) {
    const struct chronicle_message *x = &c->message[i];
    s->arrow[s->arrows++] = (struct scene_arrow){
        .begin = x->begin,
        .end = x->end,
        .bytes = x->bytes,
        .slowdown = x->alone_s > 0 ? fmax(1, (x->end - x->begin) / x->alone_s) : 1,
        .src = x->src,
        .dst = x->dst,
        .marked = x->critical};
  }
  return OK;
}

/* Adds a short state at date @p at if the row's actor has ended by then: arrows join states, so a
 * message that begins or arrives after the end needs a state.  @p ended: by row, the end of the
 * last state. */
static void mark_end(struct scene *s, double *ended, uint32_t row, double at)
{
  const double length = 2e-9;
  if (at < ended[row])
    return;
  ended[row] = at + length;
  s->state[s->states++] =
      (struct scene_state){.begin = at, .end = at + length, .row = row, .name = ENDED};
}

static int by_begin(const void *a, const void *b)
{
  const struct scene_arrow *x = a, *y = b;
  return x->begin != y->begin ? RISING(x->begin, y->begin) : RISING(x->end, y->end);
}

static enum status add_ends(struct maker *m, struct err *e)
{
  struct scene *s = m->s;
  OWNED double *ended = mem_array(s->rows, sizeof *ended, e);
  if (ended == NULL)
    return FAIL;
  for (size_t i = 0; i < s->states; i++)
    ended[s->state[i].row] = fmax(ended[s->state[i].row], s->state[i].end);
  if (s->arrows > 0)
    qsort(s->arrow, s->arrows, sizeof *s->arrow, by_begin);
  for (size_t i = 0; i < s->arrows; i++)
    mark_end(s, ended, s->arrow[i].src, s->arrow[i].begin);
  for (size_t i = 0; i < s->arrows; i++)
    if (s->arrow[i].end > ended[s->arrow[i].dst])
      mark_end(s, ended, s->arrow[i].dst, s->arrow[i].end - 2e-9);
  return OK;
}

/* --- links ------------------------------------------------------------------------------------ */

struct ranked {
  path_time contention;
  double bytes;
  uint32_t link;
};

static int by_weight(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  return x->contention != y->contention ? RISING(y->contention, x->contention)
         : x->bytes != y->bytes         ? RISING(y->bytes, x->bytes)
                                        : RISING(x->link, y->link);
}

/* Lists links of the maxmin: first the links with the most contention on the path, then the links
 * with the most bytes.  *links is the maximum number of links, and is set to their number. */
static enum status list_links(const struct explained *x, uint32_t *link, uint32_t *links,
                              struct err *e)
{
  const uint32_t n = x->path.links;
  OWNED struct ranked *r = mem_array(n, sizeof *r, e);
  const uint32_t most = *links;
  *links = 0;
  if (r == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    r[i] = (struct ranked){.contention = x->path.link_s[i], .link = i};
  for (size_t i = 0; i < x->chronicle.messages; i++) {
    const struct chronicle_message *m = &x->chronicle.message[i];
    const struct maxmin_use *use;
    uint32_t uses;
    if (flow_net_route(causes_net(x->causes), causes_actor(x->causes, m->src).host,
                       causes_actor(x->causes, m->dst).host, &use, &uses, e) != OK)
      return FAIL;
    for (uint32_t k = 0; k < uses; k++)
      r[use[k].link].bytes += use[k].share == 1 ? m->bytes : 0;
  }
  if (n > 0)
    qsort(r, n, sizeof *r, by_weight);
  for (; *links < most && *links < n && (r[*links].contention > 0 || r[*links].bytes > 0); ++*links)
    link[*links] = r[*links].link;
  return OK;
}

static void print_use(const struct link_use *u, uint32_t link, const char *name, double end,
                      FILE *f)
{
  static const char *const STEP[] = {"below 25 %", "25-50 %", "50-75 %", "above 75 %"};
  const float *use = &u->use[(size_t)link * u->intervals];
  for (uint32_t i = 0; i < u->intervals; i++) {
    const int step = use[i] < 0.25F ? 0 : use[i] < 0.5F ? 1 : use[i] < 0.75F ? 2 : 3;
    fprintf(f, "%s,%.9g,%.9g,%s\n", name, end * i / u->intervals, end * (i + 1) / u->intervals,
            STEP[step]);
  }
}

enum status scenes_write_use(const struct explained *x, const struct tables *t, const char *path,
                             struct err *e)
{
  enum { STEPS = 200 };
  const uint32_t most = t->most < x->path.links ? t->most : x->path.links;
  OWNED uint32_t *link = mem_array(most, sizeof *link, e);
  OWNED float *use = mem_array((size_t)most * STEPS, sizeof *use, e);
  struct link_use u = {.link = link, .links = most, .intervals = STEPS, .use = use};
  struct outfile out = {0};
  if (link == NULL || use == NULL || list_links(x, link, &u.links, e) != OK ||
      link_use_find(&u, x->causes, e) != OK || outfile_open(&out, path, e) != OK)
    return FAIL;
  fputs("link,start_s,end_s,state\n", out.f);
  for (uint32_t i = 0; i < u.links; i++) {
    char name[PLATFORM_NAME_SIZE];
    print_use(&u, i, platform_link_name(t->platform, t->link[link[i]], name, sizeof name),
              (double)x->path.time_s, out.f);
  }
  const enum status s = outfile_commit(&out, e);
  outfile_abandon(&out);
  return s;
}

/* Adds the changes of a link's use. */
static void add_values(struct scene *s, const struct link_use *u, uint32_t link)
{
  const float *use = &u->use[(size_t)link * u->intervals];
  for (uint32_t i = 0; i < u->intervals; i++)
    if (i == 0 || use[i] != use[i - 1])
      s->value[s->values++] =
          (struct scene_value){.at = s->end * i / u->intervals, .value = use[i], .quantity = link};
}

static enum status add_links(struct maker *m, struct err *e)
{
  struct scene *s = m->s;
  const uint32_t most = m->t->most < m->x->path.links ? m->t->most : m->x->path.links;
  OWNED uint32_t *link = mem_array(most, sizeof *link, e);
  OWNED float *use = mem_array((size_t)most * INTERVALS, sizeof *use, e);
  struct link_use u = {.link = link, .links = most, .intervals = INTERVALS, .use = use};
  if (link == NULL || use == NULL || list_links(m->x, link, &u.links, e) != OK ||
      link_use_find(&u, m->x->causes, e) != OK ||
      (s->quantity = mem_array(u.links, sizeof *s->quantity, e)) == NULL ||
      (s->value = mem_array((size_t)u.links * INTERVALS, sizeof *s->value, e)) == NULL)
    return FAIL;
  s->quantities = 0;
  for (uint32_t i = 0; i < u.links; i++) {
    char name[PLATFORM_NAME_SIZE];
    char *copy =
        mem_strdup(platform_link_name(m->t->platform, m->t->link[link[i]], name, sizeof name), e);
    if (copy == NULL)
      return FAIL;
    s->quantity[s->quantities++] = copy;
    add_values(s, &u, i);
  }
  return OK;
}

enum status scenes_print(const struct explained *x, const struct stretches *all,
                         const struct tables *t, const struct timeline_format *format, FILE *f,
                         struct err *e)
{
  struct scene s = {.end = (double)x->path.time_s};
  struct maker m = {.x = x, .t = t, .s = &s};
  name_states(&m);
  const enum status status = name_groups(&m, e) == OK && name_rows(&m, e) == OK &&
                                     add_states(&m, all, e) == OK && add_arrows(&m, e) == OK &&
                                     add_ends(&m, e) == OK && add_links(&m, e) == OK
                                 ? scene_print(&s, format, f, e)
                                 : FAIL;
  scene_clear(&s);
  return status;
}
