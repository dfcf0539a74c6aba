#include "traces/collectives/nodes.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

struct place {
  uint32_t host, member;
};

static int by_host(const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  return RISING(x->host, y->host) ?: RISING(x->member, y->member);
}

/* Numbers the nodes in the order of their first members.  @p leader[m] is the first member on the
 * host of member m. */
static void number_nodes(struct nodes *n, uint32_t size, const uint32_t *leader)
{
  for (uint32_t m = 0; m < size; m++) {
    n->node[m] = leader[m] == m ? n->count++ : n->node[leader[m]];
    n->place[m] = n->first[n->node[m]]++; /* number of the node's members so far */
  }
}

static void order_members(struct nodes *n, uint32_t size)
{
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= n->count; i++) {
    const uint32_t members = i < n->count ? n->first[i] : 0;
    n->first[i] = sum;
    sum += members;
  }
  for (uint32_t m = 0; m < size; m++)
    n->member[n->first[n->node[m]] + n->place[m]] = m;
}

static bool are_uniform(const struct nodes *n)
{
  for (uint32_t i = 1; i < n->count; i++)
    if (n->first[i + 1] - n->first[i] != n->first[1])
      return false;
  return true;
}

static bool are_blocked(const struct nodes *n, uint32_t size)
{
  for (uint32_t m = 1; m < size; m++)
    if (n->place[m] != 0 && n->node[m - 1] != n->node[m])
      return false;
  return true;
}

static enum status allocate(struct nodes *n, uint32_t size, struct err *e)
{
  n->node = mem_array(size, sizeof *n->node, e);
  n->place = n->node == NULL ? NULL : mem_array(size, sizeof *n->place, e);
  n->first = n->place == NULL ? NULL : mem_array((size_t)size + 1, sizeof *n->first, e);
  n->member = n->first == NULL ? NULL : mem_array(size, sizeof *n->member, e);
  return n->member == NULL ? FAIL : OK;
}

static void fill(struct nodes *n, struct place *p, uint32_t *leader, uint32_t size)
{
  qsort(p, size, sizeof *p, by_host);
  for (uint32_t i = 0, first = 0; i < size; i++) {
    if (p[i].host != p[first].host)
      first = i;
    leader[p[i].member] = p[first].member;
  }
  number_nodes(n, size, leader);
  order_members(n, size);
  n->uniform = are_uniform(n);
  n->blocked = are_blocked(n, size);
}

static uint32_t host_of(const struct collectives *on, uint32_t rank)
{
  if (on->host != NULL)
    return on->host[rank] / (on->node_cores == 0 ? 1 : on->node_cores);
  return on->ranks_per_host == 0 ? rank : rank / on->ranks_per_host;
}

struct nodes *nodes_new(const struct comm *c, uint32_t ranks, const struct collectives *on,
                        struct err *e)
{
  const uint32_t size = comm_size(c, ranks);
  struct nodes *n = mem_array(1, sizeof *n, e);
  OWNED struct place *p = n == NULL ? NULL : mem_array(size, sizeof *p, e);
  OWNED uint32_t *leader = p == NULL ? NULL : mem_array(size, sizeof *leader, e);
  if (leader == NULL || allocate(n, size, e) != OK) {
    nodes_free(n);
    n = NULL;
  }
  for (uint32_t m = 0; n != NULL && m < size; m++)
    p[m] = (struct place){host_of(on, c == NULL ? m : comm_world_rank(c, m)), m};
  if (n != NULL)
    fill(n, p, leader, size);
  return n;
}

void nodes_free(struct nodes *n)
{
  if (n == NULL)
    return;
  free(n->node);
  free(n->place);
  free(n->first);
  free(n->member);
  free(n);
}
