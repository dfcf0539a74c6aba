#include "traces/otf2/otf2_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

enum { CHUNK = 1 << 20 };

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

enum status otf2_archive_failed(const struct otf2_archive *a, struct err *e)
{
  return err_set(e, "%s: cannot write: %s", a->path,
                 a->report.text[0] != '\0' ? a->report.text : "the library has failed");
}

enum status otf2_archive_open(struct otf2_archive *a, const char *path, const char *name,
                              uint32_t ranks, struct err *e)
{
  static const OTF2_FlushCallbacks FLUSH = {.otf2_pre_flush = pre_flush};
  const struct otf2_writing *api = &a->api;
  *a = (struct otf2_archive){.path = path, .ranks = ranks, .good = true};
  if (otf2_load_writing(&a->api, e) != OK)
    return FAIL;
  api->OTF2_Error_RegisterCallback(otf2_report_note, &a->report);
  if (temp_folder(&a->temp, path, e) != OK)
    return FAIL;
  a->archive = api->OTF2_Archive_Open(a->temp.path, name, OTF2_FILEMODE_WRITE, CHUNK, CHUNK,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (a->archive == NULL ||
      api->OTF2_Archive_SetFlushCallbacks(a->archive, &FLUSH, NULL) != OTF2_SUCCESS ||
      api->OTF2_Archive_SetSerialCollectiveCallbacks(a->archive) != OTF2_SUCCESS ||
      api->OTF2_Archive_SetCreator(a->archive, "haichi " HAICHI_VERSION) != OTF2_SUCCESS ||
      api->OTF2_Archive_OpenEvtFiles(a->archive) != OTF2_SUCCESS)
    return otf2_archive_failed(a, e);
  return OK;
}

enum status otf2_archive_begin_rank(struct otf2_archive *a, uint32_t rank, OTF2_EvtWriter **out,
                                    struct err *e)
{
  *out = a->api.OTF2_Archive_GetEvtWriter(a->archive, rank);
  return *out == NULL ? otf2_archive_failed(a, e) : OK;
}

enum status otf2_archive_end_rank(struct otf2_archive *a, OTF2_EvtWriter *w, struct err *e)
{
  if (a->api.OTF2_Archive_CloseEvtWriter(a->archive, w) != OTF2_SUCCESS)
    return otf2_archive_failed(a, e);
  return OK;
}

/* --- definitions ----------------------------------------------------------------------------- */

/* Writes files of definitions without maps of ids, because readers expect these files. */
static bool write_maps(const struct otf2_archive *a)
{
  const struct otf2_writing *api = &a->api;
  bool good = api->OTF2_Archive_OpenDefFiles(a->archive) == OTF2_SUCCESS;
  for (uint32_t r = 0; good && r < a->ranks; r++) {
    OTF2_DefWriter *w = api->OTF2_Archive_GetDefWriter(a->archive, r);
    good = w != NULL && api->OTF2_Archive_CloseDefWriter(a->archive, w) == OTF2_SUCCESS;
  }
  return good && api->OTF2_Archive_CloseDefFiles(a->archive) == OTF2_SUCCESS;
}

/* Defines a string and returns its id. */
static uint32_t define_string(struct otf2_archive *a, const char *text)
{
  a->good &= a->api.OTF2_GlobalDefWriter_WriteString(a->defs, a->strings, text) == OTF2_SUCCESS;
  return a->strings++;
}

static void define_places(struct otf2_archive *a, const uint64_t *events)
{
  const struct otf2_writing *api = &a->api;
  char name[32];
  const uint32_t machine = define_string(a, "machine");
  const uint32_t thread = define_string(a, "Master thread");
  a->good &= api->OTF2_GlobalDefWriter_WriteSystemTreeNode(
                 a->defs, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE) == OTF2_SUCCESS;
  for (uint32_t r = 0; a->good && r < a->ranks; r++) {
    snprintf(name, sizeof name, "MPI Rank %" PRIu32, r);
    a->good &= api->OTF2_GlobalDefWriter_WriteLocationGroup(
                   a->defs, r, define_string(a, name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                   OTF2_UNDEFINED_LOCATION_GROUP) == OTF2_SUCCESS;
    a->good &= api->OTF2_GlobalDefWriter_WriteLocation(
                   a->defs, r, thread, OTF2_LOCATION_TYPE_CPU_THREAD, events[r], r) == OTF2_SUCCESS;
  }
}

static void define_regions(struct otf2_archive *a, const struct names *regions, uint32_t empty)
{
  for (uint32_t i = 0; i < regions->count; i++) {
    const uint32_t name = define_string(a, regions->name[i]);
    const bool mpi = strncmp(regions->name[i], "MPI_", 4) == 0;
    a->good &= a->api.OTF2_GlobalDefWriter_WriteRegion(
                   a->defs, i, name, name, empty, OTF2_REGION_ROLE_UNKNOWN,
                   mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, empty, 0,
                   0) == OTF2_SUCCESS;
  }
}

static void define_group(struct otf2_archive *a, uint32_t id, OTF2_GroupType type,
                         const uint64_t *member, uint32_t members)
{
  a->good &= a->api.OTF2_GlobalDefWriter_WriteGroup(a->defs, id, define_string(a, ""), type,
                                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                    members, member) == OTF2_SUCCESS;
}

enum status otf2_archive_define(struct otf2_archive *a, const struct otf2_contents *c,
                                struct err *e)
{
  if (a->api.OTF2_Archive_CloseEvtFiles(a->archive) != OTF2_SUCCESS || !write_maps(a) ||
      (a->defs = a->api.OTF2_Archive_GetGlobalDefWriter(a->archive)) == NULL)
    return otf2_archive_failed(a, e);
  uint64_t *rank = mem_array(a->ranks, sizeof *rank, e);
  if (rank == NULL)
    return FAIL;
  for (uint32_t r = 0; r < a->ranks; r++)
    rank[r] = r;
  a->good &= a->api.OTF2_GlobalDefWriter_WriteClockProperties(
                 a->defs, c->resolution, 0, c->length, OTF2_UNDEFINED_TIMESTAMP) == OTF2_SUCCESS;
  const uint32_t empty = define_string(a, "");
  define_places(a, c->events);
  define_regions(a, c->regions, empty);
  define_group(a, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, rank, a->ranks);
  free(rank);
  return a->good ? OK : otf2_archive_failed(a, e);
}

void otf2_archive_comm(struct otf2_archive *a, uint32_t id, const char *name,
                       const uint64_t *member, uint32_t members)
{
  define_group(a, id + 1, OTF2_GROUP_TYPE_COMM_GROUP, member, members);
  a->good &= a->api.OTF2_GlobalDefWriter_WriteComm(a->defs, id, define_string(a, name), id + 1,
                                                   id == 0 ? OTF2_UNDEFINED_COMM : 0,
                                                   OTF2_COMM_FLAG_NONE) == OTF2_SUCCESS;
}

enum status otf2_archive_close(struct otf2_archive *a, enum status s, struct err *e)
{
  if (s == OK && !a->good)
    s = otf2_archive_failed(a, e);
  if (a->archive != NULL && a->api.OTF2_Archive_Close(a->archive) != OTF2_SUCCESS && s == OK)
    s = otf2_archive_failed(a, e);
  a->archive = NULL;
  if (a->api.OTF2_Error_RegisterCallback != NULL)
    a->api.OTF2_Error_RegisterCallback(NULL, NULL);
  /* The library reports a full disk while it closes files, but returns success. */
  return s == OK && a->report.text[0] != '\0' ? otf2_archive_failed(a, e) : s;
}
