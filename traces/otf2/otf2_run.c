#include "traces/otf2/otf2_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/files/path.h"
#include "common/mem.h"

static const char ENDING[] = ".otf2";

/* Fails if the folder for the events exists without an archive that is to be replaced. */
static enum status check_folder(const char *path, const char *stem, struct err *e)
{
  struct stat st;
  const bool replaces = stat(path, &st) == 0;
  if (replaces && !S_ISREG(st.st_mode))
    return err_set(e, "%s: not a regular file, which the anchor of an OTF2 archive is", path);
  if (replaces || stat(stem, &st) != 0)
    return OK;
  return err_set(e, "%s: its events would be in '%s', which exists and belongs to no archive", path,
                 stem);
}

enum status otf2_run_check(const char *path, struct err *e)
{
  const size_t n = strlen(path), k = strlen(ENDING);
  if (n <= k || strcmp(path + n - k, ENDING) != 0 || path[n - k - 1] == '/')
    return err_set(e, "%s: the name of an OTF2 archive ends in %s", path, ENDING);
#ifndef HAICHI_OTF2
  return err_set(e, "%s: haichi was built without libopen-trace-format2, which writes OTF2", path);
#endif
  char *stem = mem_printf(e, "%.*s", (int)(n - k), path);
  const enum status s = stem == NULL ? FAIL : check_folder(path, stem, e);
  free(stem);
  return s;
}

#ifndef HAICHI_OTF2

enum status otf2_run_new(struct otf2_run **out, const char *path, uint32_t ranks, struct err *e)
{
  (void)out;
  (void)ranks;
  return otf2_run_check(path, e);
}

void otf2_run_free(struct otf2_run *r)
{
  (void)r;
}

enum status otf2_run_state(struct otf2_run *r, uint32_t rank, const char *action, double at,
                           struct err *e)
{
  (void)r;
  (void)rank;
  (void)action;
  (void)at;
  (void)e;
  return OK;
}

enum status otf2_run_message(struct otf2_run *r, const struct otf2_run_message *m, double at,
                             struct err *e)
{
  (void)r;
  (void)m;
  (void)at;
  (void)e;
  return OK;
}

enum status otf2_run_commit(struct otf2_run *r, struct err *e)
{
  (void)r;
  (void)e;
  return OK;
}

#else

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/containers/pairs.h"
#include "traces/files/spool.h"
#include "traces/otf2/otf2_archive.h"

#define TICKS UINT64_C(1000000000000) /* a second */

enum { EVENTS = 256 }; /* read at once */

enum event_kind { ENTER, LEAVE, SEND, RECV };

struct event {
  uint64_t time, bytes; /* time in ticks */
  uint32_t kind;
  uint32_t region, partner, comm, tag;
};

/* The region that a rank is in; it is written if it takes time, or with its first message. */
struct state {
  const char *action; /* NULL: none */
  uint64_t since;
  bool written;
};

struct otf2_run {
  char *path, *stem; /* stem: without the ending */
  uint32_t ranks;
  struct state *state;
  uint64_t *events;
  struct spool *spool; /* a stream for each rank */
  struct names regions;
  struct pairs comms; /* communicator, and 1 for the messages of its collectives */
  uint64_t latest;
};

static enum status begin(struct otf2_run *r, const char *path, struct err *e)
{
  uint32_t number;
  if ((r->path = mem_strdup(path, e)) == NULL ||
      (r->stem = mem_printf(e, "%.*s", (int)(strlen(path) - strlen(ENDING)), path)) == NULL ||
      (r->state = mem_array(r->ranks, sizeof *r->state, e)) == NULL ||
      (r->events = mem_array(r->ranks, sizeof *r->events, e)) == NULL ||
      spool_new(&r->spool, path, INT64_MAX, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->ranks; i++)
    if (spool_add(r->spool, &number, e) != OK)
      return FAIL;
  return pairs_add(&r->comms, 0, 0, &number, e);
}

enum status otf2_run_new(struct otf2_run **out, const char *path, uint32_t ranks, struct err *e)
{
  if (otf2_run_check(path, e) != OK)
    return FAIL;
  struct otf2_run *r = mem_array(1, sizeof *r, e);
  if (r == NULL)
    return FAIL;
  r->ranks = ranks;
  if (begin(r, path, e) != OK) {
    otf2_run_free(r);
    return FAIL;
  }
  *out = r;
  return OK;
}

void otf2_run_free(struct otf2_run *r)
{
  if (r == NULL)
    return;
  free(r->path);
  free(r->stem);
  free(r->state);
  free(r->events);
  spool_free(r->spool);
  names_clear(&r->regions);
  pairs_clear(&r->comms);
  free(r);
}

/* --- during the run -------------------------------------------------------------------------- */

/* The name of a function of MPI for an action, as recorders write it. */
static void name_of(const char *action, char *name, size_t size)
{
  static const char *const OTHERS[][2] = {
      {"compute", "compute"},
      {"sleep", "sleep"},
      {"end of trace", "MPI_Waitall"},
      {"reducescatter", "MPI_Reduce_scatter"},
      {"ireducescatter", "MPI_Ireduce_scatter"},
  };
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    if (strcmp(OTHERS[i][0], action) == 0) {
      snprintf(name, size, "%s", OTHERS[i][1]);
      return;
    }
  snprintf(name, size, "MPI_%s", action);
  name[4] = (char)toupper((unsigned char)name[4]);
  for (char *c = name + 5; *c != '\0'; c++)
    *c = (char)tolower((unsigned char)*c);
}

static enum status append(struct otf2_run *r, uint32_t rank, const struct event *x, struct err *e)
{
  r->events[rank]++;
  r->latest = x->time > r->latest ? x->time : r->latest;
  return spool_append(r->spool, rank, x, sizeof *x, e);
}

static enum status add_border(struct otf2_run *r, uint32_t rank, enum event_kind kind,
                              uint64_t time, struct err *e)
{
  struct event x = {.time = time, .kind = kind};
  char name[64];
  name_of(r->state[rank].action, name, sizeof name);
  return names_add(&r->regions, name, &x.region, e) == OK ? append(r, rank, &x, e) : FAIL;
}

static enum status write_begin(struct otf2_run *r, uint32_t rank, struct err *e)
{
  struct state *s = &r->state[rank];
  if (s->written)
    return OK;
  s->written = true;
  return add_border(r, rank, ENTER, s->since, e);
}

static enum status change(struct otf2_run *r, uint32_t rank, const char *action, uint64_t now,
                          struct err *e)
{
  struct state *s = &r->state[rank];
  if (s->action == action ||
      (s->action != NULL && action != NULL && strcmp(s->action, action) == 0))
    return OK;
  if (s->action != NULL && now > s->since && write_begin(r, rank, e) != OK)
    return FAIL;
  if (s->written && add_border(r, rank, LEAVE, now, e) != OK)
    return FAIL;
  *s = (struct state){.action = action, .since = now};
  return OK;
}

static uint64_t ticks_of(double seconds)
{
  return (uint64_t)(seconds * (double)TICKS + 0.5);
}

enum status otf2_run_state(struct otf2_run *r, uint32_t rank, const char *action, double at,
                           struct err *e)
{
  return change(r, rank, action, ticks_of(at), e);
}

enum status otf2_run_message(struct otf2_run *r, const struct otf2_run_message *m, double at,
                             struct err *e)
{
  const bool inside = m->tag < 0;
  struct event x = {.time = ticks_of(at),
                    .bytes = m->bytes,
                    .kind = m->receives ? RECV : SEND,
                    .partner = m->partner,
                    .tag = inside ? (uint32_t)(-(int64_t)m->tag) : (uint32_t)m->tag};
  if (pairs_add(&r->comms, m->comm, inside, &x.comm, e) != OK ||
      change(r, m->rank, m->action, x.time, e) != OK || write_begin(r, m->rank, e) != OK)
    return FAIL;
  return append(r, m->rank, &x, e);
}

/* --- the archive ----------------------------------------------------------------------------- */

static bool write_event(const struct otf2_writing *api, OTF2_EvtWriter *w, const struct event *x)
{
  OTF2_ErrorCode code;
  switch (x->kind) {
  case ENTER:
    code = api->OTF2_EvtWriter_Enter(w, NULL, x->time, x->region);
    break;
  case LEAVE:
    code = api->OTF2_EvtWriter_Leave(w, NULL, x->time, x->region);
    break;
  case SEND:
    code = api->OTF2_EvtWriter_MpiSend(w, NULL, x->time, x->partner, x->comm, x->tag, x->bytes);
    break;
  default:
    code = api->OTF2_EvtWriter_MpiRecv(w, NULL, x->time, x->partner, x->comm, x->tag, x->bytes);
    break;
  }
  return code == OTF2_SUCCESS;
}

/* Fills the array as far as there are events. */
static enum status read_events(struct otf2_run *r, struct spool_cursor *from, struct event *x,
                               size_t room, size_t *count, struct err *e)
{
  size_t have = 0, got;
  do {
    if (spool_read(r->spool, from, (char *)x + have, room * sizeof *x - have, &got, e) != OK)
      return FAIL;
    have += got;
  } while (got > 0 && have < room * sizeof *x);
  *count = have / sizeof *x;
  return OK;
}

static enum status write_rank(struct otf2_run *r, struct otf2_archive *a, uint32_t rank,
                              struct err *e)
{
  OTF2_EvtWriter *w;
  struct event x[EVENTS];
  size_t count;
  if (spool_flush(r->spool, rank, e) != OK || otf2_archive_begin_rank(a, rank, &w, e) != OK)
    return FAIL;
  struct spool_cursor from = spool_start(r->spool, rank);
  do {
    if (read_events(r, &from, x, EVENTS, &count, e) != OK)
      return FAIL;
    for (size_t i = 0; i < count; i++)
      if (!write_event(&a->api, w, &x[i]))
        return otf2_archive_failed(a, e);
  } while (count == EVENTS);
  return otf2_archive_end_rank(a, w, e);
}

/* Defines each communicator with all ranks: messages state partners by their ranks in the world. */
static enum status define_comms(const struct otf2_run *r, struct otf2_archive *a, struct err *e)
{
  uint64_t *rank = mem_array(r->ranks, sizeof *rank, e);
  if (rank == NULL)
    return FAIL;
  for (uint32_t i = 0; i < r->ranks; i++)
    rank[i] = i;
  for (uint32_t i = 0; i < r->comms.count; i++) {
    char name[64];
    const uint64_t key = r->comms.key[i];
    snprintf(name, sizeof name, "%s %" PRIu32,
             (uint32_t)key == 0 ? "communicator" : "collectives on", (uint32_t)(key >> 32));
    otf2_archive_comm(a, i, i == 0 ? "MPI_COMM_WORLD" : name, rank, r->ranks);
  }
  free(rank);
  return OK;
}

static enum status write_archive(struct otf2_run *r, struct otf2_archive *a, struct err *e)
{
  const struct otf2_contents c = {TICKS, r->latest + 1, r->events, &r->regions};
  if (otf2_archive_open(a, r->path, path_name(r->stem), r->ranks, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->ranks; i++)
    if (write_rank(r, a, i, e) != OK)
      return FAIL;
  return otf2_archive_define(a, &c, e) == OK ? define_comms(r, a, e) : FAIL;
}

/* Moves TEMP/NAME with the ending to its place. */
static enum status move(const struct otf2_run *r, const struct otf2_archive *a, const char *ending,
                        struct err *e)
{
  OWNED char *from = mem_printf(e, "%s/%s%s", a->temp.path, path_name(r->stem), ending);
  OWNED char *to = mem_printf(e, "%s%s", r->stem, ending);
  if (from == NULL || to == NULL)
    return FAIL;
  return rename(from, to) == 0 ? OK : err_errno(e, to, "cannot write");
}

/* Replaces an older archive, whose folder is removed with the temporary one. */
static enum status replace(const struct otf2_run *r, const struct otf2_archive *a, struct err *e)
{
  struct stat st;
  OWNED char *aside = mem_printf(e, "%s/%s.old", a->temp.path, path_name(r->stem));
  if (aside == NULL || check_folder(r->path, r->stem, e) != OK)
    return FAIL;
  if (stat(r->stem, &st) == 0 && rename(r->stem, aside) != 0)
    return err_errno(e, r->stem, "cannot replace it");
  if (move(r, a, "", e) != OK || move(r, a, ".def", e) != OK)
    return FAIL;
  return move(r, a, ENDING, e);
}

enum status otf2_run_commit(struct otf2_run *r, struct err *e)
{
  struct otf2_archive a;
  enum status s = write_archive(r, &a, e);
  s = otf2_archive_close(&a, s, e);
  if (s == OK)
    s = replace(r, &a, e);
  temp_abandon(&a.temp);
  return s;
}

#endif
