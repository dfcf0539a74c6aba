/* Forces between bodies that are passed around a ring; structs and pointers to them, continue,
 * early return. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 12 };

struct body {
  double x[3], v[3], mass;
};

struct ring {
  int rank, ranks, next, before;
  struct body *mine, *travelling;
};

static int pass_on(struct ring *r)
{
  if (r->ranks == 1)
    return 0;
  MPI_Sendrecv_replace(r->travelling, BODIES * (int)sizeof(struct body), MPI_BYTE, r->next, 7,
                       r->before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 1;
}

static void attract(struct body *a, const struct body *b, double dt)
{
  double d[3], square = 1e-3;
  for (int k = 0; k < 3; k++) {
    d[k] = b->x[k] - a->x[k];
    square += d[k] * d[k];
  }
  for (int k = 0; k < 3; k++)
    a->v[k] += dt * b->mass * d[k] / (square * sqrt(square));
}

int main(int argc, char **argv)
{
  struct ring r;
  double energy = 0, all;
  int hops = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
  r.next = (r.rank + 1) % r.ranks;
  r.before = (r.rank + r.ranks - 1) % r.ranks;
  r.mine = calloc(BODIES, sizeof *r.mine);
  r.travelling = calloc(BODIES, sizeof *r.travelling);
  for (int i = 0; i < BODIES; i++) {
    for (int k = 0; k < 3; k++)
      r.mine[i].x[k] = (i * 7 + k * 3 + r.rank * 5) % 11;
    r.mine[i].mass = 1 + i % 3;
  }
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < BODIES; i++)
      r.travelling[i] = r.mine[i];
    for (int hop = 0; hop < r.ranks; hop++) {
      for (int i = 0; i < BODIES; i++)
        for (int j = 0; j < BODIES; j++)
          if (hop > 0 || i != j)
            attract(&r.mine[i], &r.travelling[j], 0.01);
      if (hop + 1 == r.ranks)
        continue;
      hops += pass_on(&r);
    }
    for (int i = 0; i < BODIES; i++)
      for (int k = 0; k < 3; k++)
        r.mine[i].x[k] += 0.01 * r.mine[i].v[k];
  }
  for (int i = 0; i < BODIES; i++)
    for (int k = 0; k < 3; k++)
      energy += r.mine[i].mass * r.mine[i].v[k] * r.mine[i].v[k] / 2;
  MPI_Reduce(&energy, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (r.rank == 0)
    printf("nbody %.9f %d\n", all, hops);
  free(r.mine), free(r.travelling);
  MPI_Finalize();
  return 0;
}
