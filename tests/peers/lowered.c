/* Writes a trace in which collectives are lowered to messages: lowered TRACE DIR.
 *
 * Each waitall becomes one wait per request. smpirun replays the result where its own waitall
 * fails: SimGrid 3.32 sometimes loses a message when an actor waits for any of several. */
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/datatype.h"
#include "traces/files/spool.h"
#include "traces/files/writer.h"
#include "traces/program/program.h"

/* Collectives use negative tags, which a trace cannot express. */
#define TAG_SHIFT 100000

/* The wait action of each request of a rank, by handle. */
struct waits {
  struct action *wait;
  size_t room;
};

static struct action message(uint32_t rank, const struct op *op, struct action *wait)
{
  const bool send = op->kind == OP_SEND, blocks = op->request == OP_NO_REQUEST;
  const int32_t self = (int32_t)rank, peer = (int32_t)op->peer;
  const int32_t tag = op->tag < 0 ? op->tag + TAG_SHIFT : op->tag;
  *wait = (struct action){
      .kind = ACTION_WAIT, .source = send ? self : peer, .partner = send ? peer : self, .tag = tag};
  return (struct action){.kind = send ? (blocks ? ACTION_SEND : ACTION_ISEND)
                                      : (blocks ? ACTION_RECV : ACTION_IRECV),
                         .partner = peer,
                         .tag = tag,
                         .count = (int64_t)op->bytes,
                         .type = DATATYPE_BYTE};
}

static enum status put_message(struct writer *w, uint32_t rank, const struct op *op,
                               struct waits *waits, struct err *e)
{
  struct action wait;
  if (op->comm != 0)
    return err_set(e, "messages on communicators cannot be lowered");
  const struct action a = message(rank, op, &wait);
  if (op->request != OP_NO_REQUEST) {
    if (MEM_GROW(waits->wait, waits->room, (size_t)op->request + 1, e) != OK)
      return FAIL;
    waits->wait[op->request] = wait;
  }
  return writer_put(w, rank, &a, e);
}

static enum status put(struct writer *w, uint32_t rank, const struct op *op, struct waits *waits,
                       struct err *e)
{
  const struct action busy = {.kind = op->kind == OP_EXEC ? ACTION_COMPUTE : ACTION_SLEEP,
                              .amount = op->amount};
  switch (op->kind) {
  case OP_EXEC:
  case OP_SLEEP:
    return writer_put(w, rank, &busy, e);
  case OP_SEND:
  case OP_RECV:
    return put_message(w, rank, op, waits, e);
  case OP_WAIT:
    return writer_put(w, rank, &waits->wait[op->request], e);
  case OP_WAITALL:
    for (uint32_t i = 0; i < op->nrequests; i++)
      if (writer_put(w, rank, &waits->wait[op->requests[i]], e) != OK)
        return FAIL;
    return OK;
  default:
    return err_set(e, "tests and waits for any cannot be lowered");
  }
}

static enum status put_rank(struct writer *w, struct program *p, uint32_t rank, struct err *e)
{
  struct waits waits = {0};
  struct op op;
  bool more = true;
  enum status s = writer_put(w, rank, &(struct action){.kind = ACTION_INIT}, e);
  while (s == OK && (s = program_next(p, rank, &op, &more, e)) == OK && more)
    s = put(w, rank, &op, &waits, e);
  free(waits.wait);
  return s == OK ? writer_put(w, rank, &(struct action){.kind = ACTION_FINALIZE}, e) : FAIL;
}

static enum status lower(struct program *p, const char *dir, struct err *e)
{
  struct writer *w;
  if (writer_new(&w, dir, program_ranks(p), e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < program_ranks(p); r++)
    if (put_rank(w, p, r, e) != OK) {
      writer_abandon(w);
      return FAIL;
    }
  return writer_commit(w, e);
}

int main(int argc, char **argv)
{
  static const struct collectives DEFAULTS;
  struct trace *t = NULL;
  struct program *p = NULL;
  struct err e = {"usage: lowered TRACE DIR"};
  const bool good = argc == 3 && trace_open(&t, argv[1], SPOOL_LIMIT, &e) == OK &&
                    program_new(&p, t, &DEFAULTS, &e) == OK && lower(p, argv[2], &e) == OK;
  program_free(p);
  trace_free(t);
  if (!good)
    fprintf(stderr, "lowered: %s\n", e.text);
  return !good;
}
