/* Calls of MPI 1 and 2 that all.c does not make: buffered and ready sends, MPI_Sendrecv_replace,
 * completion of some of several requests, derived types, groups, grids within grids.  On 4 ranks.
 */
#include <mpi.h>
#include <stdlib.h>

static int rank, next, last;
static double a[1000], b[1000];

static void modes(void)
{
  static char room[10000];
  char *attached;
  int size;
  MPI_Request r[4];
  MPI_Buffer_attach(room, sizeof room);
  MPI_Bsend(a, 100, MPI_CHAR, next, 1, MPI_COMM_WORLD);
  MPI_Ibsend(a, 200, MPI_CHAR, next, 2, MPI_COMM_WORLD, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Recv(b, 100, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(b, 300, MPI_CHAR, last, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&attached, &size);
  MPI_Irecv(b, 50, MPI_SHORT, last, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(b + 100, 60, MPI_SHORT, last, 4, MPI_COMM_WORLD, &r[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(a, 50, MPI_SHORT, next, 3, MPI_COMM_WORLD);
  MPI_Irsend(a, 60, MPI_SHORT, next, 4, MPI_COMM_WORLD, &r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  MPI_Irecv(b, 10, MPI_FLOAT, last, 5, MPI_COMM_WORLD, &r[0]);
  MPI_Ssend(a, 10, MPI_FLOAT, next, 5, MPI_COMM_WORLD);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(a, 30, MPI_INT, next, 6, last, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(a, 31, MPI_INT, rank < 3 ? next : MPI_PROC_NULL, 7,
                       rank > 0 ? last : MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void completion(void)
{
  MPI_Request r[3];
  int index, flag = 0, n, which[3];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 2; i++)
      MPI_Irecv(b + 100 * i, 20 + i, MPI_DOUBLE, last, 10 + i, MPI_COMM_WORLD, &r[i]);
    MPI_Isend(a, 20, MPI_DOUBLE, next, 10, MPI_COMM_WORLD, &r[2]);
    MPI_Send(a, 21, MPI_DOUBLE, next, 11, MPI_COMM_WORLD);
    for (int left = 3; left > 0;)
      if (round == 0) {
        MPI_Waitany(3, r, &index, MPI_STATUS_IGNORE);
        left--;
      } else if (round == 1) {
        MPI_Testany(3, r, &index, &flag, MPI_STATUS_IGNORE);
        left -= flag && index != MPI_UNDEFINED;
      } else {
        MPI_Waitsome(3, r, &n, which, MPI_STATUSES_IGNORE);
        left -= n;
      }
  }
  MPI_Irecv(b, 5, MPI_INT, last, 20, MPI_COMM_WORLD, &r[0]);
  MPI_Send(a, 5, MPI_INT, next, 20, MPI_COMM_WORLD);
  while (!(MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE), flag))
    continue;
  MPI_Send(a, 6, MPI_INT, next, 21, MPI_COMM_WORLD);
  MPI_Probe(last, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (!(MPI_Iprobe(last, 21, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), flag))
    continue;
  MPI_Recv(b, 6, MPI_INT, last, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
  static char room[10000];
  MPI_Request r[5];
  char *attached;
  int size;
  MPI_Buffer_attach(room, sizeof room);
  for (int i = 0; i < 2; i++)
    MPI_Recv_init(b + 100 * i, 40, MPI_LONG, last, 30 + i, MPI_COMM_WORLD, &r[i]);
  MPI_Ssend_init(a, 40, MPI_LONG, next, 30, MPI_COMM_WORLD, &r[2]);
  MPI_Bsend_init(a, 40, MPI_LONG, next, 31, MPI_COMM_WORLD, &r[3]);
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 4; k++)
      MPI_Start(&r[k]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < 4; i++)
    MPI_Request_free(&r[i]);
  MPI_Buffer_detach(&attached, &size);
}

/* Sends one element of the type along the ring. */
static void one(MPI_Datatype type, int tag)
{
  MPI_Type_commit(&type);
  MPI_Sendrecv(a, 1, type, next, tag, b, 1, type, last, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
}

static void types(void)
{
  const int lengths[2] = {1, 3}, places[2] = {0, 4}, sizes[2] = {6, 8}, parts[2] = {2, 3},
            begins[2] = {1, 1};
  const MPI_Aint bytes[2] = {0, 64};
  const MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype t, twice;
  MPI_Type_contiguous(5, MPI_INT, &t);
  one(t, 40);
  MPI_Type_vector(4, 2, 5, MPI_DOUBLE, &t);
  one(t, 41);
  MPI_Type_create_hvector(3, 2, 64, MPI_INT, &t);
  one(t, 42);
  MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &t);
  one(t, 43);
  MPI_Type_create_hindexed(2, lengths, bytes, MPI_DOUBLE, &t);
  one(t, 44);
  MPI_Type_create_indexed_block(2, 3, places, MPI_INT, &t);
  one(t, 45);
  MPI_Type_create_struct(2, lengths, bytes, kinds, &t);
  one(t, 46);
  MPI_Type_create_subarray(2, sizes, parts, begins, MPI_ORDER_C, MPI_DOUBLE, &t);
  one(t, 47);
  MPI_Type_contiguous(3, MPI_SHORT, &t);
  MPI_Type_create_resized(t, 0, 32, &twice);
  MPI_Type_free(&t);
  one(twice, 48);
  MPI_Type_dup(MPI_DOUBLE, &t);
  one(t, 49);
}

/* A message and a reduction around the communicator. */
static void use(MPI_Comm c, int tag)
{
  int me, n;
  if (c == MPI_COMM_NULL)
    return;
  MPI_Comm_rank(c, &me);
  MPI_Comm_size(c, &n);
  MPI_Sendrecv(a, 8, MPI_INT, (me + 1) % n, tag, b, 8, MPI_INT, (me + n - 1) % n, tag, c,
               MPI_STATUS_IGNORE);
  MPI_Reduce(me == n - 1 ? MPI_IN_PLACE : a, me == n - 1 ? a : NULL, 12, MPI_INT, MPI_SUM, n - 1,
             c);
}

static void groups(void)
{
  MPI_Group all, g[4];
  MPI_Comm c, grid, part, twin;
  int range[1][3] = {{3, 1, -1}};
  const int dims[3] = {2, 2, 1}, periodic[3] = {1, 0, 0}, keep[3] = {0, 1, 0},
            index[4] = {1, 2, 3, 4}, edges[4] = {1, 0, 3, 2};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_excl(all, 1, (int[]){2}, &g[0]);
  MPI_Group_range_incl(all, 1, range, &g[1]); /* 3 2 1 */
  MPI_Group_intersection(g[0], g[1], &g[2]);  /* 1 3 */
  MPI_Group_difference(all, g[2], &g[3]);     /* 0 2 */
  for (int i = 0; i < 4; i++) {
    MPI_Comm_create(MPI_COMM_WORLD, g[i], &c);
    use(c, 50 + i);
    MPI_Group_free(&g[i]);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 7, -rank, &c); /* 3 2 0 */
  use(c, 60);
  if (c != MPI_COMM_NULL) {
    MPI_Comm_group(c, &g[0]);
    MPI_Group_incl(g[0], 2, (int[]){2, 0}, &g[1]); /* 0 3 */
    MPI_Comm_create(c, g[1], &part);
    use(part, 61);
    MPI_Comm_dup(c, &twin);
    use(twin, 62);
  }
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periodic, 0, &grid);
  use(grid, 63);
  MPI_Cart_sub(grid, keep, &part);
  use(part, 64);
  MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &c);
  use(c, 65);
}

static void collectives(void)
{
  const int counts[4] = {1, 2, 3, 4}, places[4] = {0, 10, 20, 30};
  const MPI_Datatype kinds[4] = {MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE};
  const MPI_Datatype mine[4] = {kinds[rank], kinds[rank], kinds[rank], kinds[rank]};
  const int own[4] = {rank + 1, rank + 1, rank + 1, rank + 1};
  const int at[4] = {0, 400, 800, 1200};
  MPI_Gather(rank == 1 ? MPI_IN_PLACE : a, 6, MPI_INT, b, 6, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Scatter(a, 6, MPI_INT, rank == 2 ? MPI_IN_PLACE : b, 6, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Gatherv(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Scatterv(a, counts, places, MPI_INT, b, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allgatherv(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 5, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(a, 5, MPI_INT, b, 5, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(a, counts, places, MPI_INT, b, own, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallw(a, counts, at, kinds, b, own, at, mine, MPI_COMM_WORLD);
  MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, a, 9, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(a, b, 9, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(a, b, 9, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  next = (rank + 1) % 4;
  last = (rank + 3) % 4;
  modes();
  completion();
  persistent();
  types();
  groups();
  collectives();
  MPI_Finalize();
  return 0;
}
