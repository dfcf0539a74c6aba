/* Runtime of the programs that `haichi instrument` writes.  Times the blocks of its rank (or counts
 * them, if HAICHI_COUNTING is defined) and writes KIND.RANK.tsv to the folder named by the
 * environment variable HAICHI_BLOCKS_DIR or, if it is unset, by the macro of this name.  KIND is
 * counts if HAICHI_COUNTING is defined, apart if HAICHI_APART is defined, full if the environment
 * variable HAICHI_BLOCKS_FULL is 1, or timing.
 *
 * Three variables multiply the times of blocks by a factor, to imitate another machine:
 *
 * HAICHI_BLOCKS_WARMUP=M[:FACTOR[:SEED[:KIND[:RANK]]]] applies to the first M executions of each
 * block of KIND (computation, communication, both), on ranks from RANK (default 0) on.  Each rank
 * draws its factor uniformly from 1..FACTOR (default 2).
 *
 * HAICHI_BLOCKS_VARIATION=MEAN[:SEED[:KIND]] applies to each execution of the blocks of KIND.  The
 * factor is 1 + X, with X exponential of mean MEAN, drawn for each execution.
 *
 * HAICHI_BLOCKS_SLOW=RANKS:FACTOR applies to all computation of the ranks below RANKS.
 *
 * Only one thread of a rank may pass marks.  Under SMPI each rank has its own copy of the
 * variables. */
#define HAICHI_BLOCKS_RUNTIME
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "haichi_blocks.h"

#include <locale.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef SMPI_H
#include <simgrid/host.h>
#endif
#ifdef __x86_64__
#include <cpuid.h>
#endif

#ifndef HAICHI_BLOCKS_DIR
#define HAICHI_BLOCKS_DIR "."
#endif
#ifndef HAICHI_BLOCKS_WARMUP
#define HAICHI_BLOCKS_WARMUP ""
#endif
#ifndef HAICHI_BLOCKS_VARIATION
#define HAICHI_BLOCKS_VARIATION ""
#endif
#ifndef HAICHI_BLOCKS_SLOW
#define HAICHI_BLOCKS_SLOW ""
#endif
/* One character per block: 'c' for computation, 'm' for communication. */
#ifndef HAICHI_BLOCKS_KINDS
#define HAICHI_BLOCKS_KINDS ""
#endif

/* Upper limit of the values of a series.  Beyond it, each two neighbours are replaced by their
 * mean. */
enum { SERIES = 16384, NO_BLOCK = -1 };

/* Upper limit of marks whose ticks are not yet converted; attempts to read both clocks without
 * interruption. */
enum { MARKS = 1024, TRIES = 8 };

struct series {
  unsigned long long count; /* executions */
  unsigned long long width; /* executions in one value */
  double *value;            /* mean times of `width` executions each */
  size_t values, room;
  double sum;              /* sum over the executions that are not in a value yet */
  unsigned long long part; /* number of these executions */
};

/* Factors on the durations of the blocks of this rank. */
struct imitation {
  unsigned long warm;       /* warm-up: number of executions of each block */
  double warm_factor;       /* of this rank */
  const char *warm_kinds;   /* kinds of blocks, as in HAICHI_BLOCKS_KINDS */
  double variation;         /* mean of X; 0: no variation */
  const char *varied_kinds; /* kinds of blocks */
  unsigned long long drawn; /* number of the next draw of X; starts at the seed times 2^32 */
  double slow;              /* factor of all computation; 1: none */
};

/* Readings of two clocks at one instant. */
struct reading {
  unsigned long long ticks;
  double seconds;
};

static struct {
  struct series *block;
  size_t blocks;
  size_t loops;
  int running; /* running block, or NO_BLOCK */
  int timed;   /* between MPI_Init and MPI_Finalize */
  int asked, full;
  int rank;
  double since; /* date at which the running block began */
  struct imitation as;
  struct reading drained; /* clocks after the last conversion of ticks */
} haichi = {.running = NO_BLOCK};

static struct haichi_mark waiting[MARKS];

/* At first there is room for one mark, which reads the system clock. */
struct haichi_mark *haichi_next = waiting, *haichi_last = waiting;
unsigned long long *haichi_round;

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

/* Uniform in [0, 1), from the seed and the rank (splitmix64). */
static double draw(unsigned long long seed, int rank)
{
  unsigned long long z = seed * 0x9e3779b97f4a7c15ULL + (unsigned long long)rank + 1;
  z *= 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

#ifndef HAICHI_COUNTING
/* Lets @p seconds pass like a computation. */
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

/* Replaces each two neighbours by their mean. */
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

/* Factor on the duration of the next execution of a block. */
static double lengthening(const struct series *s)
{
  struct imitation *as = &haichi.as;
  const size_t block = (size_t)(s - haichi.block);
  const char kind = block < strlen(HAICHI_BLOCKS_KINDS) ? HAICHI_BLOCKS_KINDS[block] : '-';
  double factor = kind == 'c' ? as->slow : 1;
  if (s->count <= as->warm && strchr(as->warm_kinds, kind) != NULL)
    factor *= as->warm_factor;
  if (as->variation > 0 && strchr(as->varied_kinds, kind) != NULL)
    factor *= 1 - as->variation * log(1 - draw(as->drawn++, haichi.rank));
  return factor;
}

/* Duration of the execution that ends at @p end, including an imitation, which moves *end. */
static double duration(const struct series *s, double *end)
{
  const double seconds = *end > haichi.since ? *end - haichi.since : 0;
  const double factor = lengthening(s);
  if (!(factor > 1))
    return seconds;
  linger(seconds * (factor - 1));
  *end = now();
  return *end - haichi.since;
}
#endif

/* Ends the running block at @p end, in seconds. */
static void end_block(double end)
{
  if (haichi.running != NO_BLOCK) {
    struct series *s = &haichi.block[haichi.running];
    s->count++;
#ifndef HAICHI_COUNTING
    add(s, haichi.timed ? duration(s, &end) : 0);
#endif
  }
  haichi.since = end;
}

static void begin_block(unsigned block)
{
  if (block >= haichi.blocks) {
    const size_t before = haichi.blocks;
    haichi.block = enlarge(haichi.block, &haichi.blocks, (size_t)block + 1, sizeof *haichi.block);
    for (size_t i = before; i < haichi.blocks; i++)
      haichi.block[i].width = 1;
  }
  haichi.running = (int)block;
}

/* Reads both clocks several times; returns the readings that took the fewest ticks. */
static struct reading read_clocks(void)
{
  struct reading best = {0};
  unsigned long long least = ~0ULL;
  for (int i = 0; i < TRIES; i++) {
    const unsigned long long before = haichi_ticks();
    const double seconds = now();
    const unsigned long long took = haichi_ticks() - before;
    if (took < least) {
      least = took;
      best = (struct reading){before + took / 2, seconds};
    }
  }
  return best;
}

/* Time counts for the running block from now on. */
static void resume(void)
{
  haichi.drained = read_clocks();
  haichi.since = haichi.drained.seconds;
}

/* Converts the ticks of all waiting marks to times, by interpolation between readings of both
 * clocks before and after the marks.  Returns the present time. */
static double drain_ticks(void)
{
  const struct reading from = haichi.drained, to = read_clocks();
  const double ticks = (double)(to.ticks - from.ticks);
  const double tick = ticks > 0 ? (to.seconds - from.seconds) / ticks : 0;
  for (const struct haichi_mark *m = waiting; m < haichi_next; m++) {
    end_block(from.seconds + tick * (double)(long long)(m->ticks - from.ticks));
    begin_block(m->block);
  }
  return to.seconds;
}

/* True if ticks are converted later, false if there is room for one mark only. */
static int ticks_wait(void)
{
  return haichi_last != waiting;
}

void haichi_drain(void)
{
  if (ticks_wait()) {
    drain_ticks();
    resume(); /* the time of the conversion belongs to no block */
  } else {
    end_block(now());
    begin_block(waiting->block);
  }
  haichi_next = waiting;
}

int haichi_is_full(void)
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
    haichi_round = enlarge(haichi_round, &haichi.loops, (size_t)loop + 1, sizeof *haichi_round);
  haichi_round[loop] = 0;
}

/* Value of an environment variable, or the default of the Makefile. */
static const char *setting(const char *name, const char *otherwise)
{
  const char *given = getenv(name);
  return given != NULL ? given : otherwise;
}

/* Reads [:SEED[:KIND]] at *text and moves *text behind it.  Returns the kinds as in
 * HAICHI_BLOCKS_KINDS, or NULL. */
static const char *read_drawing(char **text, unsigned long long *seed)
{
  static const struct {
    const char *name, *kinds;
  } KINDS[] = {{"computation", "c"}, {"communication", "m"}, {"both", "cm"}};
  if (**text == ':')
    *seed = strtoull(*text + 1, text, 10);
  if (**text == '\0')
    return "c";
  const char *word = *text + 1;
  const size_t length = strcspn(word, ":");
  for (size_t i = 0; **text == ':' && i < sizeof KINDS / sizeof *KINDS; i++)
    if (strlen(KINDS[i].name) == length && strncmp(word, KINDS[i].name, length) == 0) {
      *text += 1 + length;
      return KINDS[i].kinds;
    }
  return NULL;
}

static void refuse(const char *name, const char *text, const char *form)
{
  fprintf(stderr, "haichi_blocks: %s '%s': not %s\n", name, text, form);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_warmup(struct imitation *as)
{
  const char *text = setting("HAICHI_BLOCKS_WARMUP", HAICHI_BLOCKS_WARMUP);
  char *rest;
  double most = 2;
  long first = 0;
  unsigned long long seed = 1;
  as->warm = strtoul(text, &rest, 10);
  if (*rest == ':')
    most = strtod(rest + 1, &rest);
  as->warm_kinds = read_drawing(&rest, &seed);
  if (*rest == ':')
    first = strtol(rest + 1, &rest, 10);
  if (as->warm_kinds == NULL || *rest != '\0' || !(most >= 1))
    refuse("warm-up", text, "M[:FACTOR[:SEED[:KIND[:RANK]]]]");
  as->warm_factor = haichi.rank < first ? 1 : 1 + (most - 1) * draw(seed, haichi.rank);
}

static void read_variation(struct imitation *as)
{
  const char *text = setting("HAICHI_BLOCKS_VARIATION", HAICHI_BLOCKS_VARIATION);
  char *rest;
  unsigned long long seed = 1;
  as->variation = strtod(text, &rest);
  as->varied_kinds = read_drawing(&rest, &seed);
  if (as->varied_kinds == NULL || *rest != '\0' || !(as->variation >= 0))
    refuse("variation", text, "MEAN[:SEED[:KIND]]");
  as->drawn = seed << 32;
}

static void read_slow(struct imitation *as)
{
  const char *text = setting("HAICHI_BLOCKS_SLOW", HAICHI_BLOCKS_SLOW);
  char *rest;
  const long ranks = strtol(text, &rest, 10);
  const double factor = *rest == ':' ? strtod(rest + 1, &rest) : *text == '\0' ? 1 : 0;
  if (*rest != '\0' || !(factor >= 1))
    refuse("slow ranks", text, "RANKS:FACTOR");
  as->slow = haichi.rank < ranks ? factor : 1;
}

/* Makes numbers have a decimal point, whatever locale the program has set.  Returns the locale for
 * decimal_end(). */
static locale_t decimal_begin(void)
{
  return uselocale(newlocale(LC_NUMERIC_MASK, "C", (locale_t)0));
}

static void decimal_end(locale_t before)
{
  const locale_t own = uselocale(before);
  if (own != before)
    freelocale(own);
}

static void read_imitation(struct imitation *as)
{
  const locale_t before = decimal_begin();
  read_warmup(as);
  read_variation(as);
  read_slow(as);
  decimal_end(before);
}

/* True if a mark may make the block before it last longer. */
static int imitates(const struct imitation *as)
{
  return as->warm > 0 || as->variation > 0 || as->slow > 1;
}

/* True if the processor's ticks measure time.  They do not if time is simulated, or if they follow
 * the processor's frequency. */
static int ticks_are_time(void)
{
#if !defined HAICHI_TICKS || defined HAICHI_COUNTING || defined SMPI_H
  return 0;
#elif defined __x86_64__
  const unsigned power_management = 0x80000007, invariant = 1U << 8;
  unsigned a, b, c, d;
  return __get_cpuid(power_management, &a, &b, &c, &d) && (d & invariant) != 0;
#else
  return 1;
#endif
}

static void start_clock(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &haichi.rank);
  read_imitation(&haichi.as);
  haichi.timed = 1;
  if (!imitates(&haichi.as) && ticks_are_time()) {
    haichi_last = waiting + MARKS - 1;
    resume();
  } else {
    haichi.since = now();
  }
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
  return haichi_is_full() ? "full" : "timing";
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
  const locale_t before = decimal_begin();
  fprintf(f, "%s\n",
          strcmp(kind(), "counts") == 0 ? "block\tcount" : "block\texecution\texecutions\tseconds");
  for (size_t i = 0; i < haichi.blocks; i++)
    print_series(f, i, &haichi.block[i]);
  decimal_end(before);
  return ferror(f);
}

/* The path of the file of a rank; false if it is too long. */
static int path_of(char *path, size_t size, int rank)
{
  const char *folder = getenv("HAICHI_BLOCKS_DIR");
  return snprintf(path, size, "%s/%s.%d.tsv", folder == NULL ? HAICHI_BLOCKS_DIR : folder, kind(),
                  rank) < (int)size;
}

/* Removes the files of an earlier run on more ranks. */
static void remove_others(void)
{
  char path[4096];
  int rank;
  MPI_Comm_size(MPI_COMM_WORLD, &rank);
  while (path_of(path, sizeof path, rank) && remove(path) == 0)
    rank++;
}

static void write_file(void)
{
  char path[4096];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    remove_others();
  FILE *f = path_of(path, sizeof path, rank) ? fopen(path, "w") : NULL;
  const int failed = f == NULL || print_all(f);
  if ((f != NULL && fclose(f) != 0) || failed) {
    fprintf(stderr, "haichi_blocks: %s: cannot write\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int haichi_mpi_finalize(void)
{
  end_block(ticks_wait() ? drain_ticks() : now());
  haichi_next = haichi_last = waiting;
  haichi.running = NO_BLOCK;
  haichi.timed = 0;
  write_file();
  return MPI_Finalize();
}
