/* Runtime of the programs that `haichi instrument` writes.  Times the blocks (or counts them, if
 * HAICHI_COUNTING is defined) of its rank and writes KIND.RANK.tsv to the folder HAICHI_BLOCKS_DIR:
 * the variable of the environment, else the macro.  KIND is timing, or full if the variable
 * HAICHI_BLOCKS_FULL is 1, or apart if HAICHI_APART is defined; or counts.
 *
 * HAICHI_BLOCKS_WARMUP=M[:FACTOR[:SEED]] makes the first M executions of each block of computation
 * last up to FACTOR (2) times as long, by a factor that is drawn for the rank.
 *
 * One thread of a rank passes the marks.  Under SMPI each rank has a copy of the variables. */
#define HAICHI_BLOCKS_RUNTIME
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "haichi_blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef SMPI_H
#include <simgrid/host.h>
#endif

#ifndef HAICHI_BLOCKS_DIR
#define HAICHI_BLOCKS_DIR "."
#endif
#ifndef HAICHI_BLOCKS_WARMUP
#define HAICHI_BLOCKS_WARMUP ""
#endif
/* One character a block: 'c' of a block of computation. */
#ifndef HAICHI_BLOCKS_KINDS
#define HAICHI_BLOCKS_KINDS ""
#endif

/* Most values of a series: beyond, two neighbours become their mean, and so on. */
enum { SERIES = 16384, NO_BLOCK = -1 };

struct series {
  unsigned long long count; /* executions */
  unsigned long long width; /* executions in one value */
  double *value;            /* the mean of `width` executions each */
  size_t values, room;
  double sum;              /* of the executions that are not yet a value */
  unsigned long long part; /* how many these are */
};

static struct {
  struct series *block;
  size_t blocks;
  unsigned long long *round; /* of each loop */
  size_t loops;
  int running; /* the block, or NO_BLOCK */
  int timed;   /* between MPI_Init and MPI_Finalize */
  int asked, full;
  double since; /* when the running block began */
  unsigned long warm;
  double factor;
} haichi = {.running = NO_BLOCK};

static void *enlarge(void *array, size_t *room, size_t need, size_t size)
{
  size_t more = *room == 0 ? 64 : *room;
  while (more < need)
    more *= 2;
  char *grown = realloc(array, more * size);
  if (grown == NULL) {
    fprintf(stderr, "haichi_blocks: out of memory\n");
    exit(1);
  }
  memset(grown + *room * size, 0, (more - *room) * size);
  *room = more;
  return grown;
}

#ifdef HAICHI_COUNTING
static double now(void)
{
  return 0;
}
#elif defined SMPI_H
static double now(void)
{
  return MPI_Wtime();
}
#else
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif

#ifndef HAICHI_COUNTING
/* Lets @p seconds pass as computation does. */
static void linger(double seconds)
{
#ifdef SMPI_H
  smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self()));
#else
  const double end = now() + seconds;
  while (now() < end)
    ;
#endif
}

/* Two neighbours become their mean. */
static void compact(struct series *s)
{
  for (size_t i = 0; i < SERIES / 2; i++)
    s->value[i] = (s->value[2 * i] + s->value[2 * i + 1]) / 2;
  s->values = SERIES / 2;
  s->width *= 2;
}

static void add(struct series *s, double seconds)
{
  s->sum += seconds;
  if (++s->part < s->width)
    return;
  if (s->values == SERIES)
    compact(s);
  if (s->part < s->width)
    return;
  if (s->values == s->room)
    s->value = enlarge(s->value, &s->room, s->values + 1, sizeof *s->value);
  s->value[s->values++] = s->sum / (double)s->part;
  s->sum = 0;
  s->part = 0;
}

/* The time that the execution which ends at @p end took, a warm-up included; *end moves with it. */
static double duration(const struct series *s, double *end)
{
  const size_t block = (size_t)(s - haichi.block);
  const double seconds = *end - haichi.since;
  if (s->count > haichi.warm || block >= strlen(HAICHI_BLOCKS_KINDS) ||
      HAICHI_BLOCKS_KINDS[block] != 'c')
    return seconds;
  linger(seconds * (haichi.factor - 1));
  *end = now();
  return *end - haichi.since;
}
#endif

/* Ends the running block, and returns the time. */
static double end_block(void)
{
  double end = now();
  if (haichi.running == NO_BLOCK)
    return end;
  struct series *s = &haichi.block[haichi.running];
  s->count++;
#ifndef HAICHI_COUNTING
  add(s, haichi.timed ? duration(s, &end) : 0);
#endif
  return end;
}

void haichi_block(unsigned block)
{
  haichi.since = end_block();
  if (block >= haichi.blocks) {
    const size_t before = haichi.blocks;
    haichi.block = enlarge(haichi.block, &haichi.blocks, (size_t)block + 1, sizeof *haichi.block);
    for (size_t i = before; i < haichi.blocks; i++)
      haichi.block[i].width = 1;
  }
  haichi.running = (int)block;
}

static int is_full(void)
{
  if (!haichi.asked) {
    const char *full = getenv("HAICHI_BLOCKS_FULL");
    haichi.full = full != NULL && strcmp(full, "1") == 0;
    haichi.asked = 1;
  }
  return haichi.full;
}

void haichi_loop(unsigned loop)
{
  if (loop >= haichi.loops)
    haichi.round = enlarge(haichi.round, &haichi.loops, (size_t)loop + 1, sizeof *haichi.round);
  haichi.round[loop] = 0;
}

int haichi_exactly(unsigned loop, unsigned long long count)
{
  return haichi.round[loop]++ < count;
}

int haichi_more(unsigned loop, unsigned long long count)
{
  return is_full() || haichi_exactly(loop, count);
}

/* Uniform in [0, 1), from the seed and the rank: splitmix64. */
static double draw(unsigned long long seed, int rank)
{
  unsigned long long z = seed * 0x9e3779b97f4a7c15ULL + (unsigned long long)rank + 1;
  z *= 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void read_warmup(int rank)
{
  const char *given = getenv("HAICHI_BLOCKS_WARMUP");
  const char *text = given != NULL ? given : HAICHI_BLOCKS_WARMUP;
  char *rest;
  double most = 2;
  unsigned long long seed = 1;
  haichi.warm = strtoul(text, &rest, 10);
  if (*rest == ':')
    most = strtod(rest + 1, &rest);
  if (*rest == ':')
    seed = strtoull(rest + 1, &rest, 10);
  if (*rest != '\0' || most < 1) {
    fprintf(stderr, "haichi_blocks: warm-up '%s': not M[:FACTOR[:SEED]]\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  haichi.factor = 1 + (most - 1) * draw(seed, rank);
}

static void start_clock(void)
{
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  read_warmup(rank);
  haichi.timed = 1;
  haichi.since = now();
}

int haichi_mpi_init(int *argc, char ***argv)
{
  const int status = MPI_Init(argc, argv);
  start_clock();
  return status;
}

int haichi_mpi_init_thread(int *argc, char ***argv, int required, int *provided)
{
  const int status = MPI_Init_thread(argc, argv, required, provided);
  start_clock();
  return status;
}

#ifdef HAICHI_COUNTING
static const char *kind(void)
{
  return "counts";
}

static void print_series(FILE *f, size_t block, const struct series *s)
{
  if (s->count > 0)
    fprintf(f, "%zu\t%llu\n", block, s->count);
}
#else
static const char *kind(void)
{
#ifdef HAICHI_APART
  return "apart";
#else
  return is_full() ? "full" : "timing";
#endif
}

static void print_series(FILE *f, size_t block, const struct series *s)
{
  for (size_t i = 0; i < s->values; i++)
    fprintf(f, "%zu\t%llu\t%llu\t%.12g\n", block, (unsigned long long)i * s->width + 1, s->width,
            s->value[i]);
  if (s->part > 0)
    fprintf(f, "%zu\t%llu\t%llu\t%.12g\n", block, (unsigned long long)s->values * s->width + 1,
            s->part, s->sum / (double)s->part);
}
#endif

static int print_all(FILE *f)
{
  fprintf(f, "%s\n",
          strcmp(kind(), "counts") == 0 ? "block\tcount" : "block\texecution\texecutions\tseconds");
  for (size_t i = 0; i < haichi.blocks; i++)
    print_series(f, i, &haichi.block[i]);
  return ferror(f);
}

static void write_file(void)
{
  char path[4096];
  int rank;
  const char *folder = getenv("HAICHI_BLOCKS_DIR");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = snprintf(path, sizeof path, "%s/%s.%d.tsv",
                         folder == NULL ? HAICHI_BLOCKS_DIR : folder, kind(), rank);
  FILE *f = n < (int)sizeof path ? fopen(path, "w") : NULL;
  const int failed = f == NULL || print_all(f);
  if ((f != NULL && fclose(f) != 0) || failed) {
    fprintf(stderr, "haichi_blocks: %s: cannot write\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int haichi_mpi_finalize(void)
{
  end_block();
  haichi.running = NO_BLOCK;
  haichi.timed = 0;
  write_file();
  return MPI_Finalize();
}
