/* The source of libhaichi-record.so and libhaichi-reorder.so, which LD_PRELOAD loads into every
 * process of a command.  They define the calls of MPI that LIBRARY-MPI.so replaces, for any MPI.
 * The first call finds the MPI library of the process and loads LIBRARY-MPI.so for it, from the
 * same folder.  This call and the next ones continue there, with the same arguments.  Processes
 * that call no MPI (mpirun, shells) load nothing.
 *
 * OWN is the name of this library without ".so".  CALLS is a file with one line for each call:
 * CALL(NAME, PARAMETERS, ARGUMENTS), written by choose.awk.  Arguments are integers and pointers,
 * which a long holds on Linux; so no type of an MPI library is needed here.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/interpose.h"

#define CALL(NAME, PARAMETERS, ARGUMENTS) NUMBER_##NAME,
enum {
#include CALLS
};
#undef CALL

static const char *const NAMES[] = {
#define CALL(NAME, PARAMETERS, ARGUMENTS) #NAME,
#include CALLS
#undef CALL
};

static void complain(const char *what, const char *why)
{
  fprintf(stderr, "haichi %s: %s: %s\n", &OWN[strlen("libhaichi-")], what, why);
}

_Noreturn static void refuse(const char *what, const char *why)
{
  complain(what, why);
  _exit(1);
}

/* Says why the library for this MPI cannot be loaded.  Without the recorder the program must not
 * run, so each rank says it and ends.  Without the reordering it runs, and rank 0 says it. */
static void do_without(const char *path, const char *why)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL)
    rank = getenv("PMI_RANK");
  if (strcmp(OWN, "libhaichi-record") == 0)
    refuse(path, why);
  if (rank == NULL || strcmp(rank, "0") == 0)
    complain(path, why);
}

/* --- the libraries ---------------------------------------------------------------------------- */

/* Neither this library nor a tool replaces this call. */
#define MARK "PMPI_Get_version"

/* Python loads its modules, and so MPI, with names that other libraries cannot see: makes the names
 * of MPI visible to all. */
static int make_visible(struct dl_phdr_info *object, size_t size, void *unused)
{
  (void)size, (void)unused;
  void *library = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL)
    return 0;
  const int found = dlsym(library, MARK) != NULL;
  if (found)
    dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  dlclose(library);
  return found;
}

/* The MPI library of the process: "openmpi", "smpi", or "mpich" for any library with MPICH's
 * interface. */
static const char *loaded_mpi(void)
{
  if (dlsym(RTLD_DEFAULT, MARK) == NULL && dl_iterate_phdr(make_visible, NULL) == 0)
    refuse("MPI", "the process has no MPI library");
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL)
    return "openmpi";
  return dlsym(RTLD_DEFAULT, "smpi_main") != NULL ? "smpi" : "mpich";
}

/* Drops this library from LD_PRELOAD: programs that the program starts run without it. */
static void forget(void)
{
  const char *all = getenv("LD_PRELOAD");
  if (all == NULL)
    return;
  const size_t size = strlen(all) + 1;
  char *kept = malloc(size);
  size_t used = 0;
  for (const char *at = all; kept != NULL && *at != '\0';) {
    const size_t n = strcspn(at, ": ");
    if (n > 0 && memmem(at, n, OWN ".so", strlen(OWN ".so")) == NULL)
      used += (size_t)snprintf(kept + used, size - used, "%s%.*s", used > 0 ? ":" : "", (int)n, at);
    at += n + (at[n] != '\0');
  }
  if (used == 0)
    unsetenv("LD_PRELOAD");
  else
    setenv("LD_PRELOAD", kept, 1);
  free(kept);
}

/* RTLD_NEXT begins after the library that calls dlsym(): no tail call, which would hide it. */
static void *next(const char *name)
{
  void *volatile found = dlsym(RTLD_NEXT, name);
  return found;
}

/* The library for this MPI; NULL: none. */
static void *chosen;

static void load(void)
{
  const char *mpi = loaded_mpi();
  char path[4096];
  Dl_info own;
  if (dladdr(NAMES, &own) == 0)
    refuse("dladdr", "cannot find the library");
  const int n = (int)(strlen(own.dli_fname) - strlen(".so"));
  snprintf(path, sizeof path, "%.*s-%s.so", n, own.dli_fname, mpi);
  forget();
  if (access(path, R_OK) != 0)
    do_without(path, strcmp(mpi, "smpi") == 0
                         ? "programs of SMPI need no recorder: see smpirun -trace-ti"
                         : "haichi was built without the headers of this MPI");
  else if ((chosen = dlopen(path, RTLD_NOW)) == NULL)
    do_without(path, dlerror());
  else
    ((interpose_start_function *)dlsym(chosen, "haichi_interpose_start"))(next);
}

/* --- the calls -------------------------------------------------------------------------------- */

/* The function that takes the place of a call; if the library for this MPI has none, the next one
 * in the order of the loader. */
static void *find(int call)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  void *found = chosen == NULL ? NULL : dlsym(chosen, NAMES[call]);
  if (found == NULL && (found = next(NAMES[call])) == NULL)
    refuse(NAMES[call], "the MPI library lacks this call");
  return found;
}

/* function_X is first_X until the first call of X.  So X is one jump, and the calls of a program
 * share few pages, which the processor loads again after a change of process. */
#define CALL(NAME, PARAMETERS, ARGUMENTS)                                                          \
  INTERPOSE_PUBLIC long NAME PARAMETERS;                                                           \
  static long first_##NAME PARAMETERS;                                                             \
  static long(*function_##NAME) PARAMETERS = first_##NAME;                                         \
  long NAME PARAMETERS                                                                             \
  {                                                                                                \
    return function_##NAME ARGUMENTS;                                                              \
  }                                                                                                \
  __attribute__((cold)) static long first_##NAME PARAMETERS                                        \
  {                                                                                                \
    function_##NAME = (long(*) PARAMETERS)find(NUMBER_##NAME);                                     \
    return function_##NAME ARGUMENTS;                                                              \
  }
#include CALLS
