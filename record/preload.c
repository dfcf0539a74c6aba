/* libhaichi-record.so, for LD_PRELOAD of any command: a process that has loaded an MPI library
 * executes itself again with the recorder for this library.  All other processes (mpirun, shells)
 * run as they are.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char OWN[] = "libhaichi-record.so";

/* "openmpi", "mpich", whose interface several libraries share, or NULL. */
static const char *loaded_mpi(void)
{
  if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL)
    return "openmpi";
  return dlsym(RTLD_DEFAULT, "PMPI_Send") != NULL ? "mpich" : NULL;
}

/* Replaces the name of this library in LD_PRELOAD; false if it is not there. */
static int replace_own(const char *mpi, char *path, size_t size)
{
  const char *all = getenv("LD_PRELOAD"), *own = all == NULL ? NULL : strstr(all, OWN);
  char changed[8192];
  if (own == NULL)
    return 0;
  const char *begin = own;
  while (begin > all && begin[-1] != ':' && begin[-1] != ' ')
    begin--;
  snprintf(path, size, "%.*slibhaichi-record-%s.so", (int)(own - begin), begin, mpi);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(begin - all), all, path, own + strlen(OWN));
  return setenv("LD_PRELOAD", changed, 1) == 0;
}

__attribute__((constructor)) static void execute_with_recorder(int argc, char **argv)
{
  char path[4096];
  const char *mpi = loaded_mpi();
  (void)argc;
  if (mpi == NULL || !replace_own(mpi, path, sizeof path))
    return;
  if (access(path, R_OK) == 0)
    execv("/proc/self/exe", argv);
  fprintf(stderr, "haichi record: %s: %s\n", path,
          access(path, R_OK) == 0 ? "cannot execute the program again"
                                  : "haichi was built without the headers of this MPI");
  _exit(1);
}
