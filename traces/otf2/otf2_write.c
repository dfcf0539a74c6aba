#define _GNU_SOURCE
#include "traces/otf2/otf2_write.h"

#ifndef HAICHI_OTF2

enum status otf2_write(struct trace *t, const char *dir, struct err *e)
{
  (void)t;
  return err_set(e, "%s: haichi was built without libopen-trace-format2, which writes OTF2", dir);
}

#else

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/containers/names.h"
#include "common/files/temp.h"
#include "common/mem.h"
#include "traces/otf2/otf2_api.h"
#include "traces/otf2/otf2_emit.h"

enum { CHUNK = 1 << 20, RESOLUTION = 1000000000 };

struct output {
  struct otf2_emit emit;
  struct temp temp;
  OTF2_Archive *archive;
  const char *dir;
};

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
  (void)user;
  (void)type;
  (void)location;
  (void)caller;
  (void) final;
  return OTF2_FLUSH;
}

static enum status failed(const struct output *o, struct err *e)
{
  return err_set(e, "%s: cannot write: %s", o->dir,
                 o->emit.report.text[0] != '\0' ? o->emit.report.text : "the library has failed");
}

static enum status open_archive(struct output *o, struct err *e)
{
  static const OTF2_FlushCallbacks FLUSH = {.otf2_pre_flush = pre_flush};
  const struct otf2_writing *api = &o->emit.api;
  o->archive = api->OTF2_Archive_Open(o->temp.path, "traces", OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (o->archive == NULL ||
      api->OTF2_Archive_SetFlushCallbacks(o->archive, &FLUSH, NULL) != OTF2_SUCCESS ||
      api->OTF2_Archive_SetSerialCollectiveCallbacks(o->archive) != OTF2_SUCCESS ||
      api->OTF2_Archive_SetCreator(o->archive, "haichi " HAICHI_VERSION) != OTF2_SUCCESS)
    return failed(o, e);
  return OK;
}

static enum status write_rank(struct output *o, struct trace *t, uint32_t rank, struct err *e)
{
  const struct otf2_writing *api = &o->emit.api;
  OTF2_EvtWriter *w = api->OTF2_Archive_GetEvtWriter(o->archive, rank);
  const struct action *a = NULL;
  if (w == NULL)
    return failed(o, e);
  otf2_emit_begin(&o->emit, w, rank);
  do {
    if (trace_next(t, rank, &a, e) != OK)
      return FAIL;
    if (a != NULL && otf2_emit_action(&o->emit, a, e) != OK)
      return err_at(e, trace_file(t, rank), trace_line(t, rank), "%s", e->text);
  } while (a != NULL);
  const enum status s = otf2_emit_end(&o->emit, e);
  if (s == OK && api->OTF2_Archive_CloseEvtWriter(o->archive, w) != OTF2_SUCCESS)
    return failed(o, e);
  return s;
}

/* Maps of ids are not needed; readers expect the files. */
static bool write_maps(const struct output *o, uint32_t ranks)
{
  const struct otf2_writing *api = &o->emit.api;
  bool good = api->OTF2_Archive_OpenDefFiles(o->archive) == OTF2_SUCCESS;
  for (uint32_t r = 0; good && r < ranks; r++) {
    OTF2_DefWriter *w = api->OTF2_Archive_GetDefWriter(o->archive, r);
    good = w != NULL && api->OTF2_Archive_CloseDefWriter(o->archive, w) == OTF2_SUCCESS;
  }
  return good && api->OTF2_Archive_CloseDefFiles(o->archive) == OTF2_SUCCESS;
}

/* --- definitions ----------------------------------------------------------------------------- */

struct defs {
  const struct otf2_emit *m;
  OTF2_GlobalDefWriter *w;
  uint32_t strings;
  bool good;
};

static uint32_t string(struct defs *d, const char *text)
{
  d->good &= d->m->api.OTF2_GlobalDefWriter_WriteString(d->w, d->strings, text) == OTF2_SUCCESS;
  return d->strings++;
}

static void define_places(struct defs *d)
{
  const struct otf2_writing *api = &d->m->api;
  char name[32];
  const uint32_t machine = string(d, "machine"), thread = string(d, "Master thread");
  d->good &= api->OTF2_GlobalDefWriter_WriteSystemTreeNode(
                 d->w, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE) == OTF2_SUCCESS;
  for (uint32_t r = 0; d->good && r < d->m->ranks; r++) {
    snprintf(name, sizeof name, "MPI Rank %" PRIu32, r);
    d->good &= api->OTF2_GlobalDefWriter_WriteLocationGroup(
                   d->w, r, string(d, name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                   OTF2_UNDEFINED_LOCATION_GROUP) == OTF2_SUCCESS;
    d->good &=
        api->OTF2_GlobalDefWriter_WriteLocation(d->w, r, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                d->m->events[r], r) == OTF2_SUCCESS;
  }
}

static void define_regions(struct defs *d, uint32_t empty)
{
  for (uint32_t i = 0; i < d->m->regions.count; i++) {
    const uint32_t name = string(d, d->m->regions.name[i]);
    d->good &= d->m->api.OTF2_GlobalDefWriter_WriteRegion(
                   d->w, i, name, name, empty, OTF2_REGION_ROLE_UNKNOWN, OTF2_PARADIGM_MPI,
                   OTF2_REGION_FLAG_NONE, empty, 0, 0) == OTF2_SUCCESS;
  }
}

/* Writes the group of a communicator (NULL: the world) and the communicator. */
static enum status define_comm(struct defs *d, const struct comm *c, uint32_t name, struct err *e)
{
  const struct otf2_writing *api = &d->m->api;
  const uint32_t n = comm_size(c, d->m->ranks), id = comm_index(c);
  uint64_t *member = mem_array(n, sizeof *member, e);
  if (member == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    member[i] = comm_world_rank(c, i);
  if (c == NULL)
    d->good &= api->OTF2_GlobalDefWriter_WriteGroup(d->w, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n,
                                                    member) == OTF2_SUCCESS;
  d->good &= api->OTF2_GlobalDefWriter_WriteGroup(d->w, id + 1, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n,
                                                  member) == OTF2_SUCCESS;
  d->good &= api->OTF2_GlobalDefWriter_WriteComm(
                 d->w, id, c == NULL ? string(d, "MPI_COMM_WORLD") : name, id + 1,
                 c == NULL ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
  free(member);
  return OK;
}

static enum status define_all(struct output *o, struct err *e)
{
  struct defs d = {.m = &o->emit, .good = true};
  d.w = o->emit.api.OTF2_Archive_GetGlobalDefWriter(o->archive);
  if (d.w == NULL)
    return failed(o, e);
  d.good &= o->emit.api.OTF2_GlobalDefWriter_WriteClockProperties(
                d.w, RESOLUTION, 0, o->emit.latest + 1, OTF2_UNDEFINED_TIMESTAMP) == OTF2_SUCCESS;
  const uint32_t empty = string(&d, "");
  define_places(&d);
  define_regions(&d, empty);
  if (define_comm(&d, NULL, empty, e) != OK)
    return FAIL;
  for (size_t i = 0; i < o->emit.comms; i++)
    if (o->emit.comm[i] != NULL && define_comm(&d, o->emit.comm[i], empty, e) != OK)
      return FAIL;
  return d.good ? OK : failed(o, e);
}

/* --- the archive ----------------------------------------------------------------------------- */

static enum status write_all(struct output *o, struct trace *t, struct err *e)
{
  const struct otf2_writing *api = &o->emit.api;
  const uint32_t ranks = trace_ranks(t);
  if (open_archive(o, e) != OK)
    return FAIL;
  if (api->OTF2_Archive_OpenEvtFiles(o->archive) != OTF2_SUCCESS)
    return failed(o, e);
  for (uint32_t r = 0; r < ranks; r++)
    if (write_rank(o, t, r, e) != OK)
      return FAIL;
  if (api->OTF2_Archive_CloseEvtFiles(o->archive) != OTF2_SUCCESS || !write_maps(o, ranks))
    return failed(o, e);
  return define_all(o, e);
}

enum status otf2_write(struct trace *t, const char *dir, struct err *e)
{
  struct output o = {.dir = dir};
  if (otf2_load_writing(&o.emit.api, e) != OK || otf2_emit_init(&o.emit, trace_ranks(t), e) != OK)
    return FAIL;
  if (access(dir, F_OK) == 0 && rmdir(dir) != 0)
    return err_errno(e, dir, "cannot write into it");
  o.emit.api.OTF2_Error_RegisterCallback(otf2_report_note, &o.emit.report);
  enum status s = temp_folder(&o.temp, dir, e);
  if (s == OK)
    s = write_all(&o, t, e);
  if (o.archive != NULL && o.emit.api.OTF2_Archive_Close(o.archive) != OTF2_SUCCESS && s == OK)
    s = failed(&o, e);
  o.emit.api.OTF2_Error_RegisterCallback(NULL, NULL);
  if (s == OK)
    s = temp_commit(&o.temp, dir, e);
  temp_abandon(&o.temp);
  otf2_emit_clear(&o.emit);
  return s;
}

#endif
