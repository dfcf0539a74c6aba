/* Sends, receives and probes. */
#include <stdlib.h>

#include "record/record.h"

enum { ANY_SOURCE = -333, ANY_TAG = -444 };

/* Arguments of a send or receive. */
struct message {
  int64_t count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
};

/* describe() and describe_silent() set the fields that are used for the kind of request, one by
 * one: clearing the whole struct would take as long as all other work for a message. */
static void describe_silent(struct request *r)
{
  r->kind = REQUEST_SILENT;
  r->persistent = r->pending = r->cancelled = r->taken = false;
}

static void describe(struct request *r, enum request_kind kind, const char *action,
                     const struct message *m)
{
  describe_silent(r);
  r->action = action;
  if (m->peer == MPI_PROC_NULL)
    return;
  r->kind = kind;
  r->comm = comms_find(m->comm);
  r->peer = m->peer == MPI_ANY_SOURCE ? ANY_SOURCE : comms_world(r->comm, m->peer);
  r->tag = m->tag == MPI_ANY_TAG ? ANY_TAG : m->tag;
  r->data = types_elements(m->count, m->type);
}

/* True for buffered and synchronous sends, which smpirun lacks. */
static bool has_mode(const char *action)
{
  return action[0] == 'b' || action[0] == 'S' || action[0] == 'I' || action[1] == 'b';
}

/* "RANK ACTION PEER TAG COUNT [TYPE]" */
static void write_message(struct request *r)
{
  struct out *o = &record.out;
  if (r->kind == REQUEST_SILENT)
    return;
  record_compute();
  comms_state(r->comm);
  r->on_line = out_at(o);
  comms_on(r->comm);
  r->line = out_at(o);
  record_line(r->action);
  out_number(o, r->peer);
  out_number(o, r->tag);
  out_number(o, r->data.count);
  if (r->data.type != TYPE_BYTE)
    out_number(o, r->data.type);
  record_end();
  record.messages++;
  record.extended |= r->peer < 0 || r->tag < 0 || has_mode(r->action);
}

void p2p_erase(struct request *r)
{
  if (r->comm->id != 0)
    out_patch(&record.out, r->on_line + 1, '-');
  out_patch(&record.out, r->line, '#');
  record.messages--;
}

static void write_request(struct request *r, enum request_kind kind, const char *action,
                          const struct message *m)
{
  describe(r, kind, action, m);
  write_message(r);
}

/* --- sends and receives ----------------------------------------------------------------------- */

#define MESSAGE (&(struct message){count, type, peer, tag, comm})

#define SENDS(NAME, action)                                                                        \
  MPI(NAME, const void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)       \
  {                                                                                                \
    struct request r;                                                                              \
    if (record_enter())                                                                            \
      write_request(&r, REQUEST_SEND, action, MESSAGE);                                            \
    return record_leave(record.real.NAME(buf, count, type, peer, tag, comm));                      \
  }

SENDS(Send, "send")
SENDS(Bsend, "bsend")
SENDS(Ssend, "Ssend")
SENDS(Rsend, "send")

MPI(Recv, void *buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
    MPI_Status *status)
{
  struct request r;
  if (record_enter())
    write_request(&r, REQUEST_RECV, "recv", MESSAGE);
  return record_leave(record.real.Recv(buf, count, type, peer, tag, comm, status));
}

/* A nonblocking call: its request is silent while recording is off. */
#define POSTS(NAME, KIND, action, BUFFER)                                                          \
  MPI(NAME, BUFFER buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,            \
      MPI_Request *request)                                                                        \
  {                                                                                                \
    const bool outermost = record_enter_always();                                                  \
    struct request r;                                                                              \
    describe_silent(&r);                                                                           \
    if (outermost && record.on)                                                                    \
      write_request(&r, KIND, action, MESSAGE);                                                    \
    const int result = record.real.NAME(buf, count, type, peer, tag, comm, request);               \
    if (outermost && result == MPI_SUCCESS)                                                        \
      requests_begin(requests_add(request, &r));                                                   \
    return record_leave(result);                                                                   \
  }

POSTS(Isend, REQUEST_SEND, "isend", const void *)
POSTS(Ibsend, REQUEST_SEND, "ibsend", const void *)
POSTS(Issend, REQUEST_SEND, "ISsend", const void *)
POSTS(Irsend, REQUEST_SEND, "isend", const void *)
POSTS(Irecv, REQUEST_RECV, "irecv", void *)

/* --- persistent requests ---------------------------------------------------------------------- */

#define PREPARES(NAME, KIND, action, BUFFER)                                                       \
  MPI(NAME, BUFFER buf, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,            \
      MPI_Request *request)                                                                        \
  {                                                                                                \
    const bool outermost = record_enter_always();                                                  \
    const int result = record.real.NAME(buf, count, type, peer, tag, comm, request);               \
    if (outermost && result == MPI_SUCCESS) {                                                      \
      struct request r;                                                                            \
      describe(&r, KIND, action, MESSAGE);                                                         \
      r.persistent = true;                                                                         \
      requests_add(request, &r);                                                                   \
    }                                                                                              \
    return record_leave(result);                                                                   \
  }

PREPARES(Send_init, REQUEST_SEND, "isend", const void *)
PREPARES(Bsend_init, REQUEST_SEND, "ibsend", const void *)
PREPARES(Ssend_init, REQUEST_SEND, "ISsend", const void *)
PREPARES(Rsend_init, REQUEST_SEND, "isend", const void *)
PREPARES(Recv_init, REQUEST_RECV, "irecv", void *)

static void start(const MPI_Request *request)
{
  struct request *r = requests_find(requests_value(*request), request);
  if (r == NULL && *request != MPI_REQUEST_NULL)
    record_refuse("MPI_Start", "its request was made by a call that cannot be recorded");
  if (r == NULL)
    return;
  write_message(r);
  requests_begin(r);
}

MPI(Start, MPI_Request *request)
{
  if (record_enter())
    start(request);
  return record_leave(record.real.Start(request));
}

MPI(Startall, int count, MPI_Request request[])
{
  if (record_enter())
    for (int i = 0; i < count; i++)
      start(&request[i]);
  return record_leave(record.real.Startall(count, request));
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* True if SMPI's action sendRecv can express the exchange.  It has no tags; they are 0. */
static bool is_send_recv(const struct request *out, const struct request *in)
{
  return out->kind != REQUEST_SILENT && in->kind != REQUEST_SILENT && out->tag == 0 &&
         in->tag == 0 && out->data.count <= INT32_MAX && in->data.count <= INT32_MAX &&
         out->peer != record.rank;
}

static void write_send_recv(const struct request *out, const struct request *in)
{
  struct out *o = &record.out;
  comms_on(out->comm);
  record_line("sendRecv");
  out_number(o, out->data.count);
  out_number(o, out->peer);
  out_number(o, in->data.count);
  out_number(o, in->peer);
  out_number(o, out->data.type);
  out_number(o, in->data.type);
  record_end();
  record.extended |= in->peer < 0;
  record.messages += 2;
}

static void write_wait(struct request *in)
{
  comms_on(in->comm);
  record_line("wait");
  out_number(&record.out, in->peer);
  out_number(&record.out, record.rank);
  out_number(&record.out, in->tag);
  record_end();
}

static void write_exchange(const struct message *send, const struct message *recv)
{
  struct request out, in;
  describe(&out, REQUEST_SEND, "send", send);
  describe(&in, REQUEST_RECV, "irecv", recv);
  if (is_send_recv(&out, &in)) {
    write_send_recv(&out, &in);
    return;
  }
  if (out.kind == REQUEST_SILENT)
    in.action = "recv";
  write_message(&in);
  write_message(&out);
  if (out.kind != REQUEST_SILENT && in.kind != REQUEST_SILENT)
    write_wait(&in);
}

MPI(Sendrecv, const void *out, int sent, MPI_Datatype out_type, int to, int out_tag, void *in,
    int received, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
  if (record_enter())
    write_exchange(&(struct message){sent, out_type, to, out_tag, comm},
                   &(struct message){received, in_type, from, in_tag, comm});
  return record_leave(record.real.Sendrecv(out, sent, out_type, to, out_tag, in, received, in_type,
                                           from, in_tag, comm, status));
}

MPI(Sendrecv_replace, void *buf, int count, MPI_Datatype type, int to, int out_tag, int from,
    int in_tag, MPI_Comm comm, MPI_Status *status)
{
  if (record_enter())
    write_exchange(&(struct message){count, type, to, out_tag, comm},
                   &(struct message){count, type, from, in_tag, comm});
  return record_leave(
      record.real.Sendrecv_replace(buf, count, type, to, out_tag, from, in_tag, comm, status));
}

/* --- probes ----------------------------------------------------------------------------------- */

MPI(Probe, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
  record_enter();
  return record_leave(record.real.Probe(source, tag, comm, status));
}

MPI(Iprobe, int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
  const bool outermost = record_enter_always();
  const int result = record.real.Iprobe(source, tag, comm, flag, status);
  record.polled |= outermost && !*flag;
  return record_leave(result);
}

/* Messages that a matched probe has taken, in the order of the probes. */
static struct {
  struct matched {
    MPI_Message message;
    int source, tag;
    MPI_Comm comm;
  } * list;
  size_t count, room;
} matched;

static void add_matched(MPI_Message m, const MPI_Status *s, MPI_Comm comm)
{
  if (m == MPI_MESSAGE_NO_PROC || m == MPI_MESSAGE_NULL)
    return;
  if (matched.count == matched.room) {
    matched.room = matched.room * 2 + 8;
    matched.list = realloc(matched.list, matched.room * sizeof *matched.list);
    if (matched.list == NULL)
      record_refuse("the recorder", "no memory");
  }
  matched.list[matched.count++] = (struct matched){m, s->MPI_SOURCE, s->MPI_TAG, comm};
}

/* Writes the receive of a matched message; nothing while recording is off. */
static void take_matched(struct request *r, MPI_Message m, const char *action, int count,
                         MPI_Datatype type)
{
  for (size_t i = 0; i < matched.count; i++) {
    const struct matched found = matched.list[i];
    if (found.message != m)
      continue;
    matched.list[i] = matched.list[--matched.count];
    if (record.on)
      write_request(r, REQUEST_RECV, action,
                    &(struct message){count, type, found.source, found.tag, found.comm});
    return;
  }
}

MPI(Mprobe, int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  const bool outermost = record_enter_always();
  const int result = record.real.Mprobe(source, tag, comm, message, s);
  if (outermost && result == MPI_SUCCESS)
    add_matched(*message, s, comm);
  return record_leave(result);
}

MPI(Improbe, int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
    MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  const bool outermost = record_enter_always();
  const int result = record.real.Improbe(source, tag, comm, flag, message, s);
  if (outermost && result == MPI_SUCCESS && *flag)
    add_matched(*message, s, comm);
  record.polled |= outermost && !*flag;
  return record_leave(result);
}

MPI(Mrecv, void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
  struct request r;
  if (record_enter_always())
    take_matched(&r, *message, "recv", count, type);
  return record_leave(record.real.Mrecv(buf, count, type, message, status));
}

MPI(Imrecv, void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
  const bool outermost = record_enter_always();
  struct request r;
  describe_silent(&r);
  if (outermost)
    take_matched(&r, *message, "irecv", count, type);
  const int result = record.real.Imrecv(buf, count, type, message, request);
  if (outermost && result == MPI_SUCCESS)
    requests_begin(requests_add(request, &r));
  return record_leave(result);
}
