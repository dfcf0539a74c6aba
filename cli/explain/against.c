#include "cli/explain/against.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/plural.h"
#include "sim/flow/maxmin.h"

/* --- reasons ---------------------------------------------------------------------------------- */

static path_time cause_sum(const struct path *p, enum path_cause c)
{
  path_time sum = 0;
  for (int k = 0; k < PATH_LATES; k++)
    sum += p->cause_s[c][k];
  return sum;
}

static path_time kind_sum(const struct path *p, enum against_kind k)
{
  switch (k) {
  case AGAINST_CONTENTION:
    return cause_sum(p, PATH_CONTENTION);
  case AGAINST_TRANSFER:
    return cause_sum(p, PATH_TRANSFER);
  case AGAINST_LATENCY:
    return cause_sum(p, PATH_LATENCY);
  case AGAINST_COMPUTE:
    return cause_sum(p, PATH_COMPUTE) + cause_sum(p, PATH_CROWDED);
  default:
    return cause_sum(p, PATH_SLEEP) + cause_sum(p, PATH_POLL) + cause_sum(p, PATH_OVERLAY) +
           cause_sum(p, PATH_START);
  }
}

static int by_seconds(const void *a, const void *b)
{
  const struct against_reason *x = a, *y = b;
  return x->seconds != y->seconds ? RISING(y->seconds, x->seconds) : RISING(x->kind, y->kind);
}

/* Contention on a link of the platform; 0 if no message of the run uses the link. */
static path_time link_seconds(const struct tables *t, uint32_t link)
{
  for (uint32_t i = 0; i < t->path->links; i++)
    if (t->link[i] == link)
      return t->path->link_s[i];
  return 0;
}

static uint32_t worst_link(const struct tables *slow, const struct tables *fast, path_time *most)
{
  uint32_t worst = CAUSES_NONE;
  for (uint32_t i = 0; i < slow->path->links; i++) {
    const path_time more = slow->path->link_s[i] > *most
                               ? slow->path->link_s[i] - link_seconds(fast, slow->link[i])
                               : 0;
    if (more > *most) {
      *most = more;
      worst = i;
    }
  }
  return worst;
}

/* Time of one kind of a pair on a path: contention, transfer or latency. */
static path_time pair_seconds(const struct path *p, uint32_t pair, enum against_kind k)
{
  if (pair >= p->pairs.count)
    return 0;
  const struct path_pair *x = &p->pair[pair];
  return k == AGAINST_CONTENTION ? x->contention_s
         : k == AGAINST_TRANSFER ? x->transfer_s
                                 : x->latency_s;
}

/* The number in @p fast of the pair with number @p pair in @p slow; PAIRS_NONE if @p fast lacks the
 * pair. */
static uint32_t other_pair(const struct path *slow, const struct path *fast, uint32_t pair)
{
  const uint64_t key = slow->pairs.key[pair];
  return pairs_find(&fast->pairs, (uint32_t)(key >> 32), (uint32_t)key);
}

static uint32_t worst_pair(const struct path *slow, const struct path *fast, enum against_kind k,
                           path_time *most)
{
  uint32_t worst = CAUSES_NONE;
  for (uint32_t i = 0; i < slow->pairs.count; i++) {
    const path_time more =
        pair_seconds(slow, i, k) - pair_seconds(fast, other_pair(slow, fast, i), k);
    if (more > *most) {
      *most = more;
      worst = i;
    }
  }
  return worst;
}

static uint32_t worst_actor(const struct tables *slow, const struct tables *fast)
{
  uint32_t worst = CAUSES_NONE;
  path_time most = 0;
  for (uint32_t i = 0; i < causes_actors(slow->causes); i++) {
    const path_time more =
        slow->path->compute_s[i] - (i < causes_actors(fast->causes) ? fast->path->compute_s[i] : 0);
    if (more > most) {
      most = more;
      worst = i;
    }
  }
  return worst;
}

static const struct maxmin_use *route(const struct tables *t, uint32_t pair, uint32_t *uses)
{
  const uint64_t key = t->path->pairs.key[pair];
  const struct maxmin_use *use;
  struct err e;
  *uses = 0;
  if (flow_net_route(causes_net(t->causes), causes_actor(t->causes, (uint32_t)(key >> 32)).host,
                     causes_actor(t->causes, (uint32_t)key).host, &use, uses, &e) != OK)
    *uses = 0;
  return use;
}

/* Number of links on the route of a pair. */
static uint32_t hops(const struct tables *t, uint32_t pair)
{
  uint32_t uses, n = 0;
  const struct maxmin_use *use = route(t, pair, &uses);
  for (uint32_t i = 0; i < uses; i++)
    n += use[i].share == 1;
  return n;
}

/* The link of least bandwidth on the route of a pair; CAUSES_NONE if several links have it. */
static uint32_t narrowest(const struct tables *t, uint32_t pair)
{
  uint32_t uses, link = CAUSES_NONE;
  const struct maxmin_use *use = route(t, pair, &uses);
  double least = INFINITY;
  for (uint32_t i = 0; i < uses; i++) {
    const double bandwidth = flow_net_bandwidth(causes_net(t->causes), use[i].link);
    if (use[i].share != 1 || bandwidth > least)
      continue;
    link = bandwidth < least ? use[i].link : CAUSES_NONE;
    least = bandwidth;
  }
  return link;
}

void against_find(struct against_reason out[AGAINST_KINDS], const struct tables *slow,
                  const struct tables *fast)
{
  for (int k = 0; k < AGAINST_KINDS; k++) {
    const enum against_kind kind = (enum against_kind)k;
    struct against_reason *r = &out[k];
    *r =
        (struct against_reason){.kind = kind,
                                .link = CAUSES_NONE,
                                .pair = CAUSES_NONE,
                                .actor = CAUSES_NONE,
                                .seconds = kind_sum(slow->path, kind) - kind_sum(fast->path, kind)};
    if (kind == AGAINST_CONTENTION)
      r->link = worst_link(slow, fast, &r->item_s);
    if (kind == AGAINST_TRANSFER || kind == AGAINST_LATENCY)
      r->pair = worst_pair(slow->path, fast->path, kind, &r->item_s);
    if (kind == AGAINST_TRANSFER && r->pair != CAUSES_NONE)
      r->link = narrowest(slow, r->pair);
    if (kind == AGAINST_COMPUTE)
      r->actor = worst_actor(slow, fast);
  }
  qsort(out, AGAINST_KINDS, sizeof *out, by_seconds);
}

uint32_t against_link(const struct against_reason *first, const struct tables *slow)
{
  return first->link == CAUSES_NONE ? CAUSES_NONE : slow->link[first->link];
}

/* --- text ------------------------------------------------------------------------------------- */

/* Pairs that a link slows down; or their rivals, the pairs that compete with them on the link. */
struct crowd {
  uint32_t *src, *dst; /* ranks */
  uint32_t n;
  uint64_t messages;
};

/* Collects the pairs with the longest times on a link, which together make 90 % of the time of all
 * pairs there. */
static enum status collect(struct crowd *c, const struct tables *t, uint32_t link, bool rivals,
                           struct err *e)
{
  const struct path *p = t->path;
  path_time sum = 0;
  *c = (struct crowd){0};
  if ((c->src = mem_array(p->shares.count, sizeof *c->src, e)) == NULL ||
      (c->dst = mem_array(p->shares.count, sizeof *c->dst, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < p->shares.count; i++)
    sum +=
        p->shares.key[i] >> 32 == link ? (rivals ? p->share[i].rival_s : p->share[i].slowed_s) : 0;
  for (uint32_t i = 0; i < p->shares.count; i++) {
    const struct path_share *x = &p->share[i];
    const path_time of = rivals ? x->rival_s : x->slowed_s;
    const uint32_t pair = (uint32_t)p->shares.key[i];
    if (p->shares.key[i] >> 32 != link || of < 0.05L * sum || (rivals && x->slowed_s > 0))
      continue;
    c->src[c->n] = causes_actor(t->causes, (uint32_t)(p->pairs.key[pair] >> 32)).rank;
    c->dst[c->n++] = causes_actor(t->causes, (uint32_t)p->pairs.key[pair]).rank;
    c->messages += p->pair[pair].messages;
  }
  return OK;
}

static void free_crowd(struct crowd *c)
{
  free(c->src);
  free(c->dst);
}

/* Sorts the ranks and prints them as "rank 3" or "ranks 0-3,8", each once. */
static void print_ranks(FILE *f, uint32_t *rank, uint32_t n)
{
  if (n > 1)
    qsort(rank, n, sizeof *rank, rising_u32);
  if (n > 0 && rank[0] == CAUSES_NONE) {
    fputs("background load", f);
    return;
  }
  fputs(n > 0 && rank[0] == rank[n - 1] ? "rank " : "ranks ", f);
  for (uint32_t i = 0; i < n;) {
    uint32_t k = i;
    while (k + 1 < n && rank[k + 1] <= rank[k] + 1)
      k++;
    fprintf(f, "%s%" PRIu32, i > 0 ? "," : "", rank[i]);
    if (rank[k] > rank[i])
      fprintf(f, "-%" PRIu32, rank[k]);
    i = k + 1;
  }
}

static void print_crowd(FILE *f, struct crowd *c)
{
  print_ranks(f, c->src, c->n);
  fputs(" to ", f);
  print_ranks(f, c->dst, c->n);
}

static const char *link_name(const struct tables *t, uint32_t link, char name[PLATFORM_NAME_SIZE])
{
  return platform_link_name(t->platform, t->link[link], name, PLATFORM_NAME_SIZE);
}

static enum status print_contention(const struct tables *t, uint32_t link, FILE *f, struct err *e)
{
  struct crowd slowed = {0}, rivals = {0};
  char name[PLATFORM_NAME_SIZE];
  enum status s = collect(&slowed, t, link, false, e);
  if (s == OK)
    s = collect(&rivals, t, link, true, e);
  if (s == OK) {
    fprintf(f, "%" PRIu64 " message%s of ", slowed.messages, PLURAL(slowed.messages));
    print_crowd(f, &slowed);
    fprintf(f, " share%s link %s", slowed.messages == 1 ? "s" : "", link_name(t, link, name));
    if (rivals.n > 0) {
      fputs(" with messages of ", f);
      print_crowd(f, &rivals);
    }
  }
  free_crowd(&slowed);
  free_crowd(&rivals);
  return s;
}

static void print_pair(const struct against_reason *r, const struct tables *slow,
                       const struct tables *fast, FILE *f)
{
  char name[TABLES_NAME], link[PLATFORM_NAME_SIZE], other[TABLES_NAME];
  const uint64_t key = slow->path->pairs.key[r->pair];
  const uint32_t before = other_pair(slow->path, fast->path, r->pair);
  const uint64_t messages = slow->path->pair[r->pair].messages;
  fprintf(f, "%" PRIu64 " message%s from rank %s to rank %s", messages, PLURAL(messages),
          tables_actor(slow, (uint32_t)(key >> 32), name),
          tables_actor(slow, (uint32_t)key, other));
  if (r->link != CAUSES_NONE)
    fprintf(f, ", over link %s of %.4g byte/s", link_name(slow, r->link, link),
            flow_net_bandwidth(causes_net(slow->causes), r->link));
  const uint32_t n = hops(slow, r->pair);
  fprintf(f, ", %" PRIu32 " link%s", n, PLURAL(n));
  if (before < fast->path->pairs.count && hops(fast, before) != n)
    fprintf(f, " instead of %" PRIu32, hops(fast, before));
}

static void print_host(const struct tables *t, uint32_t actor, bool crowded, FILE *f)
{
  char host[PLATFORM_NAME_SIZE];
  const struct causes_actor a = causes_actor(t->causes, actor);
  uint32_t ranks = 0;
  for (uint32_t i = 0; i < causes_actors(t->causes); i++)
    ranks +=
        causes_actor(t->causes, i).rank != CAUSES_NONE && causes_actor(t->causes, i).host == a.host;
  fprintf(f, "host %s of %.4g flop/s", platform_host_name(t->platform, a.host, host, sizeof host),
          a.flops);
  if (crowded)
    fprintf(f, " with %" PRIu32 " rank%s", ranks, PLURAL(ranks));
}

static void print_actor(const struct against_reason *r, const struct tables *slow,
                        const struct tables *fast, FILE *f)
{
  char name[TABLES_NAME];
  const bool crowded = cause_sum(slow->path, PATH_CROWDED) > cause_sum(fast->path, PATH_CROWDED);
  fprintf(f, "computation of rank %s on ", tables_actor(slow, r->actor, name));
  print_host(slow, r->actor, crowded, f);
  fputs(" instead of ", f);
  print_host(fast, r->actor, crowded, f);
}

/* @p longer: the time of the slower run minus the time of the faster run, in s. */
static enum status print_reason(const struct against_reason *r, path_time longer,
                                const struct tables *slow, const struct tables *fast, FILE *f,
                                struct err *e)
{
  static const char *const NAME[AGAINST_KINDS] = {"contention", "transfers", "latency",
                                                  "computation", "sleeps, tests and overlay"};
  if (r->item_s > 0)
    fprintf(f, "%s, %.0Lf %% %s ", NAME[r->kind], 100 * r->item_s / longer,
            r->kind == AGAINST_CONTENTION ? "where" : "by");
  if (r->kind == AGAINST_CONTENTION && r->link != CAUSES_NONE)
    return print_contention(slow, r->link, f, e);
  if (r->pair != CAUSES_NONE)
    print_pair(r, slow, fast, f);
  else if (r->actor != CAUSES_NONE)
    print_actor(r, slow, fast, f);
  else
    fputs(NAME[r->kind], f);
  return OK;
}

static void print_parts(const struct against_side *x, FILE *f)
{
  static const char *const NAME[AGAINST_KINDS] = {"contention", "transfer", "latency",
                                                  "computation", "other"};
  const struct path *p = x->tables->path;
  fprintf(f, "%s: %.6Lg s", x->name, p->time_s);
  for (int k = AGAINST_COMPUTE; k >= 0; k--)
    fprintf(f, ", %.3Lg %% %s",
            p->time_s > 0 ? 100 * kind_sum(p, (enum against_kind)k) / p->time_s : 0, NAME[k]);
  fputs(".\n", f);
}

enum status against_print(const struct against_reason reason[AGAINST_KINDS],
                          const struct against_side *slow, const struct against_side *fast, FILE *f,
                          struct err *e)
{
  const path_time longer = slow->tables->path->time_s - fast->tables->path->time_s;
  if (!(longer > 0)) {
    fprintf(f, "%s and %s take the same time.\n", slow->name, fast->name);
    return OK;
  }
  const path_time ratio = slow->tables->path->time_s / fast->tables->path->time_s;
  if (ratio < 2)
    fprintf(f, "%s is %.3Lg %% slower than %s; ", slow->name, 100 * (ratio - 1), fast->name);
  else
    fprintf(f, "%s takes %.3Lg times as long as %s; ", slow->name, ratio, fast->name);
  fprintf(f, "%.0Lf %% of it: ", 100 * reason[0].seconds / longer);
  if (print_reason(&reason[0], longer, slow->tables, fast->tables, f, e) != OK)
    return FAIL;
  fputs(".\n", f);
  if (reason[1].seconds > 0.01L * longer) {
    fprintf(f, "Further %.0Lf %%: ", 100 * reason[1].seconds / longer);
    if (print_reason(&reason[1], longer, slow->tables, fast->tables, f, e) != OK)
      return FAIL;
    fputs(".\n", f);
  } else {
    fputs("No other cause has grown by more than 1 % of the difference.\n", f);
  }
  print_parts(slow, f);
  print_parts(fast, f);
  return OK;
}
