/** @file fake_simulator.h
 *  A simulator for tests of mappers that simulate.  The time of a mapping can be calculated by
 *  hand: base_s plus 1 us per byte and unit of distance, where the distance of two hosts is the
 *  difference of their numbers.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/mapper.h"
#include "mappers/simulator.h"

struct fake_simulator {
  const struct matrix *traffic;
  uint32_t ranks, hosts, ranks_per_host;
  uint64_t iterations;
  double base_s;
  const uint32_t *trap; /**< host of each rank in a mapping that takes trap_s; NULL: none */
  double trap_s;
  uint32_t fails_at; /**< number of the trial that fails; 0: none */
  uint32_t trials;   /**< trials run so far */
  uint32_t blames;   /**< attributions so far */
  bool blame_fails;
  double work; /**< simulated work, as a number of whole runs */
};

static inline double fake_time(const struct fake_simulator *f, const uint32_t *host)
{
  uint64_t sum = 0;
  if (f->trap != NULL && memcmp(host, f->trap, f->ranks * sizeof *host) == 0)
    return f->trap_s;
  for (size_t i = 0; i < f->traffic->count; i++) {
    const struct matrix_entry x = matrix_at(f->traffic, i);
    const uint32_t a = host[x.src], b = host[x.dst];
    sum += x.bytes * (a > b ? a - b : b - a);
  }
  return f->base_s + (double)sum * 1e-6;
}

static inline void fake_check(const struct fake_simulator *f, const uint32_t *host)
{
  uint32_t *count = calloc(f->hosts, sizeof *count);
  assert_non_null(count);
  for (uint32_t r = 0; r < f->ranks; r++) {
    if (host[r] >= f->hosts || ++count[host[r]] > f->ranks_per_host)
      fail_msg("a trial has too many ranks on host %u of %u", host[r], f->hosts);
  }
  free(count);
}

static inline enum status fake_run(void *data, struct mapper_trial *trial, uint32_t trials,
                                   uint32_t threads, struct err *e)
{
  struct fake_simulator *f = data;
  const struct mapper_simulator s = {.iterations = f->iterations};
  (void)threads;
  for (uint32_t i = 0; i < trials; i++) {
    struct mapper_trial *t = &trial[i];
    const double time_s = fake_time(f, t->host);
    bool stopped = false;
    fake_check(f, t->host);
    if (++f->trials == f->fails_at)
      return err_set(e, "trial %u fails", f->trials);
    for (uint32_t k = 0; k < MAPPER_POINTS; k++) {
      const double share = mapper_share(&s, k);
      t->passed_s[k] = time_s * share;
      stopped = stopped || k > t->stop || t->passed_s[k] > t->limit_s[k];
      if (stopped)
        t->passed_s[k] = INFINITY;
      else
        f->work += share - (k == 0 ? 0 : mapper_share(&s, k - 1));
    }
  }
  return OK;
}

/* A pair costs the time that its bytes take in fake_time(). */
static inline enum status fake_blame(void *data, const uint32_t *host, struct mapper_blame **out,
                                     size_t *count, struct err *e)
{
  struct fake_simulator *f = data;
  fake_check(f, host);
  f->blames++;
  f->work += 1.5;
  *out = NULL;
  *count = 0;
  if (f->blame_fails)
    return err_set(e, "the attribution fails");
  *out = calloc(f->traffic->count + 1, sizeof **out);
  assert_non_null(*out);
  for (; *count < f->traffic->count; ++*count) {
    const struct matrix_entry x = matrix_at(f->traffic, *count);
    const uint32_t a = host[x.src], b = host[x.dst];
    (*out)[*count] =
        (struct mapper_blame){x.src, x.dst, (double)(x.bytes * (a > b ? a - b : b - a)) * 1e-6};
  }
  return OK;
}

/** Makes the simulator for @p in.  Its fields must be set, and both must outlive the simulator. */
static inline struct fake_simulator fake_of(const struct mapper_input *in)
{
  return (struct fake_simulator){.traffic = in->traffic,
                                 .ranks = in->ranks,
                                 .hosts = platform_hosts(in->platform),
                                 .ranks_per_host = in->ranks_per_host,
                                 .iterations = 1,
                                 .base_s = 1};
}

static inline struct mapper_simulator fake_simulator(struct fake_simulator *f)
{
  return (struct mapper_simulator){
      .data = f, .iterations = f->iterations, .run = fake_run, .blame = fake_blame};
}
