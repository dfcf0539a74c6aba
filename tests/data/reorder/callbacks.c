/* Functions that MPI calls: error handlers, attributes, operations and generalized requests.  Each
 * compares the communicator that it gets with the one that was named, and its rank in
 * MPI_COMM_WORLD with the one outside.  Prints, while MPI_Finalize deletes the attributes of
 * MPI_COMM_SELF, the number of ranks where something is wrong, of ranks whose numbers differ from
 * the launcher's, and of ranks that a ring moves. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;
static int calls;         /* of functions that found no fault */
static MPI_Comm named;    /* the communicator that they should get */
static char wrong[512];   /* the last function that found a fault, or "" */
static int first, second; /* extra states */

static void judge(const char *function, MPI_Comm comm)
{
  int in_world, in_comm, same;
  MPI_Comm_rank(MPI_COMM_WORLD, &in_world);
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
  MPI_Comm_rank(comm, &in_comm);
  if (comm == named && in_world == rank && in_comm == rank &&
      same == (comm == MPI_COMM_WORLD ? MPI_IDENT : MPI_CONGRUENT))
    calls++;
  else
    snprintf(wrong, sizeof wrong, "%s", function);
}

/* Records a fault if the functions were not called `n` times since the last call of this. */
static void expect(const char *what, int n)
{
  if (calls != n && wrong[0] == '\0')
    snprintf(wrong, sizeof wrong, "%s: %d calls", what, calls);
  calls = 0;
}

/* --- error handlers --------------------------------------------------------------------------- */

static int handler; /* the last one that was called */

static void on_error(MPI_Comm *comm, int *code, ...)
{
  (void)code;
  handler = 1;
  judge("error handler", *comm);
}

static void on_other_error(MPI_Comm *comm, int *code, ...)
{
  (void)code;
  handler = 2;
  judge("other error handler", *comm);
}

static void fail_in(MPI_Comm comm, int want)
{
  named = comm;
  handler = 0;
  MPI_Send(&rank, 1, MPI_INT, ranks + 5, 0, comm);
  expect("error", 1);
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  expect("MPI_Comm_call_errhandler", 1);
  if (handler != want && wrong[0] == '\0')
    snprintf(wrong, sizeof wrong, "error handler %d instead of %d", handler, want);
}

static void check_errors(void)
{
  MPI_Errhandler one, two, got;
  MPI_Comm copy;
  MPI_Comm_create_errhandler(on_error, &one);
  MPI_Comm_create_errhandler(on_other_error, &two);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, one);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  fail_in(MPI_COMM_WORLD, 1);
  fail_in(copy, 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, two);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  if (got != two)
    snprintf(wrong, sizeof wrong, "MPI_Comm_get_errhandler");
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&one);
  MPI_Errhandler_free(&two);
  fail_in(MPI_COMM_WORLD, 2);
  fail_in(copy, 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&copy);
}

/* A handler that does not return: later calls are as before. */
static jmp_buf back;

static void on_jump(MPI_Comm *comm, int *code, ...)
{
  (void)code;
  judge("error handler with a jump", *comm);
  longjmp(back, 1);
}

static void check_jump(void)
{
  MPI_Errhandler jump;
  MPI_Comm_create_errhandler(on_jump, &jump);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, jump);
  named = MPI_COMM_WORLD;
  if (setjmp(back) == 0)
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
  expect("jump", 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&jump);
  judge("after a jump", MPI_COMM_WORLD);
  expect("after a jump", 1);
}

/* --- attributes ------------------------------------------------------------------------------- */

static int copy_attribute(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
  (void)keyval;
  *(void **)out = in;
  *flag = 1;
  if (extra == &first && in == &second)
    judge("copy of an attribute", comm);
  return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *extra)
{
  (void)keyval;
  if (extra == &first && value == &second)
    judge("deletion of an attribute", comm);
  return MPI_SUCCESS;
}

static int delete_late(MPI_Comm comm, int keyval, void *value, void *extra)
{
  (void)keyval;
  (void)value;
  (void)extra;
  named = MPI_COMM_WORLD;
  wrong[0] = '\0';
  judge("deletion in MPI_Finalize", comm);
  if (wrong[0] != '\0')
    printf("%s is wrong\n", wrong);
  return MPI_SUCCESS;
}

static void check_attributes(void)
{
  int keyval, late, found;
  void *value;
  MPI_Comm copy;
  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, &first);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &second);
  named = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  expect("copy", 1);
  MPI_Comm_get_attr(copy, keyval, &value, &found);
  if (!found || value != &second)
    snprintf(wrong, sizeof wrong, "MPI_Comm_get_attr");
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  expect("deletion", 1);
  named = copy;
  MPI_Comm_delete_attr(copy, keyval);
  expect("deletion from the copy", 1);
  MPI_Comm_free(&copy);
  MPI_Comm_free_keyval(&keyval);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_get_attr(copy, keyval, &value, &found);
  if (!found || value != &first)
    snprintf(wrong, sizeof wrong, "MPI_COMM_DUP_FN");
  MPI_Comm_free(&copy);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_late, &late, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, late, &first);
}

/* --- operations and requests ------------------------------------------------------------------ */

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
  (void)type;
  named = MPI_COMM_WORLD;
  judge("operation", MPI_COMM_WORLD);
  for (int i = 0; i < *n; i++)
    ((int *)inout)[i] += ((int *)in)[i];
}

static int query(void *extra, MPI_Status *status)
{
  (void)extra;
  named = MPI_COMM_WORLD;
  judge("query", MPI_COMM_WORLD);
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}

static int release(void *extra)
{
  (void)extra;
  return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
  (void)extra;
  (void)complete;
  return MPI_SUCCESS;
}

static void check_others(void)
{
  int one = 1, sum;
  MPI_Op op;
  MPI_Request request;
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
  if (sum != ranks)
    snprintf(wrong, sizeof wrong, "MPI_Allreduce");
  MPI_Op_free(&op);
  calls = 0;
  MPI_Grequest_start(query, release, cancel, NULL, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect("query", 1);
}

/* --- end -------------------------------------------------------------------------------------- */

/* The number that the launcher gave this process. */
static int launched_as(void)
{
  const char *text = getenv("OMPI_COMM_WORLD_RANK");
  if (text == NULL)
    text = getenv("PMI_RANK");
  return text == NULL ? -1 : (int)strtol(text, NULL, 10);
}

/* True if a ring gives this rank another number. */
static int moves(void)
{
  const int periodic = 1;
  int number;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 1, &ring);
  MPI_Comm_rank(ring, &number);
  MPI_Comm_free(&ring);
  return number != rank;
}

static int finish(MPI_Comm comm, int keyval, void *value, void *extra)
{
  int own[3], sum[3];
  (void)comm;
  (void)keyval;
  (void)value;
  (void)extra;
  named = MPI_COMM_WORLD;
  judge("deletion in MPI_COMM_SELF", MPI_COMM_WORLD);
  if (wrong[0] != '\0')
    printf("%s is wrong\n", wrong);
  own[0] = wrong[0] != '\0';
  own[1] = launched_as() != rank;
  own[2] = moves();
  MPI_Reduce(own, sum, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong, %d moved, %d in a ring\n", sum[0], sum[1], sum[2]);
  return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
  int keyval;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  setvbuf(stdout, NULL, _IOLBF, 0);
  check_errors();
  check_jump();
  check_attributes();
  check_others();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Finalize();
  return 0;
}
