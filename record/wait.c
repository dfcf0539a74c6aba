/* Waits and tests.  A successful test is written as a wait, so that requests complete in the same
 * order as in the program.  Other tests write nothing. */
#include <stdlib.h>

#include "record/record.h"

/* Requests of the current call, and copies of their handles; MPI sets handles to null. */
static struct {
  struct request **found;
  uint64_t *handle;
  MPI_Status *status;
  int room, cancelled; /* requests of the process on which MPI_Cancel was called */
} scratch;

static void need(int count)
{
  if (count <= scratch.room)
    return;
  scratch.room = count * 2;
  const size_t n = (size_t)scratch.room;
  scratch.found = realloc(scratch.found, n * sizeof(struct request *));
  scratch.handle = realloc(scratch.handle, n * sizeof *scratch.handle);
  scratch.status = realloc(scratch.status, n * sizeof *scratch.status);
  if (scratch.found == NULL || scratch.handle == NULL || scratch.status == NULL)
    record_refuse("the recorder", "no memory");
}

static void save(int count, const MPI_Request request[])
{
  need(count);
  for (int i = 0; i < count; i++)
    scratch.handle[i] = requests_value(request[i]);
}

static void write_wait(const struct request *r)
{
  struct out *o = &record.out;
  const bool send = r->kind == REQUEST_SEND;
  if (!record.on || !r->pending || r->kind == REQUEST_SILENT || r->kind == REQUEST_COMM)
    return;
  if (r->kind == REQUEST_COLLECTIVE) {
    record_compute();
    out_text(o, "# haichi: request");
    out_number(o, r->name);
    out_text(o, "\n");
  } else {
    comms_on(r->comm);
  }
  const bool message = r->kind != REQUEST_COLLECTIVE;
  record_line("wait");
  out_number(o, message && !send ? r->peer : record.rank);
  out_number(o, message && send ? r->peer : record.rank);
  out_number(o, r->tag);
  record_end();
}

/* Writes the wait of a request on which MPI_Cancel() was called or, if the request was cancelled,
 * erases it from the trace.  Only the status tells whether it was cancelled. */
static void settle_cancelled(struct request *r, const MPI_Status *status)
{
  int cancelled = 0;
  scratch.cancelled--;
  PMPI_Test_cancelled(status, &cancelled);
  if (!cancelled)
    write_wait(r);
  else if (r->pending)
    p2p_erase(r);
}

/* Ends a request that has completed and whose wait has been written. */
static void settle(struct request *r, const MPI_Status *status)
{
  if (r == NULL)
    return;
  if (r->cancelled)
    settle_cancelled(r, status);
  if (r->kind == REQUEST_COMM)
    comms_add_duplicate(r->created, r->id);
  requests_complete(r);
}

/* Writes the wait of a request that has completed, and ends the request. */
static void complete(uint64_t handle, const MPI_Request *at, const MPI_Status *status)
{
  struct request *r = requests_find(handle, at);
  if (r != NULL && !r->cancelled)
    write_wait(r);
  settle(r, status);
}

/* --- one request ------------------------------------------------------------------------------ */

MPI(Wait, MPI_Request *request, MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  struct request *r = NULL;
  if (record_enter_always())
    r = requests_find(requests_value(*request), request);
  if (r != NULL && !r->cancelled)
    write_wait(r);
  const int result = record.real.Wait(request, s);
  settle(r, s);
  return record_leave(result);
}

MPI(Test, MPI_Request *request, int *flag, MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  const bool outermost = record_enter_always();
  const uint64_t handle = requests_value(*request);
  const int result = record.real.Test(request, flag, s);
  if (outermost && *flag)
    complete(handle, request, s);
  record.polled |= outermost && !*flag;
  return record_leave(result);
}

MPI(Request_free, MPI_Request *request)
{
  struct request *r = NULL;
  if (record_enter_always())
    r = requests_find(requests_value(*request), request);
  if (r != NULL)
    requests_abandon(r);
  return record_leave(record.real.Request_free(request));
}

MPI(Cancel, MPI_Request *request)
{
  struct request *r = NULL;
  if (record_enter_always())
    r = requests_find(requests_value(*request), request);
  if (r != NULL && !r->cancelled && (r->kind == REQUEST_SEND || r->kind == REQUEST_RECV)) {
    r->cancelled = true;
    scratch.cancelled++;
  }
  return record_leave(record.real.Cancel(request));
}

/* --- all of several requests ------------------------------------------------------------------ */

/* Finds the requests, each once.  Returns the number of pending messages among them. */
static uint64_t find_all(int count, const MPI_Request request[])
{
  uint64_t messages = 0;
  for (int i = 0; i < count; i++) {
    struct request *r = requests_find(scratch.handle[i], &request[i]);
    scratch.found[i] = r;
    if (r == NULL)
      continue;
    r->taken = true;
    messages += r->pending && !r->cancelled && (r->kind == REQUEST_SEND || r->kind == REQUEST_RECV);
  }
  return messages;
}

/* A waitall waits for all pending messages of the rank: other sets of messages have a wait each. */
static void write_waits(int count, uint64_t messages)
{
  const bool all = record.on && messages > 0 && messages == requests_pending();
  if (all) {
    record_line("waitall");
    out_number(&record.out, (int64_t)messages);
    record_end();
  }
  for (int i = 0; i < count; i++) {
    const struct request *r = scratch.found[i];
    if (r != NULL && !r->cancelled && !(all && r->kind != REQUEST_COLLECTIVE))
      write_wait(r);
  }
}

static void settle_all(int count, const MPI_Status status[])
{
  for (int i = 0; i < count; i++)
    settle(scratch.found[i], &status[i]);
}

/* The caller's statuses, or scratch.status if the caller ignores them and a request may be
 * cancelled. */
static MPI_Status *statuses(MPI_Status status[])
{
  return status == MPI_STATUSES_IGNORE && scratch.cancelled > 0 ? scratch.status : status;
}

MPI(Waitall, int count, MPI_Request request[], MPI_Status status[])
{
  if (!record_enter_always())
    return record_leave(record.real.Waitall(count, request, status));
  save(count, request);
  write_waits(count, find_all(count, request));
  MPI_Status *s = statuses(status);
  const int result = record.real.Waitall(count, request, s);
  settle_all(count, s);
  return record_leave(result);
}

MPI(Testall, int count, MPI_Request request[], int *flag, MPI_Status status[])
{
  if (!record_enter_always())
    return record_leave(record.real.Testall(count, request, flag, status));
  save(count, request);
  MPI_Status *s = statuses(status);
  const int result = record.real.Testall(count, request, flag, s);
  if (*flag) {
    write_waits(count, find_all(count, request));
    settle_all(count, s);
  }
  record.polled = !*flag;
  return record_leave(result);
}

/* --- any of several requests ------------------------------------------------------------------ */

MPI(Waitany, int count, MPI_Request request[], int *index, MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  const bool outermost = record_enter_always();
  if (outermost)
    save(count, request);
  const int result = record.real.Waitany(count, request, index, s);
  if (outermost && *index != MPI_UNDEFINED)
    complete(scratch.handle[*index], &request[*index], s);
  return record_leave(result);
}

MPI(Testany, int count, MPI_Request request[], int *index, int *flag, MPI_Status *status)
{
  MPI_Status own, *s = status == MPI_STATUS_IGNORE ? &own : status;
  const bool outermost = record_enter_always();
  if (outermost)
    save(count, request);
  const int result = record.real.Testany(count, request, index, flag, s);
  if (outermost && *flag && *index != MPI_UNDEFINED)
    complete(scratch.handle[*index], &request[*index], s);
  record.polled |= outermost && !*flag;
  return record_leave(result);
}

/* Completes the requests with these indices. */
static void complete_some(const MPI_Request request[], int count, const int index[],
                          const MPI_Status status[])
{
  for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
    complete(scratch.handle[index[i]], &request[index[i]], &status[i]);
}

#define SOME(NAME)                                                                                 \
  MPI(NAME, int count, MPI_Request request[], int *done, int index[], MPI_Status status[])         \
  {                                                                                                \
    if (!record_enter_always())                                                                    \
      return record_leave(record.real.NAME(count, request, done, index, status));                  \
    save(count, request);                                                                          \
    MPI_Status *s = statuses(status);                                                              \
    const int result = record.real.NAME(count, request, done, index, s);                           \
    complete_some(request, *done, index, s);                                                       \
    record.polled = *done == 0;                                                                    \
    return record_leave(result);                                                                   \
  }

SOME(Waitsome)
SOME(Testsome)
