/* Writes a small OTF2 archive as recorders write it: variants VARIANT FOLDER.  The library is the
 * only thing that it shares with haichi.  Ranks are locations 10, 20, ...; times are in ns. */
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, REGIONS = 64, WORLD = 0, ROW = 1, DUP = 2, SELF = 3, INTER = 4 };

struct output {
  OTF2_Archive *archive;
  OTF2_GlobalDefWriter *defs;
  OTF2_EvtWriter *w;  /* of the current rank */
  const char *suffix; /* of the names of regions */
  const char *region[REGIONS];
  uint32_t regions, strings;
  uint64_t time;
  int rank;
  bool global;
};

static void check(OTF2_ErrorCode code, int line)
{
  if (code == OTF2_SUCCESS)
    return;
  fprintf(stderr, "variants.c:%d: %s\n", line, OTF2_Error_GetDescription(code));
  exit(1);
}
#define DO(call) check(call, __LINE__)

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool last)
{
  (void)user, (void)type, (void)location, (void)caller, (void)last;
  return OTF2_FLUSH;
}

/* --- calls ----------------------------------------------------------------------------------- */

static uint32_t region_of(struct output *o, const char *name)
{
  uint32_t i = 0;
  while (i < o->regions && strcmp(o->region[i], name) != 0)
    i++;
  if (i == o->regions)
    o->region[o->regions++] = name;
  return i;
}

/* 1 us of computation, then the begin of a function; its end takes 1 us more. */
static void enter(struct output *o, const char *name)
{
  DO(OTF2_EvtWriter_Enter(o->w, NULL, o->time += 1000, region_of(o, name)));
}

static void leave(struct output *o, const char *name)
{
  DO(OTF2_EvtWriter_Leave(o->w, NULL, o->time += 1000, region_of(o, name)));
}

static void call(struct output *o, const char *name)
{
  enter(o, name);
  leave(o, name);
}

static void send(struct output *o, uint32_t to, uint32_t comm, uint32_t tag, uint64_t bytes)
{
  DO(OTF2_EvtWriter_MpiSend(o->w, NULL, o->time, to, comm, tag, bytes));
}

static void recv(struct output *o, uint32_t from, uint32_t comm, uint32_t tag, uint64_t bytes)
{
  DO(OTF2_EvtWriter_MpiRecv(o->w, NULL, o->time, from, comm, tag, bytes));
}

static void collective(struct output *o, const char *name, int operation, uint32_t comm,
                       uint32_t root, uint64_t sent, uint64_t received)
{
  enter(o, name);
  DO(OTF2_EvtWriter_MpiCollectiveBegin(o->w, NULL, o->time));
  DO(OTF2_EvtWriter_MpiCollectiveEnd(o->w, NULL, o->time + 500, (OTF2_CollectiveOp)operation, comm,
                                     root, sent, received));
  leave(o, name);
}

static void initialise(struct output *o)
{
  collective(o, "MPI_Init", OTF2_COLLECTIVE_OP_CREATE_HANDLE, WORLD, OTF2_COLLECTIVE_ROOT_NONE, 0,
             0);
}

static void finalise(struct output *o)
{
  collective(o, "MPI_Finalize", OTF2_COLLECTIVE_OP_DESTROY_HANDLE, WORLD, OTF2_COLLECTIVE_ROOT_NONE,
             0, 0);
}

/* --- variants: the events of a rank ---------------------------------------------------------- */

/* Score-P by default: a ring by Isend and Irecv, which Waitall ends in reverse order; Testsome
 * after a test without success; persistent requests; a cancelled receive; MPI_PROC_NULL. */
static void requests(struct output *o)
{
  const uint32_t next = (uint32_t)(o->rank + 1) % RANKS,
                 last = (uint32_t)(o->rank + RANKS - 1) % RANKS;
  enter(o, "MPI_Irecv");
  DO(OTF2_EvtWriter_MpiIrecvRequest(o->w, NULL, o->time, 1));
  leave(o, "MPI_Irecv");
  enter(o, "MPI_Irecv"); /* cancelled below */
  DO(OTF2_EvtWriter_MpiIrecvRequest(o->w, NULL, o->time, 2));
  leave(o, "MPI_Irecv");
  enter(o, "MPI_Isend");
  DO(OTF2_EvtWriter_MpiIsend(o->w, NULL, o->time, next, WORLD, 7, 1000, 3));
  leave(o, "MPI_Isend");
  enter(o, "MPI_Waitall");
  DO(OTF2_EvtWriter_MpiIsendComplete(o->w, NULL, o->time, 3));
  DO(OTF2_EvtWriter_MpiIrecv(o->w, NULL, o->time, last, WORLD, 7, 1000, 1));
  leave(o, "MPI_Waitall");
  call(o, "MPI_Cancel");
  enter(o, "MPI_Wait");
  DO(OTF2_EvtWriter_MpiRequestCancelled(o->w, NULL, o->time, 2));
  leave(o, "MPI_Wait");
  call(o, "MPI_Send_init");
  call(o, "MPI_Recv_init");
  for (uint64_t i = 0; i < 2; i++) {
    enter(o, "MPI_Startall");
    DO(OTF2_EvtWriter_MpiIrecvRequest(o->w, NULL, o->time, 10));
    DO(OTF2_EvtWriter_MpiIsend(o->w, NULL, o->time, last, WORLD, 8, 500, 11));
    leave(o, "MPI_Startall");
    enter(o, "MPI_Testsome");
    DO(OTF2_EvtWriter_MpiRequestTest(o->w, NULL, o->time, 10));
    DO(OTF2_EvtWriter_MpiIsendComplete(o->w, NULL, o->time, 11));
    leave(o, "MPI_Testsome");
    enter(o, "MPI_Waitsome");
    DO(OTF2_EvtWriter_MpiIrecv(o->w, NULL, o->time, next, WORLD, 8, 500, 10));
    leave(o, "MPI_Waitsome");
  }
  call(o, "MPI_Send"); /* to MPI_PROC_NULL */
  enter(o, "MPI_Send");
  send(o, next, WORLD, 2000000000, 16);
  leave(o, "MPI_Send");
  enter(o, "MPI_Recv");
  recv(o, last, WORLD, 2000000000, 16);
  leave(o, "MPI_Recv");
}

/* Score-P without nonblocking events: MPI_Isend has the event of a send, MPI_Irecv none, and the
 * receive is in the call that completes it. */
static void plain(struct output *o)
{
  const uint32_t next = (uint32_t)(o->rank + 1) % RANKS,
                 last = (uint32_t)(o->rank + RANKS - 1) % RANKS;
  call(o, "MPI_Irecv");
  enter(o, "MPI_Isend");
  send(o, next, WORLD, 7, 100000);
  leave(o, "MPI_Isend");
  enter(o, "MPI_Waitall");
  recv(o, last, WORLD, 7, 100000);
  leave(o, "MPI_Waitall");
}

/* Member @p i of the communicator {3, 1} in events. */
static uint32_t row(const struct output *o, uint32_t i)
{
  return !o->global ? i : i == 0 ? 3 : 1;
}

/* One tag on the world, a copy of it and the communicator {3, 1}, received in another order;
 * MPI_COMM_SELF; collectives with roots on {3, 1}. */
static void communicators(struct output *o)
{
  if (o->rank == 3) { /* member 0 of ROW */
    enter(o, "MPI_Send");
    send(o, 1, WORLD, 5, 10);
    leave(o, "MPI_Send");
    enter(o, "MPI_Send");
    send(o, 1, DUP, 5, 20);
    leave(o, "MPI_Send");
    enter(o, "MPI_Send");
    send(o, row(o, 1), ROW, 5, 40);
    leave(o, "MPI_Send");
    collective(o, "MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST, ROW, row(o, 1), 0, 64);
    collective(o, "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, ROW, row(o, 0), 8, 16);
  } else if (o->rank == 1) {
    enter(o, "MPI_Recv");
    recv(o, row(o, 0), ROW, 5, 40);
    leave(o, "MPI_Recv");
    enter(o, "MPI_Recv");
    recv(o, 3, DUP, 5, 20);
    leave(o, "MPI_Recv");
    enter(o, "MPI_Recv");
    recv(o, 3, WORLD, 5, 10);
    leave(o, "MPI_Recv");
    collective(o, "MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST, ROW, row(o, 1), 128, 64);
    collective(o, "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, ROW, row(o, 0), 8, 0);
  }
  enter(o, "MPI_Sendrecv"); /* with itself */
  send(o, 0, SELF, 1, 4);
  recv(o, 0, SELF, 1, 4);
  leave(o, "MPI_Sendrecv");
  enter(o, "MPI_Sendrecv"); /* the last rank receives from MPI_PROC_NULL, the first sends to it */
  if (o->rank > 0)
    send(o, (uint32_t)o->rank - 1, WORLD, 2, 32);
  if (o->rank < RANKS - 1)
    recv(o, (uint32_t)o->rank + 1, WORLD, 2, 32);
  leave(o, "MPI_Sendrecv");
}

/* {0, 2} and {1, 3}: member i of one sends to member i of the other. */
static void inter(struct output *o)
{
  const uint32_t other = (uint32_t)o->rank / 2;
  if (o->rank % 2 == 0) {
    enter(o, "MPI_Send");
    send(o, other, INTER, 3, 48);
    leave(o, "MPI_Send");
  } else {
    enter(o, "MPI_Recv");
    recv(o, other, INTER, 3, 48);
    leave(o, "MPI_Recv");
  }
}

/* In place, with blocks of 4000 bytes: three of them are four blocks of 3000 bytes. */
static void in_place(struct output *o)
{
  const bool root = o->rank == 2;
  const uint64_t b = 4000;
  collective(o, "MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE, WORLD, 2, root ? 0 : b, root ? 3 * b : 0);
  collective(o, "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, WORLD, 2, root ? 0 : b, root ? 3 * b : 0);
  collective(o, "MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER, WORLD, 2, root ? 3 * b : 0,
             root ? 0 : b);
  collective(o, "MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, WORLD, OTF2_COLLECTIVE_ROOT_NONE, 24,
             24); /* 8 bytes */
  const uint64_t own = 100 * (uint64_t)(o->rank + 1), all = 1000;
  collective(o, "MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV, WORLD, 2, root ? 0 : own,
             root ? all - own : 0);
  collective(o, "MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV, WORLD, 2, root ? all - own : 0,
             root ? 0 : own);
  collective(o, "MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, WORLD, OTF2_COLLECTIVE_ROOT_NONE,
             3 * own, all - own);
  collective(o, "MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, WORLD,
             OTF2_COLLECTIVE_ROOT_NONE, all - own, 3 * own);
}

/* Two collectives, on the world and on {3, 1}, that end in the reverse order. */
static void nonblocking(struct output *o)
{
  enter(o, "MPI_Iallreduce");
  DO(OTF2_EvtWriter_NonBlockingCollectiveRequest(o->w, NULL, o->time, 1));
  leave(o, "MPI_Iallreduce");
  if (o->rank % 2 == 1) {
    enter(o, "MPI_Ibcast");
    DO(OTF2_EvtWriter_NonBlockingCollectiveRequest(o->w, NULL, o->time, 2));
    leave(o, "MPI_Ibcast");
    enter(o, "MPI_Wait");
    DO(OTF2_EvtWriter_NonBlockingCollectiveComplete(o->w, NULL, o->time, OTF2_COLLECTIVE_OP_BCAST,
                                                    ROW, 0, o->rank == 3 ? 200 : 0, 100, 2));
    leave(o, "MPI_Wait");
  }
  enter(o, "MPI_Waitall");
  DO(OTF2_EvtWriter_NonBlockingCollectiveComplete(o->w, NULL, o->time, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                  WORLD, OTF2_COLLECTIVE_ROOT_NONE, 32, 32, 1));
  leave(o, "MPI_Waitall");
}

/* Receives that never end, as eztrace writes them. */
static void lost(struct output *o)
{
  enter(o, "MPI_Isend");
  DO(OTF2_EvtWriter_MpiIsend(o->w, NULL, o->time, (uint32_t)(o->rank + 1) % RANKS, WORLD, 7, 100,
                             1));
  leave(o, "MPI_Isend");
  enter(o, "MPI_Irecv");
  DO(OTF2_EvtWriter_MpiIrecvRequest(o->w, NULL, o->time, 2));
  leave(o, "MPI_Irecv");
  enter(o, "MPI_Waitall");
  DO(OTF2_EvtWriter_MpiIsendComplete(o->w, NULL, o->time, 1));
  leave(o, "MPI_Waitall");
}

/* Rank 0 records nothing for 1 ms; the clock of rank 1 is 50 us ahead of the receiver's. */
static void clocks(struct output *o)
{
  if (o->rank == 0) {
    DO(OTF2_EvtWriter_MeasurementOnOff(o->w, NULL, o->time, OTF2_MEASUREMENT_OFF));
    DO(OTF2_EvtWriter_MeasurementOnOff(o->w, NULL, o->time += 1000000, OTF2_MEASUREMENT_ON));
  } else if (o->rank == 1) {
    o->time += 50000;
    enter(o, "MPI_Send");
    send(o, 2, WORLD, 1, 8);
    leave(o, "MPI_Send");
  } else if (o->rank == 2) {
    enter(o, "MPI_Recv");
    recv(o, 1, WORLD, 1, 8);
    leave(o, "MPI_Recv");
  }
}

static const struct {
  const char *name;
  void (*rank)(struct output *);
  const char *suffix;
  bool global;
} VARIANTS[] = {
    {"requests", requests, "", false},   {"plain", plain, "", false},
    {"tau", plain, "()", false},         {"communicators", communicators, "", false},
    {"global", communicators, "", true}, {"inter", inter, "", false},
    {"in_place", in_place, "", false},   {"nonblocking", nonblocking, "", false},
    {"lost", lost, "", false},           {"clocks", clocks, "", false},
};

/* --- definitions ----------------------------------------------------------------------------- */

static uint32_t string(struct output *o, const char *text)
{
  DO(OTF2_GlobalDefWriter_WriteString(o->defs, o->strings, text));
  return o->strings++;
}

static void group(struct output *o, uint32_t id, int type, const uint64_t *member, uint32_t count)
{
  DO(OTF2_GlobalDefWriter_WriteGroup(
      o->defs, id, string(o, "group"), (OTF2_GroupType)type, OTF2_PARADIGM_MPI,
      o->global ? OTF2_GROUP_FLAG_GLOBAL_MEMBERS : OTF2_GROUP_FLAG_NONE, count, member));
}

static void comm(struct output *o, uint32_t id, const char *name, uint32_t members, uint32_t parent)
{
  DO(OTF2_GlobalDefWriter_WriteComm(o->defs, id, string(o, name), members, parent,
                                    OTF2_COMM_FLAG_NONE));
}

static void define_comms(struct output *o)
{
  static const uint64_t LOCATIONS[] = {10, 20, 30, 40}, ALL[] = {0, 1, 2, 3}, ODD[] = {3, 1},
                        A[] = {0, 2}, B[] = {1, 3};
  group(o, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, LOCATIONS, RANKS);
  group(o, 1, OTF2_GROUP_TYPE_COMM_GROUP, ALL, RANKS);
  group(o, 2, OTF2_GROUP_TYPE_COMM_GROUP, ODD, 2);
  group(o, 3, OTF2_GROUP_TYPE_COMM_SELF, NULL, 0);
  group(o, 4, OTF2_GROUP_TYPE_COMM_GROUP, A, 2);
  group(o, 5, OTF2_GROUP_TYPE_COMM_GROUP, B, 2);
  comm(o, SELF, "MPI_COMM_SELF", 3, OTF2_UNDEFINED_COMM);
  comm(o, ROW, "", 2, WORLD);
  comm(o, DUP, "", 1, WORLD);
  comm(o, WORLD, "MPI_COMM_WORLD", 1, OTF2_UNDEFINED_COMM);
  DO(OTF2_GlobalDefWriter_WriteInterComm(o->defs, INTER, string(o, "inter"), 4, 5, WORLD,
                                         OTF2_COMM_FLAG_NONE));
}

/* Rank r is location 10 (r + 1); location 11 is a thread of rank 0, location 12 a GPU. */
static void define_places(struct output *o)
{
  const uint32_t name = string(o, "here");
  DO(OTF2_GlobalDefWriter_WriteSystemTreeNode(o->defs, 0, name, name,
                                              OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (uint32_t r = 0; r < RANKS; r++)
    DO(OTF2_GlobalDefWriter_WriteLocationGroup(o->defs, r, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                               0, OTF2_UNDEFINED_LOCATION_GROUP));
  for (uint32_t i = 10; i <= 10 * RANKS; i++)
    if (i % 10 == 0 || i < 13)
      DO(OTF2_GlobalDefWriter_WriteLocation(o->defs, i, name,
                                            i == 12 ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM
                                                    : OTF2_LOCATION_TYPE_CPU_THREAD,
                                            2, i / 10 - 1));
}

static void define_all(struct output *o)
{
  const uint32_t empty = string(o, "");
  char name[64];
  define_places(o);
  for (uint32_t i = 0; i < o->regions; i++) {
    snprintf(name, sizeof name, "%s%s", o->region[i], o->suffix);
    const uint32_t id = string(o, name);
    DO(OTF2_GlobalDefWriter_WriteRegion(o->defs, i, id, id, empty, OTF2_REGION_ROLE_UNKNOWN,
                                        o->suffix[0] != '\0' ? OTF2_PARADIGM_COMPILER
                                                             : OTF2_PARADIGM_MPI,
                                        OTF2_REGION_FLAG_NONE, empty, 0, 0));
  }
  define_comms(o);
  DO(OTF2_GlobalDefWriter_WriteClockProperties(o->defs, 1000000000, 0, 100000000,
                                               OTF2_UNDEFINED_TIMESTAMP));
}

/* --- the archive ----------------------------------------------------------------------------- */

static void write_locations(struct output *o, void (*events)(struct output *))
{
  DO(OTF2_Archive_OpenEvtFiles(o->archive));
  for (int i = 10; i <= 10 * RANKS; i++) {
    if (i % 10 != 0 && i > 12)
      continue;
    o->w = OTF2_Archive_GetEvtWriter(o->archive, (OTF2_LocationRef)i);
    o->time = 1000;
    o->rank = i / 10 - 1;
    if (i % 10 == 0) {
      initialise(o);
      events(o);
      finalise(o);
    } else {
      call(o, i == 11 ? "MPI_Wtime" : "kernel");
    }
    DO(OTF2_Archive_CloseEvtWriter(o->archive, o->w));
  }
  DO(OTF2_Archive_CloseEvtFiles(o->archive));
}

int main(int argc, char **argv)
{
  static const OTF2_FlushCallbacks FLUSH = {.otf2_pre_flush = flush};
  for (size_t i = 0; argc == 3 && i < sizeof VARIANTS / sizeof *VARIANTS; i++) {
    struct output o = {.suffix = VARIANTS[i].suffix, .global = VARIANTS[i].global};
    if (strcmp(argv[1], VARIANTS[i].name) != 0)
      continue;
    o.archive = OTF2_Archive_Open(argv[2], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    DO(OTF2_Archive_SetFlushCallbacks(o.archive, &FLUSH, NULL));
    DO(OTF2_Archive_SetSerialCollectiveCallbacks(o.archive));
    write_locations(&o, VARIANTS[i].rank);
    o.defs = OTF2_Archive_GetGlobalDefWriter(o.archive);
    define_all(&o);
    DO(OTF2_Archive_Close(o.archive));
    return 0;
  }
  fprintf(stderr, "usage: variants VARIANT FOLDER\n");
  return 2;
}
