/* The mapper qap.  Facilities are the ranks and the unused slots, locations are the slots of
 * hosts. */
#include <inttypes.h>
#include <math.h>

#include "common/arena.h"
#include "mappers/graph.h"
#include "mappers/mapper.h"
#include "mappers/qap/cost.h"
#include "mappers/qap/routed.h"
#include "mappers/qap/solve.h"
#include "wan/bounding.h"

/* The number of slots considered: SLOTS_PER_RANK for each rank, but at least SLOTS_LEAST. */
enum { SLOTS_LEAST = 512, SLOTS_PER_RANK = 2 };

/* Unless all costs are integers up to this value, they are scaled so that the largest has it. */
#define LARGEST_COST 1048576.0

enum { DEFAULT_DENSITY = 2 };

struct qap_options {
  struct solve_options search; /* work: in millions */
  const char *cost;
  enum { BYTES, MESSAGES } count;
  uint32_t density; /* 0: the density of the overlay */
};

/* The slots that ranks may use: `each` on each of the hosts. */
struct slots {
  uint32_t hosts, each;
  uint32_t *host; /* owned */
};

/* Chooses all slots, or, if they are far more than the ranks, slots of hosts near each other. */
static enum status choose_slots(struct slots *s, const struct mapper_input *in, struct cost *c,
                                struct arena *mem)
{
  const uint32_t hosts = platform_hosts(in->platform);
  const uint32_t few = in->ranks * SLOTS_PER_RANK;
  const uint32_t enough = few > SLOTS_LEAST ? (few > QAP_MOST ? QAP_MOST : few) : SLOTS_LEAST;
  s->each = in->ranks_per_host < in->ranks ? in->ranks_per_host : in->ranks;
  const uint32_t needed = s->each > enough ? 1 : enough / s->each;
  /* `needed` is rounded down and may be too small for the ranks. */
  const uint32_t least = (in->ranks + s->each - 1) / s->each;
  const uint32_t wanted = needed < least ? least : needed;
  s->hosts = hosts < wanted ? hosts : wanted;
  if ((uint64_t)s->hosts * s->each > QAP_MOST)
    s->each = QAP_MOST / s->hosts;
  if ((uint64_t)s->hosts * s->each < in->ranks)
    return err_set(mem->e, "mapper 'qap': %" PRIu32 " ranks are more than its %d slots", in->ranks,
                   QAP_MOST);
  if ((s->host = arena_array(mem, s->hosts, sizeof *s->host)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < s->hosts; h++)
    s->host[h] = h;
  return s->hosts == hosts ? OK : cost_nearest(c, s->hosts, s->host, mem->e);
}

/* The parsed options and the input of the mapper. */
struct question {
  const struct mapper_input *in;
  struct solve_options search;
  bool routed;                   /* costs are along routes through other processes */
  bool messages;                 /* flows are messages, not bytes */
  struct mapper_overlay overlay; /* used if `routed` */
};

/* The factor by which costs are multiplied before rounding to integers; 1 if they are integers. */
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

/* A cost above 0 becomes at least 1. */
static int64_t to_integer(double cost, double scale)
{
  const double scaled = round(cost * scale);
  return cost > 0 && scaled < 1 ? 1 : (int64_t)scaled;
}

/* Writes the distances of all slots; @p cost is between places of @p each slots. */
static void spread_costs(struct qap *q, uint32_t each, const double *cost)
{
  const size_t places = q->n / each;
  const double scale = scale_of(cost, places * places);
  for (size_t k = 0; k < q->n; k++)
    for (size_t l = 0; l < q->n; l++)
      q->distance[k * q->n + l] = to_integer(cost[k / each * places + l / each], scale);
}

static enum status fill_distances(struct qap *q, const struct slots *s, struct cost *c,
                                  struct err *e)
{
  ARENA(mem, e);
  double *cost = arena_array(&mem, (size_t)s->hosts * s->hosts, sizeof *cost);
  if (cost == NULL)
    return FAIL;
  for (uint32_t a = 0; a < s->hosts; a++)
    for (uint32_t b = 0; b < s->hosts; b++)
      if (cost_between(c, s->host[a], s->host[b], &cost[(size_t)a * s->hosts + b], e) != OK)
        return FAIL;
  spread_costs(q, s->each, cost);
  return OK;
}

/* Writes the distances along routes through other processes, one process for each slot. */
static enum status fill_routed(struct qap *q, const struct slots *s, const struct question *x,
                               struct err *e)
{
  ARENA(mem, e);
  struct mapping m;
  double *cost = arena_array(&mem, (size_t)q->n * q->n, sizeof *cost);
  if (cost == NULL || mapping_new(&m, q->n, e) != OK)
    return FAIL;
  for (uint32_t k = 0; k < q->n; k++)
    m.host[k] = s->host[k / s->each];
  const struct routed_input in = {x->in->platform, &m, x->in->traffic, x->overlay};
  const enum status status = routed_costs(cost, &in, e);
  mapping_clear(&m);
  if (status == OK)
    spread_costs(q, 1, cost);
  return status;
}

static uint64_t flow_of(const struct matrix_entry *x, bool messages)
{
  return messages ? x->messages : x->bytes;
}

/* The number of low bits to drop from all flows so that their sum times the longest distance stays
 * below 2^57.  fill_flows() keeps every flow above 0 at 1 or more. */
static unsigned bits_to_drop(const struct qap *q, const struct matrix *m, bool messages)
{
  int64_t longest = 1;
  for (size_t i = 0; i < (size_t)q->n * q->n; i++)
    longest = q->distance[i] > longest ? q->distance[i] : longest;
  double sum = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    sum += (double)flow_of(&x, messages);
  }
  unsigned bits = 0;
  while (sum * (double)longest > 0x1p57) {
    sum /= 2;
    bits++;
  }
  return bits;
}

/* Writes the flows; the distances must be set. */
static void fill_flows(struct qap *q, const struct question *question)
{
  const struct matrix *m = question->in->traffic;
  const unsigned bits = bits_to_drop(q, m, question->messages);
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    const uint64_t flow = flow_of(&x, question->messages), left = flow >> bits;
    if (x.src != x.dst)
      q->flow[(size_t)x.src * q->n + x.dst] = (int64_t)(left == 0 && flow > 0 ? 1 : left);
  }
}

static enum status place(const struct question *x, const struct slots *s, const struct qap *q,
                         struct mapping *out, struct err *e)
{
  ARENA(mem, e);
  uint32_t *at = arena_array(&mem, q->n, sizeof *at);
  if (at == NULL || solve(q, &x->search, at, e) != OK || mapping_new(out, x->in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < x->in->ranks; r++)
    out->host[r] = s->host[at[r] / s->each];
  return OK;
}

static enum status pose_and_place(const struct question *x, struct cost *c, struct mapping *out,
                                  struct err *e)
{
  ARENA(mem, e);
  struct slots slots = {.host = NULL};
  struct qap q;
  if (graph_check(x->in->traffic, x->in->ranks, e) != OK ||
      choose_slots(&slots, x->in, c, &mem) != OK ||
      qap_new(&q, (uint64_t)slots.hosts * slots.each, e) != OK)
    return FAIL;
  enum status s = x->routed ? fill_routed(&q, &slots, x, e) : fill_distances(&q, &slots, c, e);
  if (s == OK) {
    fill_flows(&q, x);
    s = qap_check(&q, e);
  }
  if (s == OK)
    s = place(x, &slots, &q, out, e);
  qap_clear(&q);
  return s;
}

/* Chooses the overlay for cost=overlay: the overlay of the run that the mapping is for, or MC-MPI's
 * if that is unknown.  The option `density` overrides its density. */
static void choose_overlay(struct question *x, uint32_t density)
{
  x->overlay = (struct mapper_overlay){
      .method = &bounding_mcmpi, .density = DEFAULT_DENSITY, .seed = x->search.seed};
  if (x->in->overlay != NULL)
    x->overlay = *x->in->overlay;
  if (density > 0)
    x->overlay.density = density;
}

static struct solve_options search_of(const struct qap_options *o, uint32_t threads)
{
  struct solve_options search = o->search;
  search.work *= 1000000;
  search.threads = threads;
  return search;
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct qap_options *o = in->options;
  struct question x = {.in = in,
                       .search = search_of(o, in->threads),
                       .routed = routed_is_cost(o->cost),
                       .messages = o->count == MESSAGES};
  struct cost *c;
  choose_overlay(&x, o->density);
  if (cost_new(&c, in->platform, x.routed ? "latency" : o->cost, e) != OK)
    return FAIL;
  const enum status s = pose_and_place(&x, c, out, e);
  cost_free(c);
  return s;
}

static enum status assign(const struct qap *q, const void *options, uint32_t threads, uint32_t *at,
                          struct err *e)
{
  const struct solve_options search = search_of(options, threads);
  return solve(q, &search, at, e);
}

static const char *file(const void *options)
{
  const char *cost = ((const struct qap_options *)options)->cost;
  return cost_is_file(cost) && !routed_is_cost(cost) ? cost : "";
}

#define AT(FIELD) offsetof(struct qap_options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"method", SPEC_ROW, AT(search.method), "auto",
     .help = "auto (memetic, or sa if the budget is short), memetic, rts (robust tabu search), sa "
             "or grasp",
     .rows = &methods},
    {"time", SPEC_DOUBLE, AT(search.seconds), "0",
     .help = "CPU seconds of each search; the result then depends on the machine; 0: work",
     .most = 1e6},
    {"work", SPEC_U64, AT(search.work), "0",
     .help = "millions of swaps evaluated by all searches together; 0: by the number of facilities",
     .most = 1e9, .not_with = "time"},
    {"starts", SPEC_U32, AT(search.starts), "0",
     .help =
         "number of searches, of which the best counts; 0: 4, or with time= the number of threads",
     .most = 4096},
    {"seed", SPEC_U64, AT(search.seed), "1", .help = "seed of the random streams, 0 to 2^64-1"},
    {"cost", SPEC_TEXT, AT(cost), "hops",
     .help = "cost between hosts: hops, latency, bandwidth (time of a byte), overlay (round trips "
             "along MC-MPI's routes), or a file with a line of costs per host"},
    {"count", SPEC_CHOICE, AT(count), "bytes", .help = "unit of the traffic: bytes or messages",
     .names = (const char *const[]){"bytes", "messages", NULL}},
    {"density", SPEC_U32, AT(density), "",
     .help = "density of the connections of cost=overlay (default: the density of --overlay, or 2)",
     .least = 1, .most = 1 << 20, .needs = "cost=overlay"},
    {.name = NULL},
};

const struct mapper map_qap = {
    .name = "qap",
    .help = "minimises traffic times costs between hosts (quadratic assignment problem), or solves "
            "a QAPLIB file",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .file = file,
    .map = map,
    .assign = assign,
};
