/* GOAL in the binary form of LogGOPSim's txt2bin.  Numbers are little-endian and not aligned.
 * LogGOPSim2 writes another layout with the same magic number; the length of each rank's section
 * tells them apart. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/files/bytes.h"
#include "traces/files/source.h"
#include "traces/graph/graph_trace.h"

enum { MAGIC = 4223, PLACES = 14, BASE = 8, PLACE = 16, NODE = 39, BUFFER_NODES = 1024 };

/* Bytes of a rank besides its nodes, roots and edges. */
enum { RANK_LEAST = 8 };

#define ANY UINT32_MAX

struct section {
  uint64_t offset, size;
};

struct goal_binary {
  struct graph_trace graph;
  struct bytes bytes;
};

/* A rank while it is read. */
struct rank {
  const struct bytes *bytes;
  uint64_t nodes_at, edges_at; /* offsets */
  uint32_t nodes, roots, edges;
  uint32_t ranks;
  uint32_t *edge;
  struct graph *graph;
};

static uint64_t number(const unsigned char *p, unsigned bytes)
{
  uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | p[i];
  return value;
}

static uint32_t u32(const unsigned char *p)
{
  return (uint32_t)number(p, 4);
}

/* --- a rank ----------------------------------------------------------------------------------- */

static enum status find_section(const struct goal_binary *t, uint32_t rank, struct section *out,
                                struct err *e)
{
  const uint64_t at = PLACES + (uint64_t)PLACE * rank;
  unsigned char place[PLACE];
  if (bytes_need(&t->bytes, at, place, sizeof place, e) != OK)
    return FAIL;
  const uint64_t begin = number(place, 8), end = number(place + 8, 8), size = t->bytes.size;
  if (end > size - BASE || begin > end || end - begin < RANK_LEAST)
    return bytes_refuse(&t->bytes, at, e,
                        "rank %" PRIu32 " from %" PRIu64 " to %" PRIu64
                        " is not within the file of %" PRIu64 " bytes",
                        rank, begin, end, size);
  *out = (struct section){BASE + begin, end - begin};
  return OK;
}

/* The numbers of nodes and roots must leave a whole number of edges. */
static enum status read_head(struct rank *k, const struct section *s, struct err *e)
{
  unsigned char head[RANK_LEAST];
  if (bytes_need(k->bytes, s->offset, head, sizeof head, e) != OK)
    return FAIL;
  k->nodes = u32(head);
  k->roots = u32(head + 4);
  const uint64_t fixed = RANK_LEAST + 4 * (uint64_t)k->roots + NODE * (uint64_t)k->nodes;
  if (k->roots > k->nodes || fixed > s->size || (s->size - fixed) % 4 != 0 ||
      (s->size - fixed) / 4 > UINT32_MAX)
    return bytes_refuse(k->bytes, s->offset, e,
                        "%" PRIu32 " nodes and %" PRIu32 " roots do not make up the %" PRIu64
                        " bytes of this rank: no file of LogGOPSim, perhaps of LogGOPSim2",
                        k->nodes, k->roots, s->size);
  k->nodes_at = s->offset + RANK_LEAST + 4 * (uint64_t)k->roots;
  k->edges = (uint32_t)((s->size - fixed) / 4);
  k->edges_at = k->nodes_at + NODE * (uint64_t)k->nodes;
  return OK;
}

static enum status read_edges(struct rank *k, struct err *e)
{
  if ((k->edge = mem_array(k->edges, sizeof *k->edge, e)) == NULL ||
      bytes_need(k->bytes, k->edges_at, k->edge, 4 * (size_t)k->edges, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < k->edges; i++) {
    unsigned char p[4];
    memcpy(p, &k->edge[i], sizeof p);
    if ((k->edge[i] = u32(p)) >= k->nodes)
      return bytes_refuse(k->bytes, k->edges_at + 4 * (uint64_t)i, e,
                          "a dependence of node %" PRIu32 ", but the rank has %" PRIu32 " nodes",
                          k->edge[i], k->nodes);
  }
  return OK;
}

static enum status set_message(const struct rank *k, struct graph_node *n, uint32_t peer,
                               uint32_t tag, struct err *e)
{
  const bool receives = n->kind == ACTION_RECV;
  if (n->bytes > INT64_MAX)
    return bytes_refuse(k->bytes, n->record, e, "a message of %" PRIu64 " bytes is above %" PRId64,
                        n->bytes, INT64_MAX);
  if (peer >= k->ranks && !(receives && peer == ANY))
    return bytes_refuse(k->bytes, n->record, e,
                        "the partner is rank %" PRIu32 ", but there are %" PRIu32 " ranks", peer,
                        k->ranks);
  if (tag > INT32_MAX && !(receives && tag == ANY))
    return bytes_refuse(k->bytes, n->record, e, "the tag %" PRIu32 " is above %d", tag, INT32_MAX);
  n->peer = peer == ANY ? ACTION_ANY_SOURCE : (int32_t)peer;
  n->tag = tag == ANY ? ACTION_ANY_TAG : (int32_t)tag;
  return OK;
}

static enum status set_node(const struct rank *k, const unsigned char *p, struct graph_node *n,
                            struct err *e)
{
  static const enum action_kind KIND[] = {ACTION_SEND, ACTION_RECV, ACTION_COMPUTE};
  const uint64_t size = number(p + 9, 8);
  if (p[4] < 1 || p[4] > 3)
    return bytes_refuse(k->bytes, n->record, e, "a node of unknown kind %u", p[4]);
  n->kind = KIND[p[4] - 1];
  n->stream = p[21];
  if (n->kind == ACTION_COMPUTE) {
    n->flops = (double)size;
    return OK;
  }
  n->bytes = size;
  return set_message(k, n, u32(p + 5), u32(p + 17), e);
}

/* Adds the dependences on node d.from.  @p list holds their number and the index of the first one
 * in the list of edges. */
static enum status add_edges(const struct rank *k, uint64_t record, struct graph_edge d,
                             const unsigned char *list, struct err *e)
{
  const uint32_t count = u32(list), first = u32(list + 4);
  if (count > 0 && (first > k->edges || count > k->edges - first))
    return bytes_refuse(k->bytes, record, e,
                        "dependences %" PRIu32 " to %" PRIu64 ", but the rank has %" PRIu32, first,
                        (uint64_t)first + count, k->edges);
  for (uint32_t i = 0; i < count; i++) {
    d.to = k->edge[first + i];
    if (k->graph->edges >= k->edges)
      return bytes_refuse(k->bytes, record, e, "a dependence is listed twice");
    if (graph_depend(k->graph, &d, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status read_node(const struct rank *k, const unsigned char *p, struct err *e)
{
  struct graph_node n = {.record = k->nodes_at + NODE * (uint64_t)k->graph->nodes};
  const uint32_t self = k->graph->nodes;
  if (set_node(k, p, &n, e) != OK || graph_add(k->graph, &n, e) != OK)
    return FAIL;
  if (add_edges(k, n.record, (struct graph_edge){self, 0, false}, p + 23, e) != OK)
    return FAIL;
  return add_edges(k, n.record, (struct graph_edge){self, 0, true}, p + 31, e);
}

static enum status read_nodes(const struct rank *k, struct err *e)
{
  unsigned char buffer[NODE * BUFFER_NODES];
  for (uint32_t done = 0; done < k->nodes;) {
    const uint32_t left = k->nodes - done, n = left < BUFFER_NODES ? left : BUFFER_NODES;
    if (bytes_need(k->bytes, k->nodes_at + NODE * (uint64_t)done, buffer, NODE * (size_t)n, e) !=
        OK)
      return FAIL;
    for (uint32_t i = 0; i < n; i++)
      if (read_node(k, buffer + (size_t)NODE * i, e) != OK)
        return FAIL;
    done += n;
  }
  return OK;
}

static enum status read_rank(struct goal_binary *t, uint32_t rank, struct graph *g, struct err *e)
{
  struct rank k = {.bytes = &t->bytes, .ranks = t->graph.trace.ranks, .graph = g};
  struct section s;
  uint64_t record;
  enum status status = find_section(t, rank, &s, e);
  if (status == OK)
    status = read_head(&k, &s, e);
  if (status == OK)
    status = read_edges(&k, e);
  if (status == OK)
    status = read_nodes(&k, e);
  free(k.edge);
  if (status == OK && graph_finish(g, &record, e) != OK) {
    const struct err why = *e;
    return record == 0 ? FAIL : bytes_refuse(&t->bytes, record, e, "%s", why.text);
  }
  return status;
}

static enum status load(struct trace *trace, uint32_t rank, struct graph *out, struct err *e)
{
  struct graph g = {0};
  if (read_rank((struct goal_binary *)trace, rank, &g, e) != OK) {
    graph_clear(&g);
    return FAIL;
  }
  *out = g;
  return OK;
}

/* --- the format ------------------------------------------------------------------------------- */

static bool sniff(const char *path)
{
  char head[BASE];
  return bytes_peek(path, head, sizeof head) == sizeof head &&
         number((const unsigned char *)head, BASE) == MAGIC;
}

static void close_goal(struct trace *trace)
{
  struct goal_binary *t = (struct goal_binary *)trace;
  graph_trace_clear(&t->graph);
  bytes_close(&t->bytes);
}

/* Checks the number of ranks, and the layout of each rank. */
static enum status read_places(struct goal_binary *t, struct err *e)
{
  unsigned char head[4];
  if (bytes_need(&t->bytes, BASE, head, sizeof head, e) != OK)
    return FAIL;
  const uint32_t ranks = u32(head);
  if (ranks == 0 || ranks > SOURCE_RANKS_MAX)
    return bytes_refuse(&t->bytes, BASE, e, "%" PRIu32 " ranks, not 1 to %d", ranks,
                        SOURCE_RANKS_MAX);
  if (t->bytes.size < PLACES + (uint64_t)PLACE * ranks)
    return bytes_refuse(&t->bytes, BASE, e,
                        "%" PRIu32 " ranks do not fit in a file of %" PRIu64 " bytes", ranks,
                        t->bytes.size);
  t->graph.trace.ranks = ranks;
  for (uint32_t r = 0; r < ranks; r++) {
    struct rank k = {.bytes = &t->bytes};
    struct section s;
    if (find_section(t, r, &s, e) != OK || read_head(&k, &s, e) != OK)
      return FAIL;
  }
  return graph_trace_init(&t->graph, e);
}

static enum status open_goal(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct goal_binary *t = (struct goal_binary *)trace;
  t->bytes.fd = -1;
  return bytes_open(&t->bytes, trace->name, unpack_limit, e) == OK ? read_places(t, e) : FAIL;
}

const struct trace_format trace_goal_binary = {
    .name = "GOAL, binary",
    .bytes = sizeof(struct goal_binary),
    .sniff = sniff,
    .open = open_goal,
    .close = close_goal,
    .next = graph_trace_next,
    .rewind = graph_trace_rewind,
    .graph = load,
};
