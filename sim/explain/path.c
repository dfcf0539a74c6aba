#include "sim/explain/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/explain/rewind.h"

/* A computation counts as slowed if it exceeds its time alone by more than this share. */
#define ROUNDING 1e-9L

/* The event that the walk looks for next: path_event(). */
enum find {
  FIND_END,   /* of the last rank */
  FIND_STEP,  /* the step of actor `at` that ended last */
  FIND_OUT,   /* the end of flow `at` */
  FIND_IN,    /* the date when flow `at` began to share links */
  FIND_START, /* the date when flow `at` started with its latency */
  FIND_WAKE   /* the wake of actor `at` */
};

/* Where the path has the times of a flow: numbers of the pair of actors and of its last share. */
struct numbers {
  uint32_t pair, share;
};

struct walk {
  struct path *path;
  const struct path_options *options;
  const struct causes *causes;
  const struct rewind *rewind;
  enum find find;
  uint32_t at;
  double since;            /* the path is known from here on, in s */
  double waited;           /* begin of the wait that the flow ends */
  uint32_t waiter;         /* the actor that waits for the flow */
  double late[PATH_LATES]; /* since these dates a rank has waited for a late partner */
  struct numbers *number;  /* by flow; a number that is not its own is found anew */
  struct path_stretch now; /* actor, action, line and iteration of the last step */
};

const char *path_cause_name(enum path_cause c)
{
  static const char *const NAME[PATH_CAUSES] = {"computation",      "crowded_host", "sleep",
                                                "tests_and_probes", "latency",      "transfer",
                                                "contention",       "overlay",      "before_start"};
  return NAME[c];
}

void path_clear(struct path *p)
{
  free(p->link_s);
  pairs_clear(&p->pairs);
  free(p->pair);
  pairs_clear(&p->shares);
  free(p->share);
  free(p->actor_s);
  free(p->compute_s);
  free(p->action_s);
  free(p->iteration_s);
  pairs_clear(&p->lines);
  free(p->line_s);
  *p = (struct path){0};
}

/* --- tables ----------------------------------------------------------------------------------- */

/* *number may have the number from an earlier call. */
static enum status find_pair(struct path *p, uint32_t src, uint32_t dst, uint32_t *number,
                             struct err *e)
{
  const uint32_t before = p->pairs.count;
  if (pairs_is(&p->pairs, *number, src, dst))
    return OK;
  if (pairs_add(&p->pairs, src, dst, number, e) != OK ||
      MEM_GROW(p->pair, p->pair_room, p->pairs.count, e) != OK)
    return FAIL;
  if (p->pairs.count > before)
    p->pair[*number] = (struct path_pair){0};
  return OK;
}

/* *number may have the number from an earlier call. */
static enum status find_share(struct path *p, uint32_t link, uint32_t pair, uint32_t *number,
                              struct err *e)
{
  const uint32_t before = p->shares.count;
  if (pairs_is(&p->shares, *number, link, pair))
    return OK;
  if (pairs_add(&p->shares, link, pair, number, e) != OK ||
      MEM_GROW(p->share, p->share_room, p->shares.count, e) != OK)
    return FAIL;
  if (p->shares.count > before)
    p->share[*number] = (struct path_share){0};
  return OK;
}

/* Adds @p seconds of a stretch to a cause, split into on time, late sender and late receiver. */
static void add_cause(struct walk *w, enum path_cause c, const struct path_stretch *s,
                      path_time seconds)
{
  const path_time length = (path_time)s->end - s->begin;
  path_time left = seconds;
  double end = s->end;
  for (int k = PATH_LATE_SENDER; k < PATH_LATES; k++) {
    const double begin = fmax(s->begin, w->late[k]);
    if (begin >= end)
      continue;
    const path_time part = begin <= s->begin ? left : seconds * (((path_time)end - begin) / length);
    w->path->cause_s[c][k] += part;
    left -= part;
    end = begin;
  }
  w->path->cause_s[c][PATH_ON_TIME] += left;
}

static enum status add_iteration(struct path *p, uint32_t i, path_time seconds, struct err *e)
{
  if (MEM_GROW(p->iteration_s, p->iteration_room, (size_t)i + 1, e) != OK)
    return FAIL;
  for (; p->iterations <= i; p->iterations++)
    p->iteration_s[p->iterations] = 0;
  p->iteration_s[i] += seconds;
  return OK;
}

/* Line 0 is unknown. */
static enum status add_line(struct path *p, uint32_t actor, uint32_t line, path_time seconds,
                            struct err *e)
{
  const uint32_t before = p->lines.count;
  uint32_t number;
  if (line == 0)
    return OK;
  if (pairs_add(&p->lines, actor, line, &number, e) != OK ||
      MEM_GROW(p->line_s, p->line_room, p->lines.count, e) != OK)
    return FAIL;
  if (p->lines.count > before)
    p->line_s[number] = 0;
  p->line_s[number] += seconds;
  return OK;
}

/* Adds the stretch from @p begin to w->since, and sets w->since to @p begin.  The share @p share of
 * the stretch is the excess over the time that it would take alone, and counts for @p slow. */
static enum status add(struct walk *w, double begin, enum path_cause fast, enum path_cause slow,
                       path_time share, struct err *e)
{
  struct path *p = w->path;
  struct path_stretch *s = &w->now;
  s->begin = begin;
  s->end = w->since;
  s->cause = fast;
  const path_time length = (path_time)s->end - begin, slowed = length * share;
  if (!(s->end > begin))
    return OK;
  w->since = begin;
  s->slowed_s = (double)slowed;
  add_cause(w, fast, s, length - slowed);
  add_cause(w, slow, s, slowed);
  p->actor_s[s->actor] += length;
  p->compute_s[s->actor] += fast == PATH_COMPUTE ? length : 0;
  p->action_s[s->action] += length;
  p->stretches++;
  for (int k = PATH_LATE_SENDER; k < PATH_LATES; k++)
    w->late[k] = begin <= w->late[k] ? INFINITY : w->late[k];
  if (add_iteration(p, s->iteration, length, e) != OK ||
      add_line(p, s->actor, s->line, length, e) != OK)
    return FAIL;
  return w->options->stretch == NULL ? OK : w->options->stretch(w->options->data, s, e);
}

/* --- contention ------------------------------------------------------------------------------- */

/* Divides time lost on a link among the other flows there, by the capacity that each takes. */
static enum status blame(struct walk *w, uint32_t link, uint32_t flow, path_time seconds,
                         struct err *e)
{
  const struct rewind *r = w->rewind;
  const struct rewind_link *l = &r->link[link];
  path_time sum = 0;
  for (uint32_t i = 0; i < l->uses; i++)
    sum += l->use[i].flow == flow ? 0 : rewind_level(r, l->use[i].flow) * l->use[i].weight;
  const path_time each = sum > 0 ? seconds / sum : 0;
  for (uint32_t i = 0; i < l->uses; i++) {
    const uint32_t other = l->use[i].flow;
    const struct causes_out *o = &r->flow[other].out;
    struct numbers *n = &w->number[other];
    if (other == flow)
      continue;
    const double load = rewind_level(r, other) * l->use[i].weight;
    if (find_pair(w->path, o->src, o->dst, &n->pair, e) != OK ||
        find_share(w->path, link, n->pair, &n->share, e) != OK)
      return FAIL;
    w->path->share[n->share].rival_s += each * load;
  }
  return OK;
}

/* Adds the time from @p begin on in which the flow shared links at its present rate. */
static enum status add_transfer(struct walk *w, double begin, struct err *e)
{
  const struct rewind_flow *f = &w->rewind->flow[w->at];
  const double level = rewind_level(w->rewind, w->at);
  const uint32_t link = f->bottleneck;
  const bool slowed = link < CAUSES_ABSENT && level < f->out.cap;
  const path_time length = (path_time)w->since - begin;
  const path_time share = slowed ? 1 - (path_time)level / f->out.cap : 0;
  struct numbers *n = &w->number[w->at];
  if (!(w->since > begin))
    return OK;
  if (find_pair(w->path, f->out.src, f->out.dst, &n->pair, e) != OK)
    return FAIL;
  w->path->pair[n->pair].transfer_s += length - length * share;
  w->path->pair[n->pair].contention_s += length * share;
  w->now.link = slowed ? link : MAXMIN_NONE;
  if (slowed) {
    w->path->link_s[link] += length * share;
    if (find_share(w->path, link, n->pair, &n->share, e) != OK)
      return FAIL;
    w->path->share[n->share].slowed_s += length * share;
    if (blame(w, link, w->at, length * share, e) != OK)
      return FAIL;
  }
  return add(w, begin, PATH_TRANSFER, PATH_CONTENTION, share, e);
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool is_foreground(const struct walk *w, uint32_t actor)
{
  const struct causes_actor a = causes_actor(w->causes, actor);
  return a.job != CAUSES_NONE && !w->options->background[a.job];
}

static enum path_cause sleep_cause(const struct walk *w, const struct causes_step *s)
{
  const char *action = causes_action(w->causes, s->action);
  if (s->poll)
    return PATH_POLL;
  if (strcmp(action, "overlay") == 0)
    return PATH_OVERLAY;
  return strcmp(action, "start") == 0 ? PATH_START : PATH_SLEEP;
}

static enum status add_timed(struct walk *w, const struct causes_step *s, struct err *e)
{
  const bool computes = s->kind == STEP_EXEC || s->kind == STEP_BUSY;
  const path_time length = (path_time)w->since - s->begin;
  const path_time alone = s->amount / causes_actor(w->causes, s->actor).flops;
  if (!computes)
    return add(w, s->begin, sleep_cause(w, s), PATH_SLEEP, 0, e);
  const bool crowded = length > alone * (1 + ROUNDING);
  const path_time share = crowded ? 1 - alone / length : 0;
  const enum path_cause cause = sleep_cause(w, s);
  return add(w, s->begin, cause == PATH_SLEEP ? PATH_COMPUTE : cause, PATH_CROWDED, share, e);
}

static enum status on_step(struct walk *w, struct err *e)
{
  const struct causes_step *s = &w->rewind->event.as.step;
  if (w->find == FIND_END && s->cause == CAUSES_END && is_foreground(w, s->actor)) {
    w->path->time_s = w->since = w->rewind->now;
    w->find = FIND_STEP;
    w->at = s->actor;
    w->now.actor = s->actor;
    return OK;
  }
  if (w->find != FIND_STEP || w->at != s->actor || s->cause >= CAUSES_END)
    return OK;
  w->now = (struct path_stretch){.actor = s->actor,
                                 .src = CAUSES_NONE,
                                 .dst = CAUSES_NONE,
                                 .link = MAXMIN_NONE,
                                 .line = s->line,
                                 .iteration = s->iteration,
                                 .action = s->action};
  w->waited = s->begin;
  w->waiter = s->actor;
  if (s->cause == CAUSES_TIME)
    return add_timed(w, s, e);
  w->find = s->cause == CAUSES_WOKEN ? FIND_WAKE : FIND_OUT;
  w->at = s->cause == CAUSES_WOKEN ? s->actor : s->by;
  return OK;
}

static enum status on_wake(struct walk *w, struct err *e)
{
  const struct causes_wake *k = &w->rewind->event.as.wake;
  (void)e;
  if (w->at != k->actor)
    return OK;
  w->find = k->by_flow ? FIND_OUT : FIND_STEP;
  w->at = k->by;
  return OK;
}

static enum status on_out(struct walk *w, struct err *e)
{
  const struct causes_out *o = &w->rewind->event.as.out;
  (void)e;
  const bool back = w->find == FIND_START && !o->ended; /* a change of a link, not the end */
  if (w->at != o->flow || (w->find != FIND_OUT && !back))
    return OK;
  w->find = o->shared ? FIND_IN : FIND_START;
  w->now.src = o->src;
  w->now.dst = o->dst;
  return OK;
}

/* The transfer started when @p poster posted its later side.  Notes since when the waiting rank has
 * waited for this post, if it has. */
static void note_late(struct walk *w, uint32_t poster)
{
  const bool waits = poster != w->waiter && w->waited < w->since;
  if (waits && poster == w->now.src && w->waiter == w->now.dst)
    w->late[PATH_LATE_SENDER] = fmin(w->waited, w->late[PATH_LATE_SENDER]);
  if (waits && poster == w->now.dst && w->waiter == w->now.src)
    w->late[PATH_LATE_RECEIVER] = fmin(w->waited, w->late[PATH_LATE_RECEIVER]);
}

static enum status on_start(struct walk *w, struct err *e)
{
  const struct causes_start *s = &w->rewind->event.as.start;
  uint32_t *pair = &w->number[s->flow].pair;
  if (w->at != s->flow)
    return OK;
  if (find_pair(w->path, w->now.src, w->now.dst, pair, e) != OK)
    return FAIL;
  w->path->pair[*pair].messages++;
  w->path->pair[*pair].latency_s += (path_time)w->since - w->rewind->now;
  w->now.link = MAXMIN_NONE;
  if (add(w, w->rewind->now, PATH_LATENCY, PATH_LATENCY, 0, e) != OK)
    return FAIL;
  note_late(w, s->actor);
  w->find = FIND_STEP;
  w->at = s->actor;
  return OK;
}

static enum status on_settle(struct walk *w, struct err *e)
{
  return add_transfer(w, w->rewind->now, e);
}

static enum status on_in(struct walk *w, struct err *e)
{
  (void)e;
  if (w->at == w->rewind->event.as.in.flow)
    w->find = FIND_START;
  return OK;
}

/* Most events are none that the walk looks for. */
enum status path_event(struct walk *w, struct err *e)
{
  static const uint32_t WANTED[] = {
      [FIND_END] = 1u << CAUSES_STEP,  [FIND_STEP] = 1u << CAUSES_STEP,
      [FIND_OUT] = 1u << CAUSES_OUT,   [FIND_IN] = 1u << CAUSES_SETTLE | 1u << CAUSES_IN,
      [FIND_WAKE] = 1u << CAUSES_WAKE, [FIND_START] = 1u << CAUSES_START | 1u << CAUSES_OUT};
  static enum status (*const TAKE[])(struct walk * w, struct err * e) = {
      [CAUSES_STEP] = on_step,     [CAUSES_WAKE] = on_wake, [CAUSES_OUT] = on_out,
      [CAUSES_SETTLE] = on_settle, [CAUSES_IN] = on_in,     [CAUSES_START] = on_start};
  const enum causes_kind kind = w->rewind->event.kind;
  return WANTED[w->find] >> kind & 1 ? TAKE[kind](w, e) : OK;
}

bool path_starts_with(const struct walk *w, uint32_t flow)
{
  return w->find == FIND_START && w->at == flow;
}

enum status path_begin(struct walk **out, struct path *result, const struct rewind *r,
                       const struct path_options *o, struct err *e)
{
  struct path *p = result;
  struct walk *w = mem_array(1, sizeof *w, e);
  *out = w;
  *result = (struct path){0};
  if (w == NULL)
    return FAIL;
  *w = (struct walk){.path = p, .options = o, .causes = r->causes, .rewind = r};
  p->links = r->links;
  if ((w->number = mem_array(r->flows, sizeof *w->number, e)) == NULL ||
      (p->link_s = mem_array(p->links, sizeof *p->link_s, e)) == NULL ||
      (p->actor_s = mem_array(causes_actors(w->causes), sizeof *p->actor_s, e)) == NULL ||
      (p->compute_s = mem_array(causes_actors(w->causes), sizeof *p->compute_s, e)) == NULL ||
      (p->action_s = mem_array(CAUSES_ACTIONS, sizeof *p->action_s, e)) == NULL)
    return FAIL;
  for (int k = 0; k < PATH_LATES; k++)
    w->late[k] = INFINITY;
  return OK;
}

enum status path_end(const struct walk *w, struct err *e)
{
  if (w->find == FIND_END)
    return err_set(e, "no rank has ended");
  if (w->since > 0)
    return err_set(e, "the critical path ends at %.9g s instead of at time 0", w->since);
  return OK;
}

void path_free(struct walk *w)
{
  if (w != NULL)
    free(w->number);
  free(w);
}
