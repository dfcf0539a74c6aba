#include "setup/recorder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/files/cleanup.h"
#include "common/files/lines.h"
#include "common/files/outfile.h"
#include "common/files/share.h"
#include "common/files/textfile.h"
#include "common/process/machine.h"
#include "setup/packed.h"

#define LIBRARY "libhaichi-record.so"
#define NAMES                                                                                      \
  "LD_PRELOAD;HAICHI_RECORD_DIR;HAICHI_RECORD_SPEED;HAICHI_RECORD_LEAST_NS;"                       \
  "HAICHI_RECORD_OFF;HAICHI_RECORD_COMPRESS;HAICHI_RECORD_COUNTER"

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
  (void)st;
  (void)kind;
  (void)ftw;
  return remove(path);
}

/* Processes of a program that is ending may still write: number of attempts, 10 ms apart. */
enum { TRIES = 100 };
static const struct timespec PAUSE = {.tv_nsec = 10000000};

/* Removes a folder that recorder_run() has created and that holds no trace.  Repeats it for up to
 * 1 s: after the end of mpirun, ranks of MPICH that it has killed may still create their files. */
static void remove_folder(const char *dir)
{
  enum { OPEN = 8 };
  for (int i = 0; i < TRIES && nftw(dir, remove_entry, OPEN, FTW_DEPTH | FTW_PHYS) != 0; i++)
    nanosleep(&PAUSE, NULL);
}

/* --- the run ---------------------------------------------------------------------------------- */

/* The recorder beside the program: in its build folder, or where it is installed. */
static enum status find_library(char *path, size_t size, struct err *e)
{
  static const char *const PLACE[2] = {"record", "../lib/haichi"};
  char folder[SHARE_ROOM];
  if (share_find(folder, PLACE, LIBRARY, e) != OK)
    return err_prefix(e, "haichi was built without an MPI compiler: ");
  snprintf(path, size, "%s/" LIBRARY, folder);
  return OK;
}

/* Fails unless the existing @p dir is an empty folder. */
static enum status need_empty(const char *dir, struct err *e)
{
  DIR *d = opendir(dir);
  bool empty = true;
  if (d == NULL)
    return err_errno(e, dir, "cannot write into it");
  for (const struct dirent *x; empty && (x = readdir(d)) != NULL;)
    empty = strcmp(x->d_name, ".") == 0 || strcmp(x->d_name, "..") == 0;
  closedir(d);
  errno = ENOTEMPTY;
  return empty ? OK : err_errno(e, dir, "cannot write into it");
}

static enum status make_folder(const char *dir, char *whole, struct err *e)
{
  char ranks[PATH_MAX];
  if (strlen(dir) > PATH_MAX - 32)
    return err_set(e, "%.64s...: the name is too long", dir);
  const bool made = mkdir(dir, 0777) == 0;
  if (!made && errno != EEXIST)
    return err_errno(e, dir, "cannot create");
  if (!made && need_empty(dir, e) != OK)
    return FAIL;
  snprintf(ranks, sizeof ranks, "%s/ranks", dir);
  if (mkdir(ranks, 0777) != 0 || realpath(dir, whole) == NULL)
    return err_errno(e, ranks, "cannot create");
  return OK;
}

static void set_number(const char *name, double value)
{
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  setenv(name, text, 1);
}

static void set_choice(const char *name, bool chosen)
{
  setenv(name, chosen ? "1" : "0", 1);
}

static enum status set_preload(const char *library, struct err *e)
{
  const char *inherited = getenv("LD_PRELOAD");
  if (strpbrk(library, " :") != NULL)
    return err_set(e, "%.300s: LD_PRELOAD separates names by blanks and colons", library);
  char all[3 * PATH_MAX];
  const int n = snprintf(all, sizeof all, "%s%s%s", library, inherited == NULL ? "" : ":",
                         inherited == NULL ? "" : inherited);
  if (n >= (int)sizeof all)
    return err_set(e, "LD_PRELOAD is too long");
  setenv("LD_PRELOAD", all, 1);
  return OK;
}

static bool has_word(char *const *command, const char *word)
{
  while (*command != NULL && strcmp(*command, word) != 0)
    command++;
  return *command != NULL;
}

/* Sets the environment of the recorder.  Open MPI's mpirun passes the variables NAMES to other
 * hosts, and warns if one is not set: without a choice or an event, the variable is 0.  It refuses
 * the list beside its option -x: the user then passes them with -x.  The launchers of MPICH and
 * Slurm pass all variables. */
static enum status set_environment(const struct recorder *r, const char *dir, struct err *e)
{
  char library[SHARE_ROOM + 64];
  if (find_library(library, sizeof library, e) != OK || set_preload(library, e) != OK)
    return FAIL;
  setenv("HAICHI_RECORD_DIR", dir, 1);
  set_number("HAICHI_RECORD_SPEED", r->speed);
  set_number("HAICHI_RECORD_LEAST_NS", r->least_s * 1e9);
  set_choice("HAICHI_RECORD_OFF", r->off);
  set_choice("HAICHI_RECORD_COMPRESS", r->compress);
  setenv("HAICHI_RECORD_COUNTER", r->counter.text[0] == '\0' ? "0" : r->counter.text, 1);
  if (!has_word(r->command, "-x"))
    setenv("OMPI_MCA_mca_base_env_list", NAMES, 0);
  return OK;
}

/* Executes the command; on failure sends errno to @p report. */
_Noreturn static void execute(const struct recorder *r, const char *dir, int report)
{
  struct err e;
  int why = 0;
  if (set_environment(r, dir, &e) == OK) {
    execvp(r->command[0], r->command);
    why = errno;
  } else {
    fprintf(stderr, "haichi: %s\n", e.text);
  }
  if (write(report, &why, sizeof why) < 0)
    _exit(126);
  _exit(127);
}

static const int PASSED[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { PASSED_COUNT = sizeof PASSED / sizeof *PASSED };

/* The process of the command.  Global because a signal handler takes no user argument. */
static volatile pid_t command_process;

/* Sends a signal of another process to the command; haichi record ends after the command.  A signal
 * of the terminal has reached the command already. */
static void pass_on(int number, siginfo_t *info, void *context)
{
  (void)context;
  if (info->si_code <= 0)
    kill(command_process, number);
}

/* Ignored signals stay ignored: the command ignores them too. */
static void pass_signals(pid_t process)
{
  struct sigaction before, action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
  command_process = process;
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < PASSED_COUNT; i++)
    if (sigaction(PASSED[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(PASSED[i], &action, NULL);
}

/* Starts the command.  Signals that arrive meanwhile are passed on.  -1 on failure. */
static pid_t start(const struct recorder *r, const char *dir, int report)
{
  sigset_t passed, before;
  sigemptyset(&passed);
  for (size_t i = 0; i < PASSED_COUNT; i++)
    sigaddset(&passed, PASSED[i]);
  sigprocmask(SIG_BLOCK, &passed, &before);
  const pid_t child = fork();
  if (child > 0)
    pass_signals(child);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child == 0)
    execute(r, dir, report);
  return child;
}

enum status recorder_run(const struct recorder *r, int *status, struct err *e)
{
  char dir[PATH_MAX], library[SHARE_ROOM + 64];
  int report[2], why;
  ssize_t got;
  if (find_library(library, sizeof library, e) != OK || make_folder(r->dir, dir, e) != OK)
    return FAIL;
  if (pipe2(report, O_CLOEXEC) != 0)
    return err_errno(e, "pipe", "cannot create");
  const pid_t child = start(r, dir, report[1]);
  close(report[1]);
  while ((got = read(report[0], &why, sizeof why)) < 0 && errno == EINTR)
    continue;
  close(report[0]);
  if (child < 0)
    return err_errno(e, r->command[0], "cannot start");
  while (waitpid(child, status, 0) < 0 && errno == EINTR)
    continue;
  cleanup_catch_signals();
  if (got != sizeof why)
    return OK;
  remove_folder(dir);
  errno = why;
  return err_errno(e, r->command[0], "cannot execute");
}

/* --- the trace -------------------------------------------------------------------------------- */

/* The end of a rank's file. */
struct ending {
  char text[8192]; /* last bytes of the file, without the NUL bytes of a killed process */
  uint64_t size;
};

/* Truncates the file after its last byte that is not NUL: a killed rank leaves NUL bytes in the
 * unused part of its window. */
static enum status trim(int fd, const char *path, uint64_t *size, struct err *e)
{
  char block[65536];
  struct stat st;
  if (fstat(fd, &st) != 0)
    return err_errno(e, path, "cannot read");
  uint64_t end = (uint64_t)st.st_size;
  while (end > 0) {
    const size_t n = end < sizeof block ? (size_t)end : sizeof block;
    if (pread(fd, block, n, (off_t)(end - n)) != (ssize_t)n)
      return err_errno(e, path, "cannot read");
    size_t kept = n;
    while (kept > 0 && block[kept - 1] == '\0')
      kept--;
    end -= n - kept;
    if (kept > 0)
      break;
  }
  *size = end;
  if (end < (uint64_t)st.st_size && ftruncate(fd, (off_t)end) != 0)
    return err_errno(e, path, "cannot write");
  return OK;
}

/* Removes an incomplete last line: the process was killed while it wrote it. */
static enum status drop_partial_line(int fd, const char *path, struct ending *end, struct err *e)
{
  size_t n = strlen(end->text);
  if (n == 0 || end->text[n - 1] == '\n')
    return OK;
  while (n > 0 && end->text[n - 1] != '\n')
    n--;
  end->size -= strlen(end->text) - n;
  end->text[n] = '\0';
  return ftruncate(fd, (off_t)end->size) == 0 ? OK : err_errno(e, path, "cannot write");
}

/* Fails if a process still writes the file. */
static enum status check_closed(int fd, const char *path, struct err *e)
{
  int locked;
  for (int i = 0; (locked = flock(fd, LOCK_EX | LOCK_NB)) != 0 && i < TRIES; i++) {
    if (errno != EWOULDBLOCK)
      return OK; /* a file system without locks */
    nanosleep(&PAUSE, NULL);
  }
  return locked == 0 ? OK : err_set(e, "%s: a running rank of the program writes it", path);
}

static enum status read_ending(const char *path, struct ending *end, struct err *e)
{
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return err_errno(e, path, "cannot read");
  enum status s = check_closed(fd, path, e);
  if (s == OK)
    s = trim(fd, path, &end->size, e);
  const size_t room = sizeof end->text - 1;
  const size_t n = s == OK && end->size < room ? (size_t)end->size : room;
  end->text[0] = '\0';
  if (s == OK && pread(fd, end->text, n, (off_t)(end->size - n)) != (ssize_t)n)
    s = err_errno(e, path, "cannot read");
  end->text[s == OK ? n : 0] = '\0';
  if (s == OK)
    s = drop_partial_line(fd, path, end, e);
  close(fd);
  return s;
}

static bool ends_with_finalize(const struct ending *end)
{
  static const char WORD[] = " finalize\n";
  const size_t n = strlen(end->text), w = sizeof WORD - 1;
  return n >= w && strcmp(end->text + n - w, WORD) == 0;
}

/* The number after a word of the line of counts. */
static uint64_t count_of(const char *line, const char *word)
{
  const char *at = strstr(line, word);
  return at == NULL ? 0 : strtoull(at + strlen(word), NULL, 10);
}

static void add_counts(const struct ending *end, struct recorded *out)
{
  const char *line = strstr(end->text, "# recorded: messages ");
  if (line == NULL)
    return;
  out->messages += count_of(line, " messages ");
  out->collectives += count_of(line, " collectives ");
  out->one_sided += count_of(line, " one-sided ");
  out->files += count_of(line, " files ");
}

/* The last line that is an action; NULL if there is none. */
static const char *last_action(struct ending *end)
{
  for (;;) {
    const size_t n = strlen(end->text);
    if (n == 0)
      return NULL;
    end->text[n - 1] = '\0';
    char *line = strrchr(end->text, '\n');
    line = line == NULL ? end->text : line + 1;
    if (*line != '#' && *line != '\0')
      return line;
    *line = '\0';
  }
}

/* @p path has PATH_MAX bytes; make_folder() leaves room for the name of a rank. */
static void rank_file(char *path, const char *dir, uint32_t rank, const char *suffix)
{
  snprintf(path, PATH_MAX, "%.*s/ranks/rank-%04" PRIu32 ".txt%s", PATH_MAX - 40, dir, rank, suffix);
}

/* Prints the last action of a rank that did not reach MPI_Finalize. */
static void report_cut(const char *path, uint32_t rank, struct ending *end, FILE *f)
{
  const uint64_t lines = packed_lines(path);
  const char *action = last_action(end);
  fprintf(f, "  rank %" PRIu32 " ended after '%s' (%s, %" PRIu64 " lines)\n", rank,
          action == NULL ? "" : action, path, lines);
}

/* Writes the path of the file of a rank to @p path, PATH or PATH.zst, and reads the end of the
 * file.  If both exist, completes PATH.zst and removes PATH. */
static enum status complete_rank(const char *dir, uint32_t rank, uint32_t ranks, char *path,
                                 struct ending *end, struct err *e)
{
  char packed[PATH_MAX];
  rank_file(path, dir, rank, "");
  rank_file(packed, dir, rank, ".zst");
  const bool text = access(path, F_OK) == 0, compressed = access(packed, F_OK) == 0;
  if (!text && !compressed)
    return err_set(e,
                   "%s: rank %" PRIu32 " of %" PRIu32 " has no file: do all hosts write into %s?",
                   path, rank, ranks, dir);
  enum status s = OK;
  if (text)
    s = read_ending(path, end, e);
  if (s == OK && text && compressed)
    s = packed_finish(path, end->size, e);
  if (compressed)
    memcpy(path, packed, sizeof packed);
  if (s == OK && !text)
    s = packed_ending(path, end->text, sizeof end->text, &end->size, e);
  return s;
}

static enum status finish_rank(const char *dir, uint32_t rank, FILE *f, struct recorded *out,
                               struct err *e)
{
  char path[PATH_MAX];
  struct ending end;
  if (complete_rank(dir, rank, out->ranks, path, &end, e) != OK)
    return FAIL;
  add_counts(&end, out);
  if (ends_with_finalize(&end))
    return OK;
  out->cut++;
  if (f != NULL)
    report_cut(path, rank, &end, f);
  return OK;
}

static enum status write_index(const char *dir, uint32_t ranks, struct err *e)
{
  char path[PATH_MAX];
  struct outfile o;
  snprintf(path, sizeof path, "%s/index.txt", dir);
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < ranks; r++) {
    rank_file(path, dir, r, ".zst");
    fprintf(o.f, "ranks/rank-%04" PRIu32 ".txt%s\n", r, access(path, F_OK) == 0 ? ".zst" : "");
  }
  return outfile_commit(&o, e);
}

/* No process has called MPI_Init with the recorder. */
static enum status nothing_recorded(const char *dir, struct err *e)
{
  char ranks[PATH_MAX];
  if (access(dir, F_OK) != 0)
    return err_errno(e, dir, "cannot read");
  snprintf(ranks, sizeof ranks, "%s/ranks", dir);
  if (rmdir(ranks) == 0) /* it is empty */
    rmdir(dir);
  return err_set(e,
                 "%s: nothing was recorded: the command ran no program that calls Open MPI or "
                 "MPICH as a shared library",
                 dir);
}

/* Reads the first bytes of the file of rank 0, which are in PATH.zst once the recorder has
 * compressed them.  False if there is no file. */
static bool read_head(const char *dir, char *head, size_t room)
{
  static const char *const SUFFIX[] = {"", ".zst"};
  struct err ignored;
  struct textfile *t;
  char path[PATH_MAX];
  size_t got = 0;
  bool found = false;
  head[0] = '\0';
  for (size_t i = 0; i < 2 && head[0] == '\0'; i++) {
    rank_file(path, dir, 0, SUFFIX[i]);
    if (textfile_open(&t, path, path, &ignored) != OK)
      continue;
    found = true;
    if (textfile_read(t, head, room - 1, &got, &ignored) != OK)
      got = 0;
    head[got] = '\0';
    textfile_close(t);
  }
  return found;
}

/* The number of ranks, from the file of rank 0. */
static enum status read_ranks(const char *dir, uint32_t *ranks, struct err *e)
{
  char path[PATH_MAX], head[1024];
  rank_file(path, dir, 0, "");
  if (!read_head(dir, head, sizeof head))
    return nothing_recorded(dir, e);
  const char *line = strstr(head, "# recorded: rank ");
  const char *of = line == NULL ? NULL : strstr(line, " of ");
  const unsigned long value = of == NULL ? 0 : strtoul(of + 4, NULL, 10);
  *ranks = (uint32_t)value;
  return value > 0 && value <= 1 << 20 ? OK : err_set(e, "%s: no recorded trace", path);
}

/* Fails with the words of the recorder if it refused the program.  Removes a folder of this run. */
static enum status check_refusal(const char *dir, bool own, struct err *e)
{
  char path[PATH_MAX], line[512] = "the program was stopped, and the reason could not be written";
  snprintf(path, sizeof path, "%s/refused", dir);
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return OK;
  if (fgets(line, sizeof line, f) != NULL)
    line[strcspn(line, "\n")] = '\0';
  fclose(f);
  if (own)
    remove_folder(dir);
  return err_set(e, "record: %s", line);
}

enum status recorder_finish(const char *dir, bool own, uint32_t most, FILE *f, struct recorded *out,
                            struct err *e)
{
  *out = (struct recorded){.ranks = 0};
  if (check_refusal(dir, own, e) != OK || read_ranks(dir, &out->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < out->ranks; r++)
    if (finish_rank(dir, r, out->cut < most ? f : NULL, out, e) != OK)
      return FAIL;
  if (out->cut == 0 && out->ranks > 1 && out->messages + out->collectives == 0)
    return err_set(e,
                   "%s: no communication was recorded: the program has none, or calls MPI in a way "
                   "that the recorder does not see",
                   dir);
  return write_index(dir, out->ranks, e);
}

/* --- the processor ---------------------------------------------------------------------------- */

double recorder_speed(void)
{
  enum { CHAINS = 8, STEPS = 100000 };
  double x[CHAINS] = {1, 2, 3, 4, 5, 6, 7, 8}, flops = 0, passed;
  const double begin = machine_cpu_seconds();
  do {
    for (int i = 0; i < STEPS; i++)
      for (int c = 0; c < CHAINS; c++)
        x[c] = x[c] * 0.999999 + 1e-6;
    flops += 2.0 * STEPS * CHAINS;
    passed = machine_cpu_seconds() - begin;
  } while (passed < 0.1);
  double sum = 0;
  for (int c = 0; c < CHAINS; c++)
    sum += x[c];
  volatile double kept = sum; /* without a use of x[], compilers drop the loop */
  (void)kept;
  return flops / passed;
}
