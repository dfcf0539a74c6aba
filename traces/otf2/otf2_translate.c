#include "traces/otf2/otf2_translate.h"

#ifndef HAICHI_OTF2

enum status otf2_translate(struct recording *r, const struct unpacked *files, struct err *e)
{
  (void)files;
  return err_set(e, "%s: haichi was built without libopen-trace-format2, which reads OTF2",
                 r->trace.name);
}

#else

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/plural.h"
#include "traces/otf2/otf2_events.h"

struct translation {
  struct otf2_reading api;
  struct otf2_report report;
  struct recording *recording;
  const struct unpacked *files;
  const char *path; /* of the anchor */
  OTF2_Reader *reader;
  struct otf2_defs defs;
  struct otf2_losses losses;
  struct otf2_events events;
};

static enum status damaged(const struct translation *t, const char *what, OTF2_ErrorCode code,
                           struct err *e)
{
  return err_set(e, "%s: %s: %s", t->recording->trace.name, what,
                 t->report.text[0] != '\0' ? t->report.text
                                           : t->api.OTF2_Error_GetDescription(code));
}

/* --- gaps ------------------------------------------------------------------------------------ */

static const char *file_of(const struct translation *t, const struct otf2_tally *x)
{
  return recording_rank_file(&t->recording->trace, x->rank);
}

static const char *region_name(const struct translation *t, uint32_t region)
{
  return otf2_defs_text(&t->defs, t->defs.region[region].name);
}

/* Reports the calls of a function that have no event.  Score-P writes no event for MPI_PROC_NULL;
 * therefore a function of point-to-point messages has lost events only if none of its calls has
 * one. */
static void report_silent(struct translation *t, uint32_t i)
{
  const struct otf2_tally *silent = &t->losses.silent[i], *calls = &t->losses.calls[i];
  const struct otf2_call *call = t->defs.region[i].call;
  const char *name = region_name(t, i);
  if (silent->count == 0 || (call->awaits && t->losses.late > 0 && !t->events.single))
    return;
  if (call->use == OTF2_USE_FOREIGN)
    recording_gap(t->recording, true,
                  "%s: %" PRIu64 " calls of %s, which haichi does not simulate; the first is in "
                  "%s, event %" PRIu64,
                  t->recording->trace.name, silent->count, name, file_of(t, silent), silent->place);
  else if (call->use == OTF2_USE_NONBLOCKING && !t->events.single)
    recording_gap(t->recording, false,
                  "%s: the recorder kept nothing of nonblocking collectives, such as %" PRIu64
                  " calls of %s; the first is in %s, event %" PRIu64,
                  t->recording->trace.name, silent->count, name, file_of(t, silent), silent->place);
  else if (call->use != OTF2_USE_MESSAGE || t->events.single ||
           (silent->count == calls->count && t->defs.ranks > 1))
    recording_gap(t->recording, true,
                  "%s: the recorder lost what %" PRIu64 " of %" PRIu64
                  " calls of %s sent and received; the first lost %s is of rank %" PRIu32
                  " in %s, event %" PRIu64,
                  t->recording->trace.name, silent->count, calls->count, name,
                  strstr(name, "recv") != NULL || strstr(name, "Recv") != NULL ? "receive" : "call",
                  silent->rank, file_of(t, silent), silent->place);
}

static void report_losses(struct translation *t)
{
  const struct otf2_losses *l = &t->losses;
  const char *name = t->recording->trace.name;
  if (l->receives.count > 0)
    recording_gap(t->recording, true,
                  "%s: the recorder lost source and size of %" PRIu64 " of %" PRIu64
                  " nonblocking receives; the first lost receive is of rank %" PRIu32
                  " in %s, event %" PRIu64,
                  name, l->receives.count, l->all_receives, l->receives.rank,
                  file_of(t, &l->receives), l->receives.place);
  for (uint32_t i = 0; i < t->defs.region_ids.count; i++)
    report_silent(t, i);
  if (l->contradictions.count > 0)
    recording_gap(t->recording, true,
                  "%s: %" PRIu64 " events contradict others, so that the recorder lost what they "
                  "belong to; the first is of rank %" PRIu32 " in %s, event %" PRIu64,
                  name, l->contradictions.count, l->contradictions.rank,
                  file_of(t, &l->contradictions), l->contradictions.place);
  if (l->lengths.count > 0)
    recording_gap(t->recording, true,
                  "%s: %" PRIu64 " messages have impossible sizes, such as %" PRIu64
                  " bytes of rank %" PRIu32 " in %s, event %" PRIu64,
                  name, l->lengths.count, l->length, l->lengths.rank, file_of(t, &l->lengths),
                  l->lengths.place);
  if (l->unfinished.count > 0)
    recording_gap(t->recording, true,
                  "%s: %" PRIu64 " collectives begin and do not end, so that the recorder lost "
                  "their kind and size; the first is of rank %" PRIu32 " in %s, event %" PRIu64,
                  name, l->unfinished.count, l->unfinished.rank, file_of(t, &l->unfinished),
                  l->unfinished.place);
  if (l->cancelled.count > 0)
    recording_gap(t->recording, true,
                  "%s: %" PRIu64 " sends were cancelled, which haichi does not simulate; the first "
                  "is of rank %" PRIu32 " in %s, event %" PRIu64,
                  name, l->cancelled.count, l->cancelled.rank, file_of(t, &l->cancelled),
                  l->cancelled.place);
}

static enum status note_late(const struct translation *t, struct err *e)
{
  if (t->losses.late == 0)
    return OK;
  return recording_note(t->recording, e,
                        "%s: %" PRIu64 " nonblocking receives have no event where they begin; they "
                        "are taken to begin where they end",
                        t->recording->trace.name, t->losses.late);
}

static enum status report_off(const struct translation *t, struct err *e)
{
  const struct otf2_tally *off = &t->losses.off;
  if (off->count == 0)
    return OK;
  return recording_note(t->recording, e,
                        "%s: recording was off %" PRIu64 " time%s, %.6g s of all ranks together; "
                        "this time is left out",
                        t->recording->trace.name, off->count, PLURAL(off->count),
                        (double)t->losses.off_ticks * t->recording->second);
}

/* --- locations ------------------------------------------------------------------------------- */

static enum status read_location(struct translation *t, const struct otf2_location *l,
                                 OTF2_EvtReaderCallbacks *callbacks, struct err *e)
{
  uint64_t count;
  OTF2_EvtReader *from = t->api.OTF2_Reader_GetEvtReader(t->reader, l->id);
  if (from == NULL)
    return damaged(t,
                   recording_rank_file(&t->recording->trace, l->rank == UINT32_MAX ? 0 : l->rank),
                   OTF2_ERROR_FILE_CAN_NOT_OPEN, e);
  otf2_events_begin(&t->events, l->rank);
  t->events.e = e;
  t->api.OTF2_Reader_RegisterEvtCallbacks(t->reader, from, callbacks, &t->events);
  const OTF2_ErrorCode code = t->api.OTF2_Reader_ReadAllLocalEvents(t->reader, from, &count);
  t->api.OTF2_Reader_CloseEvtReader(t->reader, from);
  if (t->events.failed)
    return FAIL;
  if (code != OTF2_SUCCESS)
    return damaged(
        t, recording_rank_file(&t->recording->trace, l->rank == UINT32_MAX ? 0 : l->rank), code, e);
  return otf2_events_end(&t->events, e);
}

/* Threads without MPI compute within the time of the main thread; the other locations are not of
 * the program's processors. */
static enum status note_others(struct translation *t, uint64_t threads, uint64_t others,
                               struct err *e)
{
  if (threads > 0 && recording_note(t->recording, e,
                                    "%s: %" PRIu64 " threads beside the ranks do not communicate; "
                                    "they compute while their rank does",
                                    t->recording->trace.name, threads) != OK)
    return FAIL;
  if (others > 0 && recording_note(t->recording, e,
                                   "%s: %" PRIu64 " locations of accelerators and metrics are left "
                                   "out",
                                   t->recording->trace.name, others) != OK)
    return FAIL;
  return OK;
}

static bool is_processor(const struct otf2_location *l)
{
  return l->rank != UINT32_MAX || l->type == OTF2_LOCATION_TYPE_CPU_THREAD;
}

static enum status read_locations(struct translation *t, struct err *e)
{
  uint64_t threads = 0, others = 0;
  enum status s = OK;
  OTF2_EvtReaderCallbacks *callbacks = otf2_events_callbacks(&t->api);
  if (callbacks == NULL)
    return err_set(e, "%s: its events cannot be read", t->recording->trace.name);
  for (uint32_t i = 0; s == OK && i < t->defs.location_ids.count; i++) {
    const struct otf2_location *l = &t->defs.location[i];
    threads += is_processor(l) && l->rank == UINT32_MAX;
    others += !is_processor(l);
    if (is_processor(l))
      s = read_location(t, l, callbacks, e);
  }
  t->api.OTF2_EvtReaderCallbacks_Delete(callbacks);
  return s == OK ? note_others(t, threads, others, e) : FAIL;
}

/* Reads the maps of ids, which the library then applies.  An archive need not have any. */
static void read_maps(struct translation *t)
{
  uint64_t count;
  for (uint32_t i = 0; i < t->defs.location_ids.count; i++)
    t->api.OTF2_Reader_SelectLocation(t->reader, t->defs.location[i].id);
  if (t->api.OTF2_Reader_OpenDefFiles(t->reader) != OTF2_SUCCESS)
    return;
  for (uint32_t i = 0; i < t->defs.location_ids.count; i++) {
    OTF2_DefReader *from = t->api.OTF2_Reader_GetDefReader(t->reader, t->defs.location[i].id);
    if (from == NULL)
      continue;
    t->api.OTF2_Reader_ReadAllLocalDefinitions(t->reader, from, &count);
    t->api.OTF2_Reader_CloseDefReader(t->reader, from);
  }
  t->api.OTF2_Reader_CloseDefFiles(t->reader);
}

static enum status add_input(struct translation *t, const char *file, struct err *e)
{
  uint32_t number;
  const bool archive = t->files->temp.path != NULL;
  return names_add(&t->recording->inputs, archive ? t->recording->trace.name : file, &number, e);
}

static enum status name_file(struct translation *t, uint32_t rank, uint64_t id, struct err *e)
{
  const int stem = (int)(strlen(t->path) - strlen(".otf2"));
  char *file = mem_printf(e, "%.*s/%" PRIu64 ".evt", stem, t->path, id);
  char *shown = file == NULL ? NULL : unpacked_name(t->files, t->recording->trace.name, file, e);
  const enum status s = shown != NULL && recording_file(t->recording, rank, shown, e) == OK
                            ? add_input(t, file, e)
                            : FAIL;
  free(file);
  free(shown);
  return s;
}

/* In an archive that haichi wrote, a receive states the size of its buffer, not of its message. */
static bool by_haichi(const struct translation *t)
{
  char *creator = NULL;
  const bool ours = t->api.OTF2_Reader_GetCreator(t->reader, &creator) == OTF2_SUCCESS &&
                    creator != NULL && strncmp(creator, "haichi ", 7) == 0;
  free(creator);
  return ours;
}

/* Tells the recording the ranks and the files. */
static enum status prepare(struct translation *t, struct err *e)
{
  struct recording *r = t->recording;
  if (recording_ranks(r, t->defs.ranks, e) != OK || add_input(t, t->path, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < t->defs.location_ids.count; i++)
    if (t->defs.location[i].rank != UINT32_MAX &&
        name_file(t, t->defs.location[i].rank, t->defs.location[i].id, e) != OK)
      return FAIL;
  r->second = t->defs.resolution > 0 ? 1 / (double)t->defs.resolution : 1e-9;
  const size_t regions = t->defs.region_ids.count;
  if ((t->losses.silent = mem_array(regions, sizeof *t->losses.silent, e)) == NULL ||
      (t->losses.calls = mem_array(regions, sizeof *t->losses.calls, e)) == NULL)
    return FAIL;
  r->exact = !by_haichi(t);
  t->events.defs = &t->defs;
  t->events.recording = r;
  t->events.losses = &t->losses;
  return OK;
}

/* eztrace writes a region of its own at the end. */
static bool by_eztrace(const struct translation *t)
{
  for (uint32_t i = 0; i < t->defs.region_ids.count; i++)
    if (strcmp(region_name(t, i), "EZTrace finalize") == 0)
      return true;
  return false;
}

static enum status translate(struct translation *t, struct err *e)
{
  t->reader = t->api.OTF2_Reader_Open(t->path);
  if (t->reader == NULL)
    return damaged(t, "the anchor is damaged", OTF2_ERROR_INVALID_DATA, e);
  OTF2_ErrorCode code = t->api.OTF2_Reader_SetSerialCollectiveCallbacks(t->reader);
  if (code != OTF2_SUCCESS)
    return damaged(t, "the anchor is damaged", code, e);
  if (otf2_defs_read(&t->defs, &t->api, t->reader, t->recording->trace.name, e) != OK)
    return FAIL;
  if (prepare(t, e) != OK)
    return FAIL;
  t->events.single = by_eztrace(t);
  read_maps(t);
  t->report.text[0] = '\0';
  code = t->api.OTF2_Reader_OpenEvtFiles(t->reader);
  if (code != OTF2_SUCCESS)
    return damaged(t, "the folder with the events", code, e);
  if (read_locations(t, e) != OK)
    return FAIL;
  report_losses(t);
  return note_late(t, e) == OK ? report_off(t, e) : FAIL;
}

enum status otf2_translate(struct recording *r, const struct unpacked *files, struct err *e)
{
  struct translation t = {.recording = r, .files = files, .path = files->main};
  if (otf2_load_reading(&t.api, e) != OK)
    return FAIL;
  otf2_report_to(&t.api, &t.report);
  const enum status s = translate(&t, e);
  if (t.reader != NULL)
    t.api.OTF2_Reader_Close(t.reader);
  t.api.OTF2_Error_RegisterCallback(NULL, NULL);
  otf2_events_clear(&t.events);
  otf2_defs_clear(&t.defs);
  free(t.losses.silent);
  free(t.losses.calls);
  return s;
}

#endif
