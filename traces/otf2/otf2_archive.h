/** @file otf2_archive.h
 *  Private to traces/: an OTF2 archive that is being written, in a temporary folder.  Ranks are
 *  locations with the same numbers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"
#include "common/files/temp.h"
#include "traces/otf2/otf2_api.h"

struct otf2_archive {
  struct otf2_writing api;
  struct otf2_report report;
  struct temp temp;
  OTF2_Archive *archive;      /**< NULL: not open */
  OTF2_GlobalDefWriter *defs; /**< writer of the definitions; NULL before otf2_archive_define() */
  const char *path;           /**< for messages */
  uint32_t ranks;
  uint32_t strings; /**< defined so far */
  bool good;        /**< false: the library has failed in a definition */
};

/** Contents of the definitions. */
struct otf2_contents {
  uint64_t resolution;         /**< ticks a second */
  uint64_t length;             /**< of the run, in ticks */
  const uint64_t *events;      /**< number of events, by rank */
  const struct names *regions; /**< by id; functions of MPI begin with MPI_ */
};

/** Opens an archive of @p ranks ranks, NAME.otf2 in a temporary folder beside @p path, for writing
 *  events.  Call otf2_archive_close() in any case. */
enum status otf2_archive_open(struct otf2_archive *a, const char *path, const char *name,
                              uint32_t ranks, struct err *e);

/** Reports the failure of the library; returns FAIL. */
enum status otf2_archive_failed(const struct otf2_archive *a, struct err *e);

/** The writer of the events of a rank; one is open at a time. */
enum status otf2_archive_begin_rank(struct otf2_archive *a, uint32_t rank, OTF2_EvtWriter **out,
                                    struct err *e);
enum status otf2_archive_end_rank(struct otf2_archive *a, OTF2_EvtWriter *w, struct err *e);

/** Ends the events, and defines the clock, the ranks, the regions and group 0, which has all
 *  locations. */
enum status otf2_archive_define(struct otf2_archive *a, const struct otf2_contents *c,
                                struct err *e);

/** Defines communicator @p id with its group, id + 1. */
void otf2_archive_comm(struct otf2_archive *a, uint32_t id, const char *name,
                       const uint64_t *member, uint32_t members);

/** Closes the archive.  The caller commits or abandons its temporary folder.  Fails if @p s is
 *  FAIL, if the library has failed, or if the archive cannot be closed. */
enum status otf2_archive_close(struct otf2_archive *a, enum status s, struct err *e);
