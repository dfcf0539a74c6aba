/* Cross-traffic: N streams of messages, each between two hosts.  A message starts `gap` seconds
 * after the end of the previous one.  Actor 2i sends the messages of stream i; actor 2i + 1 always
 * waits to receive one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/numeric/rng.h"
#include "sim/load/kind.h"

/* A message and the number of its round, plus 1. */
struct parcel {
  struct transfer transfer;
  uint64_t round;
};

struct end {
  struct step step;
  struct await await;
  uint64_t round; /* messages so far */
};

struct stream {
  struct end end[2];       /* by side */
  struct parcel parcel[2]; /* by parity of the round: one side may be a round ahead */
};

struct flows {
  struct load base;
  uint32_t number;
  uint64_t bytes;
  double gap_s;
  const char *pairs;     /* a file, or "random" */
  struct stream *stream; /* owned */
};

static struct flows *flows_of(struct load *l)
{
  return (struct flows *)l;
}

#define AT(FIELD) offsetof(struct flows, FIELD)

static const struct spec_option OPTIONS[] = {
    LOAD_NUMBER(AT(number), "streams"),
    {"size", SPEC_SIZE, AT(bytes), "1MB", .help = "of a message", .most = 0x1p61},
    {"gap", SPEC_TIME, AT(gap_s), "", .help = "time between two messages of a stream"},
    {"pairs", SPEC_TEXT, AT(pairs), "random", .help = "random, or a file with two hosts per line"},
    LOAD_SEED,
    {.name = NULL},
};

/* --- hosts ------------------------------------------------------------------------------------ */

static const char *file(const struct load *l)
{
  const char *pairs = ((const struct flows *)l)->pairs;
  return strcmp(pairs, "random") == 0 ? NULL : pairs;
}

static enum status draw(struct load *l, struct err *e)
{
  const uint32_t hosts = platform_hosts(l->site->platform);
  struct rng rng = rng_new(l->seed + l->site->seed, 0);
  if (hosts < 2)
    return err_set(e, "it needs two hosts, and the platform has one");
  for (uint32_t i = 0; i < l->actors; i += 2) {
    const uint32_t src = (uint32_t)rng_below(&rng, hosts);
    const uint32_t dst = (uint32_t)rng_below(&rng, hosts - 1);
    l->host[i] = src;
    l->host[i + 1] = dst + (dst >= src);
  }
  return OK;
}

static enum status read_line(struct load *l, char *text, uint32_t stream, struct err *e)
{
  char *word[3] = {NULL};
  size_t n = 0;
  for (char *rest = text, *w; n < 3 && (w = strsep(&rest, " \t\r")) != NULL;)
    if (*w != '\0')
      word[n++] = w;
  if (n != 2)
    return err_set(e, "expected two hosts");
  for (size_t i = 0; i < 2; i++)
    if (!platform_find_host(l->site->platform, word[i], &l->host[2 * stream + i]))
      return err_set(e, "no host '%.80s' on the platform", word[i]);
  if (l->host[2 * stream] == l->host[2 * stream + 1])
    return err_set(e, "from host '%.80s' to itself", word[0]);
  return OK;
}

static bool is_blank(const char *text)
{
  return text[strspn(text, " \t\r")] == '\0' || text[strspn(text, " \t")] == '#';
}

/* Reads lines "SOURCE DESTINATION", one per stream. */
static enum status read_file(struct load *l, struct err *e)
{
  const char *path = flows_of(l)->pairs;
  struct linefile f = {0};
  bool more = true;
  uint32_t streams = 0;
  enum status s = linefile_open(&f, path, e);
  while (s == OK && (s = linefile_next(&f, &more, e)) == OK && more) {
    if (is_blank(f.text))
      continue;
    if (streams == l->actors / 2)
      s = err_at(e, path, f.line, "more than %" PRIu32 " pairs", streams);
    else if (read_line(l, f.text, streams++, e) != OK)
      s = err_place(e, path, f.line);
  }
  if (s == OK && streams < l->actors / 2)
    s = err_at(e, path, f.line, "%" PRIu32 " pairs of hosts for %" PRIu32 " flows", streams,
               l->actors / 2);
  linefile_close(&f);
  return s;
}

static enum status place(struct load *l, struct err *e)
{
  struct flows *f = flows_of(l);
  if ((f->stream = mem_array(f->number, sizeof *f->stream, e)) == NULL ||
      load_actors(l, 2 * f->number, e) != OK)
    return FAIL;
  return (file(l) == NULL ? draw : read_file)(l, e);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The message of a round.  The side that needs it first creates it. */
static struct transfer *message_of(struct load *l, uint32_t stream, uint64_t round)
{
  struct parcel *p = &flows_of(l)->stream[stream].parcel[round % 2];
  if (p->round == round + 1)
    return &p->transfer;
  if (p->round > 0 && l->services->forget != NULL)
    l->services->forget(l->services->engine, &p->transfer);
  *p = (struct parcel){.transfer = {.src = 2 * stream,
                                    .dst = 2 * stream + 1,
                                    .first = l->services->first,
                                    .bytes = flows_of(l)->bytes},
                       .round = round + 1};
  return &p->transfer;
}

/* Posts a side of the next message and waits for its end. */
static struct step *exchange(struct load *l, uint32_t stream, enum side side)
{
  struct end *x = &flows_of(l)->stream[stream].end[side];
  struct transfer *t = message_of(l, stream, x->round);
  t->posted[side] = t->awaited[side] = true;
  l->services->post(l->services->engine, t, side);
  x->await = (struct await){.transfer = t, .side = side};
  x->step = (struct step){.kind = STEP_WAIT, .await = &x->await, .awaits = 1};
  return &x->step;
}

static struct step *step(struct load *l, uint32_t actor)
{
  const uint32_t stream = actor / 2;
  const enum side side = actor % 2 == 0 ? SEND_SIDE : RECV_SIDE;
  struct end *x = &flows_of(l)->stream[stream].end[side];
  const bool arrived = x->step.kind == STEP_WAIT;
  if (arrived)
    x->round++;
  if (arrived && side == RECV_SIDE) {
    l->figures.messages++;
    l->figures.bytes += flows_of(l)->bytes;
  }
  if (!arrived || side == RECV_SIDE || flows_of(l)->gap_s <= 0)
    return exchange(l, stream, side);
  x->step = (struct step){.kind = STEP_SLEEP, .amount = flows_of(l)->gap_s};
  return &x->step;
}

/* Counts messages that have ended with the run, before their receivers could resume. */
static void finish(struct load *l)
{
  const struct services *s = l->services;
  for (uint32_t i = 0; i < l->actors / 2; i++) {
    const struct stream *x = &flows_of(l)->stream[i];
    const struct end *r = &x->end[RECV_SIDE];
    if (r->step.kind != STEP_WAIT || !r->await.transfer->posted[SEND_SIDE] ||
        !s->ended(s->engine, r->await.transfer, RECV_SIDE))
      continue;
    l->figures.messages++;
    l->figures.bytes += flows_of(l)->bytes;
  }
}

static void clear(struct load *l)
{
  free(flows_of(l)->stream);
}

const struct load_kind load_flows = {
    .name = "flows",
    .example = "flows:20,size=1MB,gap=1ms,pairs=random,seed=1",
    .help =
        "N streams of messages between random hosts, or between the pairs of hosts in pairs=FILE",
    .bytes = sizeof(struct flows),
    .options = OPTIONS,
    .place = place,
    .step = step,
    .finish = finish,
    .file = file,
    .clear = clear,
};
