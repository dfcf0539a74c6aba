/* Collectives, blocking and nonblocking.  Counts are elements of SMPI's datatypes, or bytes. */
#include "record/record.h"

/* A call: its communicator, and its request if it does not block. */
struct call {
  const char *action; /* of the blocking form */
  struct comm *comm;
  int32_t name; /* of the request; 0: blocking */
};

static int32_t names; /* number of requests named so far */

static struct call call_of(const char *action, MPI_Comm comm, bool blocks)
{
  return (struct call){action, comms_find(comm), blocks ? 0 : ++names};
}

/* Begins the line of the action. */
static void head(const struct call *k)
{
  struct out *o = &record.out;
  comms_on(k->comm);
  if (k->name > 0) {
    record_compute();
    out_text(o, "# haichi: request");
    out_number(o, k->name);
    out_text(o, "\n");
    record.extended = true;
  }
  record_line(k->name > 0 ? "i" : "");
  out_text(o, k->action);
  record.collectives++;
}

/* --- arguments -------------------------------------------------------------------------------- */

static void number(int64_t value)
{
  out_number(&record.out, value);
}

/* Writes a number of elements.  SMPI limits it to 2^31 - 1. */
static void counted(int64_t count, struct elements unit)
{
  if (count * unit.count > INT32_MAX)
    record_refuse("a collective", "a block of a derived datatype has more than 2^31 - 1 bytes");
  number(count * unit.count);
}

static void list(const int count[], int n, struct elements unit)
{
  for (int i = 0; i < n; i++)
    counted(count == NULL ? 0 : count[i], unit);
}

static int64_t sum(const int count[], int n)
{
  int64_t all = 0;
  for (int i = 0; i < n; i++)
    all += count[i];
  return all;
}

static void bytes(const int count[], const MPI_Datatype type[], int n)
{
  for (int i = 0; i < n; i++)
    counted(count[i], (struct elements){count[i] == 0 ? 0 : types_size(type[i]), TYPE_BYTE});
}

/* Writes the datatype at the end of a line, unless it is bytes, the default. */
static void optional_type(int type)
{
  if (type != TYPE_BYTE)
    number(type);
}

static void two_types(struct elements a, struct elements b)
{
  number(a.type);
  number(b.type);
}

/* --- rooted, and reductions ------------------------------------------------------------------- */

static void barrier(const struct call *k)
{
  head(k);
}

static void bcast(const struct call *k, int count, MPI_Datatype type, int root)
{
  const struct elements e = types_elements(count, type);
  head(k);
  number(e.count);
  if (root != 0 || e.type != TYPE_BYTE)
    number(root);
  optional_type(e.type);
}

static void reduce(const struct call *k, int count, MPI_Datatype type, int root)
{
  const struct elements e = types_elements(count, type);
  head(k);
  number(e.count);
  number(0);
  if (root != 0 || e.type != TYPE_BYTE)
    number(root);
  optional_type(e.type);
}

/* Also scans, reduce_scatter_block and reduce_local. */
static void allreduce(const struct call *k, int count, MPI_Datatype type)
{
  const struct elements e = types_elements(count, type);
  head(k);
  number(e.count);
  number(0);
  optional_type(e.type);
}

static void reduce_scatter(const struct call *k, const int count[], MPI_Datatype type)
{
  const struct elements unit = types_unit(type);
  head(k);
  list(count, k->comm->size, unit);
  number(0);
  number(unit.type);
}

/* --- gather, scatter and their relatives ------------------------------------------------------ */

/* One side of an exchange of blocks. */
struct side {
  const void *buf;
  int count;
  const int *counts; /* NULL: the same count for all */
  MPI_Datatype type;
};

/* Counts and type of a buffer; MPI_IN_PLACE has the counts and type of the other buffer. */
static struct side meant(struct side s, struct side other, int own)
{
  if (s.buf != MPI_IN_PLACE)
    return s;
  other.count = other.counts == NULL ? other.count : other.counts[own];
  return other;
}

/* Writes an action on blocks of one size.  @p root is NULL for actions without a root, among them
 * neighbor_allgather and neighbor_alltoall. */
static void blocks(const struct call *k, struct side out, struct side in, const int *root)
{
  const struct elements sent = types_unit(out.type), received = types_unit(in.type);
  head(k);
  counted(out.count, sent);
  counted(in.count, received);
  if (root != NULL)
    number(*root);
  two_types(sent, received);
}

static void gather(const struct call *k, struct side out, struct side in, int root)
{
  const bool at_root = k->comm->rank == root;
  out = at_root ? meant(out, in, root) : out;
  blocks(k, out, at_root ? in : out, &root);
}

static void gatherv(const struct call *k, struct side out, struct side in, int root)
{
  const bool at_root = k->comm->rank == root;
  out = at_root ? meant(out, in, root) : out;
  const struct elements sent = types_unit(out.type);
  const struct elements received = at_root ? types_unit(in.type) : sent;
  head(k);
  counted(out.count, sent);
  list(at_root ? in.counts : NULL, k->comm->size, received);
  number(root);
  two_types(sent, received);
}

static void scatter(const struct call *k, struct side out, struct side in, int root)
{
  const bool at_root = k->comm->rank == root;
  in = at_root ? meant(in, out, root) : in;
  blocks(k, at_root ? out : in, in, &root);
}

static void scatterv(const struct call *k, struct side out, struct side in, int root)
{
  const bool at_root = k->comm->rank == root;
  in = at_root ? meant(in, out, root) : in;
  const struct elements received = types_unit(in.type);
  const struct elements sent = at_root ? types_unit(out.type) : received;
  head(k);
  list(at_root ? out.counts : NULL, k->comm->size, sent);
  counted(in.count, received);
  number(root);
  two_types(sent, received);
}

/* Allgather and alltoall. */
static void allgather(const struct call *k, struct side out, struct side in)
{
  blocks(k, meant(out, in, 0), in, NULL);
}

static void allgatherv(const struct call *k, struct side out, struct side in)
{
  out = meant(out, in, k->comm->rank);
  const struct elements sent = types_unit(out.type), received = types_unit(in.type);
  head(k);
  counted(out.count, sent);
  list(in.counts, k->comm->size, received);
  two_types(sent, received);
}

static void alltoallv(const struct call *k, struct side out, struct side in)
{
  const int n = k->comm->size;
  out = meant(out, in, 0);
  const struct elements sent = types_unit(out.type), received = types_unit(in.type);
  head(k);
  number(sum(out.counts, n) * sent.count);
  list(out.counts, n, sent);
  number(sum(in.counts, n) * received.count);
  list(in.counts, n, received);
  two_types(sent, received);
}

static void alltoallw(const struct call *k, const void *buf, const int sent[],
                      const MPI_Datatype out[], const int received[], const MPI_Datatype in[])
{
  const bool in_place = buf == MPI_IN_PLACE;
  record.extended = true;
  head(k);
  bytes(in_place ? received : sent, in_place ? in : out, k->comm->size);
  bytes(received, in, k->comm->size);
}

/* --- neighbourhoods --------------------------------------------------------------------------- */

static void neighbor_v(const struct call *k, struct side out, struct side in)
{
  const struct elements sent = types_unit(out.type), received = types_unit(in.type);
  head(k);
  if (out.counts == NULL)
    counted(out.count, sent);
  else
    list(out.counts, k->comm->destinations, sent);
  list(in.counts, k->comm->sources, received);
  two_types(sent, received);
}

static void neighbor_w(const struct call *k, const int sent[], const MPI_Datatype out[],
                       const int received[], const MPI_Datatype in[])
{
  head(k);
  bytes(sent, out, k->comm->destinations);
  bytes(received, in, k->comm->sources);
}

/* --- the functions of MPI --------------------------------------------------------------------- */

/* Defines MPI_NAME and MPI_INAME.  WRITE writes the action of the call, which it names k.  TAG is
 * the tag of the requests of MPI_INAME in traces (action_request_tag()).  WORKS is false for
 * arguments for which the call has no action. */
#define COLLECTIVE(NAME, INAME, action, TAG, WORKS, PARAMETERS, ARGUMENTS, WRITE)                  \
  MPI(NAME, PARAMETERS)                                                                            \
  {                                                                                                \
    if (record_enter() && (WORKS)) {                                                               \
      const struct call of = call_of(action, comm, true), *k = &of;                                \
      WRITE;                                                                                       \
      record_end();                                                                                \
    }                                                                                              \
    return record_leave(record.real.NAME(ARGUMENTS));                                              \
  }                                                                                                \
  MPI(INAME, PARAMETERS, MPI_Request *request)                                                     \
  {                                                                                                \
    const bool outermost = record_enter_always();                                                  \
    struct request r = {.kind = REQUEST_SILENT};                                                   \
    if (outermost && record.on && (WORKS)) {                                                       \
      const struct call of = call_of(action, comm, false), *k = &of;                               \
      WRITE;                                                                                       \
      record_end();                                                                                \
      r = (struct request){.kind = REQUEST_COLLECTIVE, .tag = TAG, .name = of.name};               \
    }                                                                                              \
    const int result = record.real.INAME(ARGUMENTS, request);                                      \
    if (outermost && result == MPI_SUCCESS)                                                        \
      requests_begin(requests_add(request, &r));                                                   \
    return record_leave(result);                                                                   \
  }

#define NEIGHBOURS comms_neighbours(comms_find(comm))

#define BUFFERS   const void *sendbuf, void *recvbuf
#define SEND      const void *sendbuf, int sent, MPI_Datatype out
#define SENDS     const void *sendbuf, const int sent[], const int sent_at[], MPI_Datatype out
#define RECV      void *recvbuf, int received, MPI_Datatype in
#define RECVS     void *recvbuf, const int received[], const int received_at[], MPI_Datatype in
#define ROOT      int root, MPI_Comm comm
#define REDUCTION int count, MPI_Datatype type, MPI_Op op

#define SENT                                                                                       \
  (struct side)                                                                                    \
  {                                                                                                \
    sendbuf, sent, NULL, out                                                                       \
  }
#define SENT_V                                                                                     \
  (struct side)                                                                                    \
  {                                                                                                \
    sendbuf, 0, sent, out                                                                          \
  }
#define RECEIVED                                                                                   \
  (struct side)                                                                                    \
  {                                                                                                \
    recvbuf, received, NULL, in                                                                    \
  }
#define RECEIVED_V                                                                                 \
  (struct side)                                                                                    \
  {                                                                                                \
    recvbuf, 0, received, in                                                                       \
  }

#define A1 MPI_Comm comm
COLLECTIVE(Barrier, Ibarrier, "barrier", -779, true, A1, comm, barrier(k))

#define P2 void *buf, int count, MPI_Datatype type, ROOT
#define A2 buf, count, type, root, comm
COLLECTIVE(Bcast, Ibcast, "bcast", -3335, true, P2, A2, bcast(k, count, type, root))

#define P3 BUFFERS, REDUCTION, ROOT
#define A3 sendbuf, recvbuf, count, type, op, root, comm
COLLECTIVE(Reduce, Ireduce, "reduce", -113, true, P3, A3, reduce(k, count, type, root))

#define P4 BUFFERS, REDUCTION, MPI_Comm comm
#define A4 sendbuf, recvbuf, count, type, op, comm
COLLECTIVE(Allreduce, Iallreduce, "allreduce", -4446, true, P4, A4, allreduce(k, count, type))
COLLECTIVE(Scan, Iscan, "scan", -889, true, P4, A4, allreduce(k, count, type))
COLLECTIVE(Exscan, Iexscan, "exscan", -889, true, P4, A4, allreduce(k, count, type))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, "reduce_scatter_block", -890, true, P4, A4,
           record.extended = true;
           allreduce(k, count, type))

#define P5 BUFFERS, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define A5 sendbuf, recvbuf, counts, type, op, comm
COLLECTIVE(Reduce_scatter, Ireduce_scatter, "reducescatter", -890, true, P5, A5,
           reduce_scatter(k, counts, type))

#define P6 SEND, RECV, ROOT
#define A6 sendbuf, sent, out, recvbuf, received, in, root, comm
COLLECTIVE(Gather, Igather, "gather", -446, true, P6, A6, gather(k, SENT, RECEIVED, root))
COLLECTIVE(Scatter, Iscatter, "scatter", -224, true, P6, A6, scatter(k, SENT, RECEIVED, root))

#define P7 SEND, RECVS, ROOT
#define A7 sendbuf, sent, out, recvbuf, received, received_at, in, root, comm
COLLECTIVE(Gatherv, Igatherv, "gatherv", -2224, true, P7, A7, gatherv(k, SENT, RECEIVED_V, root))

#define P8 SENDS, RECV, ROOT
#define A8 sendbuf, sent, sent_at, out, recvbuf, received, in, root, comm
COLLECTIVE(Scatterv, Iscatterv, "scatterv", -335, true, P8, A8, scatterv(k, SENT_V, RECEIVED, root))

#define P9 SEND, RECV, MPI_Comm comm
#define A9 sendbuf, sent, out, recvbuf, received, in, comm
COLLECTIVE(Allgather, Iallgather, "allgather", -557, true, P9, A9, allgather(k, SENT, RECEIVED))
COLLECTIVE(Alltoall, Ialltoall, "alltoall", -1113, true, P9, A9, allgather(k, SENT, RECEIVED))
COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, "neighbor_allgather", -5001, NEIGHBOURS, P9, A9,
           blocks(k, SENT, RECEIVED, NULL))
COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, "neighbor_alltoall", -5003, NEIGHBOURS, P9, A9,
           blocks(k, SENT, RECEIVED, NULL))

#define P10 SEND, RECVS, MPI_Comm comm
#define A10 sendbuf, sent, out, recvbuf, received, received_at, in, comm
COLLECTIVE(Allgatherv, Iallgatherv, "allgatherv", -668, true, P10, A10,
           allgatherv(k, SENT, RECEIVED_V))
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, "neighbor_allgatherv", -5002, NEIGHBOURS, P10,
           A10, neighbor_v(k, SENT, RECEIVED_V))

#define P11 SENDS, RECVS, MPI_Comm comm
#define A11 sendbuf, sent, sent_at, out, recvbuf, received, received_at, in, comm
COLLECTIVE(Alltoallv, Ialltoallv, "alltoallv", -1001, true, P11, A11,
           alltoallv(k, SENT_V, RECEIVED_V))
COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, "neighbor_alltoallv", -5004, NEIGHBOURS, P11,
           A11, neighbor_v(k, SENT_V, RECEIVED_V))

#define P12(OFFSET)                                                                                \
  const void *sendbuf, const int sent[], const OFFSET sent_at[], const MPI_Datatype out[],         \
      void *recvbuf, const int received[], const OFFSET received_at[], const MPI_Datatype in[],    \
      MPI_Comm comm
COLLECTIVE(Alltoallw, Ialltoallw, "alltoallw", -1021, true, P12(int), A11,
           alltoallw(k, sendbuf, sent, out, received, in))
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, "neighbor_alltoallw", -5005, NEIGHBOURS,
           P12(MPI_Aint), A11, neighbor_w(k, sent, out, received, in))

/* MPI_Reduce_local() has no communicator. */
MPI(Reduce_local, const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
  if (record_enter()) {
    const struct elements e = types_elements(count, type);
    record_line("reduce_local");
    number(e.count);
    number(0);
    optional_type(e.type);
    record_end();
    record.extended = true;
  }
  return record_leave(record.real.Reduce_local(in, inout, count, type, op));
}
