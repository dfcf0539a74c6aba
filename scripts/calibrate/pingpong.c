/* Measures the time of messages of several sizes between rank 0 and the last rank.  For each sample
 * prints a line "pingpong BYTES SECONDS" for `haichi calibrate'.  SECONDS is half of the time of a
 * message and its answer.
 *
 * usage: pingpong [-r SAMPLES] [-n SIZES] [-m BYTES] [-s SEED] [BYTES...]
 *
 * Without BYTES, the sizes are between 1 and the value of -m, with -n sizes in each doubling.  Each
 * size is drawn at random within its share of the doubling, so that sizes which the MPI library
 * treats specially, such as powers of two, are not preferred.  The samples of all sizes are taken
 * in random order, so that changes of the machine during the measurement affect all sizes alike. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 7, MOST_SIZES = 4096 };

struct plan {
  long samples, density, most, seed; /* the options */
  long size[MOST_SIZES];
  long sizes;
};

/* Uniform in [0, 1): xorshift64*. */
static double draw(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static int parse(const char *text, long least, long most, long *out)
{
  char *end;
  errno = 0;
  *out = strtol(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *out >= least && *out <= most;
}

/* Reads the option at argv[*i] and its value; returns 0 if either is invalid. */
static int take_option(struct plan *p, int argc, char **argv, int *i)
{
  const struct {
    const char *name;
    long *value, least, most;
  } option[] = {{"-r", &p->samples, 1, 100000},
                {"-n", &p->density, 1, 64},
                {"-m", &p->most, 1, INT_MAX - 16},
                {"-s", &p->seed, 1, LONG_MAX}};
  for (size_t k = 0; k < sizeof option / sizeof *option; k++)
    if (strcmp(argv[*i], option[k].name) == 0 && *i + 1 < argc)
      return parse(argv[++*i], option[k].least, option[k].most, option[k].value);
  return 0;
}

static int take_arguments(struct plan *p, int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-') {
      if (!take_option(p, argc, argv, &i))
        return 0;
    } else if (p->sizes == MOST_SIZES || !parse(argv[i], 0, INT_MAX - 16, &p->size[p->sizes++])) {
      return 0;
    }
  }
  return 1;
}

static void choose_sizes(struct plan *p, uint64_t *random)
{
  const double step = 1.0 / (double)p->density;
  for (double at = 0; p->sizes < MOST_SIZES; at += step) {
    const double size = floor(exp2(at + step * draw(random)));
    if (exp2(at) > (double)p->most)
      break;
    if (size <= (double)p->most && (p->sizes == 0 || (long)size > p->size[p->sizes - 1]))
      p->size[p->sizes++] = (long)size;
  }
}

/* Number of messages in one sample.  Small messages are timed together, since the clock is too
 * coarse for one of them. */
static int rounds_of(long bytes)
{
  return bytes <= 1024 ? 16 : bytes <= 32768 ? 4 : 1;
}

/* Returns the seconds of a message in one direction.  The first round is not timed, since it waits
 * for the other rank to be ready. */
static double measure(char *buffer, int bytes, int rank, int peer)
{
  const int rounds = rounds_of(bytes);
  double start = 0;
  for (int i = 0; i <= rounds; i++) {
    if (i == 1)
      start = MPI_Wtime();
    if (rank < peer) {
      MPI_Send(buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - start) / (2 * rounds);
}

static int run(const struct plan *p, int rank, int peer, uint64_t *random)
{
  const long n = p->sizes * p->samples;
  long *order = malloc((size_t)n * sizeof *order);
  char *buffer = malloc(INT_MAX > p->most ? (size_t)p->most + 1 : INT_MAX);
  if (order == NULL || buffer == NULL)
    return 0;
  memset(buffer, 1, (size_t)p->most + 1);
  for (long i = 0; i < n; i++)
    order[i] = p->size[i % p->sizes];
  for (long i = n - 1; i > 0; i--) {
    const long k = (long)(draw(random) * (double)(i + 1)), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  for (long i = 0; i < n; i++) {
    const double seconds = measure(buffer, (int)order[i], rank, peer);
    if (rank == 0)
      printf("pingpong\t%ld\t%.12g\n", order[i], seconds);
  }
  free(buffer);
  free(order);
  return 1;
}

/* Measures on rank 0 and on the last rank; returns at once on the other ranks. */
static int play(struct plan *p, int rank, int ranks)
{
  uint64_t random = (uint64_t)p->seed * UINT64_C(0x9e3779b97f4a7c15);
  if (p->sizes == 0)
    choose_sizes(p, &random);
  for (long i = 0; i < p->sizes; i++)
    p->most = p->size[i] > p->most ? p->size[i] : p->most;
  if (rank == 0)
    printf("test\tsize\tseconds\n");
  if (rank != 0 && rank != ranks - 1)
    return 1;
  return run(p, rank, rank == 0 ? ranks - 1 : 0, &random);
}

int main(int argc, char **argv)
{
  static struct plan p = {.samples = 20, .density = 6, .most = 1 << 22, .seed = 1};
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int valid = take_arguments(&p, argc, argv) && ranks >= 2;
  if (!valid && rank == 0)
    fprintf(stderr, "usage: pingpong [-r SAMPLES] [-n SIZES] [-m BYTES] [-s SEED] [BYTES...]\n"
                    "on 2 ranks or more\n");
  const int done = valid && play(&p, rank, ranks);
  if (valid && !done)
    fprintf(stderr, "pingpong: out of memory\n");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return done ? 0 : 1;
}
