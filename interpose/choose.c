/* libhaichi-record.so and libhaichi-reorder.so, for LD_PRELOAD of any command: a process that has
 * loaded an MPI library executes itself again with the libraries for this MPI, LIBRARY-MPI.so, in
 * their place.  All other processes (mpirun, shells) run as they are.
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

/* "openmpi", "smpi", "mpich", whose interface several libraries share, or NULL. */
static const char *loaded_mpi(void)
{
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL)
    return "openmpi";
  if (dlsym(RTLD_DEFAULT, "smpi_main") != NULL)
    return "smpi";
  return dlsym(RTLD_DEFAULT, "PMPI_Send") != NULL ? "mpich" : NULL;
}

/* The name, without ".so", of the library that chooses if the word is its path; NULL: it is not. */
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

/* Explains once, not on every rank, why the library is not there.  The recorder must not let a
 * program run without it; the others leave the program alone. */
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

/* Appends a word of LD_PRELOAD, replaced if it chooses. */
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
