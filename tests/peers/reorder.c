/* usage: reorder PLATFORM GRAPH ORDER SEED [HOSTS]
 * One case of haichi_reorder(), in this process alone: prints a line of a table with simulated
 * times of one exchange of all messages, and hop-bytes, before and after, and by mapper scotch.
 * GRAPH is grid:AxBxC, pgrid:AxB (periodic), geometric:N (points in a square, weights 1 to 100), or
 * scalefree:N (few ranks have many neighbours, weights 1 to 100);
 * ORDER is list or shuffled, the order of the processes on the hosts; HOSTS is a file with the name
 * of a host per line (all hosts).  The environment may name files: MATRIX, to which the edges are
 * written instead; and OTHER, with the process of each rank in an order by another program, whose
 * simulated time is the last column (0 without it; Scotch is not run with it).  QUICK=1: neither
 * simulations nor Scotch. */
#include <haichi/haichi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8192, BYTES = 65536 };

struct graph {
  uint32_t ranks;
  size_t pairs;
  struct haichi_pair *pair;
};

static uint64_t state;

static uint32_t below(uint32_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

static void need(int good, const char *what, const struct haichi_error *e)
{
  if (good)
    return;
  fprintf(stderr, "reorder: %s: %s\n", what, e == NULL ? "failed" : e->text);
  exit(1);
}

/* --- graphs ----------------------------------------------------------------------------------- */

static void add(struct graph *g, uint32_t from, uint32_t to, uint64_t bytes)
{
  g->pair = realloc(g->pair, (g->pairs + 1) * sizeof *g->pair);
  need(g->pair != NULL, "memory", NULL);
  g->pair[g->pairs++] = (struct haichi_pair){from, to, 1, bytes};
}

/* Ranks as MPI_Cart_create numbers them, the last axis fastest. */
static void make_grid(struct graph *g, const char *sides, int periodic)
{
  uint32_t side[4], axes = 0;
  g->ranks = 1;
  for (char *at = (char *)sides; *at != '\0' && axes < 4; at += *at == 'x')
    g->ranks *= side[axes++] = (uint32_t)strtoul(at, &at, 10);
  for (uint32_t r = 0; r < g->ranks; r++)
    for (uint32_t d = axes, stride = 1; d-- > 0; stride *= side[d]) {
      const uint32_t at = r / stride % side[d];
      for (int step = -1; step <= 1; step += 2) {
        const uint32_t to = (at + side[d] + (uint32_t)step) % side[d];
        if (to != at && (periodic || to == at + (uint32_t)step))
          add(g, r, r + (to - at) * stride, BYTES);
      }
    }
}

static void add_both(struct graph *g, uint32_t a, uint32_t b)
{
  const uint64_t bytes = (1 + below(100)) * (uint64_t)BYTES / 50;
  add(g, a, b, bytes);
  add(g, b, a, bytes);
}

/* Points of a square, numbered by rows of cells; each is joined to the points nearer than about
 * eight others. */
static void make_geometric(struct graph *g, uint32_t n)
{
  enum { SIDE = 1 << 20 };
  uint32_t *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  need(x != NULL && y != NULL, "memory", NULL);
  for (uint32_t i = 0; i < n; i++) {
    x[i] = below(SIDE);
    y[i] = (uint32_t)((uint64_t)SIDE * i / n);
  }
  const double radius = SIDE * 1.6 / __builtin_sqrt(n);
  g->ranks = n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const double dx = (double)x[i] - x[k], dy = (double)y[i] - y[k];
      if (dx * dx + dy * dy > radius * radius)
        continue;
      add_both(g, i, k);
    }
  free(x);
  free(y);
}

/* Each rank is joined to two of the ranks before it, which it draws by their number of edges
 * (Barabasi and Albert 1999). */
static void make_scale_free(struct graph *g, uint32_t n)
{
  g->ranks = n;
  if (n > 1)
    add_both(g, 0, 1);
  for (uint32_t i = 2; i < n; i++) {
    const uint32_t ends = (uint32_t)g->pairs, first = g->pair[below(ends)].src;
    uint32_t second = first;
    while (second == first)
      second = g->pair[below(ends)].src;
    add_both(g, i, first);
    add_both(g, i, second);
  }
}

static void make_graph(struct graph *g, const char *spec)
{
  if (strncmp(spec, "grid:", 5) == 0)
    make_grid(g, spec + 5, 0);
  else if (strncmp(spec, "pgrid:", 6) == 0)
    make_grid(g, spec + 6, 1);
  else if (strncmp(spec, "geometric:", 10) == 0)
    make_geometric(g, (uint32_t)strtoul(spec + 10, NULL, 10));
  else if (strncmp(spec, "scalefree:", 10) == 0)
    make_scale_free(g, (uint32_t)strtoul(spec + 10, NULL, 10));
  need(g->ranks > 0 && g->ranks <= MOST, spec, NULL);
}

/* Lines SRC DST BYTES. */
static void write_matrix(const struct graph *g, const char *path)
{
  FILE *f = fopen(path, "w");
  need(f != NULL, path, NULL);
  for (size_t i = 0; i < g->pairs; i++)
    fprintf(f, "%u %u %llu\n", g->pair[i].src, g->pair[i].dst,
            (unsigned long long)g->pair[i].bytes);
  need(fclose(f) == 0, path, NULL);
}

/* --- hosts ------------------------------------------------------------------------------------ */

static void list_hosts(uint32_t *host, uint32_t n, const struct haichi_platform *p,
                       const char *path)
{
  struct haichi_error e;
  char line[HAICHI_NAME_SIZE];
  FILE *f = path == NULL ? NULL : fopen(path, "r");
  need(path == NULL || f != NULL, "hosts", NULL);
  need(f != NULL || haichi_platform_hosts(p) >= n, "too few hosts", NULL);
  for (uint32_t i = 0; i < n; i++) {
    host[i] = i;
    if (f == NULL)
      continue;
    need(fgets(line, sizeof line, f) != NULL, "too few hosts", NULL);
    line[strcspn(line, " \n")] = '\0';
    need(haichi_platform_find_host(p, line, &host[i], &e) == HAICHI_OK, "hosts", &e);
  }
  if (f != NULL)
    fclose(f);
}

/* Reads a permutation of the processes. */
static void read_order(uint32_t *process, uint32_t n, const char *path)
{
  static unsigned char seen[MOST];
  FILE *f = fopen(path, "r");
  need(f != NULL, path, NULL);
  for (uint32_t r = 0; r < n; r++) {
    need(fscanf(f, "%u", &process[r]) == 1 && process[r] < n && !seen[process[r]], path, NULL);
    seen[process[r]] = 1;
  }
  fclose(f);
}

static void shuffle(uint32_t *host, uint32_t n)
{
  for (uint32_t i = n - 1; i > 0; i--) {
    const uint32_t k = below(i + 1), other = host[k];
    host[k] = host[i];
    host[i] = other;
  }
}

/* --- simulated times -------------------------------------------------------------------------- */

static uint32_t end_of(const struct haichi_pair *x, int send)
{
  return send ? x->src : x->dst;
}

/* Sorts the pairs by their destination, or by their source if @p send: at[first[r]] to
 * at[first[r + 1] - 1] are the numbers of the pairs of rank r, in the order of the list. */
static void sort_pairs(const struct graph *g, int send, size_t *first, size_t *at)
{
  memset(first, 0, (g->ranks + 2) * sizeof *first);
  for (size_t i = 0; i < g->pairs; i++)
    first[end_of(&g->pair[i], send) + 2]++;
  for (uint32_t r = 0; r < g->ranks; r++)
    first[r + 2] += first[r + 1];
  for (size_t i = 0; i < g->pairs; i++)
    at[first[end_of(&g->pair[i], send) + 1]++] = i;
}

/* Receives or sends of a rank: the number of the pair is the tag. */
static void write_calls(FILE *f, const struct graph *g, uint32_t rank, int send, const size_t *at,
                        size_t n)
{
  for (size_t k = 0; k < n; k++) {
    const struct haichi_pair *x = &g->pair[at[k]];
    fprintf(f, "%u %s %u %zu %llu 6\n", rank, send ? "isend" : "irecv", end_of(x, !send),
            at[k] % 30000, (unsigned long long)x->bytes);
  }
}

/* Writes the exchange as a trace: receives, sends, and a wait for all. */
static void write_trace(const char *dir, const struct graph *g)
{
  char path[512];
  size_t *first[2], *at[2];
  for (int send = 0; send < 2; send++) {
    first[send] = malloc((g->ranks + 2) * sizeof **first);
    at[send] = malloc((g->pairs + 1) * sizeof **at);
    need(first[send] != NULL && at[send] != NULL, "memory", NULL);
    sort_pairs(g, send, first[send], at[send]);
  }
  snprintf(path, sizeof path, "%s/index.txt", dir);
  FILE *index = fopen(path, "w");
  need(index != NULL, path, NULL);
  for (uint32_t r = 0; r < g->ranks; r++) {
    snprintf(path, sizeof path, "%s/%u.txt", dir, r);
    FILE *f = fopen(path, "w");
    need(f != NULL, path, NULL);
    size_t posted = 0;
    fprintf(f, "%u init\n", r);
    for (int send = 0; send < 2; send++) {
      const size_t n = first[send][r + 1] - first[send][r];
      write_calls(f, g, r, send, at[send] + first[send][r], n);
      posted += n;
    }
    fprintf(f, "%u waitall %zu\n%u finalize\n", r, posted, r);
    fclose(f);
    fprintf(index, "%u.txt\n", r);
  }
  fclose(index);
  for (int send = 0; send < 2; send++) {
    free(first[send]);
    free(at[send]);
  }
}

static double simulate(const struct haichi_platform *p, const char *dir, const uint32_t *host,
                       const uint32_t *process, uint32_t n)
{
  struct haichi_error e;
  struct haichi_trace *t;
  struct haichi_mapping *m;
  struct haichi_simulation s;
  char path[512];
  uint32_t *at = malloc(n * sizeof *at);
  for (uint32_t r = 0; r < n; r++)
    at[r] = host[process[r]];
  snprintf(path, sizeof path, "%s/index.txt", dir);
  need(haichi_trace_open(&t, path, NULL, &e) == HAICHI_OK, "trace", &e);
  need(haichi_mapping_new(&m, p, at, n, &e) == HAICHI_OK, "mapping", &e);
  need(haichi_simulate(&s, p, t, m, NULL, &e) == HAICHI_OK, "simulation", &e);
  haichi_mapping_free(m);
  haichi_trace_free(t);
  free(at);
  return s.time_s;
}

/* Hop-bytes by Scotch on the same hosts. */
static uint64_t scotch(const struct haichi_platform *p, const struct haichi_traffic *t,
                       const uint32_t *host, uint32_t n)
{
  struct haichi_error e;
  struct haichi_mapping *m;
  struct haichi_metrics x;
  char *list = malloc((size_t)n * 12 + 1), *at = list;
  for (uint32_t i = 0; i < n; i++)
    at += snprintf(at, 12, i > 0 ? ",%u" : "%u", host[i]);
  const struct haichi_map_options o = {.ranks_per_host = 1, .threads = 1, .hosts = list};
  need(haichi_map(&m, "scotch", p, t, &o, &e) == HAICHI_OK, "scotch", &e);
  need(haichi_metrics(&x, p, t, m, &e) == HAICHI_OK, "metrics", &e);
  haichi_mapping_free(m);
  free(list);
  return x.hop_bytes;
}

static double cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Simulated times of the exchange: in the original order, in the order of the library, and in the
 * order of OTHER; 0 if that is not set. */
static void simulate_orders(const struct haichi_platform *p, const struct graph *g,
                            const uint32_t *host, const uint32_t *process, double time_s[3])
{
  static uint32_t order[MOST];
  char dir[] = "/tmp/reorder.XXXXXX", command[64];
  const char *other = getenv("OTHER");
  for (uint32_t r = 0; r < g->ranks; r++)
    order[r] = r;
  need(mkdtemp(dir) != NULL, dir, NULL);
  write_trace(dir, g);
  time_s[0] = simulate(p, dir, host, order, g->ranks);
  time_s[1] = simulate(p, dir, host, process, g->ranks);
  if (other != NULL) {
    read_order(order, g->ranks, other);
    time_s[2] = simulate(p, dir, host, order, g->ranks);
  }
  snprintf(command, sizeof command, "rm -r %s", dir);
  need(system(command) == 0, command, NULL);
}

static void print_row(char **argv, const struct graph *g, const struct haichi_reordering *x,
                      const double time_s[3])
{
  printf("%s\t%s\t%s\t%u\t%d\t%.9g\t%.9g\t%.9g\t%.9g\t%llu\t%llu", argv[1], argv[2], argv[3],
         g->ranks, x->moved, time_s[0], time_s[1], x->before.estimated_time_s,
         x->after.estimated_time_s, (unsigned long long)x->before.hop_bytes,
         (unsigned long long)x->after.hop_bytes);
}

int main(int argc, char **argv)
{
  static uint32_t host[MOST], process[MOST];
  struct haichi_error e;
  struct haichi_platform *p;
  struct haichi_traffic *t;
  struct haichi_reordering x;
  struct graph g = {0};
  struct rusage used;
  double time_s[3] = {0, 0, 0};
  if (argc < 5)
    return 2;
  state = strtoull(argv[4], NULL, 10) * 977 + 5;
  make_graph(&g, argv[2]);
  if (getenv("MATRIX") != NULL) {
    write_matrix(&g, getenv("MATRIX"));
    return 0;
  }
  need(haichi_platform_open(&p, argv[1], &e) == HAICHI_OK, "platform", &e);
  list_hosts(host, g.ranks, p, argc > 5 ? argv[5] : NULL);
  if (strcmp(argv[3], "shuffled") == 0)
    shuffle(host, g.ranks);
  need(haichi_traffic_of_pairs(&t, g.ranks, g.pair, g.pairs, &e) == HAICHI_OK, "traffic", &e);
  struct haichi_reorder_request q = {p, t, host, g.ranks, getenv("MAPPER"), 1};
  const double begin = cpu();
  need(haichi_reorder(process, &x, &q, &e) == HAICHI_OK, "reorder", &e);
  const double taken = cpu() - begin;
  getrusage(RUSAGE_SELF, &used);
  if (getenv("QUICK") == NULL)
    simulate_orders(p, &g, host, process, time_s);
  print_row(argv, &g, &x, time_s);
  const bool alone = getenv("OTHER") != NULL || getenv("QUICK") != NULL;
  const uint64_t of_scotch = alone ? 0 : scotch(p, t, host, g.ranks);
  printf("\t%llu\t%.3f\t%ld\t%.9g\n", (unsigned long long)of_scotch, taken, used.ru_maxrss,
         time_s[2]);
  return 0;
}
