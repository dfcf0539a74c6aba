/* Lets MPICH over UCX yield the core whenever a rank waits: MPICH polls without a pause, so that
 * ranks which share a core wait for each other's time slices.  tests/mpi.sh links it into the
 * programs that mpicc.mpich and mpif90.mpich build. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker)
{
  static unsigned (*real)(void *);
  if (real == NULL)
    real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned events = real(worker);
  if (events == 0)
    sched_yield();
  return events;
}
