#include "sim/overlay/congestion.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "platforms/clusters/clusters.h"

/* Upper limit of the bytes sent per byte that arrives. */
#define MOST_SENT 16

/* TCP over Ethernet: bytes of a segment, and segments that one acknowledgement confirms. */
#define SEGMENT_BYTES    1460
#define SEGMENTS_PER_ACK 2

/* --- routes between clusters ------------------------------------------------------------------ */

/* The usual queue of a router holds the bandwidth-delay product (Villamizar and Song, ACM SIGCOMM
 * CCR 24(5), 1994). */
static struct wide_link wide_link(const struct congestion *c, const struct platform *p,
                                  uint32_t link, double queue)
{
  const struct platform_link x = platform_link(p, link);
  const double product = x.bandwidth * 2 * x.latency_s;
  return (struct wide_link){.link = link,
                            .bandwidth = x.bandwidth,
                            .holds = product + (queue == 0 && c->rto_s > 0 ? product : queue)};
}

static enum status add_link(struct congestion *c, const struct platform *p, uint32_t link,
                            double queue, struct err *e)
{
  uint32_t i = 0;
  while (i < c->links && c->link[i].link != link)
    i++;
  if (MEM_GROW(c->link, c->link_room, c->links + 1, e) != OK ||
      MEM_GROW(c->way, c->way_room, c->ways + 1, e) != OK)
    return FAIL;
  if (i == c->links)
    c->link[c->links++] = wide_link(c, p, link, queue);
  c->way[c->ways++] = i;
  return OK;
}

static enum status add_way(struct congestion *c, struct platform_finder *f,
                           const struct platform_clusters *all, size_t pair, double queue,
                           struct err *e)
{
  struct platform_route route;
  const size_t from = pair / c->clusters, to = pair % c->clusters;
  if (from == to)
    return OK;
  if (platform_route_needed(f, all->first[from], all->first[to], &route, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route.links; i++)
    if (platform_clusters_of_link(all, route.link[i]) == CLUSTERS_NONE &&
        add_link(c, all->p, route.link[i], queue, e) != OK)
      return FAIL;
  return OK;
}

static enum status find_ways(struct congestion *c, const struct platform_clusters *all,
                             double queue, struct err *e)
{
  const size_t pairs = (size_t)c->clusters * c->clusters;
  struct platform_finder *f;
  if ((c->first = mem_array(pairs + 1, sizeof *c->first, e)) == NULL ||
      platform_finder_new(&f, all->p, e) != OK)
    return FAIL;
  enum status s = OK;
  for (size_t i = 0; i < pairs && s == OK; i++) {
    s = add_way(c, f, all, i, queue, e);
    c->first[i + 1] = c->ways;
  }
  platform_finder_free(f);
  return s;
}

enum status congestion_make(struct congestion *c, const struct overlay_spec *s,
                            const struct platform *p, const struct overlay_network *n,
                            struct err *e)
{
  struct platform_clusters all;
  *c = (struct congestion){.clusters = 0};
  if (!overlay_spec_congests(s))
    return OK;
  if (platform_clusters_find(&all, p, e) != OK)
    return FAIL;
  *c = (struct congestion){.cluster = n->processes.cluster,
                           .clusters = all.count,
                           .buffer = (double)s->buffer,
                           .loss = s->loss,
                           .rto_s = s->rto_s};
  const enum status status = find_ways(c, &all, (double)s->queue, e);
  platform_clusters_clear(&all);
  return status;
}

void congestion_clear(struct congestion *c)
{
  pairs_clear(&c->connection);
  free(c->link);
  free(c->first);
  free(c->way);
  free(c->messages);
  *c = (struct congestion){.clusters = 0};
}

/* --- counting --------------------------------------------------------------------------------- */

static size_t pair_of(const struct congestion *c, uint32_t from, uint32_t to)
{
  return (size_t)c->cluster[from] * c->clusters + c->cluster[to];
}

static void count(struct congestion *c, uint32_t from, uint32_t to, int by)
{
  const size_t pair = pair_of(c, from, to);
  for (size_t i = c->first[pair]; i < c->first[pair + 1]; i++)
    c->link[c->way[i]].connections += (uint32_t)by;
}

enum status congestion_begin(struct congestion *c, uint32_t from, uint32_t to, struct err *e)
{
  uint32_t number;
  if (MEM_GROW(c->messages, c->room, (size_t)c->connection.count + 1, e) != OK)
    return FAIL;
  const uint32_t known = c->connection.count;
  if (pairs_add(&c->connection, from, to, &number, e) != OK)
    return FAIL;
  if (number == known)
    c->messages[number] = 0;
  if (c->messages[number]++ == 0)
    count(c, from, to, 1);
  return OK;
}

void congestion_end(struct congestion *c, uint32_t from, uint32_t to)
{
  if (--c->messages[pairs_find(&c->connection, from, to)] == 0)
    count(c, from, to, -1);
}

/* --- bytes sent again ------------------------------------------------------------------------- */

/* Bytes per second that a TCP connection sends if it loses the share p of its segments: Padhye,
 * Firoiu, Towsley and Kurose, "Modeling TCP Throughput", SIGCOMM 1998; also RFC 5348, 3.1. */
static double tcp_sends(double p, double rtt, double rto)
{
  const double b = SEGMENTS_PER_ACK;
  const double fast = rtt * sqrt(2 * b * p / 3);
  const double timeouts = rto * fmin(1, 3 * sqrt(3 * b * p / 8)) * p * (1 + 32 * p * p);
  return SEGMENT_BYTES / (fast + timeouts);
}

/* The share of segments that is lost once all connections on the link get the whole bandwidth.  The
 * queue is then full, and the round trip is the time of the bytes that the link holds. */
static double tcp_loss(const struct congestion *c, const struct wide_link *x)
{
  const double rtt = x->holds / x->bandwidth;
  double low = 0, high = 1;
  if (x->connections * c->buffer <= x->holds)
    return 0;
  for (int i = 0; i < 40; i++) {
    const double p = (low + high) / 2;
    const double sent = fmin(tcp_sends(p, rtt, c->rto_s), c->buffer / rtt);
    if (x->connections * sent * (1 - p) > x->bandwidth)
      low = p;
    else
      high = p;
  }
  return low;
}

/* Bytes sent per byte that arrives over the link. */
static double sent_per_byte(const struct congestion *c, const struct wide_link *x)
{
  if (c->rto_s > 0)
    return 1 / (1 - tcp_loss(c, x));
  return pow(fmax(1, x->connections * c->buffer / x->holds), c->loss);
}

double congestion_again(const struct congestion *c, uint32_t from, uint32_t to)
{
  const size_t pair = pair_of(c, from, to);
  double worst = 1;
  for (size_t i = c->first[pair]; i < c->first[pair + 1]; i++)
    worst = fmax(worst, sent_per_byte(c, &c->link[c->way[i]]));
  return fmin(worst, MOST_SENT) - 1;
}
