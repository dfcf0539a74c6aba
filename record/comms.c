#include <stdlib.h>
#include <string.h>

#include "record/record.h"

enum { BUCKETS = 256 /* a power of 2 */ };

static struct comm *bucket[BUCKETS], world;

static size_t bucket_of(MPI_Comm handle)
{
  return ((uint64_t)handle * 0x9e3779b97f4a7c15u >> 32) % BUCKETS;
}

static void *need(size_t count, size_t size)
{
  void *p = calloc(count, size);
  if (p == NULL)
    record_refuse("the recorder", "no memory");
  return p;
}

static void link_comm(struct comm *c)
{
  struct comm **first = &bucket[bucket_of(c->handle)];
  c->next = *first;
  *first = c;
}

/* Sets the world ranks of the members. */
static void read_members(struct comm *c)
{
  MPI_Group all, own;
  int *members = need((size_t)c->size, sizeof *members);
  c->world = need((size_t)c->size, sizeof *c->world);
  for (int i = 0; i < c->size; i++)
    members[i] = i;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(c->handle, &own);
  PMPI_Group_translate_ranks(own, c->size, members, all, c->world);
  PMPI_Group_free(&all);
  PMPI_Group_free(&own);
  free(members);
}

/* The communicator of a handle, without its id. */
static struct comm *new_comm(const char *call, MPI_Comm handle)
{
  int inter = 0;
  PMPI_Comm_test_inter(handle, &inter);
  if (inter)
    record_refuse(call, "intercommunicators cannot be recorded");
  struct comm *c = need(1, sizeof *c);
  c->handle = handle;
  PMPI_Comm_size(handle, &c->size);
  PMPI_Comm_rank(handle, &c->rank);
  read_members(c);
  link_comm(c);
  return c;
}

void comms_init(void)
{
  world = (struct comm){.handle = MPI_COMM_WORLD, .size = record.ranks, .rank = record.rank};
  link_comm(&world);
  new_comm("MPI_Init", MPI_COMM_SELF)->id = 1 + record.rank;
}

struct comm *comms_find(MPI_Comm handle)
{
  if (handle == world.handle)
    return &world;
  for (struct comm *c = bucket[bucket_of(handle)]; c != NULL; c = c->next)
    if (c->handle == handle)
      return c;
  record_refuse("a call of MPI", handle == MPI_COMM_NULL
                                     ? "its communicator is MPI_COMM_NULL"
                                     : "its communicator was made by a call that is not recorded");
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Adds a number to a hash (the finalizer of splitmix64). */
static uint64_t mix(uint64_t hash, int64_t number)
{
  uint64_t x = (hash ^ (uint64_t)number) + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Begins the hash of an id, for one of three kinds of calls on a communicator. */
static uint64_t hash_call(int kind, const struct comm *parent)
{
  return mix(mix(0, kind), parent->id);
}

/* An id from 2^62 on, above the ids that are counted. */
static int64_t hashed(uint64_t hash)
{
  return (int64_t)(hash >> 2 | UINT64_C(1) << 62);
}

/* The id of a communicator with this first member, created by the latest collective call on
 * @p parent.  All ranks make the calls on communicators of all ranks in the same order, so these
 * calls are counted together, and ids are small.  Other calls are known to some ranks alone. */
static int64_t id_by_call(const struct comm *parent, int first)
{
  if (parent->size == record.ranks)
    return 1 + first + (int64_t)record.ranks * world.calls;
  return hashed(mix(mix(hash_call(1, parent), parent->calls), first));
}

/* The calls of MPI_Comm_create_group of this rank by the hash of their arguments: a hash table with
 * open addressing, of a power of 2 of places. */
static struct {
  struct alike {
    uint64_t hash;
    int64_t calls; /* 0: the place is free */
  } * place;
  size_t count, room;
} grouped;

/* The place of a hash. */
static struct alike *place_of(uint64_t hash)
{
  size_t i = hash & (grouped.room - 1);
  while (grouped.place[i].calls > 0 && grouped.place[i].hash != hash)
    i = (i + 1) & (grouped.room - 1);
  return &grouped.place[i];
}

static void grow_grouped(void)
{
  struct alike *old = grouped.place;
  const size_t before = grouped.room;
  grouped.room = before == 0 ? 16 : 2 * before;
  grouped.place = need(grouped.room, sizeof *grouped.place);
  for (size_t i = 0; i < before; i++)
    if (old[i].calls > 0)
      *place_of(old[i].hash) = old[i];
  free(old);
}

/* The id of a communicator that MPI_Comm_create_group has created: a hash of the arguments, which
 * all members have, and of the number of earlier calls with these arguments, which the members made
 * together. */
static int64_t id_by_members(const struct comm *parent, const struct comm *c, int tag)
{
  uint64_t hash = mix(hash_call(2, parent), tag);
  for (int i = 0; i < c->size; i++)
    hash = mix(hash, c->world[i]);
  if (2 * grouped.count >= grouped.room)
    grow_grouped();
  struct alike *alike = place_of(hash);
  grouped.count += alike->calls == 0;
  alike->hash = hash;
  return hashed(mix(hash, alike->calls++));
}

void comms_add_duplicate(MPI_Comm handle, int64_t id)
{
  new_comm("MPI_Comm_idup", handle)->id = id;
}

/* Adds the communicator, if any, that a collective call on @p comm has created. */
static void add_created(const char *call, MPI_Comm comm, MPI_Comm handle)
{
  if (!record.active)
    return;
  struct comm *parent = comms_find(comm);
  (parent->size == record.ranks ? &world : parent)->calls++;
  if (handle == MPI_COMM_NULL)
    return;
  struct comm *c = new_comm(call, handle);
  c->id = id_by_call(parent, c->world[0]);
}

/* The struct stays: pending requests point to it. */
void comms_remove(MPI_Comm handle)
{
  for (struct comm **at = &bucket[bucket_of(handle)]; *at != NULL; at = &(*at)->next)
    if ((*at)->handle == handle) {
      *at = (*at)->next;
      return;
    }
}

/* Number of members from @p i on with one stride. */
static int run_length(const struct comm *c, int i)
{
  int n = i + 1 < c->size ? 2 : 1;
  while (i + n < c->size && c->world[i + n] - c->world[i + n - 1] == c->world[i + 1] - c->world[i])
    n++;
  return n;
}

static void state(struct comm *c)
{
  struct out *o = &record.out;
  out_text(o, "# haichi: comm");
  out_number(o, c->id);
  for (int i = 0, n; i < c->size; i += n) {
    n = run_length(c, i);
    n = n == 2 ? 1 : n;
    out_number(o, c->world[i]);
    if (n == 1)
      continue;
    out_text(o, ":");
    const int stride = c->world[i + 1] - c->world[i];
    if (stride < 0)
      out_text(o, "-");
    out_digits(o, (uint64_t)abs(stride));
    out_text(o, ":");
    out_digits(o, (uint64_t)n);
  }
  out_text(o, "\n");
  c->stated = true;
}

void comms_state(struct comm *c)
{
  if (c->id != 0 && !c->stated)
    state(c);
}

void comms_on(struct comm *c)
{
  struct out *o = &record.out;
  if (c->id == 0)
    return;
  record_compute();
  comms_state(c);
  record.extended = true;
  out_text(o, "# haichi: on");
  out_number(o, c->id);
  out_text(o, "\n");
}

/* --- neighbours ------------------------------------------------------------------------------- */

static void state_grid(struct comm *c)
{
  int axes, side[8], periodic[8], at[8];
  PMPI_Cartdim_get(c->handle, &axes);
  if (axes > 8)
    record_refuse("a neighbourhood collective", "a grid of more than 8 dimensions");
  c->grid_of_none = axes == 0;
  c->sources = c->destinations = 2 * axes;
  if (axes == 0)
    return;
  PMPI_Cart_get(c->handle, axes, side, periodic, at);
  out_text(&record.out, "# haichi: cart");
  out_number(&record.out, c->id);
  for (int d = 0; d < axes; d++) {
    out_number(&record.out, side[d]);
    out_text(&record.out, periodic[d] ? "p" : "");
  }
  out_text(&record.out, "\n");
}

static void state_lists(const struct comm *c, const int *source, const int *destination)
{
  out_text(&record.out, "# haichi: graph");
  out_number(&record.out, c->id);
  out_text(&record.out, " from");
  for (int i = 0; i < c->sources; i++)
    out_number(&record.out, source[i] < 0 ? -1 : source[i]);
  out_text(&record.out, " to");
  for (int i = 0; i < c->destinations; i++)
    out_number(&record.out, destination[i] < 0 ? -1 : destination[i]);
  out_text(&record.out, "\n");
}

static void state_graph(struct comm *c)
{
  int n;
  PMPI_Graph_neighbors_count(c->handle, c->rank, &n);
  int *list = need((size_t)n + 1, sizeof *list);
  PMPI_Graph_neighbors(c->handle, c->rank, n, list);
  c->sources = c->destinations = n;
  state_lists(c, list, list);
  free(list);
}

static void state_dist_graph(struct comm *c)
{
  int weighted;
  PMPI_Dist_graph_neighbors_count(c->handle, &c->sources, &c->destinations, &weighted);
  const size_t in = (size_t)c->sources + 1, out = (size_t)c->destinations + 1;
  int *source = need(2 * (in + out), sizeof *source), *destination = source + in;
  int *weights = destination + out;
  PMPI_Dist_graph_neighbors(c->handle, c->sources, source, weights, c->destinations, destination,
                            weights + in);
  state_lists(c, source, destination);
  free(source);
}

bool comms_neighbours(struct comm *c)
{
  int kind;
  if (c->neighbour)
    return !c->grid_of_none;
  record_compute();
  comms_state(c);
  PMPI_Topo_test(c->handle, &kind);
  if (kind == MPI_CART)
    state_grid(c);
  else if (kind == MPI_GRAPH)
    state_graph(c);
  else
    state_dist_graph(c);
  c->neighbour = true;
  return !c->grid_of_none;
}

/* --- creation --------------------------------------------------------------------------------- */

/* A call that creates *made. */
#define CREATES(NAME, made, ...)                                                                   \
  {                                                                                                \
    record_enter_always();                                                                         \
    const int result = record.real.NAME(__VA_ARGS__);                                              \
    if (result == MPI_SUCCESS)                                                                     \
      add_created("MPI_" #NAME, comm, *(made));                                                    \
    return record_leave(result);                                                                   \
  }

MPI(Comm_dup, MPI_Comm comm, MPI_Comm *made)
CREATES(Comm_dup, made, comm, made)

MPI(Comm_dup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm *made)
CREATES(Comm_dup_with_info, made, comm, info, made)

MPI(Comm_split, MPI_Comm comm, int color, int key, MPI_Comm *made)
CREATES(Comm_split, made, comm, color, key, made)

MPI(Comm_split_type, MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
CREATES(Comm_split_type, made, comm, type, key, info, made)

MPI(Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm *made)
CREATES(Comm_create, made, comm, group, made)

MPI(Cart_create, MPI_Comm comm, int axes, const int side[], const int periodic[], int reorder,
    MPI_Comm *made)
CREATES(Cart_create, made, comm, axes, side, periodic, reorder, made)

MPI(Cart_sub, MPI_Comm comm, const int remain[], MPI_Comm *made)
CREATES(Cart_sub, made, comm, remain, made)

MPI(Graph_create, MPI_Comm comm, int n, const int index[], const int edges[], int reorder,
    MPI_Comm *made)
CREATES(Graph_create, made, comm, n, index, edges, reorder, made)

MPI(Dist_graph_create, MPI_Comm comm, int n, const int sources[], const int degrees[],
    const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *made)
CREATES(Dist_graph_create, made, comm, n, sources, degrees, destinations, weights, info, reorder,
        made)

MPI(Dist_graph_create_adjacent, MPI_Comm comm, int in, const int sources[], const int inweights[],
    int out, const int destinations[], const int outweights[], MPI_Info info, int reorder,
    MPI_Comm *made)
CREATES(Dist_graph_create_adjacent, made, comm, in, sources, inweights, out, destinations,
        outweights, info, reorder, made)

MPI(Comm_create_group, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
  const bool recorded = record_enter_always();
  const int result = record.real.Comm_create_group(comm, group, tag, made);
  if (recorded && result == MPI_SUCCESS && *made != MPI_COMM_NULL) {
    struct comm *c = new_comm("MPI_Comm_create_group", *made);
    c->id = id_by_members(comms_find(comm), c, tag);
  }
  return record_leave(result);
}

/* Nonblocking calls on several communicators may have another order on each rank, so each
 * communicator counts its own. */
MPI(Comm_idup, MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
  const bool recorded = record_enter_always();
  const int result = record.real.Comm_idup(comm, made, request);
  if (recorded && result == MPI_SUCCESS) {
    struct comm *c = comms_find(comm);
    requests_add(request, &(struct request){.kind = REQUEST_COMM,
                                            .created = *made,
                                            .comm = c,
                                            .id = hashed(mix(hash_call(3, c), c->duplicates++))});
  }
  return record_leave(result);
}

MPI(Comm_free, MPI_Comm *comm)
{
  if (record_enter_always())
    comms_remove(*comm);
  return record_leave(record.real.Comm_free(comm));
}
