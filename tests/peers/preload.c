/* Preloaded into the replay of smpirun.  Avoids two crashes of SimGrid 3.32 in replays:
 * - Comm::init_smp() frees variables on the stack, because messages to a rank that has not yet
 *   called it are freed as if they had been copied;
 * - allreduce__mpich, allreduce__mvapich2 and reduce__mpich ask whether MPI_OP_NULL, the operation
 *   of replays, is commutative.  They get a commutative operation that does nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

extern void __libc_free(void *p);

void free(void *p)
{
  if ((uintptr_t)p % 16 == 0)
    __libc_free(p);
}

typedef void mpi_function(void *in, void *inout, int *count, void *type);

static void compute_nothing(void *in, void *inout, int *count, void *type)
{
  (void)in;
  (void)inout;
  (void)count;
  (void)type;
}

static void *some(void *op)
{
  static void *commutes;
  if (op == NULL && commutes == NULL)
    ((int (*)(mpi_function *, int, void **))dlsym(RTLD_DEFAULT, "MPI_Op_create"))(compute_nothing,
                                                                                  1, &commutes);
  return op == NULL ? commutes : op;
}

typedef int allreduce_function(const void *in, void *out, int count, void *type, void *op,
                               void *comm);
typedef int reduce_function(const void *in, void *out, int count, void *type, void *op, int root,
                            void *comm);

#define ALLREDUCE(NAME, SYMBOL)                                                                    \
  allreduce_function NAME __asm__(SYMBOL);                                                         \
  int NAME(const void *in, void *out, int count, void *type, void *op, void *comm)                 \
  {                                                                                                \
    return ((allreduce_function *)dlsym(RTLD_NEXT, SYMBOL))(in, out, count, type, some(op), comm); \
  }

ALLREDUCE(mpich, "_ZN7simgrid4smpi16allreduce__mpichEPKvPviPNS0_8DatatypeEPNS0_2OpEPNS0_4CommE")
ALLREDUCE(mvapich2,
          "_ZN7simgrid4smpi19allreduce__mvapich2EPKvPviPNS0_8DatatypeEPNS0_2OpEPNS0_4CommE")

#define REDUCE "_ZN7simgrid4smpi13reduce__mpichEPKvPviPNS0_8DatatypeEPNS0_2OpEiPNS0_4CommE"

reduce_function reduce_mpich __asm__(REDUCE);
int reduce_mpich(const void *in, void *out, int count, void *type, void *op, int root, void *comm)
{
  return ((reduce_function *)dlsym(RTLD_NEXT, REDUCE))(in, out, count, type, some(op), root, comm);
}
