/** @file otf2_defs.h
 *  Private to traces/: the global definitions of an OTF2 archive, as far as messages need them:
 *  processes, communicators, regions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/pairs.h"
#include "common/err.h"
#include "traces/otf2/otf2_api.h"
#include "traces/recorded/recording.h"

/** A function of the program. */
struct otf2_region {
  uint32_t name; /**< id of its string */
  uint32_t same; /**< number of the first region with this name; recorders may define a region once
                    per rank */
  uint8_t paradigm;
  bool mpi;                     /**< a function of MPI, or of a library below it */
  const struct otf2_call *call; /**< function of MPI; NULL: sends no message */
};

/** Messages and requests that a function of MPI is expected to make. */
enum otf2_use {
  OTF2_USE_MESSAGE,
  OTF2_USE_COLLECTIVE,
  OTF2_USE_NONBLOCKING, /**< a nonblocking collective */
  OTF2_USE_FOREIGN,     /**< see recording_is_foreign() */
  OTF2_USE_OTHER,       /**< completes requests */
};

struct otf2_call {
  const char *name; /**< "MPI_Send"; NULL: any foreign function */
  enum otf2_use use;
  uint8_t mode;   /**< enum action_mode of its send */
  bool exchanges; /**< sends and receives */
  bool posts;     /**< begins a send without a wait */
  bool awaits;    /**< begins a receive, whose event may lie in the call that completes it */
};

/** The function @p name; NULL if it makes no messages. */
const struct otf2_call *otf2_call_named(const char *name);

struct otf2_group {
  uint32_t id;
  uint8_t type, paradigm;
  bool global; /**< events name its members by their ranks in the world */
  uint32_t count;
  uint64_t *member; /**< owned */
};

struct otf2_comm {
  uint32_t id, name, group, remote; /**< remote: second group of an intercommunicator */
  bool inter;
  bool self;        /**< each rank is alone */
  bool global;      /**< events name its members by their ranks in the world */
  bool resolved;    /**< members are known; false: not of MPI, or broken */
  uint32_t count;   /**< number of members; of both groups of an intercommunicator */
  uint32_t local;   /**< of these, members of the first group */
  uint32_t *member; /**< ranks in the world; owned; NULL: the world, or self */
  bool world;
  uint32_t number;    /**< number in the recording plus 1; 0: none yet */
  uint32_t number_of; /**< if `self`: rank to which `number` belongs */
  uint32_t at, at_of; /**< member number of rank at_of - 1 */
};

struct otf2_location {
  uint64_t id;
  uint8_t type;
  uint32_t rank; /**< UINT32_MAX: no rank of the world */
};

/** Zeroed: empty. */
struct otf2_defs {
  uint64_t resolution;                                         /**< ticks a second; 0: not stated */
  struct pairs string_ids, region_ids, comm_ids, location_ids; /**< number of each id */
  char **string; /**< by number; owned, as the other arrays */
  size_t string_room;
  struct otf2_region *region;
  size_t region_room;
  struct otf2_group *group;
  size_t group_room;
  uint32_t groups;
  struct otf2_comm *comm;
  size_t comm_room;
  struct otf2_location *location;
  size_t location_room;
  uint32_t *accelerator; /**< location groups of accelerators */
  size_t accelerator_room;
  uint32_t accelerators;
  uint32_t ranks;
  struct err *e; /**< of a callback that has failed */
  bool failed;
};

/** Reads the global definitions; @p name is the trace, for messages. */
enum status otf2_defs_read(struct otf2_defs *d, const struct otf2_reading *api, OTF2_Reader *reader,
                           const char *name, struct err *e);

/** The text of a string; "" if it is not defined. */
const char *otf2_defs_text(const struct otf2_defs *d, uint32_t string);

/** The communicator; NULL if it is not defined. */
struct otf2_comm *otf2_defs_comm(const struct otf2_defs *d, uint32_t id);

/** Sets the member number of @p rank; false if it is no member. O(members) once for each rank. */
bool otf2_comm_member(struct otf2_comm *c, uint32_t rank, uint32_t *member);

/** Sets the member number of the root that an event states; false if there is none. */
bool otf2_comm_root(const struct otf2_comm *c, uint32_t stated, uint32_t *root);

/** Sets the rank in the world of the partner @p member of @p rank; in an intercommunicator,
 *  @p member is in the group without @p rank.  False if there is no such partner. */
bool otf2_comm_partner(struct otf2_comm *c, uint32_t ranks, uint32_t rank, uint32_t member,
                       uint32_t *world);

/** The communicator in the recording, added on its first use by @p rank. */
enum status otf2_comm_number(struct otf2_comm *c, struct recording *r, uint32_t rank,
                             uint32_t *number, struct err *e);

void otf2_defs_clear(struct otf2_defs *d);
