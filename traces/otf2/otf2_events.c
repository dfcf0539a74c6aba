#include "traces/otf2/otf2_events.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NO_RANK = UINT32_MAX, NO_REGION = UINT32_MAX };

void otf2_events_count(struct otf2_tally *t, const struct otf2_events *v, uint64_t place)
{
  if (t->count++ > 0)
    return;
  t->rank = v->rank;
  t->place = place;
}

enum status otf2_events_bad(struct otf2_events *v, uint64_t place, const char *what, uint64_t id)
{
  if (v->single) {
    otf2_events_count(&v->losses->contradictions, v, place);
    return OK;
  }
  return err_at(v->e, recording_rank_file(&v->recording->trace, v->rank), place, "%s %" PRIu64,
                what, id);
}

OTF2_CallbackCode otf2_events_done(struct otf2_events *v, enum status s)
{
  v->failed |= s != OK;
  return s == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* --- time ------------------------------------------------------------------------------------ */

static void first_event(struct otf2_events *v, uint64_t time)
{
  if (v->begun)
    return;
  v->begun = true;
  v->last = time;
  if (v->rank != NO_RANK)
    records_begin(&v->recording->records, v->rank, time);
}

enum status otf2_events_put(struct otf2_events *v, const struct record *x)
{
  return records_put(&v->recording->records, x, v->e);
}

/* Stores the computation until @p time. */
static enum status compute(struct otf2_events *v, uint64_t time, uint64_t place)
{
  if (v->off_since == 0 && time > v->last)
    v->computed += time - v->last;
  v->last = time;
  if (v->computed == 0)
    return OK;
  const struct record x = {.kind = ACTION_COMPUTE, .ticks = v->computed, .place = place};
  v->computed = 0;
  return otf2_events_put(v, &x);
}

enum status otf2_events_begin_one(struct otf2_events *v, uint64_t time, uint64_t place)
{
  first_event(v, time);
  if (v->rank == NO_RANK)
    return err_set(v->e,
                   "%s: a thread that is no rank of MPI communicates; only one thread of a process "
                   "may",
                   v->recording->trace.name);
  v->events++;
  return v->depth > 0 ? OK : compute(v, time, place);
}

static enum status enter(struct otf2_events *v, uint64_t time, uint64_t place, uint32_t id)
{
  const uint32_t number = pairs_find(&v->defs->region_ids, 0, id);
  first_event(v, time);
  if (v->depth > 0) {
    v->depth++;
    return OK;
  }
  if (number == PAIRS_NONE || !v->defs->region[number].mpi || v->rank == NO_RANK)
    return OK;
  v->depth = 1;
  v->region = number;
  v->region_place = place;
  v->events = v->open = 0;
  otf2_events_count(&v->losses->calls[v->defs->region[number].same], v, place);
  return compute(v, time, place);
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user, enter(user, time, place, region));
}

/* Checks a function of MPI that has ended. */
static void judge(struct otf2_events *v)
{
  const struct otf2_call *call = v->defs->region[v->region].call;
  if (v->open > 0)
    otf2_events_count(&v->losses->unfinished, v, v->region_place);
  if (call == NULL || call->use == OTF2_USE_OTHER ||
      (v->events > 0 && call->use != OTF2_USE_FOREIGN))
    return;
  otf2_events_count(&v->losses->silent[v->defs->region[v->region].same], v, v->region_place);
}

static enum status leave(struct otf2_events *v, uint64_t time)
{
  first_event(v, time);
  if (v->depth == 0 || --v->depth > 0)
    return OK;
  v->last = time;
  judge(v);
  v->region = NO_REGION;
  if (v->exchange.kind == 0)
    return OK;
  v->exchange.ticks = time;
  v->exchange.place = v->region_place;
  const enum status s = otf2_events_put(v, &v->exchange);
  v->exchange.kind = 0;
  return s;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
  (void)location;
  (void)place;
  (void)attributes;
  (void)region;
  return otf2_events_done(user, leave(user, time));
}

/* Time without recording is no computation. */
static OTF2_CallbackCode on_measurement(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        uint64_t place, void *user, OTF2_AttributeList *attributes,
                                        OTF2_MeasurementMode mode)
{
  struct otf2_events *v = user;
  (void)location;
  (void)attributes;
  first_event(v, time);
  if (mode == OTF2_MEASUREMENT_OFF && v->off_since == 0) {
    v->computed += v->depth == 0 && time > v->last ? time - v->last : 0;
    v->off_since = time + 1;
  } else if (mode == OTF2_MEASUREMENT_ON && v->off_since > 0) {
    if (v->rank != NO_RANK)
      otf2_events_count(&v->losses->off, v, place);
    v->losses->off_ticks += time - (v->off_since - 1);
    v->off_since = 0;
    v->last = time;
  }
  return OTF2_CALLBACK_SUCCESS;
}

/* The recorder writes its buffer, which is no computation. */
static OTF2_CallbackCode on_flush(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, OTF2_TimeStamp stop)
{
  struct otf2_events *v = user;
  (void)location;
  (void)place;
  (void)attributes;
  first_event(v, time);
  if (v->depth > 0 || v->off_since > 0)
    return OTF2_CALLBACK_SUCCESS;
  v->computed += time > v->last ? time - v->last : 0;
  v->last = stop > time ? stop : time;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_begin(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, OTF2_StringRef name,
                                  uint32_t arguments, const OTF2_StringRef *argument)
{
  (void)location;
  (void)place;
  (void)attributes;
  (void)name;
  (void)arguments;
  (void)argument;
  first_event(user, time);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_end(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                void *user, OTF2_AttributeList *attributes, int64_t status)
{
  struct otf2_events *v = user;
  (void)location;
  (void)attributes;
  (void)status;
  first_event(v, time);
  return otf2_events_done(v, v->depth > 0 || v->rank == NO_RANK ? OK : compute(v, time, place));
}

/* --- the location ---------------------------------------------------------------------------- */

OTF2_EvtReaderCallbacks *otf2_events_callbacks(const struct otf2_reading *api)
{
  OTF2_EvtReaderCallbacks *c = api->OTF2_EvtReaderCallbacks_New();
  if (c == NULL)
    return NULL;
#define SET(NAME, FUNCTION) api->OTF2_EvtReaderCallbacks_Set##NAME##Callback(c, FUNCTION)
  SET(Enter, on_enter);
  SET(Leave, on_leave);
  SET(MeasurementOnOff, on_measurement);
  SET(BufferFlush, on_flush);
  SET(ProgramBegin, on_begin);
  SET(ProgramEnd, on_end);
#undef SET
  otf2_messages_callbacks(api, c);
  otf2_collectives_callbacks(api, c);
  return c;
}

void otf2_events_begin(struct otf2_events *v, uint32_t rank)
{
  v->rank = rank;
  v->begun = v->failed = false;
  v->last = v->computed = v->off_since = 0;
  v->depth = v->events = v->open = 0;
  v->region = NO_REGION;
  v->exchange = (struct record){0};
  v->name = 0;
  v->first = v->end = 0;
  v->base = 0;
  fifos_clear(&v->requests);
}

enum status otf2_events_end(struct otf2_events *v, struct err *e)
{
  struct fifo_key key;
  struct fifo_value value;
  size_t from = 0;
  v->e = e;
  if (v->rank == NO_RANK)
    return OK;
  if (!v->begun)
    first_event(v, 0);
  if (v->depth == 0 && v->computed > 0 && compute(v, v->last, 0) != OK)
    return FAIL;
  while (fifos_any(&v->requests, &from, &key, &value)) {
    (void)fifos_take(&v->requests, key, &value);
    if ((value.b & 255) == ACTION_NONBLOCKING)
      otf2_events_count(&v->losses->unfinished, v, v->collected[value.a - v->base].record.place);
    if ((value.b & 255) != ACTION_IRECV)
      continue;
    otf2_events_count(&v->losses->receives, v, value.b >> 8);
    if (v->losses->receives.rank == v->rank && value.b >> 8 < v->losses->receives.place)
      v->losses->receives.place = value.b >> 8;
  }
  records_end(&v->recording->records);
  return OK;
}

void otf2_events_clear(struct otf2_events *v)
{
  fifos_clear(&v->requests);
  free(v->collected);
}
