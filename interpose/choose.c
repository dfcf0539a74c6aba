/* The source of libhaichi-record.so and libhaichi-reorder.so, which LD_PRELOAD loads into every
 * process of a command.  If the process has loaded an MPI library, they replace their names in
 * LD_PRELOAD by the names of the libraries for that MPI, LIBRARY-MPI.so, and the process executes
 * its program again.  In other processes (mpirun, shells) they do nothing.
 *
 * OWN is the name of this library without ".so".
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const CHOOSERS[] = {"libhaichi-record", "libhaichi-reorder"};

enum { CHOOSERS_COUNT = sizeof CHOOSERS / sizeof *CHOOSERS };

/* The MPI library of the process: "openmpi", "smpi", or "mpich" for any library with MPICH's
 * interface.  NULL without an MPI library. */
static const char *loaded_mpi(void)
{
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL)
    return "openmpi";
  if (dlsym(RTLD_DEFAULT, "smpi_main") != NULL)
    return "smpi";
  return dlsym(RTLD_DEFAULT, "PMPI_Send") != NULL ? "mpich" : NULL;
}

/* If the word is the path of a library in CHOOSERS, its name without ".so"; if not, NULL. */
static const char *chooser(const char *word, size_t length)
{
  for (int i = 0; i < CHOOSERS_COUNT; i++) {
    const size_t n = strlen(CHOOSERS[i]);
    if (length >= n + 3 && strncmp(word + length - n - 3, CHOOSERS[i], n) == 0 &&
        strncmp(word + length - 3, ".so", 3) == 0 &&
        (length == n + 3 || word[length - n - 4] == '/'))
      return CHOOSERS[i];
  }
  return NULL;
}

/* Prints why the library for this MPI cannot be loaded.  Without the recorder the program must not
 * run, so each rank prints the reason and ends.  Other libraries print it on rank 0, and the
 * program runs without them. */
static void complain(const char *library, const char *path, const char *why)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL)
    rank = getenv("PMI_RANK");
  const int must = strcmp(library, "libhaichi-record") == 0;
  if (must || rank == NULL || strcmp(rank, "0") == 0)
    fprintf(stderr, "haichi %s: %s: %s\n", library + strlen("libhaichi-"), path, why);
  if (must)
    _exit(1);
}

struct list {
  char text[16384];
  size_t used;
  int changed;
};

static void append(struct list *l, const char *word, size_t length)
{
  if (l->used + length + 2 > sizeof l->text)
    return;
  if (l->used > 0)
    l->text[l->used++] = ':';
  memcpy(l->text + l->used, word, length);
  l->text[l->used += length] = '\0';
}

/* Appends a word of LD_PRELOAD; replaces the path of a library in CHOOSERS by the path of its
 * library for @p mpi. */
static void replace(struct list *l, const char *mpi, const char *word, size_t length)
{
  char path[4096];
  const char *name = chooser(word, length);
  if (name == NULL) {
    append(l, word, length);
    return;
  }
  const int n = snprintf(path, sizeof path, "%.*s-%s.so", (int)length - 3, word, mpi);
  if (access(path, R_OK) != 0) {
    if (strcmp(name, OWN) == 0)
      complain(name, path, "haichi was built without the headers of this MPI");
    else
      append(l, word, length);
    return;
  }
  append(l, path, (size_t)n);
  l->changed = 1;
}

__attribute__((constructor)) static void execute_again(int argc, char **argv)
{
  static struct list l;
  const char *mpi = loaded_mpi(), *all = getenv("LD_PRELOAD");
  (void)argc;
  if (mpi == NULL || all == NULL)
    return;
  for (const char *at = all; *at != '\0';) {
    const size_t n = strcspn(at, ": ");
    if (n > 0)
      replace(&l, mpi, at, n);
    at += n + (at[n] != '\0');
  }
  if (!l.changed)
    return;
  char *before = strdup(all);
  if (before == NULL || setenv("LD_PRELOAD", l.text, 1) != 0)
    return;
  execv("/proc/self/exe", argv);
  setenv("LD_PRELOAD", before, 1);
  free(before);
  complain(OWN, "/proc/self/exe", "cannot execute the program again");
}
