#include "traces/generators/npb/npb.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
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

static const char CLASSES[NPB_CLASSES + 1] = "SWABCDEF";

uint32_t npb_power_of_two(enum npb_class class, uint32_t ranks)
{
  (void)class;
  return 1u << npb_log2(ranks);
}

static enum status find_class(const char *text, const struct npb_benchmark *b, enum npb_class *out,
                              struct err *e)
{
  const char *at = *text == '\0' || text[1] != '\0' ? NULL : strchr(CLASSES, *text);
  if (at == NULL)
    return err_set(e, "unknown class '%.32s'; expected one of S, W, A, B, C, D, E, F", text);
  *out = (enum npb_class)(at - CLASSES);
  if (b->iterations[*out] == 0)
    return err_set(e, "%s has no class %s", b->name, text);
  return OK;
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
  return err_set(e, "%s of class %c does not run on %" PRIu32 " ranks; nearest: %s", b->name,
                 CLASSES[job->class], job->ranks, counts);
}

static enum status parse_ranks(const char *text, const struct npb_benchmark *b, struct npb_job *job,
                               struct err *e)
{
  uint64_t ranks;
  struct err why;
  if (num_u64(text, GENERATOR_RANKS_MAX, &ranks, &why) != OK)
    return err_set(e, "the number of ranks: %s", why.text);
  if (ranks == 0)
    return err_set(e, "the number of ranks is 0");
  job->ranks = (uint32_t)ranks;
  const uint32_t used = b->ranks_used(job->class, job->ranks);
  if (used == 0)
    return refuse_ranks(b, job, e);
  if (used != job->ranks)
    return err_set(e, "%s would use %" PRIu32 " of %" PRIu32 " ranks; ask for %" PRIu32, b->name,
                   used, job->ranks, used);
  return OK;
}

static enum status parse_iterations(const char *text, const struct npb_benchmark *b,
                                    struct npb_job *job, struct err *e)
{
  uint64_t n = b->iterations[job->class];
  struct err why;
  if (text != NULL && num_u64(text, UINT32_MAX, &n, &why) != OK)
    return err_set(e, "the number of iterations: %s", why.text);
  if (n == 0)
    return err_set(e, "the number of iterations is 0");
  job->iterations = (uint32_t)n;
  return OK;
}

/* Cuts *text at @p mark; returns the part before it and sets *text to the part after, or NULL. */
static char *cut(char **text, char mark)
{
  char *head = *text, *at = strchr(head, mark);
  if (at != NULL)
    *at++ = '\0';
  *text = at;
  return head;
}

/* Parses BENCH.CLASS.RANKS[@ITERATIONS] and opens the benchmark; modifies @p text. */
static enum status open_text(struct generator **out, char *text, struct err *e)
{
  struct npb_job job;
  char *rest = text;
  const char *name = cut(&rest, '.');
  if (rest == NULL)
    return err_set(e, "expected BENCH.CLASS.RANKS, as in cg.C.512");
  const char *class = cut(&rest, '.');
  if (rest == NULL)
    return err_set(e, "expected BENCH.CLASS.RANKS, as in cg.C.512");
  const char *ranks = cut(&rest, '@');
  const struct npb_benchmark *b = registry_get(&npb_benchmarks, name, e);
  if (b == NULL || find_class(class, b, &job.class, e) != OK ||
      parse_ranks(ranks, b, &job, e) != OK || parse_iterations(rest, b, &job, e) != OK)
    return FAIL;
  return b->open(out, &job, e);
}

static enum status open_npb(struct generator **out, const struct generator_kind *kind,
                            const char *fields, struct err *e)
{
  (void)kind;
  char *text = mem_strdup(fields, e);
  if (text == NULL)
    return FAIL;
  const enum status s = open_text(out, text, e);
  free(text);
  return s;
}

const struct generator_kind npb_generator = {
    .name = "npb",
    .example = "npb:cg.C.512@10",
    .help = "a NAS Parallel Benchmark 3.4, here of 10 iterations",
    .open = open_npb,
};
