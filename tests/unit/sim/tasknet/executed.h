/** @file executed.h
 *  Random networks on random platforms, executed in the abstract model and on engines.
 */
#pragma once

#include <math.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/mem.h"
#include "sim/tasknet/engines.h"
#include "tests/unit/tasks/draw.h"

enum { EXECUTED_ELEMENTS = 512 };

/** The input of an execution, made by executed_new(). */
struct executed {
  struct tasknet net;
  char path[40]; /**< path of the platform file */
  struct platform *platform;
  struct hosts hosts;
  struct farm farm;
  uint32_t host[EXECUTED_ELEMENTS], place[EXECUTED_ELEMENTS];
  struct dates_plan plan;
  uint64_t seed;
};

/** The results of an execution, in memory shared between processes. */
struct executed_run {
  bool ok;
  char error[256];
  uint32_t host[EXECUTED_ELEMENTS];
  double start[EXECUTED_ELEMENTS], end[EXECUTED_ELEMENTS];
  double makespan_s;
  uint64_t steals, stolen;
  struct load_figures load;
};

/** Properties of the links of a platform. */
struct executed_links {
  const char *sharing; /**< FATPIPE: no contention */
  const char *latency;
};

static const struct tasknet_units EXECUTED_UNITS = {1e9, 1e9};

/* Two to four groups of hosts, a link for each host within its group, and a link for each pair
 * of groups. */
static inline void executed_platform(struct executed *x, const struct executed_links *links)
{
  struct rng r = rng_new(x->seed, 2);
  const uint32_t groups = 2 + (uint32_t)rng_below(&r, 3);
  uint32_t group[24], hosts = 0;
  snprintf(x->path, sizeof x->path, "/tmp/executed-XXXXXX.xml");
  const int fd = mkstemps(x->path, 4);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
        "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
        "<zone id=\"z\" routing=\"Full\">\n",
        f);
  for (uint32_t g = 0; g < groups; g++) {
    const uint32_t speed = 1 + 2 * g + (uint32_t)rng_below(&r, 2);
    for (uint32_t i = 1 + (uint32_t)rng_below(&r, 4); i > 0; i--, hosts++) {
      group[hosts] = g;
      fprintf(f, "<host id=\"h%u\" speed=\"%uGf\"/>\n", hosts, speed);
    }
  }
  for (uint32_t a = 0; a < groups; a++)
    for (uint32_t b = a; b < groups; b++)
      fprintf(f,
              "<link id=\"l%u-%u\" bandwidth=\"%uGBps\" latency=\"%s\" sharing_policy=\"%s\"/>\n",
              a, b, a == b ? 5 + (uint32_t)rng_below(&r, 9) : 1 + (uint32_t)rng_below(&r, 4),
              links->latency, links->sharing);
  for (uint32_t i = 0; i < hosts; i++)
    for (uint32_t k = 0; k < i; k++)
      fprintf(f, "<route src=\"h%u\" dst=\"h%u\"><link_ctn id=\"l%u-%u\"/></route>\n", k, i,
              group[k], group[i]);
  fputs("</zone>\n</platform>\n", f);
  assert_int_equal(fclose(f), 0);
}

/* Gives arrays of pattern B at least two iterations, because engines do not pipeline a single
 * iteration. */
static inline void executed_loops(struct tasknet *n)
{
  for (uint32_t i = 0; i < n->arrays; i++) {
    struct tasknet_array *a = &n->array[i];
    if (a->pattern != TASKNET_B)
      continue;
    a->cost.loops = fmax(a->cost.loops, 2);
    for (uint32_t k = 0; a->varied && k < a->count; k++)
      n->own[a->own + k].loops = fmax(n->own[a->own + k].loops, 2);
  }
}

/** @p x must not be moved.  The caller ends it with executed_clear(). */
static inline void executed_new(struct executed *x, uint64_t seed,
                                const struct executed_links *links)
{
  struct err e = {""};
  uint32_t count[24] = {0};
  struct rng r = rng_new(seed, 1);
  *x = (struct executed){.net = draw(seed, seed % 4 != 0), .seed = seed};
  assert_true(x->net.elements <= EXECUTED_ELEMENTS);
  executed_loops(&x->net);
  executed_platform(x, links);
  if (platform_load(&x->platform, x->path, &e) != OK ||
      hosts_make(&x->hosts, x->platform, &e) != OK ||
      farm_of(&x->farm, x->platform, &x->hosts, &EXECUTED_UNITS, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < x->net.arrays; i++) {
    const struct tasknet_array *a = &x->net.array[x->net.order[i]];
    for (uint32_t k = a->first; k < a->first + a->count; k++) {
      x->host[k] = (uint32_t)rng_below(&r, x->farm.hosts);
      x->place[k] = count[x->host[k]]++;
    }
  }
  x->plan = (struct dates_plan){x->host, x->place};
}

static inline void executed_clear(struct executed *x)
{
  farm_clear(&x->farm);
  hosts_clear(&x->hosts);
  platform_free(x->platform);
  tasknet_clear(&x->net);
  unlink(x->path);
}

static inline const struct steal_policy *executed_policy(const char *name)
{
  struct err e;
  return registry_get(&steal_policies, name, &e);
}

static inline void executed_take(struct executed_run *out, const struct executed *x,
                                 struct abstract_run *run)
{
  const uint32_t n = x->net.elements;
  out->ok = true;
  memcpy(out->host, run->host, n * sizeof *run->host);
  memcpy(out->start, run->start, n * sizeof *run->start);
  memcpy(out->end, run->end, n * sizeof *run->end);
  out->makespan_s = run->makespan_s;
  out->steals = run->steals;
  out->stolen = run->stolen;
  abstract_clear(run);
}

/** Executes in the abstract model. */
static inline void executed_abstract(const struct executed *x, const char *steal,
                                     struct executed_run *out)
{
  const struct abstract_input in = {
      &x->net, &x->farm, &x->plan, x->farm.class_of, executed_policy(steal), x->seed};
  struct abstract_run run;
  struct err e = {""};
  if (abstract_execute(&in, &run, &e) != OK)
    fail_msg("%s", e.text);
  executed_take(out, x, &run);
}

/** How to execute a network on an engine. */
struct executed_way {
  const char *engine, *model, *steal;
  const char *load[2]; /**< specs; NULL: none */
};

static inline void executed_here(const struct executed *x, const struct executed_way *way,
                                 struct executed_run *out)
{
  uint32_t rank[24];
  struct load_specs specs = {.count = 0};
  struct loads *loads = NULL;
  struct abstract_run run;
  struct err e = {""};
  for (uint32_t h = 0; h < 24; h++)
    rank[h] = h;
  const struct load_site site = {x->platform, rank, x->farm.hosts, x->seed};
  for (size_t i = 0; i < 2 && way->load[i] != NULL; i++)
    if (load_specs_add(&specs, way->load[i], &e) != OK)
      fail_msg("%s", e.text);
  if (loads_new(&loads, &specs, &site, &e) != OK)
    fail_msg("%s", e.text);
  const struct engines_input in = {
      .actors = {.queues = {&x->net, &x->plan, x->farm.class_of, executed_policy(way->steal),
                            x->farm.hosts, x->seed},
                 .units = EXECUTED_UNITS},
      .run = {.platform = x->platform,
              .engine = registry_get(&engines, way->engine, &e),
              .model = registry_get(&sim_models, way->model, &e),
              .precision_s = 1e-9,
              .maxmin_precision = 1e-9,
              .loads = loads}};
  if (engines_execute(&in, &run, &out->load, &e) == OK)
    executed_take(out, x, &run);
  else
    snprintf(out->error, sizeof out->error, "%s", e.text);
  loads_free(loads);
}

/** Executes in a child process, because SimGrid can start only once per process.  The caller
 *  frees the result with munmap(). */
static inline struct executed_run *executed_apart(const struct executed *x,
                                                  const struct executed_way *way)
{
  int status;
  struct executed_run *out =
      mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(out != MAP_FAILED);
  const pid_t child = fork();
  if (child == 0) {
    executed_here(x, way, out);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  if (!out->ok)
    fail_msg("seed %d on %s: %s", (int)x->seed, way->engine, out->error);
  return out;
}

/** Fails the test unless the dates of all elements agree within @p tolerance. */
static inline void executed_compare(const struct executed *x, const struct executed_run *a,
                                    const struct executed_run *b, double tolerance)
{
  for (uint32_t i = 0; i < x->net.elements; i++)
    if (a->host[i] != b->host[i] || !(fabs(a->start[i] - b->start[i]) <= tolerance) ||
        !(fabs(a->end[i] - b->end[i]) <= tolerance))
      fail_msg("seed %d, element %u: %.12g to %.12g on host %u, but %.12g to %.12g on host %u",
               (int)x->seed, i, a->start[i], a->end[i], a->host[i], b->start[i], b->end[i],
               b->host[i]);
}
