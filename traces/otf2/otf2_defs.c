#include "traces/otf2/otf2_defs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/mem.h"

/* --- callbacks ------------------------------------------------------------------------------- */

/* Stores that a callback has failed, which ends the reading. */
static OTF2_CallbackCode done(struct otf2_defs *d, enum status s)
{
  d->failed |= s != OK;
  return s == OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* Sets *number of an id; *fresh is false if it is defined already. */
static enum status add_id(struct pairs *ids, uint64_t id, uint32_t *number, bool *fresh,
                          struct err *e)
{
  const uint32_t known = ids->count;
  const enum status s = pairs_add(ids, (uint32_t)(id >> 32), (uint32_t)id, number, e);
  *fresh = s == OK && *number == known;
  return s;
}

static OTF2_CallbackCode clock_properties(void *user, uint64_t resolution, uint64_t offset,
                                          uint64_t length, uint64_t stamp)
{
  (void)offset;
  (void)length;
  (void)stamp;
  ((struct otf2_defs *)user)->resolution = resolution;
  return OTF2_CALLBACK_SUCCESS;
}

static enum status add_string(struct otf2_defs *d, OTF2_StringRef id, const char *text)
{
  uint32_t number;
  bool fresh;
  if (add_id(&d->string_ids, id, &number, &fresh, d->e) != OK ||
      MEM_GROW(d->string, d->string_room, d->string_ids.count, d->e) != OK)
    return FAIL;
  if (!fresh)
    return OK;
  d->string[number] = mem_strdup(text, d->e);
  return d->string[number] == NULL ? FAIL : OK;
}

static OTF2_CallbackCode string(void *user, OTF2_StringRef id, const char *text)
{
  return done(user, add_string(user, id, text));
}

static enum status add_location_group(struct otf2_defs *d, uint32_t id)
{
  if (MEM_GROW(d->accelerator, d->accelerator_room, (size_t)d->accelerators + 1, d->e) != OK)
    return FAIL;
  d->accelerator[d->accelerators++] = id;
  return OK;
}

static OTF2_CallbackCode location_group(void *user, OTF2_LocationGroupRef id, OTF2_StringRef name,
                                        OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                        OTF2_LocationGroupRef creator)
{
  (void)name;
  (void)parent;
  (void)creator;
  if (type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR)
    return OTF2_CALLBACK_SUCCESS;
  return done(user, add_location_group(user, id));
}

static enum status add_location(struct otf2_defs *d, const struct otf2_location *l)
{
  uint32_t number;
  bool fresh;
  if (add_id(&d->location_ids, l->id, &number, &fresh, d->e) != OK ||
      MEM_GROW(d->location, d->location_room, d->location_ids.count, d->e) != OK)
    return FAIL;
  if (fresh)
    d->location[number] = *l;
  return OK;
}

static OTF2_CallbackCode location(void *user, OTF2_LocationRef id, OTF2_StringRef name,
                                  OTF2_LocationType type, uint64_t events,
                                  OTF2_LocationGroupRef group)
{
  (void)name;
  (void)events;
  (void)group;
  return done(user, add_location(user, &(struct otf2_location){id, type, UINT32_MAX}));
}

static enum status add_region(struct otf2_defs *d, OTF2_RegionRef id,
                              const struct otf2_region *region)
{
  uint32_t number;
  bool fresh;
  if (add_id(&d->region_ids, id, &number, &fresh, d->e) != OK ||
      MEM_GROW(d->region, d->region_room, d->region_ids.count, d->e) != OK)
    return FAIL;
  if (fresh)
    d->region[number] = *region;
  return OK;
}

static OTF2_CallbackCode region(void *user, OTF2_RegionRef id, OTF2_StringRef name,
                                OTF2_StringRef canonical, OTF2_StringRef description,
                                OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags,
                                OTF2_StringRef file, uint32_t first, uint32_t last)
{
  (void)canonical;
  (void)description;
  (void)role;
  (void)flags;
  (void)file;
  (void)first;
  (void)last;
  return done(user,
              add_region(user, id, &(struct otf2_region){.name = name, .paradigm = paradigm}));
}

static enum status add_group(struct otf2_defs *d, struct otf2_group *g, const uint64_t *member)
{
  if (MEM_GROW(d->group, d->group_room, (size_t)d->groups + 1, d->e) != OK ||
      (g->member = mem_array(g->count, sizeof *member, d->e)) == NULL)
    return FAIL;
  if (g->count > 0)
    memcpy(g->member, member, g->count * sizeof *member);
  d->group[d->groups++] = *g;
  return OK;
}

static OTF2_CallbackCode group(void *user, OTF2_GroupRef id, OTF2_StringRef name,
                               OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
                               uint32_t count, const uint64_t *member)
{
  struct otf2_group g = {.id = id, .type = type, .paradigm = paradigm, .count = count};
  (void)name;
  g.global = type == OTF2_GROUP_TYPE_COMM_GROUP && (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0;
  return done(user, add_group(user, &g, member));
}

static enum status add_comm(struct otf2_defs *d, const struct otf2_comm *c)
{
  uint32_t number;
  bool fresh;
  if (add_id(&d->comm_ids, c->id, &number, &fresh, d->e) != OK ||
      MEM_GROW(d->comm, d->comm_room, d->comm_ids.count, d->e) != OK)
    return FAIL;
  if (fresh)
    d->comm[number] = *c;
  return OK;
}

static OTF2_CallbackCode comm(void *user, OTF2_CommRef id, OTF2_StringRef name,
                              OTF2_GroupRef members, OTF2_CommRef parent, OTF2_CommFlag flags)
{
  (void)parent;
  (void)flags;
  return done(user, add_comm(user, &(struct otf2_comm){.id = id, .name = name, .group = members}));
}

static OTF2_CallbackCode inter_comm(void *user, OTF2_CommRef id, OTF2_StringRef name,
                                    OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
                                    OTF2_CommFlag flags)
{
  const struct otf2_comm c = {.id = id, .name = name, .group = a, .remote = b, .inter = true};
  (void)common;
  (void)flags;
  return done(user, add_comm(user, &c));
}

/* --- names ----------------------------------------------------------------------------------- */

const char *otf2_defs_text(const struct otf2_defs *d, uint32_t id)
{
  const uint32_t number = pairs_find(&d->string_ids, 0, id);
  return number == PAIRS_NONE ? "" : d->string[number];
}

struct otf2_comm *otf2_defs_comm(const struct otf2_defs *d, uint32_t id)
{
  const uint32_t number = pairs_find(&d->comm_ids, 0, id);
  return number == PAIRS_NONE ? NULL : &d->comm[number];
}

/* Copies the name of a function; TAU writes "MPI_Send()". */
static void copy_name(char *name, size_t size, const char *text)
{
  const size_t n = strcspn(text, "( ");
  snprintf(name, size, "%.*s", (int)(n < size ? n : size - 1), text);
}

/* Recorders name regions of MPI after its C functions. */
static enum status resolve_regions(struct otf2_defs *d, struct err *e)
{
  struct names names = {0};
  uint32_t *first = mem_array(d->region_ids.count, sizeof *first, e);
  enum status s = first == NULL ? FAIL : OK;
  for (uint32_t i = 0; s == OK && i < d->region_ids.count; i++) {
    struct otf2_region *r = &d->region[i];
    char name[128];
    copy_name(name, sizeof name, otf2_defs_text(d, r->name));
    const bool profiled = strncmp(name, "PMPI_", 5) == 0;
    const uint32_t known = names.count;
    uint32_t number;
    r->mpi = profiled || strncmp(name, "MPI_", 4) == 0;
    r->call = r->mpi ? otf2_call_named(name + profiled) : NULL;
    r->mpi |= r->paradigm == OTF2_PARADIGM_MPI;
    s = names_add(&names, name, &number, e);
    if (s == OK && number == known)
      first[number] = i;
    r->same = s == OK ? first[number] : i;
  }
  names_clear(&names);
  free(first);
  return s;
}

/* --- ranks and communicators ----------------------------------------------------------------- */

/* Finds a group by id and type, as eztrace gives groups of several types the same id.
 * OTF2_GROUP_TYPE_UNKNOWN: any type that a communicator may have. */
static const struct otf2_group *find_group(const struct otf2_defs *d, uint32_t id, uint8_t type)
{
  for (uint32_t i = 0; i < d->groups; i++) {
    const struct otf2_group *g = &d->group[i];
    if (g->id == id && g->paradigm == OTF2_PARADIGM_MPI &&
        (g->type == type ||
         (type == OTF2_GROUP_TYPE_UNKNOWN && g->type >= OTF2_GROUP_TYPE_COMM_GROUP)))
      return g;
  }
  return NULL;
}

static const struct otf2_group *find_world(const struct otf2_defs *d)
{
  for (uint32_t i = 0; i < d->groups; i++)
    if (d->group[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
        d->group[i].paradigm == OTF2_PARADIGM_MPI)
      return &d->group[i];
  return NULL;
}

static enum status resolve_ranks(struct otf2_defs *d, const char *name, struct err *e)
{
  const struct otf2_group *world = find_world(d);
  if (world == NULL || world->count == 0)
    return err_set(e, "%s: no processes of MPI: no group of their locations", name);
  d->ranks = world->count;
  for (uint32_t r = 0; r < world->count; r++) {
    const uint64_t id = world->member[r];
    const uint32_t number = pairs_find(&d->location_ids, (uint32_t)(id >> 32), (uint32_t)id);
    if (number == PAIRS_NONE)
      return err_set(e, "%s: rank %" PRIu32 " is location %" PRIu64 ", which is not defined", name,
                     r, id);
    if (d->location[number].rank != UINT32_MAX)
      return err_set(e, "%s: location %" PRIu64 " is rank %" PRIu32 " and rank %" PRIu32, name, id,
                     d->location[number].rank, r);
    d->location[number].rank = r;
  }
  return OK;
}

static enum status copy_members(const struct otf2_defs *d, const struct otf2_group *g,
                                struct otf2_comm *c, const char *name, struct err *e)
{
  size_t room = c->count;
  if (MEM_GROW(c->member, room, (size_t)c->count + g->count, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < g->count; i++) {
    const uint64_t rank = g->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ? i : g->member[i];
    if (rank >= d->ranks)
      return err_set(
          e, "%s: communicator %" PRIu32 " has rank %" PRIu64 ", but there are %" PRIu32 " ranks",
          name, c->id, rank, d->ranks);
    c->member[c->count++] = (uint32_t)rank;
  }
  return OK;
}

static enum status resolve_comm(struct otf2_defs *d, struct otf2_comm *c, const char *name,
                                struct err *e)
{
  const struct otf2_group *g = find_group(d, c->group, OTF2_GROUP_TYPE_UNKNOWN);
  if (g == NULL)
    g = find_group(d, c->group, OTF2_GROUP_TYPE_COMM_LOCATIONS);
  const struct otf2_group *remote =
      c->inter ? find_group(d, c->remote, OTF2_GROUP_TYPE_UNKNOWN) : NULL;
  if (g == NULL || (c->inter && remote == NULL))
    return OK;
  c->resolved = true;
  c->self = g->type == OTF2_GROUP_TYPE_COMM_SELF;
  c->global = g->global;
  if (c->self)
    return OK;
  if (copy_members(d, g, c, name, e) != OK)
    return FAIL;
  c->local = c->count;
  return remote == NULL ? OK : copy_members(d, remote, c, name, e);
}

static bool has_all(const struct otf2_defs *d, const struct otf2_comm *c)
{
  if (!c->resolved || c->inter || c->self || c->count != d->ranks)
    return false;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->member[i] != i)
      return false;
  return true;
}

/* The world is MPI_COMM_WORLD, or, without this name, the first communicator with all ranks in
 * order. */
static void resolve_world(struct otf2_defs *d)
{
  struct otf2_comm *world = NULL;
  for (uint32_t i = 0; i < d->comm_ids.count; i++) {
    struct otf2_comm *c = &d->comm[i];
    const bool named = strcmp(otf2_defs_text(d, c->name), "MPI_COMM_WORLD") == 0;
    if (!has_all(d, c) || (world != NULL && !named))
      continue;
    world = c;
    if (named)
      break;
  }
  if (world != NULL)
    world->world = true;
}

static enum status resolve(struct otf2_defs *d, const char *name, struct err *e)
{
  if (resolve_regions(d, e) != OK || resolve_ranks(d, name, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < d->comm_ids.count; i++)
    if (resolve_comm(d, &d->comm[i], name, e) != OK)
      return FAIL;
  resolve_world(d);
  return OK;
}

static bool find_member(const struct otf2_comm *c, uint32_t rank, uint32_t *member)
{
  for (*member = 0; *member < c->count; ++*member)
    if (c->member[*member] == rank)
      return true;
  return false;
}

bool otf2_comm_root(const struct otf2_comm *c, uint32_t stated, uint32_t *root)
{
  if (c->global && !c->world)
    return find_member(c, stated, root);
  *root = stated;
  return true;
}

bool otf2_comm_member(struct otf2_comm *c, uint32_t rank, uint32_t *member)
{
  if (c->self || c->world) {
    *member = c->self ? 0 : rank;
    return true;
  }
  if (c->at_of != rank + 1 && find_member(c, rank, &c->at))
    c->at_of = rank + 1;
  *member = c->at;
  return c->at_of == rank + 1;
}

bool otf2_comm_partner(struct otf2_comm *c, uint32_t ranks, uint32_t rank, uint32_t member,
                       uint32_t *world)
{
  uint32_t mine = 0, first = 0, last = c->local;
  if (c->self || c->world) {
    *world = c->self ? rank : member;
    return member < (c->self ? 1 : ranks);
  }
  if (c->global) {
    *world = member;
    return find_member(c, member, &mine);
  }
  if (!otf2_comm_member(c, rank, &mine))
    return false;
  if (c->inter) {
    first = mine < c->local ? c->local : 0;
    last = mine < c->local ? c->count : c->local;
  }
  if (member >= last - first)
    return false;
  *world = c->member[first + member];
  return true;
}

enum status otf2_comm_number(struct otf2_comm *c, struct recording *r, uint32_t rank,
                             uint32_t *number, struct err *e)
{
  struct comm_list l = {0};
  *number = 0;
  if (c->world)
    return OK;
  if (c->number == 0 || (c->self && c->number_of != rank)) {
    const uint32_t count = c->self ? 1 : c->count;
    enum status s = OK;
    for (uint32_t i = 0; s == OK && i < count; i++) {
      const struct comm_run run = {.first = c->self ? rank : c->member[i], .count = 1};
      s = comm_list_add(&l, r->trace.ranks, &run, e);
    }
    if (s == OK)
      s = recording_comm(r, &l, &c->number, e);
    comm_list_clear(&l);
    if (s != OK)
      return FAIL;
    c->number++;
    c->number_of = rank;
  }
  *number = c->number - 1;
  return OK;
}

/* --- reading --------------------------------------------------------------------------------- */

static OTF2_GlobalDefReaderCallbacks *callbacks(const struct otf2_reading *api)
{
  OTF2_GlobalDefReaderCallbacks *c = api->OTF2_GlobalDefReaderCallbacks_New();
  if (c == NULL)
    return NULL;
  api->OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, clock_properties);
  api->OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, string);
  api->OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, location_group);
  api->OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, location);
  api->OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, region);
  api->OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, group);
  api->OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, comm);
  api->OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, inter_comm);
  return c;
}

enum status otf2_defs_read(struct otf2_defs *d, const struct otf2_reading *api, OTF2_Reader *reader,
                           const char *name, struct err *e)
{
  uint64_t count;
  d->e = e;
  OTF2_GlobalDefReader *from = api->OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks *c = from == NULL ? NULL : callbacks(api);
  if (c == NULL)
    return err_set(e, "%s: its definitions cannot be read", name);
  api->OTF2_Reader_RegisterGlobalDefCallbacks(reader, from, c, d);
  api->OTF2_GlobalDefReaderCallbacks_Delete(c);
  const OTF2_ErrorCode code = api->OTF2_Reader_ReadAllGlobalDefinitions(reader, from, &count);
  api->OTF2_Reader_CloseGlobalDefReader(reader, from);
  if (d->failed)
    return FAIL;
  if (code != OTF2_SUCCESS)
    return err_set(e, "%s: its definitions are damaged: %s", name,
                   api->OTF2_Error_GetDescription(code));
  return resolve(d, name, e);
}

void otf2_defs_clear(struct otf2_defs *d)
{
  for (uint32_t i = 0; i < d->string_ids.count && d->string != NULL; i++)
    free(d->string[i]);
  for (uint32_t i = 0; i < d->groups; i++)
    free(d->group[i].member);
  for (uint32_t i = 0; i < d->comm_ids.count && d->comm != NULL; i++)
    free(d->comm[i].member);
  free(d->string);
  free(d->region);
  free(d->group);
  free(d->comm);
  free(d->location);
  free(d->accelerator);
  pairs_clear(&d->string_ids);
  pairs_clear(&d->region_ids);
  pairs_clear(&d->comm_ids);
  pairs_clear(&d->location_ids);
  *d = (struct otf2_defs){0};
}
