#define _GNU_SOURCE
#include "reorder/preload.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the MPI library and of tools, set by interpose_begin(). */
static struct {
  bool found;
  struct direct direct;
  struct creators mpi, pmpi;
} functions;

/* Without its component treematch, Open MPI ignores `reorder`.  With it, distributed graphs hang,
 * also without reordering, if they are created repeatedly (open-mpi/ompi issues 8939 and 13918). */
static void leave_out_treematch(void)
{
#ifdef OPEN_MPI
  setenv("OMPI_MCA_topo", "^treematch", 0);
#endif
}

void interpose_begin(void)
{
  leave_out_treematch();
  bool found = direct_find(&functions.direct);
#define FIND(X)                                                                                    \
  functions.mpi.X = (__typeof__(functions.mpi.X))interpose_next("MPI_" #X);                        \
  functions.pmpi.X = (__typeof__(functions.pmpi.X))interpose_next("PMPI_" #X);                     \
  found = found && functions.mpi.X != NULL && functions.pmpi.X != NULL;
  REORDER_CREATORS(FIND)
  functions.found = found;
}

/* The ranks of SMPI share a thread, so a depth per thread would be wrong.  SMPI does not call its
 * own MPI_X, so every call is outermost. */
#ifdef REORDER_SMPI
bool preload_enter(void)
{
  return true;
}

int preload_leave(int result)
{
  return result;
}
#else
static __thread unsigned depth __attribute__((tls_model("initial-exec")));

bool preload_enter(void)
{
  return depth++ == 0;
}

int preload_leave(int result)
{
  depth--;
  return result;
}

unsigned preload_suspend(void)
{
  const unsigned before = depth;
  depth = 0;
  return before;
}

void preload_resume(unsigned before)
{
  depth = before;
}

bool preload_is_fortran(const void *address)
{
  Dl_info object, function;
  void *library, *init = NULL;
  if (dladdr(address, &object) == 0)
    return false;
  if ((library = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) != NULL) {
    init = dlsym(library, "mpi_init_");
    dlclose(library);
  }
  return init != NULL && dladdr(init, &function) != 0 && function.dli_fbase == object.dli_fbase;
}
#endif

void *preload_next(void **known, const char *name, bool profiled)
{
  if (*known == NULL)
    *known = interpose_next(profiled ? name : name + 1);
  return *known;
}

struct mpi preload_mpi(bool profiled)
{
  return (struct mpi){&functions.direct, profiled ? &functions.pmpi : &functions.mpi};
}

void preload_report(MPI_Comm comm, const char *call, const char *why)
{
  int rank = 1;
  if (*why == '\0')
    return;
  functions.direct.Comm_rank(comm, &rank);
  if (rank == 0)
    fprintf(stderr, "haichi reorder: %s: %s; no rank is moved\n", call, why);
}

/* --- entry points ----------------------------------------------------------------------------- */

#ifdef REORDER_SMPI
#define COMM(comm) (comm)
#else
#define COMM(comm) world_for(comm)
#endif

/* Creates a topology: by create_KIND() if `reorder` is true, by the next function NAME if not. */
#define CREATE(PREFIX, profiled, NAME, kind, arguments, ...)                                       \
  {                                                                                                \
    const struct mpi m = preload_mpi(profiled);                                                    \
    const bool outermost = preload_enter();                                                        \
    const MPI_Comm old = comm;                                                                     \
    char why[REORDER_TEXT] = "";                                                                   \
    int result;                                                                                    \
    comm = outermost ? COMM(old) : old;                                                            \
    if (outermost && reorder && functions.found && made != NULL) {                                 \
      const struct settings settings = settings_of_environment();                                  \
      const struct creation c = {&m, &settings, why};                                              \
      result = create_##kind(&c, comm, arguments, made);                                           \
      preload_report(comm, "MPI_" #NAME, why);                                                     \
    } else                                                                                         \
      result = m.create->NAME(__VA_ARGS__);                                                        \
    return preload_leave(result);                                                                  \
  }

#define CART(PREFIX, profiled)                                                                     \
  INTERPOSE_PUBLIC int PREFIX##Cart_create(MPI_Comm comm, int axes, const int side[],              \
                                           const int periodic[], int reorder, MPI_Comm *made)      \
      CREATE(PREFIX, profiled, Cart_create, cart, (&(struct grid){axes, side, periodic}), comm,    \
             axes, side, periodic, reorder, made)

CART(MPI_, false)
CART(PMPI_, true)

#ifndef REORDER_SMPI
#define GRAPH(PREFIX, profiled)                                                                    \
  INTERPOSE_PUBLIC int PREFIX##Graph_create(MPI_Comm comm, int n, const int index[],               \
                                            const int edges[], int reorder, MPI_Comm *made)        \
      CREATE(PREFIX, profiled, Graph_create, graph, (&(struct graph){n, index, edges}), comm, n,   \
             index, edges, reorder, made)

GRAPH(MPI_, false)
GRAPH(PMPI_, true)

#define DIST_GRAPH(PREFIX, profiled)                                                               \
  INTERPOSE_PUBLIC int PREFIX##Dist_graph_create(                                                  \
      MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],    \
      const int weights[], MPI_Info info, int reorder, MPI_Comm *made)                             \
      CREATE(PREFIX, profiled, Dist_graph_create, dist_graph,                                      \
             (&(struct dist_graph){n, sources, degrees, destinations, weights, info}), comm, n,    \
             sources, degrees, destinations, weights, info, reorder, made)

DIST_GRAPH(MPI_, false)
DIST_GRAPH(PMPI_, true)

#define ADJACENT(PREFIX, profiled)                                                                 \
  INTERPOSE_PUBLIC int PREFIX##Dist_graph_create_adjacent(                                         \
      MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,                 \
      const int destinations[], const int out_weights[], MPI_Info info, int reorder,               \
      MPI_Comm *made)                                                                              \
      CREATE(PREFIX, profiled, Dist_graph_create_adjacent, adjacent,                               \
             (&(struct adjacent){in, out, sources, in_weights, destinations, out_weights, info}),  \
             comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made)

ADJACENT(MPI_, false)
ADJACENT(PMPI_, true)

/* --- beginning ------------------------------------------------------------------------------- */

#define INIT(PREFIX, profiled)                                                                     \
  INTERPOSE_PUBLIC int PREFIX##Init(int *argc, char ***argv)                                       \
  {                                                                                                \
    static void *next;                                                                             \
    const struct mpi m = preload_mpi(profiled);                                                    \
    const bool outermost = preload_enter();                                                        \
    __typeof__(MPI_Init) *call = preload_next(&next, "PMPI_Init", profiled);                       \
    const int result = call(argc, argv);                                                           \
    if (outermost && result == MPI_SUCCESS && functions.found)                                     \
      world_begin(&m);                                                                             \
    return preload_leave(result);                                                                  \
  }                                                                                                \
  INTERPOSE_PUBLIC int PREFIX##Init_thread(int *argc, char ***argv, int required, int *provided)   \
  {                                                                                                \
    static void *next;                                                                             \
    const struct mpi m = preload_mpi(profiled);                                                    \
    const bool outermost = preload_enter();                                                        \
    __typeof__(MPI_Init_thread) *call = preload_next(&next, "PMPI_Init_thread", profiled);         \
    const int result = call(argc, argv, required, provided);                                       \
    if (outermost && result == MPI_SUCCESS && functions.found)                                     \
      world_begin(&m);                                                                             \
    return preload_leave(result);                                                                  \
  }

INIT(MPI_, false)
INIT(PMPI_, true)
#endif
