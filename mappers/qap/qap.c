/* The mapper qap: ranks and unused slots are facilities, slots of hosts are locations. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "mappers/mapper.h"
#include "mappers/qap/cost.h"
#include "mappers/qap/solve.h"

/* Slots that are always considered, and how many for each rank beyond that. */
enum { SLOTS_LEAST = 512, SLOTS_PER_RANK = 2 };

/* The largest cost becomes this, unless all costs are integers and at most this. */
#define LARGEST_COST 1048576.0

enum { METHOD, TIME, WORK, STARTS, SEED, COST };

static enum status read_number(const char *name, const char *text, uint64_t most, uint64_t *out,
                               struct err *e)
{
  struct err why;
  if (num_u64(text, most, out, &why) != OK)
    return err_set(e, "mapper 'qap': %s: %s", name, why.text);
  return OK;
}

static enum status read_options(const struct mapper_values *v, struct solve_options *o,
                                struct err *e)
{
  struct err why;
  uint64_t work, starts;
  if ((o->method = registry_get(&methods, v->value[METHOD], &why)) == NULL)
    return err_set(e, "mapper 'qap': %s", why.text);
  if (num_double(v->value[TIME], 0, 1e6, &o->seconds, &why) != OK)
    return err_set(e, "mapper 'qap': time: %s", why.text);
  if (read_number("work", v->value[WORK], 1000000000, &work, e) != OK ||
      read_number("starts", v->value[STARTS], 4096, &starts, e) != OK ||
      read_number("seed", v->value[SEED], UINT64_MAX, &o->seed, e) != OK)
    return FAIL;
  if (o->seconds > 0 && work > 0)
    return err_set(e, "mapper 'qap': time=%s and work=%s: give one of them", v->value[TIME],
                   v->value[WORK]);
  o->work = work * 1000000;
  o->starts = (uint32_t)starts;
  return OK;
}

/* The slots that ranks may have: `each` on each of the hosts. */
struct slots {
  uint32_t hosts, each;
  uint32_t *host; /* owned */
};

/* All slots, or, where they are far more than ranks, those of hosts near each other. */
static enum status choose_slots(struct slots *s, const struct mapper_input *in, struct cost *c,
                                struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  const uint32_t few = in->ranks * SLOTS_PER_RANK;
  const uint32_t enough = few > SLOTS_LEAST ? (few > QAP_MOST ? QAP_MOST : few) : SLOTS_LEAST;
  s->each = in->ranks_per_host < in->ranks ? in->ranks_per_host : in->ranks;
  const uint32_t needed = s->each > enough ? 1 : enough / s->each;
  /* Rounded down, they may be too few for the ranks. */
  const uint32_t least = (in->ranks + s->each - 1) / s->each;
  const uint32_t wanted = needed < least ? least : needed;
  s->hosts = hosts < wanted ? hosts : wanted;
  if ((uint64_t)s->hosts * s->each > QAP_MOST)
    s->each = QAP_MOST / s->hosts;
  if ((uint64_t)s->hosts * s->each < in->ranks)
    return err_set(e, "mapper 'qap': %" PRIu32 " ranks are too many for its %d slots", in->ranks,
                   QAP_MOST);
  if ((s->host = mem_array(s->hosts, sizeof *s->host, e)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < s->hosts; h++)
    s->host[h] = h;
  return s->hosts == hosts ? OK : cost_nearest(c, s->hosts, s->host, e);
}

/* What makes integers of costs: 1 if they are. */
static double scale_of(const double *cost, size_t n)
{
  double most = 0;
  bool integers = true;
  for (size_t i = 0; i < n; i++) {
    most = cost[i] > most ? cost[i] : most;
    integers = integers && cost[i] <= LARGEST_COST && cost[i] == floor(cost[i]);
  }
  return integers || most == 0 ? 1 : LARGEST_COST / most;
}

/* A cost above 0 stays so. */
static int64_t to_integer(double cost, double scale)
{
  const double scaled = round(cost * scale);
  return cost > 0 && scaled < 1 ? 1 : (int64_t)scaled;
}

static void spread_costs(struct qap *q, const struct slots *s, const double *cost)
{
  const double scale = scale_of(cost, (size_t)s->hosts * s->hosts);
  for (size_t k = 0; k < q->n; k++)
    for (size_t l = 0; l < q->n; l++) {
      const size_t a = k / s->each, b = l / s->each;
      q->distance[k * q->n + l] = to_integer(cost[a * s->hosts + b], scale);
    }
}

static enum status fill_distances(struct qap *q, const struct slots *s, struct cost *c,
                                  struct err *e)
{
  double *cost = mem_array((size_t)s->hosts * s->hosts, sizeof *cost, e);
  enum status status = cost == NULL ? FAIL : OK;
  for (uint32_t a = 0; a < s->hosts; a++)
    for (uint32_t b = 0; status == OK && b < s->hosts; b++)
      status = cost_between(c, s->host[a], s->host[b], &cost[(size_t)a * s->hosts + b], e);
  if (status == OK)
    spread_costs(q, s, cost);
  free(cost);
  return status;
}

/* Bits to drop from all bytes so that sums fit; what is left of a flow is at least 1. */
static unsigned bits_to_drop(const struct qap *q, const struct matrix *m)
{
  int64_t longest = 1;
  for (size_t i = 0; i < (size_t)q->n * q->n; i++)
    longest = q->distance[i] > longest ? q->distance[i] : longest;
  double sum = 0;
  for (size_t i = 0; i < m->count; i++)
    sum += (double)matrix_at(m, i).bytes;
  unsigned bits = 0;
  while (sum * (double)longest > 0x1p57) {
    sum /= 2;
    bits++;
  }
  return bits;
}

static enum status fill_flows(struct qap *q, const struct mapper_input *in, struct err *e)
{
  const struct matrix *m = in->traffic;
  const unsigned bits = bits_to_drop(q, m);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (x.src >= in->ranks || x.dst >= in->ranks)
      return err_set(e,
                     "mapper 'qap': the traffic is between ranks %" PRIu32 " and %" PRIu32
                     ", there are %" PRIu32,
                     x.src, x.dst, in->ranks);
    const uint64_t left = x.bytes >> bits;
    if (x.src != x.dst)
      q->flow[(size_t)x.src * q->n + x.dst] = (int64_t)(left == 0 && x.bytes > 0 ? 1 : left);
  }
  return OK;
}

static enum status place(const struct mapper_input *in, const struct solve_options *o,
                         const struct slots *s, const struct qap *q, struct mapping *out,
                         struct err *e)
{
  struct mapping m;
  uint32_t *at = mem_array(q->n, sizeof *at, e);
  enum status status = at == NULL ? FAIL : solve(q, o, at, e);
  if (status == OK && (status = mapping_new(&m, in->ranks, e)) == OK) {
    for (uint32_t r = 0; r < in->ranks; r++)
      m.host[r] = s->host[at[r] / s->each];
    *out = m;
  }
  free(at);
  return status;
}

static enum status pose_and_place(const struct mapper_input *in, const struct solve_options *o,
                                  struct cost *c, struct mapping *out, struct err *e)
{
  struct slots slots = {.host = NULL};
  struct qap q = {.n = 0};
  enum status s = choose_slots(&slots, in, c, e);
  if (s == OK)
    s = qap_new(&q, (uint64_t)slots.hosts * slots.each, e);
  if (s == OK && (s = fill_distances(&q, &slots, c, e)) == OK &&
      (s = fill_flows(&q, in, e)) == OK && (s = qap_check(&q, e)) == OK)
    s = place(in, o, &slots, &q, out, e);
  qap_clear(&q);
  free(slots.host);
  return s;
}

static enum status map(const struct mapper_input *in, const struct mapper_values *values,
                       struct mapping *out, struct err *e)
{
  struct solve_options o = {.threads = in->threads};
  struct cost *c;
  if (read_options(values, &o, e) != OK || cost_new(&c, in->platform, values->value[COST], e) != OK)
    return FAIL;
  const enum status s = pose_and_place(in, &o, c, out, e);
  cost_free(c);
  return s;
}

static enum status assign(const struct qap *q, const struct mapper_values *values, uint32_t threads,
                          uint32_t *at, struct err *e)
{
  struct solve_options o = {.threads = threads};
  return read_options(values, &o, e) == OK ? solve(q, &o, at, e) : FAIL;
}

static const char *file(const struct mapper_values *values)
{
  return cost_is_file(values->value[COST]) ? values->value[COST] : "";
}

static const struct mapper_option OPTIONS[] = {
    {.name = "method",
     .default_value = "auto",
     .help = "auto (memetic, or sa if the budget is short), memetic, rts (robust tabu search), sa "
             "or grasp"},
    {.name = "time",
     .default_value = "0",
     .help = "CPU seconds of each search; the result then depends on the machine; 0: work"},
    {.name = "work",
     .default_value = "0",
     .help = "millions of swaps that all searches look at together; 0: by the size"},
    {.name = "starts",
     .default_value = "0",
     .help = "searches, of which the best wins; 0: 4, or with time the number of threads"},
    {.name = "seed", .default_value = "1", .help = "seed of the random streams, 0 to 2^64-1"},
    {.name = "cost",
     .default_value = "hops",
     .help = "of a byte between hosts: hops, latency, or a file with a line of costs a host"},
    {.name = NULL},
};

const struct mapper map_qap = {
    .name = "qap",
    .help = "traffic times costs between hosts as a quadratic assignment problem, or a QAPLIB file",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .file = file,
    .map = map,
    .assign = assign,
};
