/* Touches 5000 new pages between two barriers, then 3000 in another thread: page faults that
 * haichi record --counter page-faults counts. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* Barrier, *count pages, barrier. */
static void *touch(void *count)
{
  const size_t size = (size_t) * (int *)count * PAGE;
  MPI_Barrier(MPI_COMM_WORLD);
  char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(at, size, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < size; i += PAGE)
    at[i] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  return NULL;
}

int main(int argc, char **argv)
{
  int provided, first = 5000, second = 3000;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  touch(&first);
  if (pthread_create(&thread, NULL, touch, &second) == 0)
    pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
