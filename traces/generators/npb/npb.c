#include "traces/generators/npb/npb.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(npb_bt)                                                                                      \
  ROW(npb_cg)                                                                                      \
  ROW(npb_ep)                                                                                      \
  ROW(npb_ft)                                                                                      \
  ROW(npb_is)                                                                                      \
  ROW(npb_lu)                                                                                      \
  ROW(npb_mg)                                                                                      \
  ROW(npb_sp)

#define DECLARE(row) extern const struct npb_benchmark row;
LIST(DECLARE)

const struct registry npb_benchmarks = REGISTRY("benchmark", LIST);

static const char *const CLASSES[NPB_CLASSES + 1] = {"S", "W", "A", "B", "C", "D", "E", "F"};

uint32_t npb_power_of_two(enum npb_class class, uint32_t ranks)
{
  (void)class;
  return 1u << npb_log2(ranks);
}

static bool runs_on(const struct npb_benchmark *b, enum npb_class class, uint32_t ranks)
{
  return b->ranks_used(class, ranks) == ranks;
}

/* The next number of ranks below or above @p ranks that the benchmark runs on; 0 if none is
 * near. */
static uint32_t next_count(const struct npb_benchmark *b, enum npb_class class, uint32_t ranks,
                           bool above)
{
  const uint64_t far = above ? 2 * (uint64_t)ranks + 1024 : 0;
  const uint32_t end = far > GENERATOR_RANKS_MAX ? GENERATOR_RANKS_MAX : (uint32_t)far;
  for (uint32_t n = ranks; n != end;) {
    n = above ? n + 1 : n - 1;
    if (n > 0 && runs_on(b, class, n))
      return n;
  }
  return 0;
}

static enum status refuse_ranks(const struct npb_benchmark *b, const struct npb_job *job,
                                struct err *e)
{
  char counts[64] = "", number[16];
  for (int above = 0; above <= 1; above++) {
    const uint32_t n = next_count(b, job->class, job->ranks, above == 1);
    snprintf(number, sizeof number, "%" PRIu32, n);
    if (n > 0)
      err_list(counts, sizeof counts, number);
  }
  return err_set(e, "%s of class %s does not run on %" PRIu32 " ranks; nearest: %s", b->name,
                 CLASSES[job->class], job->ranks, counts);
}

struct npb_spec {
  const struct npb_benchmark *benchmark;
  struct npb_job job;
  double flops, bytes; /* of an operation that NPB counts */
  double cache;        /* of a rank, in bytes; 0: not modelled */
};

#define AT(FIELD) offsetof(struct npb_spec, FIELD)

static const struct spec_option OPTIONS[] = {
    {"benchmark", SPEC_ROW, AT(benchmark), NULL, .help = "", .rows = &npb_benchmarks, .ends = '.'},
    {"class", SPEC_CHOICE, AT(job.class), NULL, .help = "", .names = CLASSES, .ends = '.'},
    {"ranks", SPEC_U32, AT(job.ranks), NULL, .help = "", .least = 1, .most = GENERATOR_RANKS_MAX,
     .ends = '@'},
    {"iterations", SPEC_U32, AT(job.iterations), "", .help = "", .least = 1, .ends = ','},
    {"flops", SPEC_DOUBLE, AT(flops), "1", .help = "flops of an operation that NPB counts",
     .least = 1e-9, .most = 1e9},
    {"bytes", SPEC_DOUBLE, AT(bytes), "0",
     .help = "memory traffic in bytes of such an operation (effect memory)", .most = 1e9},
    {"cache", SPEC_DOUBLE, AT(cache), "0",
     .help = "bytes of cache of a rank (cg: gathers beyond it miss); 0: no gather misses",
     .most = 1e15},
    {.name = NULL},
};

static enum status check(const struct npb_benchmark *b, struct npb_job *job, struct err *e)
{
  if (b->iterations[job->class] == 0)
    return err_set(e, "%s has no class %s", b->name, CLASSES[job->class]);
  if (job->iterations == 0)
    job->iterations = b->iterations[job->class];
  const uint32_t used = b->ranks_used(job->class, job->ranks);
  if (used == 0)
    return refuse_ranks(b, job, e);
  if (used != job->ranks)
    return err_set(e, "%s would use %" PRIu32 " of %" PRIu32 " ranks; ask for %" PRIu32, b->name,
                   used, job->ranks, used);
  return OK;
}

/* Number of positional options: BENCH.CLASS.RANKS[@ITERATIONS]. */
enum { POSITIONAL = 4 };

/* Parses the costs after the first comma, if there is one, then the part before the comma. */
static enum status parse_spec(struct npb_spec *out, const char *text, struct err *e)
{
  OWNED char *head = mem_strdup(text, e);
  char *comma = head == NULL ? NULL : strchr(head, ',');
  struct npb_spec costs = {.flops = 1};
  if (comma != NULL && comma[1] == '\0')
    return err_set(e, "'%.100s' ends with a comma", text);
  if (head == NULL ||
      (comma != NULL && spec_parse(NULL, OPTIONS + POSITIONAL, comma + 1, &costs, e) != OK))
    return FAIL;
  if (comma != NULL)
    *comma = '\0';
  if (spec_parse(NULL, OPTIONS, head, out, e) != OK)
    return FAIL;
  out->flops = costs.flops;
  out->bytes = costs.bytes;
  out->cache = costs.cache;
  return OK;
}

/* Opens BENCH.CLASS.RANKS[@ITERATIONS][,flops=F][,bytes=B][,cache=C]. */
static enum status open_npb(struct generator **out, const struct generator_kind *kind,
                            const char *text, struct err *e)
{
  struct npb_spec s;
  const char *dot = strchr(text, '.');
  if (dot == NULL || strchr(dot + 1, '.') == NULL)
    return err_set(e, "expected BENCH.CLASS.RANKS, as in cg.C.512");
  (void)kind;
  if (parse_spec(&s, text, e) != OK || check(s.benchmark, &s.job, e) != OK)
    return FAIL;
  if (s.cache > 0 && s.benchmark->traffic == NULL)
    return err_set(e, "%s has no model of the cache", s.benchmark->name);
  struct generator *g = mem_array(1, s.benchmark->bytes, e);
  if (g == NULL)
    return FAIL;
  *g = (struct generator){
      .ranks = s.job.ranks, .head = 1, .loop = 1, .tail = 1, .iterations = s.job.iterations};
  if (s.benchmark->init(g, &s.job, e) != OK) {
    generator_close(g);
    return FAIL;
  }
  g->flops = s.flops < 1 || s.flops > 1 ? s.flops : 0;
  g->per_flop = s.bytes / s.flops;
  if (s.cache > 0)
    g->per_flop *= s.benchmark->traffic(g, s.cache);
  *out = g;
  return OK;
}

const struct generator_kind npb_generator = {
    .name = "npb",
    .example = "npb:cg.C.512@10",
    .help = "a NAS Parallel Benchmark 3.4; @10: 10 iterations",
    .options = OPTIONS,
    .open = open_npb,
};
