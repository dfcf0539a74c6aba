#include "sim/overlay/connections.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

static void open_all(struct connections *c)
{
  const struct adjacency *g = &c->network->bounding.graph;
  for (uint32_t p = 0; p < g->n; p++)
    c->of_process[p] = (uint32_t)(g->first[p + 1] - g->first[p]);
  c->count = adjacency_count(g);
}

enum status connections_init(struct connections *c, const struct overlay_network *network,
                             double set_up, bool opened, struct err *e)
{
  *c = (struct connections){.network = network, .set_up = set_up, .opened = opened};
  if ((c->of_process = mem_array(network->processes.n, sizeof *c->of_process, e)) == NULL)
    return FAIL;
  if (opened)
    open_all(c);
  return OK;
}

void connections_clear(struct connections *c)
{
  pairs_clear(&c->pair);
  heap_clear(&c->due);
  free(c->connection);
  free(c->of_process);
  *c = (struct connections){.count = 0};
}

static enum status add(struct connections *c, uint32_t low, uint32_t high, uint32_t *number,
                       struct err *e)
{
  const size_t count = (size_t)c->pair.count + 1;
  if (MEM_GROW(c->connection, c->room, count, e) != OK ||
      heap_reserve(&c->due, (uint32_t)c->room, e) != OK ||
      pairs_add(&c->pair, low, high, number, e) != OK)
    return FAIL;
  c->connection[*number] = (struct connection){.open = false};
  c->count++;
  c->of_process[low]++;
  c->of_process[high]++;
  return OK;
}

/* One side begins to set a connection up.  If both sides do, the connection opens at the earlier of
 * the two dates, so that the order of the sides at one simulated time does not matter. */
static void ask(struct connections *c, uint32_t number, uint32_t from, uint32_t to, double now)
{
  struct connection *x = &c->connection[number];
  const struct overlay_opening o = overlay_network_open(c->network, from, to);
  const double due = now + c->set_up * o.seconds;
  x->asked[from > to] = true;
  c->requests += o.requests;
  if (c->set_up * o.seconds <= 0) {
    x->open = true;
    heap_remove(&c->due, number);
  } else if (!heap_has(&c->due, number) || due < heap_key(&c->due, number)) {
    heap_set_key(&c->due, number, due);
  }
}

enum status connections_need(struct connections *c, uint32_t from, uint32_t to, double now,
                             uint32_t *number, struct err *e)
{
  const uint32_t low = from < to ? from : to, high = from < to ? to : from;
  uint32_t found;
  *number = CONNECTIONS_OPEN;
  if (c->opened)
    return OK;
  found = pairs_find(&c->pair, low, high);
  if (found == PAIRS_NONE && add(c, low, high, &found, e) != OK)
    return FAIL;
  if (!c->connection[found].open && !c->connection[found].asked[from > to])
    ask(c, found, from, to, now);
  if (!c->connection[found].open)
    *number = found;
  return OK;
}

void connections_wait(struct connections *c, uint32_t number, struct connection_waiter *w)
{
  struct connection *x = &c->connection[number];
  w->next = NULL;
  if (x->first == NULL)
    x->first = w;
  else
    x->last->next = w;
  x->last = w;
}

bool connections_open(struct connections *c, double until, struct connection_waiter **first)
{
  if (!(connections_due(c) < until))
    return false;
  const uint32_t number = heap_first(&c->due);
  struct connection *x = &c->connection[number];
  heap_remove(&c->due, number);
  x->open = true;
  *first = x->first;
  x->first = NULL;
  return true;
}

double connections_due(const struct connections *c)
{
  return heap_count(&c->due) == 0 ? INFINITY : heap_first_key(&c->due);
}
