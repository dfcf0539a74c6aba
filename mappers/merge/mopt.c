/* MOPT as its authors describe it (Asano and Kise, "SFMOPT", section 2): considers every pair of
 * groups, tries every combination of patterns, and evaluates each from scratch over all messages
 * and links.  Slow and simple: the reference for the fast mappers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "mappers/mapper.h"
#include "mappers/merge/case.h"
#include "mappers/merge/input.h"
#include "mappers/merge/mopt_eval.h"
#include "mappers/merge/pattern.h"

#define MAX_HOSTS 16384 /* the traffic is a full matrix */

struct group {
  uint32_t shape, size;
  bool active;              /* exchanges bytes with another group; set by list_pairs() */
  struct mopt_place *place; /* points into run.place */
};

/* Groups @p low < @p high of the list that may be merged. */
struct pair {
  uint32_t low, high, shape;
  bool alike; /* both exchange bytes with other groups, or neither does */
  uint64_t bytes;
};

struct run {
  struct merge_plan plan;
  struct merge_step step;
  enum merge_objective objective;
  bool distinct;     /* skips combinations as FMOPT does */
  bool never_turns;  /* joins groups as they are: only the selection step */
  uint64_t *traffic; /* hosts x hosts: bytes from each task to each other */
  uint32_t count;
  struct group *group; /* sorted by their lowest task */
  struct group *next;
  struct mopt_place *place; /* of all tasks, group by group */
  struct mopt_place *trial; /* of a merged group being evaluated */
  uint64_t *load;           /* doubled bytes by link: (host * ndims + axis) * 2 + down */
  struct pair *pair;        /* all pairs of groups */
};

static void lengths_of(const struct run *r, const struct group *g, uint32_t *length)
{
  for (uint32_t d = 0; d < r->plan.ndims; d++)
    length[d] = merge_plan_length(&r->step, g->shape, d);
}

/* Places a group, transformed by a pattern, at offset @p shift along the axis. */
static void put(const struct run *r, const struct group *g, const struct merge_pattern *p,
                uint32_t shift, struct mopt_place *out)
{
  uint32_t length[MERGE_PLAN_MAX_DIMS];
  lengths_of(r, g, length);
  for (uint32_t i = 0; i < g->size; i++) {
    out[i].task = g->place[i].task;
    merge_pattern_apply(p, r->plan.ndims, length, g->place[i].at, out[i].at);
    out[i].at[r->step.axis] += shift;
  }
}

/* The patterns of two groups and the box of the merged group. */
struct merger {
  const struct group *half[2];
  struct merge_patterns patterns[2];
  uint32_t shift;
  struct mopt_box box;
};

/* Joins two groups without transforming them. */
static void put_as_they_are(struct run *r, const struct merger *m)
{
  const struct merge_pattern same = merge_pattern_identity(r->plan.ndims);
  put(r, m->half[0], &same, 0, r->trial);
  put(r, m->half[1], &same, m->shift, r->trial + m->half[0]->size);
}

static void put_both(struct run *r, const struct merger *m, uint64_t combination)
{
  const uint64_t second = merge_pattern_count(&m->patterns[1]);
  const struct merge_pattern a = merge_pattern_at(&m->patterns[0], combination / second),
                             b = merge_pattern_at(&m->patterns[1], combination % second);
  put(r, m->half[0], &a, 0, r->trial);
  put(r, m->half[1], &b, m->shift, r->trial + m->half[0]->size);
}

static void merger_init(const struct run *r, const struct group *a, const struct group *b,
                        struct merger *m)
{
  const uint32_t axis = r->step.axis, n = r->plan.ndims;
  m->box = (struct mopt_box){.ndims = n,
                             .size = a->size + b->size,
                             .place = r->trial,
                             .traffic = r->traffic,
                             .tasks = r->plan.hosts,
                             .load = r->load};
  const bool swap =
      merge_plan_length(&r->step, b->shape, axis) > merge_plan_length(&r->step, a->shape, axis);
  m->half[0] = swap ? b : a; /* the longer one is first */
  m->half[1] = swap ? a : b;
  for (int h = 0; h < 2; h++) {
    lengths_of(r, m->half[h], m->box.length);
    merge_pattern_init(&m->patterns[h], n, m->box.length, m->box.length);
  }
  m->shift = merge_plan_length(&r->step, m->half[0]->shape, axis);
  m->box.length[axis] += m->shift;
  for (uint32_t d = 0; d < n; d++)
    m->box.ring[d] = r->plan.torus && m->box.length[d] == r->plan.side[d] && m->box.length[d] > 2;
}

/* Marks the patterns of the first group that FMOPT tries, for combinations=distinct. */
static enum status mark_leads(const struct run *r, const struct merger *m, bool *tried,
                              struct err *e)
{
  struct merge_boxes b = {.ndims = m->box.ndims, .axis = r->step.axis};
  for (int h = 0; h < 2; h++) {
    lengths_of(r, m->half[h], b.length[h]);
    lengths_of(r, m->half[h], b.hosts[h]);
  }
  memcpy(b.ring, m->box.ring, sizeof b.ring);
  struct merge_case c;
  if (merge_case_new(&c, &b, r->objective, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < c.leads; i++)
    tried[c.lead[i]] = true;
  merge_case_clear(&c);
  return OK;
}

static void try_combinations(struct run *r, struct merger *m, const bool *tried)
{
  const uint64_t second = merge_pattern_count(&m->patterns[1]);
  const uint64_t combinations = merge_pattern_count(&m->patterns[0]) * second;
  uint64_t best = 0, best_value = UINT64_MAX;
  for (uint64_t c = 0; c < combinations; c++) {
    if (r->distinct && !tried[c / second])
      continue;
    put_both(r, m, c);
    const uint64_t value =
        r->objective == MERGE_MINCOST ? mopt_eval_cost(&m->box) : mopt_eval_link(&m->box);
    if (value < best_value) {
      best = c;
      best_value = value;
    }
  }
  if (best_value == 0)
    put_as_they_are(r, m);
  else
    put_both(r, m, best);
}

static enum status try_all(struct run *r, struct merger *m, struct err *e)
{
  const uint64_t first = merge_pattern_count(&m->patterns[0]);
  const uint64_t combinations = first * merge_pattern_count(&m->patterns[1]);
  if (combinations > MERGE_CASE_MAX_COMBINATIONS)
    return err_set(
        e, "mapper 'mopt': a pair of groups has %" PRIu64 " combinations of patterns, above %d",
        combinations, MERGE_CASE_MAX_COMBINATIONS);
  ARENA(mem, e);
  bool *tried = arena_array(&mem, first, sizeof *tried);
  if (tried == NULL || (r->distinct && mark_leads(r, m, tried, e) != OK))
    return FAIL;
  for (int h = 0; h < 2; h++)
    if (merge_pattern_list(&m->patterns[h], e) != OK)
      return FAIL;
  try_combinations(r, m, tried);
  return OK;
}

static enum status merge(struct run *r, const struct pair *p, struct mopt_place *out, struct err *e)
{
  struct merger m = {.half = {NULL, NULL}};
  enum status s = OK;
  merger_init(r, &r->group[p->low], &r->group[p->high], &m);
  if (r->never_turns)
    put_as_they_are(r, &m);
  else
    s = try_all(r, &m, e);
  merge_pattern_clear(&m.patterns[0]);
  merge_pattern_clear(&m.patterns[1]);
  if (s == OK)
    memcpy(out, r->trial, m.box.size * sizeof *out);
  return s;
}

/* Orders pairs as select.h does. */
static int by_bytes(const void *a, const void *b)
{
  const struct pair *x = a, *y = b;
  return RISING(y->bytes, x->bytes) ?: RISING(x->alike, y->alike) ?: RISING(x->low, y->low)
      ?: RISING(x->high, y->high);
}

/* Equation (1): the sum of bytes in both directions. */
static uint64_t comm(const struct run *r, const struct group *a, const struct group *b)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < a->size; i++)
    for (uint32_t j = 0; j < b->size; j++) {
      const size_t s = a->place[i].task, t = b->place[j].task;
      sum += r->traffic[s * r->plan.hosts + t] + r->traffic[t * r->plan.hosts + s];
    }
  return sum;
}

static size_t list_pairs(struct run *r)
{
  size_t n = 0;
  for (uint32_t i = 0; i < r->count; i++)
    for (uint32_t j = i + 1; j < r->count; j++) {
      const uint64_t bytes = comm(r, &r->group[i], &r->group[j]);
      r->pair[n++] = (struct pair){.low = i, .high = j, .bytes = bytes};
      if (bytes > 0)
        r->group[i].active = r->group[j].active = true;
    }
  for (size_t i = 0; i < n; i++)
    r->pair[i].alike = r->group[r->pair[i].low].active == r->group[r->pair[i].high].active;
  return n;
}

/* The selection step.  partner[i] is the pair with the lower group i.  It is NULL if group i is the
 * higher one of a pair or stays alone. */
static void select_pairs(struct run *r, const struct pair **partner, bool *taken)
{
  const size_t n = list_pairs(r);
  qsort(r->pair, n, sizeof *r->pair, by_bytes);
  for (size_t i = 0; i < n; i++) {
    struct pair *p = &r->pair[i];
    if (taken[p->low] || taken[p->high] ||
        !merge_plan_fits(&r->step, r->group[p->low].shape, r->group[p->high].shape, &p->shape) ||
        r->step.quota[p->shape] == 0)
      continue;
    r->step.quota[p->shape]--;
    taken[p->low] = taken[p->high] = true;
    partner[p->low] = p;
  }
}

static enum status merge_pairs(struct run *r, const struct pair **partner, const bool *taken,
                               struct mopt_place *out, struct err *e)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    struct group *g = &r->next[n];
    *g = (struct group){.size = r->group[i].size, .place = out};
    if (!taken[i]) {
      g->shape = r->group[i].shape & ~((uint32_t)1 << r->step.axis);
      memcpy(out, r->group[i].place, g->size * sizeof *out);
    } else if (partner[i] != NULL) {
      g->shape = partner[i]->shape;
      g->size += r->group[partner[i]->high].size;
      if (merge(r, partner[i], out, e) != OK)
        return FAIL;
    } else {
      continue;
    }
    out += g->size;
    n++;
  }
  memcpy(r->group, r->next, n * sizeof *r->group);
  r->count = n;
  return OK;
}

static enum status iterate(struct run *r, struct err *e)
{
  ARENA(mem, e);
  const struct pair **partner = arena_array(&mem, r->count, sizeof *partner);
  bool *taken = arena_array(&mem, r->count, sizeof *taken);
  struct mopt_place *merged = arena_array(&mem, r->plan.hosts, sizeof *merged);
  if (arena_status(&mem) != OK)
    return FAIL;
  select_pairs(r, partner, taken);
  if (merge_pairs(r, partner, taken, merged, e) != OK)
    return FAIL;
  memcpy(r->place, merged, r->plan.hosts * sizeof *merged);
  struct mopt_place *next = r->place;
  for (uint32_t i = 0; i < r->count; next += r->group[i++].size)
    r->group[i].place = next;
  return OK;
}

/* Makes a group of one task for each host.  Tasks beyond the ranks send nothing. */
static enum status run_init(struct run *r, const struct matrix *traffic, struct arena *mem)
{
  const size_t n = r->plan.hosts;
  struct err why;
  if (mem_fits(n * n, sizeof *r->traffic + sizeof *r->pair / 2, &why) != OK)
    return err_set(mem->e, "mapper 'mopt' on %zu hosts: %s", n, why.text);
  r->traffic = arena_array(mem, n * n, sizeof *r->traffic);
  r->group = arena_array(mem, n, sizeof *r->group);
  r->next = arena_array(mem, n, sizeof *r->next);
  r->place = arena_array(mem, n, sizeof *r->place);
  r->trial = arena_array(mem, n, sizeof *r->trial);
  r->load = arena_array(mem, n * r->plan.ndims * 2, sizeof *r->load);
  r->pair = arena_array(mem, n * (n - 1) / 2, sizeof *r->pair);
  if (arena_status(mem) != OK)
    return FAIL;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (x.src != x.dst)
      r->traffic[x.src * n + x.dst] += x.bytes;
  }
  r->count = (uint32_t)n;
  for (uint32_t i = 0; i < n; i++) {
    r->place[i] = (struct mopt_place){.task = i};
    r->group[i] =
        (struct group){.shape = merge_plan_single(&r->plan), .size = 1, .place = &r->place[i]};
  }
  return OK;
}

static enum status run_all(struct run *r, const struct mapper_input *in, struct mapping *out,
                           struct err *e)
{
  for (uint32_t i = 0; i < r->plan.iterations; i++) {
    merge_plan_step(&r->plan, i, &r->step);
    if (iterate(r, e) != OK)
      return FAIL;
  }
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->plan.hosts; i++) {
    uint32_t host = 0;
    for (uint32_t d = r->plan.ndims; d-- > 0;)
      host = host * r->plan.side[d] + r->place[i].at[d];
    if (r->place[i].task < in->ranks)
      out->host[r->place[i].task] = host;
  }
  return OK;
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct merge_options *o = in->options;
  struct run r = {.objective = o->objective,
                  .distinct = o->combinations == MERGE_DISTINCT,
                  .never_turns = o->combinations == MERGE_NOTHING};
  if (merge_input_check(in, &r.plan, e) != OK)
    return FAIL;
  if (r.plan.hosts > MAX_HOSTS)
    return err_set(
        e, "mapper 'mopt': %" PRIu32 " hosts are more than %d (fmopt gives the same mapping)",
        r.plan.hosts, MAX_HOSTS);
  ARENA(mem, e);
  return run_init(&r, in->traffic, &mem) == OK ? run_all(&r, in, out, e) : FAIL;
}

const struct mapper map_mopt = {
    .name = "mopt",
    .help = "merges groups in pairs, trying all their rotations and reflections (Asano, Kise): "
            "simple and slow",
    .options = merge_input_mopt,
    .needs = MAPPER_GRID,
    .needs_traffic = true,
    .one_per_host = true,
    .map = map,
};
