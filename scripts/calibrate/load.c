/* Measures a loaded network: messages in a row, both ways at once, around a ring, on all pairs at
 * once, within a host, and beside ranks that compute.  For each sample prints a line
 * "TEST BYTES SECONDS" for `haichi calibrate'.
 *
 * usage: load [-r SAMPLES] [BYTES...]
 *
 * Default sizes are 4 MB, 64 MB and 1 GB.  The tests between hosts use the first rank of each host;
 * the tests within a host use the ranks of the first host.  A test is left out if there are too few
 * hosts or ranks; `haichi calibrate' then reports that it is missing. */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 9, MOST_SIZES = 64, MOST_BYTES = INT_MAX - 16, WARM_UP = 1 };

struct site {
  int rank, ranks;
  int host;          /* first rank of the host */
  int count;         /* number of hosts */
  int local, locals; /* number of this rank on its host; ranks of the host */
  MPI_Comm within;   /* ranks of the host */
  MPI_Comm first;    /* first ranks of all hosts; MPI_COMM_NULL on other ranks */
};

static void find_site(struct site *s)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, s->rank, MPI_INFO_NULL, &s->within);
  MPI_Comm_rank(s->within, &s->local);
  MPI_Comm_size(s->within, &s->locals);
  s->host = s->rank;
  MPI_Bcast(&s->host, 1, MPI_INT, 0, s->within);
  MPI_Comm_split(MPI_COMM_WORLD, s->local == 0 ? 0 : MPI_UNDEFINED, s->rank, &s->first);
  s->count = 0;
  if (s->first != MPI_COMM_NULL)
    MPI_Comm_size(s->first, &s->count);
  MPI_Bcast(&s->count, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

struct test {
  const char *name;
  int samples;
  int bytes;
  char *send, *receive;
};

static void print(const struct test *t, double seconds)
{
  printf("%s\t%d\t%.12g\n", t->name, t->bytes, seconds);
}

/* Sends @p count messages in a row to rank @p to of @p c, or receives them from rank @p from; -1:
 * no such rank.  The last message is answered.  Returns the seconds per message. */
static double stream(const struct test *t, MPI_Comm c, int to, int from, int count)
{
  const double start = MPI_Wtime();
  for (int i = 0; i < count; i++) {
    if (to >= 0)
      MPI_Send(t->send, t->bytes, MPI_BYTE, to, TAG, c);
    if (from >= 0)
      MPI_Recv(t->receive, t->bytes, MPI_BYTE, from, TAG, c, MPI_STATUS_IGNORE);
  }
  if (to >= 0)
    MPI_Recv(t->receive, 0, MPI_BYTE, to, TAG, c, MPI_STATUS_IGNORE);
  if (from >= 0)
    MPI_Send(t->send, 0, MPI_BYTE, from, TAG, c);
  return (MPI_Wtime() - start) / count;
}

/* Sends a message to rank @p to and receives one from rank @p from at the same time.  Returns the
 * seconds. */
static double exchange(const struct test *t, MPI_Comm c, int to, int from)
{
  const double start = MPI_Wtime();
  MPI_Sendrecv(t->send, t->bytes, MPI_BYTE, to, TAG, t->receive, t->bytes, MPI_BYTE, from, TAG, c,
               MPI_STATUS_IGNORE);
  return MPI_Wtime() - start;
}

enum { ROW = 4 }; /* messages in a row */

static void run_stream(struct test t, const char *name, MPI_Comm c, int pairs)
{
  int rank;
  MPI_Comm_rank(c, &rank);
  const int to = rank < pairs ? rank + pairs : -1;
  const int from = rank >= pairs && rank < 2 * pairs ? rank - pairs : -1;
  t.name = name;
  for (int i = -WARM_UP; i < t.samples; i++) {
    MPI_Barrier(c);
    double mine = stream(&t, c, to, from, ROW), all;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, c);
    if (i >= 0 && rank == 0)
      print(&t, strcmp(name, "all-within") == 0 ? all / pairs : all);
  }
}

/* Exchanges messages between ranks 0 and 1.  With three hosts or more, the first exchange after an
 * exchange between ranks 0 and 2 is a sample of test first-exchange. */
static void run_exchange(struct test t, MPI_Comm c, int hosts)
{
  int rank;
  MPI_Comm_rank(c, &rank);
  for (int i = -WARM_UP; i < t.samples; i++) {
    const int other = hosts > 2 ? 2 : 1;
    MPI_Barrier(c);
    if (rank == 0)
      exchange(&t, c, other, other);
    else if (rank == other)
      exchange(&t, c, 0, 0);
    MPI_Barrier(c);
    for (int k = 0; k < 3 && rank < 2; k++) {
      const double seconds = exchange(&t, c, 1 - rank, 1 - rank);
      t.name = k == 0 ? "first-exchange" : "exchange";
      if (i >= 0 && rank == 0 && (k > 0 || hosts > 2))
        print(&t, seconds);
    }
  }
}

static void run_ring(struct test t, MPI_Comm c, int hosts)
{
  int rank;
  MPI_Comm_rank(c, &rank);
  t.name = "ring";
  for (int i = -WARM_UP; i < t.samples; i++) {
    MPI_Barrier(c);
    const double seconds = exchange(&t, c, (rank + 1) % hosts, (rank + hosts - 1) % hosts);
    if (i >= 0 && rank == 0)
      print(&t, seconds);
  }
}

static void run_pingpong(struct test t, MPI_Comm c)
{
  int rank;
  MPI_Comm_rank(c, &rank);
  t.name = "pingpong-within";
  for (int i = -WARM_UP; i < t.samples && rank < 2; i++) {
    const double start = MPI_Wtime();
    if (rank == 0)
      MPI_Send(t.send, t.bytes, MPI_BYTE, 1, TAG, c);
    MPI_Recv(t.receive, t.bytes, MPI_BYTE, 1 - rank, TAG, c, MPI_STATUS_IGNORE);
    if (rank == 1)
      MPI_Send(t.send, t.bytes, MPI_BYTE, 0, TAG, c);
    if (i >= 0 && rank == 0)
      print(&t, (MPI_Wtime() - start) / 2);
  }
  MPI_Barrier(c);
}

/* Multiplies matrices that fit into the caches, which loads cores and memory like dgemm. */
static double product(int n, double *a)
{
  double *b = a + n * n, *c = b + n * n;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c[n];
}

/* Runs test stream between the first ranks of hosts, while the other ranks compute until the test
 * has ended. */
static void run_busy(struct test t, const struct site *s)
{
  enum { N = 128 };
  MPI_Request ended = MPI_REQUEST_NULL;
  int token = 0, done = 0;
  if (s->local == 0) {
    run_stream(t, "stream-busy", s->first, 1);
    for (int i = 1; i < s->locals; i++)
      MPI_Send(&token, 1, MPI_INT, i, TAG, s->within);
    return;
  }
  double *a = calloc(3 * N * N, sizeof *a), sum = 0;
  MPI_Irecv(&token, 1, MPI_INT, 0, TAG, s->within, &ended);
  while (!done) {
    sum += a == NULL ? 0 : product(N, a);
    MPI_Test(&ended, &done, MPI_STATUS_IGNORE);
  }
  if (sum > 1)
    printf("# %g\n", sum);
  free(a);
}

static void run_all(const struct site *s, const struct test *t)
{
  if (s->count > 1 && s->local == 0) {
    run_stream(*t, "stream", s->first, 1);
    run_stream(*t, "pairs", s->first, s->count / 2);
    run_exchange(*t, s->first, s->count);
    if (s->count > 2)
      run_ring(*t, s->first, s->count);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (s->host == 0 && s->locals > 1) {
    run_pingpong(*t, s->within);
    run_stream(*t, "all-within", s->within, s->locals / 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (s->count > 1 && s->locals > 1)
    run_busy(*t, s);
  MPI_Barrier(MPI_COMM_WORLD);
}

static int take(long *out, const char *text, long least, long most)
{
  char *end;
  errno = 0;
  *out = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *out >= least && *out <= most;
}

static int take_arguments(int argc, char **argv, long *samples, long *size, int *sizes)
{
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-r") == 0 && i + 1 < argc) {
      if (!take(samples, argv[++i], 1, 100000))
        return 0;
    } else if (*sizes == MOST_SIZES || !take(&size[(*sizes)++], argv[i], 1, MOST_BYTES)) {
      return 0;
    }
  }
  return 1;
}

int main(int argc, char **argv)
{
  long size[MOST_SIZES] = {4000000, 64000000, 1000000000}, samples = 10;
  int sizes = 0, status = 0;
  struct site s;
  MPI_Init(&argc, &argv);
  find_site(&s);
  if (!take_arguments(argc, argv, &samples, size, &sizes) || s.ranks < 2) {
    if (s.rank == 0)
      fprintf(stderr, "usage: load [-r SAMPLES] [BYTES...]\non 2 ranks or more\n");
    MPI_Finalize();
    return 1;
  }
  sizes = sizes == 0 ? 3 : sizes;
  if (s.rank == 0)
    printf("test\tsize\tseconds\n");
  for (int i = 0; i < sizes && status == 0; i++) {
    struct test t = {.samples = (int)samples, .bytes = (int)size[i]};
    t.send = calloc((size_t)t.bytes, 1);
    t.receive = calloc((size_t)t.bytes, 1);
    status = t.send == NULL || t.receive == NULL;
    if (status == 0)
      run_all(&s, &t);
    free(t.send);
    free(t.receive);
  }
  if (status != 0)
    fprintf(stderr, "load: out of memory on rank %d\n", s.rank);
  MPI_Finalize();
  return status;
}
