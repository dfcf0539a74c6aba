/* Calls every function of libhaichi, from several threads, and checks what it returns. */
#include <haichi/haichi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(X)                                                                                   \
  ((X) ? (void)0 : (fprintf(stderr, "line %d: %s: %s\n", __LINE__, #X, e.text), exit(1)))

static struct haichi_error e;
static struct haichi_platform *torus;

/* Each thread has its own trace; all share the platform. */
static void *work(void *result)
{
  struct haichi_trace *t;
  struct haichi_traffic *traffic;
  struct haichi_mapping *m;
  struct haichi_simulation r;
  const struct haichi_simulation_options o = {"smpi", 2};
  struct haichi_map_options tuned = {1, 1, NULL, NULL};
  if (haichi_trace_open(&t, "npb:cg.S.16@2", "ompi", NULL) != HAICHI_OK ||
      haichi_traffic_of_trace(&traffic, t, NULL) != HAICHI_OK)
    return NULL;
  tuned.trace = t;
  if (haichi_map(&m, "tune:seed=1", torus, traffic, &tuned, NULL) != HAICHI_OK ||
      haichi_simulate(&r, torus, t, m, &o, NULL) != HAICHI_OK)
    return NULL;
  *(double *)result = r.time_s;
  haichi_mapping_free(m);
  haichi_traffic_free(traffic);
  haichi_trace_free(t);
  return result;
}

static void check_threads(void)
{
  pthread_t thread[4];
  double time_s[4];
  for (int i = 0; i < 4; i++)
    CHECK(pthread_create(&thread[i], NULL, work, &time_s[i]) == 0);
  for (int i = 0; i < 4; i++) {
    void *done;
    CHECK(pthread_join(thread[i], &done) == 0 && done != NULL);
    CHECK(time_s[i] > 0 && time_s[i] == time_s[0]);
  }
}

static void check_platform(void)
{
  char name[HAICHI_NAME_SIZE];
  uint32_t host = 99;
  struct haichi_route r;
  struct haichi_platform *p = NULL;
  CHECK(haichi_platform_hosts(torus) == 16);
  CHECK(haichi_platform_find_host(torus, haichi_platform_host_name(torus, 5, name), &host, &e) ==
        HAICHI_OK);
  CHECK(host == 5);
  CHECK(haichi_platform_find_host(torus, "none", &host, &e) == HAICHI_FAIL &&
        strstr(e.text, "none") && host == 5);
  CHECK(haichi_platform_host_speed(torus, 0) == 1e9 && haichi_platform_host_cores(torus, 0) == 1);
  CHECK(haichi_platform_route(torus, 0, 2, &r, &e) == HAICHI_OK && r.links == 2 &&
        r.bandwidth_Bps == 1.25e9);
  CHECK(r.latency_s > 1.9e-7 && r.latency_s < 2.1e-7);
  CHECK(haichi_platform_route(torus, 0, 16, &r, &e) == HAICHI_FAIL);
  CHECK(haichi_platform_open(&p, "slurm:-", &e) == HAICHI_FAIL && p == NULL);
}

static void check_traffic(void)
{
  static const struct haichi_pair PAIR[] = {{1, 0, 1, 10}, {0, 1, 2, 20}, {1, 0, 3, 5}};
  static const struct haichi_pair WRONG = {0, 2, 1, 1}, LARGE = {0, 1, INT64_MAX, 1},
                                  NO_MESSAGE = {0, 1, 0, 10},
                                  SILENT[] = {{0, 1, 1, 0}, {1, 0, 0, 0}};
  struct haichi_pair twice[2] = {LARGE, LARGE};
  struct haichi_traffic *t = NULL;
  CHECK(haichi_traffic_of_pairs(&t, 2, PAIR, 3, &e) == HAICHI_OK);
  CHECK(haichi_traffic_ranks(t) == 2 && haichi_traffic_pairs(t) == 2);
  const struct haichi_pair p = haichi_traffic_pair(t, 1);
  CHECK(p.src == 1 && p.dst == 0 && p.messages == 4 && p.bytes == 15);
  haichi_traffic_free(t);
  t = NULL;
  CHECK(haichi_traffic_of_pairs(&t, 2, &WRONG, 1, &e) == HAICHI_FAIL && t == NULL);
  CHECK(haichi_traffic_of_pairs(&t, 2, twice, 2, &e) == HAICHI_FAIL && t == NULL);
  CHECK(haichi_traffic_of_pairs(&t, 2, &NO_MESSAGE, 1, &e) == HAICHI_FAIL && t == NULL);
  CHECK(haichi_traffic_load(&t, "-", &e) == HAICHI_FAIL && t == NULL);
  CHECK(haichi_traffic_of_pairs(&t, 2, SILENT, 2, &e) == HAICHI_OK && haichi_traffic_pairs(t) == 1);
  haichi_traffic_free(t);
  t = NULL;
  CHECK(haichi_traffic_of_pairs(&t, 0, NULL, 0, &e) == HAICHI_FAIL && t == NULL);
  CHECK(haichi_traffic_load(&t, "no such file", &e) == HAICHI_FAIL && t == NULL);
}

static void check_allocation(void)
{
  static const struct haichi_pair PAIR = {0, 1, 1, 10};
  struct haichi_map_options o = {.hosts = "node-[7,3],12"};
  struct haichi_traffic *t;
  struct haichi_mapping *m = NULL;
  CHECK(haichi_traffic_of_pairs(&t, 3, &PAIR, 1, &e) == HAICHI_OK);
  CHECK(haichi_map(&m, "xyz", torus, t, &o, &e) == HAICHI_OK);
  CHECK(haichi_mapping_hosts(m)[0] == 7 && haichi_mapping_hosts(m)[1] == 3 &&
        haichi_mapping_hosts(m)[2] == 12);
  haichi_mapping_free(m);
  m = NULL;
  CHECK(haichi_map(&m, "file:path=-", torus, t, &o, &e) == HAICHI_FAIL && m == NULL);
  CHECK(haichi_map(&m, "/dev/null", torus, t, &o, &e) == HAICHI_FAIL && m == NULL &&
        strstr(e.text, "no such file") == NULL);
  o.hosts = "-";
  CHECK(haichi_map(&m, "xyz", torus, t, &o, &e) == HAICHI_FAIL && m == NULL);
  o.hosts = "node-[7,16]";
  CHECK(haichi_map(&m, "auto", torus, t, &o, &e) == HAICHI_FAIL && m == NULL &&
        strstr(e.text, "node-16"));
  haichi_traffic_free(t);
}

static void check_mapping(void)
{
  static const uint32_t HOST[] = {3, 1}, WRONG[] = {16};
  struct haichi_mapping *m, *same = NULL;
  struct haichi_trace *t;
  CHECK(haichi_mapping_new(&m, torus, HOST, 2, &e) == HAICHI_OK);
  CHECK(haichi_mapping_ranks(m) == 2 && haichi_mapping_hosts(m)[0] == 3);
  CHECK(haichi_mapping_save(m, torus, "rankfile", "saved", &e) == HAICHI_OK);
  CHECK(haichi_mapping_load(&same, "saved", torus, 2, &e) == HAICHI_OK);
  CHECK(memcmp(haichi_mapping_hosts(same), HOST, sizeof HOST) == 0);
  CHECK(haichi_mapping_save(m, torus, "rankfile", "-", &e) == HAICHI_FAIL);
  CHECK(haichi_mapping_save(m, torus, "other", "saved", &e) == HAICHI_FAIL &&
        strstr(e.text, "rankfile"));
  haichi_mapping_free(same);
  same = NULL;
  CHECK(haichi_mapping_new(&same, torus, WRONG, 1, &e) == HAICHI_FAIL && same == NULL);
  CHECK(haichi_trace_open(&t, "ring:4", NULL, &e) == HAICHI_OK && haichi_trace_ranks(t) == 4);
  CHECK(haichi_simulate(NULL, torus, t, m, NULL, &e) == HAICHI_FAIL && strstr(e.text, "4 ranks"));
  haichi_trace_free(t);
  haichi_mapping_free(m);
  CHECK(haichi_trace_open(&t, "-", NULL, &e) == HAICHI_FAIL);
  CHECK(haichi_trace_open(&t, "hpl:N=64,NB=8,P=2,Q=2,kernels=-", NULL, &e) == HAICHI_FAIL);
  CHECK(haichi_trace_open(&t, "ring:4", "-", &e) == HAICHI_FAIL);
  CHECK(haichi_trace_open(&t, "ring:4", "mpi", &e) == HAICHI_FAIL && strstr(e.text, "mvapich2"));
}

int main(void)
{
  CHECK(haichi_platform_open(&torus, "torus:4x4", &e) == HAICHI_OK);
  CHECK(*haichi_version() >= '0' && *haichi_version() <= '9');
  CHECK(haichi_mapper_name(0) != NULL && haichi_mapper_help(0) != NULL);
  CHECK(haichi_mapper_name(1000) == NULL && haichi_mapper_help(1000) == NULL);
  check_platform();
  check_traffic();
  check_allocation();
  check_mapping();
  check_threads();
  haichi_platform_free(torus);
  haichi_platform_free(NULL);
  haichi_trace_free(NULL);
  haichi_traffic_free(NULL);
  haichi_mapping_free(NULL);
  return 0;
}
