#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "traces/graph/chakra.h"
#include "traces/graph/wire.h"

/* Numbers of et_def.proto. */
enum { NODE_ID = 1, NODE_NAME = 2, NODE_TYPE = 3, NODE_CONTROL = 4, NODE_DATA = 5 };
enum { NODE_DURATION = 7, NODE_INPUTS = 8, NODE_ATTRIBUTE = 10, INPUT_VALUES = 1 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_FIRST = 3, ATTRIBUTE_LAST = 32, STRING_VALUE = 29 };
enum { DOUBLE_VALUE = 3, FLOAT_VALUE = 5, INT32_VALUE = 7, INT64_VALUE = 9 };
enum { SINT32_VALUE = 15, SINT64_VALUE = 17, SFIXED32_VALUE = 23, SFIXED64_VALUE = 25 };
enum { METADATA = 1, MEMORY_LOAD = 2, MEMORY_STORE = 3, COMPUTATION = 4 };
enum { SEND = 5, RECEIVE = 6, COLLECTIVE = 7 };

/* The streams of a rank, as ASTRA-sim has them. */
enum { CPU, GPU, COMMUNICATION };

/* Flops of a microsecond on a host of 1 Gf. */
#define MICROSECOND 1e3

#define NO_GROUP UINT32_MAX

/* Attributes of a node that matter.  A bit in `seen` for each. */
enum attribute { CPU_OP, COMM_TYPE, COMM_SIZE, COMM_SRC, COMM_DST, COMM_TAG, NUM_OPS, ATTRIBUTES };

struct raw {
  uint64_t id, type, micros;
  uint64_t record; /* offset */
  uint64_t value[ATTRIBUTES];
  unsigned seen;
  uint32_t group;         /* number of its name, or NO_GROUP */
  size_t needs, needed;   /* first entry in reader.needs, and their number */
  struct graph_node node; /* of the graph */
};

/* A dependence on a node.  Converters of PyTorch's traces state the caller of an operation as a
 * control dependence, by numbers of another trace. */
struct need {
  uint64_t id;
  bool control;
};

struct reader {
  const struct chakra_rank *from;
  struct wire_reader wire;
  struct raw *raw; /* by order in the file, then by id */
  size_t raw_room, raws;
  struct need *needs;
  size_t needs_room, need;
  struct names group; /* names of process groups that collectives use */
  struct chakra_doubts doubts;
};

static enum status refuse(const struct reader *r, uint64_t record, struct err *e, const char *text)
{
  char copy[sizeof e->text];
  snprintf(copy, sizeof copy, "%s", text);
  return bytes_refuse(r->from->file, record, e, "%s", copy);
}

/* --- messages --------------------------------------------------------------------------------- */

static enum status add_need(struct reader *r, struct raw *x, struct need n, struct err *e)
{
  if (MEM_GROW(r->needs, r->needs_room, r->need + 1, e) != OK)
    return FAIL;
  r->needs[r->need++] = n;
  x->needed++;
  return OK;
}

/* A dependence, or a packed list of them. */
static enum status read_needs(struct reader *r, struct raw *x, struct wire_field *f, struct err *e)
{
  struct need n = {f->value, f->number == NODE_CONTROL};
  if (!f->is_bytes)
    return add_need(r, x, n, e);
  while (f->bytes.at < f->bytes.end)
    if (wire_varint(&f->bytes, &n.id, e) != OK || add_need(r, x, n, e) != OK)
      return FAIL;
  return OK;
}

static double real_of(const struct wire_field *f)
{
  double number;
  float single;
  const uint32_t bits = (uint32_t)f->value;
  memcpy(&number, &f->value, sizeof number);
  memcpy(&single, &bits, sizeof single);
  return f->number == DOUBLE_VALUE ? number : (double)single;
}

/* The value of a signed type; 0 for other types. */
static int64_t signed_of(const struct wire_field *f)
{
  switch (f->number) {
  case INT32_VALUE:
  case INT64_VALUE:
  case SFIXED64_VALUE:
    return (int64_t)f->value;
  case SINT32_VALUE:
  case SINT64_VALUE:
    return (int64_t)(f->value >> 1 ^ -(f->value & 1));
  case SFIXED32_VALUE:
    return (int32_t)(uint32_t)f->value;
  default:
    return 0;
  }
}

/* The value of attribute @p name as an integer, whatever its type. */
static enum status integer_of(const struct wire_field *f, const char *name, uint64_t *out,
                              struct err *e)
{
  const bool real = f->number == DOUBLE_VALUE || f->number == FLOAT_VALUE;
  const bool zigzag = f->number == SINT32_VALUE || f->number == SINT64_VALUE;
  if (real && !(real_of(f) >= 0 && real_of(f) < 0x1p63))
    return err_set(e, "%s: %g is not in [0, 2^63)", name, real_of(f));
  if (signed_of(f) < 0)
    return err_set(e, "%s: %" PRId64 " is below 0", name, signed_of(f));
  *out = real ? (uint64_t)real_of(f) : zigzag ? (uint64_t)signed_of(f) : f->value;
  return OK;
}

static bool named(const struct wire *w, const char *name)
{
  const size_t n = strlen(name);
  return (size_t)(w->end - w->at) == n && memcmp(w->at, name, n) == 0;
}

/* The process group has a name, which may be written as an integer. */
static enum status set_group(struct reader *r, struct raw *x, const struct wire_field *f,
                             struct err *e)
{
  const struct wire *w = &f->bytes;
  uint64_t number;
  char name[256];
  if (f->number != STRING_VALUE) {
    if (f->is_bytes)
      return err_set(e, "pg_name: neither a string nor an integer");
    if (integer_of(f, "pg_name", &number, e) != OK)
      return FAIL;
    snprintf(name, sizeof name, "%" PRIu64, number);
    return names_add(&r->group, name, &x->group, e);
  }
  const size_t n = (size_t)(w->end - w->at);
  if (n == 0)
    return OK;
  if (n >= sizeof name)
    return err_set(e, "pg_name has %zu bytes, more than %zu", n, sizeof name - 1);
  if (memchr(w->at, '\0', n) != NULL)
    return err_set(e, "pg_name has a NUL character");
  memcpy(name, w->at, n);
  name[n] = '\0';
  return names_add(&r->group, name, &x->group, e);
}

static enum status read_attribute(struct reader *r, struct raw *x, struct wire w, struct err *e)
{
  static const char *const NAME[ATTRIBUTES] = {"is_cpu_op", "comm_type", "comm_size", "comm_src",
                                               "comm_dst",  "comm_tag",  "num_ops"};
  struct wire_field f, value = {0};
  struct wire name = {0};
  bool more;
  for (;;) {
    if (wire_next(&w, &f, &more, e) != OK)
      return FAIL;
    if (!more)
      break;
    if (f.number == ATTRIBUTE_NAME && f.is_bytes)
      name = f.bytes;
    else if (f.number >= ATTRIBUTE_FIRST && f.number <= ATTRIBUTE_LAST)
      value = f;
  }
  if (name.at == NULL || value.number == 0)
    return OK;
  if (named(&name, "pg_name"))
    return set_group(r, x, &value, e);
  for (unsigned k = 0; k < ATTRIBUTES && !value.is_bytes; k++)
    if (named(&name, NAME[k])) {
      if (integer_of(&value, NAME[k], &x->value[k], e) != OK)
        return FAIL;
      x->seen |= 1u << k;
    }
  return OK;
}

/* The inputs of a metadata node may state process groups. */
static enum status read_inputs(struct reader *r, struct wire w, struct err *e)
{
  struct wire_field f;
  bool more;
  for (;;) {
    if (wire_next(&w, &f, &more, e) != OK)
      return FAIL;
    if (!more)
      return OK;
    if (f.number == INPUT_VALUES && f.is_bytes &&
        chakra_read_groups(r->from->names, r->from->groups, (const char *)f.bytes.at,
                           (size_t)(f.bytes.end - f.bytes.at), e) != OK)
      return FAIL;
  }
}

static enum status read_field(struct reader *r, struct raw *x, struct wire_field *f,
                              struct wire *inputs, struct err *e)
{
  switch (f->number) {
  case NODE_ID:
    x->id = f->value;
    return OK;
  case NODE_TYPE:
    x->type = f->value;
    return OK;
  case NODE_CONTROL:
  case NODE_DATA:
    return read_needs(r, x, f, e);
  case NODE_DURATION:
    x->micros = f->value;
    return OK;
  case NODE_INPUTS:
    *inputs = f->bytes;
    return OK;
  case NODE_ATTRIBUTE:
    return f->is_bytes ? read_attribute(r, x, f->bytes, e) : OK;
  default:
    return OK;
  }
}

static enum status read_node(struct reader *r, struct wire w, struct raw *x, struct err *e)
{
  struct wire inputs = {0};
  struct wire_field f;
  bool more;
  for (;;) {
    if (wire_next(&w, &f, &more, e) != OK)
      return FAIL;
    if (!more)
      return x->type == METADATA && inputs.at != NULL ? read_inputs(r, inputs, e) : OK;
    if (read_field(r, x, &f, &inputs, e) != OK)
      return FAIL;
  }
}

/* The first message is GlobalMetadata, all others are nodes. */
static enum status read_nodes(struct reader *r, struct err *e)
{
  struct wire w;
  struct err why;
  bool more;
  if (wire_message(&r->wire, &w, &more, e) != OK)
    return FAIL;
  if (!more)
    return refuse(r, 0, e, "the file is empty");
  for (struct wire_field f; more;)
    if (wire_next(&w, &f, &more, &why) != OK)
      return refuse(r, 0, e, why.text);
  for (;;) {
    if (wire_message(&r->wire, &w, &more, e) != OK)
      return FAIL;
    if (!more)
      return OK;
    if (MEM_GROW(r->raw, r->raw_room, r->raws + 1, e) != OK)
      return FAIL;
    struct raw *x = &r->raw[r->raws++];
    *x = (struct raw){.record = r->wire.begin, .group = NO_GROUP, .needs = r->need};
    if (read_node(r, w, x, &why) != OK)
      return refuse(r, x->record, e, why.text);
  }
}

/* --- nodes of the graph ----------------------------------------------------------------------- */

static bool has(const struct raw *x, enum attribute k)
{
  return (x->seen >> k & 1) != 0;
}

static enum status set_computation(struct raw *x)
{
  x->node.kind = ACTION_COMPUTE;
  x->node.stream = x->value[CPU_OP] != 0 ? CPU : GPU;
  x->node.flops = x->micros > 0            ? (double)x->micros * MICROSECOND
                  : x->type == COMPUTATION ? (double)x->value[NUM_OPS]
                                           : 0;
  return OK;
}

static enum status set_message(const struct reader *r, struct raw *x, struct err *e)
{
  const bool sends = x->type == SEND;
  const enum attribute self = sends ? COMM_SRC : COMM_DST, other = sends ? COMM_DST : COMM_SRC;
  const char *what = sends ? "a send" : "a receive";
  if (!has(x, COMM_SIZE) || !has(x, other))
    return err_set(e, "%s without %s", what,
                   !has(x, COMM_SIZE) ? "comm_size"
                   : sends            ? "comm_dst"
                                      : "comm_src");
  if (has(x, self) && x->value[self] != r->from->rank)
    return err_set(e, "%s of rank %" PRIu64 " in the file of rank %" PRIu32, what, x->value[self],
                   r->from->rank);
  if (x->value[other] >= r->from->groups->ranks)
    return err_set(e, "%s: the partner is rank %" PRIu64 ", but there are %" PRIu32 " ranks", what,
                   x->value[other], r->from->groups->ranks);
  if (x->value[COMM_TAG] > INT32_MAX)
    return err_set(e, "%s: the tag %" PRIu64 " is above %d", what, x->value[COMM_TAG], INT32_MAX);
  x->node.kind = sends ? ACTION_SEND : ACTION_RECV;
  x->node.peer = (int32_t)x->value[other];
  x->node.tag = (int32_t)x->value[COMM_TAG];
  x->node.bytes = x->value[COMM_SIZE];
  x->node.stream = COMMUNICATION;
  x->node.holds = sends;
  return OK;
}

static enum status find_group(const struct reader *r, const struct raw *x, const struct comm **out,
                              struct err *e)
{
  uint32_t member;
  *out = NULL;
  if (x->group == NO_GROUP)
    return OK;
  const char *name = r->group.name[x->group];
  if (!chakra_names_find(r->from->names, name, out))
    return err_set(e, "no metadata and no JSON file has the ranks of process group '%.64s'", name);
  if (!comm_member(*out, r->from->rank, &member))
    return err_set(e, "rank %" PRIu32 " is no member of process group '%.64s'", r->from->rank,
                   name);
  return OK;
}

static enum status set_collective(struct reader *r, struct raw *x, struct err *e)
{
  static const enum action_kind KIND[] = {
      ACTION_ALLREDUCE,     ACTION_REDUCE, ACTION_ALLGATHER, ACTION_GATHER,
      ACTION_SCATTER,       ACTION_BCAST,  ACTION_ALLTOALL,  ACTION_REDUCESCATTER,
      ACTION_REDUCESCATTER, ACTION_BARRIER};
  const uint64_t type = x->value[COMM_TYPE];
  if (!has(x, COMM_TYPE))
    return err_set(e, "a collective without comm_type");
  if (type >= sizeof KIND / sizeof *KIND)
    return err_set(e, "a collective of unknown comm_type %" PRIu64, type);
  x->node.kind = KIND[type];
  if (!has(x, COMM_SIZE) && x->node.kind != ACTION_BARRIER)
    return err_set(e, "%s without comm_size", action_name(x->node.kind));
  x->node.bytes = x->value[COMM_SIZE];
  x->node.stream = COMMUNICATION;
  r->doubts.roots += x->node.kind == ACTION_REDUCE || x->node.kind == ACTION_BCAST ||
                     x->node.kind == ACTION_GATHER || x->node.kind == ACTION_SCATTER;
  return find_group(r, x, &x->node.comm, e);
}

/* A call on the CPU that starts communication is a computation. */
static enum status set_node(struct reader *r, struct raw *x, struct err *e)
{
  x->node.record = x->record;
  if (x->type < METADATA || x->type > COLLECTIVE)
    return err_set(e, "node %" PRIu64 " has the unknown type %" PRIu64, x->id, x->type);
  if (x->type < SEND || x->value[CPU_OP] != 0)
    return set_computation(x);
  return x->type == COLLECTIVE ? set_collective(r, x, e) : set_message(r, x, e);
}

/* --- the graph -------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
  const struct raw *x = a, *y = b;
  return RISING(x->id, y->id);
}

static struct raw *find(const struct reader *r, uint64_t id)
{
  const struct raw key = {.id = id};
  return bsearch(&key, r->raw, r->raws, sizeof key, by_id);
}

static enum status add_nodes(struct reader *r, struct graph *g, struct err *e)
{
  if (r->raws > 0)
    qsort(r->raw, r->raws, sizeof *r->raw, by_id);
  for (size_t i = 0; i < r->raws; i++) {
    struct raw *x = &r->raw[i];
    struct err why;
    if (i > 0 && x->id == x[-1].id)
      err_set(&why, "a second node has the id %" PRIu64, x->id);
    else if (set_node(r, x, &why) == OK) {
      if (graph_add(g, &x->node, e) != OK)
        return FAIL;
      continue;
    }
    return refuse(r, x->record, e, why.text);
  }
  return OK;
}

/* Drops dependences on nodes that a filter has removed, and control dependences if @p control is
 * false. */
static enum status add_dependences(struct reader *r, struct graph *g, bool control, struct err *e)
{
  r->doubts.dropped = r->doubts.control = 0;
  for (size_t i = 0; i < r->raws; i++)
    for (size_t k = 0; k < r->raw[i].needed; k++) {
      const struct need n = r->needs[r->raw[i].needs + k];
      const struct raw *from = find(r, n.id);
      if (n.control && !control) {
        r->doubts.control++;
        continue;
      }
      r->doubts.dropped += from == NULL;
      const uint32_t number = from == NULL ? 0 : (uint32_t)(from - r->raw);
      if (from != NULL &&
          graph_depend(g, &(struct graph_edge){number, (uint32_t)i, false}, e) != OK)
        return FAIL;
    }
  return OK;
}

/* *record is the record of a node on a cycle, or 0. */
static enum status make_graph(struct reader *r, struct graph *g, bool control, uint64_t *record,
                              struct err *e)
{
  *record = 0;
  r->doubts.roots = 0;
  return add_nodes(r, g, e) == OK && add_dependences(r, g, control, e) == OK &&
                 graph_finish(g, record, e) == OK
             ? OK
             : FAIL;
}

/* If the dependences are cyclic, control dependences do not state an order. */
static enum status make_either(struct reader *r, struct graph *g, struct err *e)
{
  uint64_t record;
  enum status s = make_graph(r, g, true, &record, e);
  if (s != OK && record > 0) {
    graph_clear(g);
    s = make_graph(r, g, false, &record, e);
  }
  if (s == OK || record == 0)
    return s;
  const struct err why = *e;
  return refuse(r, record, e, why.text);
}

enum status chakra_read_rank(const struct chakra_rank *from, struct graph *out,
                             struct chakra_doubts *doubts, struct err *e)
{
  struct reader r = {.from = from, .wire = {.file = from->file}};
  struct graph g = {0};
  enum status s = read_nodes(&r, e);
  if (s == OK)
    s = make_either(&r, &g, e);
  if (s == OK) {
    *out = g;
    *doubts = r.doubts;
  } else {
    graph_clear(&g);
  }
  wire_clear(&r.wire);
  names_clear(&r.group);
  free(r.raw);
  free(r.needs);
  return s;
}
