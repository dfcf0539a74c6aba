/* Stand-ins for functions of the program that MPI calls (error handlers, operations, functions of
 * attributes), while a communicator with exchanged ranks replaces MPI_COMM_WORLD.  They pass
 * MPI_COMM_WORLD in place of that communicator.  MPI calls made by a function of the program count
 * as calls of the program, although another MPI call is in progress.
 *
 * MPI does not tell a stand-in which function of the program it stands for.  Each function of the
 * program therefore has a stand-in of its own, its slot.  Functions beyond SLOTS of a kind are
 * passed to MPI unchanged.  The numbers of slots in the macros are octal. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>

#include "reorder/preload.h"

/* clang-format off */
#define EIGHT(F, a) F(a##0) F(a##1) F(a##2) F(a##3) F(a##4) F(a##5) F(a##6) F(a##7)
#define ALL(F) \
  EIGHT(F, 0) EIGHT(F, 1) EIGHT(F, 2) EIGHT(F, 3) EIGHT(F, 4) EIGHT(F, 5) EIGHT(F, 6) EIGHT(F, 7)
/* clang-format on */

enum { SLOTS = 64 };

typedef void any_function(void);

/* The functions of a kind by slot: different functions of the program, and their stand-ins. */
struct functions {
  any_function *of[SLOTS], *own[SLOTS];
  int count;
};

static struct functions handlers, others, operations, copies, deletions;

/* The slot of a function; -1: none is free. */
static int slot_of(struct functions *f, any_function *function)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int i = 0;
  pthread_mutex_lock(&lock);
  while (i < f->count && f->of[i] != function)
    i++;
  if (i == f->count && i < SLOTS)
    f->of[f->count++] = function;
  pthread_mutex_unlock(&lock);
  return i < SLOTS ? i : -1;
}

/* The stand-in of a function; the function itself if no slot is free. */
static void *replace(struct functions *f, void *function)
{
  const int i = function == NULL ? -1 : slot_of(f, (any_function *)function);
  return i < 0 ? function : (void *)f->own[i];
}

/* --- error handlers --------------------------------------------------------------------------- */

/* Open MPI also passes a text.  The function may leave by longjmp() instead of returning;
 * the depth then stays 0, as outside of MPI. */
static void run_handler(any_function *function, void *object, int *code, va_list *more)
{
  const unsigned depth = preload_suspend();
#ifdef OPEN_MPI
  ((void (*)(void *, int *, ...))function)(object, code, va_arg(*more, char *), NULL);
#else
  (void)more;
  ((void (*)(void *, int *, ...))function)(object, code);
#endif
  preload_resume(depth);
}

#define HANDLER(i)                                                                                 \
  static void handler_##i(MPI_Comm *comm, int *code, ...)                                          \
  {                                                                                                \
    MPI_Comm named = world_named(*comm);                                                           \
    va_list more;                                                                                  \
    va_start(more, code);                                                                          \
    run_handler(handlers.of[0##i], &named, code, &more);                                           \
    va_end(more);                                                                                  \
  }                                                                                                \
  static void other_##i(void *object, int *code, ...)                                              \
  {                                                                                                \
    va_list more;                                                                                  \
    va_start(more, code);                                                                          \
    run_handler(others.of[0##i], object, code, &more);                                             \
    va_end(more);                                                                                  \
  }
ALL(HANDLER)

#define SLOT(i) (any_function *)handler_##i,
static struct functions handlers = {.own = {ALL(SLOT)}};
#undef SLOT
#define SLOT(i) (any_function *)other_##i,
static struct functions others = {.own = {ALL(SLOT)}};
#undef SLOT

void *callback_handler(void *function)
{
  return replace(&handlers, function);
}

void *callback_other_handler(void *function)
{
  return replace(&others, function);
}

/* --- operations ------------------------------------------------------------------------------- */

/* `n` points to an int or, for MPI_Op_create_c, to an MPI_Count. */
#define OPERATION(i)                                                                               \
  static void operation_##i(void *in, void *inout, void *n, void *type)                            \
  {                                                                                                \
    const unsigned depth = preload_suspend();                                                      \
    ((void (*)(void *, void *, void *, void *))operations.of[0##i])(in, inout, n, type);           \
    preload_resume(depth);                                                                         \
  }
ALL(OPERATION)

#define SLOT(i) (any_function *)operation_##i,
static struct functions operations = {.own = {ALL(SLOT)}};
#undef SLOT

void *callback_operation(void *function)
{
  return world_is_exchanged() ? replace(&operations, function) : function;
}

/* --- attributes ------------------------------------------------------------------------------- */

#define ATTRIBUTE(i)                                                                               \
  static int copy_##i(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)      \
  {                                                                                                \
    const unsigned depth = preload_suspend();                                                      \
    MPI_Comm_copy_attr_function *f = (MPI_Comm_copy_attr_function *)copies.of[0##i];               \
    const int result = f(world_named(comm), keyval, extra, in, out, flag);                         \
    preload_resume(depth);                                                                         \
    return result;                                                                                 \
  }                                                                                                \
  static int deletion_##i(MPI_Comm comm, int keyval, void *value, void *extra)                     \
  {                                                                                                \
    const unsigned depth = preload_suspend();                                                      \
    MPI_Comm_delete_attr_function *f = (MPI_Comm_delete_attr_function *)deletions.of[0##i];        \
    const int result = f(world_named(comm), keyval, value, extra);                                 \
    preload_resume(depth);                                                                         \
    return result;                                                                                 \
  }
ALL(ATTRIBUTE)

#define SLOT(i) (any_function *)copy_##i,
static struct functions copies = {.own = {ALL(SLOT)}};
#undef SLOT
#define SLOT(i) (any_function *)deletion_##i,
static struct functions deletions = {.own = {ALL(SLOT)}};
#undef SLOT

void *callback_copy(void *function)
{
  return world_is_exchanged() ? replace(&copies, function) : function;
}

void *callback_deletion(void *function)
{
  return world_is_exchanged() ? replace(&deletions, function) : function;
}
