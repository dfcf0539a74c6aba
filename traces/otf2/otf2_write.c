#include "traces/otf2/otf2_write.h"

#ifndef HAICHI_OTF2

enum status otf2_write(struct trace *t, const char *dir, struct err *e)
{
  (void)t;
  return err_set(e, "%s: haichi was built without libopen-trace-format2, which writes OTF2", dir);
}

#else

#include <stdlib.h>

#include "common/mem.h"
#include "traces/otf2/otf2_archive.h"
#include "traces/otf2/otf2_emit.h"

enum { RESOLUTION = 1000000000 };

struct output {
  struct otf2_emit emit;
  struct otf2_archive archive;
};

static enum status write_rank(struct output *o, struct trace *t, uint32_t rank, struct err *e)
{
  OTF2_EvtWriter *w;
  const struct action *a = NULL;
  if (otf2_archive_begin_rank(&o->archive, rank, &w, e) != OK)
    return FAIL;
  otf2_emit_begin(&o->emit, w, rank);
  do {
    if (trace_next(t, rank, &a, e) != OK)
      return FAIL;
    if (a != NULL && otf2_emit_action(&o->emit, a, e) != OK)
      return err_place(e, trace_file(t, rank), trace_line(t, rank));
  } while (a != NULL);
  return otf2_emit_end(&o->emit, e) == OK ? otf2_archive_end_rank(&o->archive, w, e) : FAIL;
}

/* Writes the group of a communicator (NULL: the world) and the communicator. */
static enum status define_comm(struct output *o, const struct comm *c, struct err *e)
{
  const uint32_t n = comm_size(c, o->emit.ranks);
  uint64_t *member = mem_array(n, sizeof *member, e);
  if (member == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    member[i] = comm_world_rank(c, i);
  otf2_archive_comm(&o->archive, comm_index(c), c == NULL ? "MPI_COMM_WORLD" : "", member, n);
  free(member);
  return OK;
}

static enum status define_all(struct output *o, struct err *e)
{
  const struct otf2_emit *m = &o->emit;
  const struct otf2_contents c = {RESOLUTION, m->latest + 1, m->events, &m->regions};
  if (otf2_archive_define(&o->archive, &c, e) != OK || define_comm(o, NULL, e) != OK)
    return FAIL;
  for (size_t i = 0; i < m->comms; i++)
    if (m->comm[i] != NULL && define_comm(o, m->comm[i], e) != OK)
      return FAIL;
  return OK;
}

static enum status write_all(struct output *o, struct trace *t, const char *dir, struct err *e)
{
  if (temp_check_folder(dir, e) != OK ||
      otf2_archive_open(&o->archive, dir, "traces", trace_ranks(t), e) != OK)
    return FAIL;
  o->emit.api = &o->archive.api;
  o->emit.report = &o->archive.report;
  for (uint32_t r = 0; r < trace_ranks(t); r++)
    if (write_rank(o, t, r, e) != OK)
      return FAIL;
  return define_all(o, e);
}

enum status otf2_write(struct trace *t, const char *dir, struct err *e)
{
  struct output o = {.emit = {.ranks = 0}};
  if (otf2_emit_init(&o.emit, trace_ranks(t), e) != OK)
    return FAIL;
  enum status s = write_all(&o, t, dir, e);
  s = otf2_archive_close(&o.archive, s, e);
  if (s == OK)
    s = temp_commit(&o.archive.temp, dir, e);
  temp_abandon(&o.archive.temp);
  otf2_emit_clear(&o.emit);
  return s;
}

#endif
