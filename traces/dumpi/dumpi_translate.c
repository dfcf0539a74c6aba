#include "traces/dumpi/dumpi_translate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/linefile.h"
#include "common/files/path.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/dumpi/dumpi_rank.h"

/* The .meta file. */
struct meta {
  uint64_t ranks; /* 0: not stated */
  char *prefix;   /* of the files of ranks, without folders; NULL: not stated; owned */
};

struct translation {
  const struct unpacked *files;
  struct meta meta;
  char **path; /* by rank; owned */
  struct dumpi_comms comms;
  struct dumpi_rank rank;
  uint64_t calls, missing; /* calls of MPI; calls that are not recorded */
};

static enum status meta_line(struct meta *m, const char *text, struct err *e)
{
  if (strncmp(text, "numprocs=", 9) == 0)
    return num_u64(text + 9, 1 << 20, &m->ranks, e);
  if (strncmp(text, "fileprefix=", 11) != 0 || m->prefix != NULL)
    return OK;
  const char *slash = strrchr(text + 11, '/');
  m->prefix = mem_strdup(slash == NULL ? text + 11 : slash + 1, e);
  return m->prefix == NULL ? FAIL : OK;
}

static enum status read_meta(struct meta *m, const char *path, const char *name, struct err *e)
{
  struct linefile l = {0};
  bool more;
  enum status s = linefile_open(&l, path, e);
  while (s == OK && (s = linefile_next(&l, &more, e)) == OK && more)
    if (meta_line(m, l.text, e) != OK)
      s = err_place(e, name, l.line);
  linefile_close(&l);
  if (s == OK && m->ranks == 0)
    return err_set(e, "%s: no line 'numprocs=N'", name);
  return s;
}

/* The file of a rank: PREFIX-NNNN.bin, four digits or more; the prefix is the name of the .meta
 * file, or stated in it. */
static char *find_file(const struct translation *t, uint32_t rank, struct err *e)
{
  const char *base = path_name(t->files->main);
  const int folder = path_folder(t->files->main), stem = (int)(strlen(base) - strlen(".meta"));
  for (int digits = 4; digits <= 8; digits++)
    for (int own = 1; own >= 0; own--) {
      const char *prefix = own ? base : t->meta.prefix == NULL ? "" : t->meta.prefix;
      const int length = own ? stem : (int)strlen(prefix);
      char *path = mem_printf(e, "%.*s%.*s-%0*" PRIu32 ".bin", folder, t->files->main, length,
                              prefix, digits, rank);
      if (path == NULL || access(path, R_OK) == 0)
        return path;
      free(path);
    }
  (void)err_set(e, "%s: the file of rank %" PRIu32 " is missing: %.*s-%04" PRIu32 ".bin",
                t->files->main, rank, stem, base, rank);
  return NULL;
}

static enum status add_file(struct translation *t, struct recording *r, uint32_t rank,
                            struct err *e)
{
  uint32_t number;
  if ((t->path[rank] = find_file(t, rank, e)) == NULL)
    return FAIL;
  char *shown = unpacked_name(t->files, r->trace.name, t->path[rank], e);
  const bool archive = t->files->temp.path != NULL;
  const enum status s = shown != NULL && recording_file(r, rank, shown, e) == OK
                            ? names_add(&r->inputs, archive ? r->trace.name : shown, &number, e)
                            : FAIL;
  free(shown);
  return s;
}

static enum status prepare(struct translation *t, struct recording *r, struct err *e)
{
  uint32_t number;
  const char *first = t->files->temp.path != NULL ? r->trace.name : t->files->main;
  if (read_meta(&t->meta, t->files->main, r->trace.name, e) != OK ||
      recording_ranks(r, t->meta.ranks, e) != OK ||
      names_add(&r->inputs, first, &number, e) != OK ||
      (t->path = mem_array(r->trace.ranks, sizeof *t->path, e)) == NULL ||
      dumpi_comms_init(&t->comms, r->trace.ranks, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->trace.ranks; i++)
    if (add_file(t, r, i, e) != OK)
      return FAIL;
  r->second = 1e-9;
  t->rank.recording = r;
  t->rank.comms = &t->comms;
  return OK;
}

static enum status open_rank(struct translation *t, uint32_t rank, struct err *e)
{
  return dumpi_file_open(&t->rank.file, t->path[rank],
                         recording_rank_file(&t->rank.recording->trace, rank), e);
}

/* First pass: communicators. */
static enum status scan(struct translation *t, uint32_t rank, struct err *e)
{
  struct dumpi_file *f = &t->rank.file;
  bool more = true;
  enum status s = open_rank(t, rank, e);
  while (s == OK && more) {
    s = dumpi_file_next(f, &more, e);
    if (s == OK && more)
      s = dumpi_comms_note(&t->comms, rank, &f->record, e);
  }
  t->calls += f->calls;
  t->missing += f->missing;
  dumpi_file_close(f);
  return s;
}

/* Second pass: all calls. */
static enum status translate(struct translation *t, uint32_t rank, struct err *e)
{
  struct dumpi_file *f = &t->rank.file;
  bool more = true;
  enum status s = open_rank(t, rank, e);
  dumpi_rank_begin(&t->rank, rank);
  while (s == OK && more) {
    s = dumpi_file_next(f, &more, e);
    if (s == OK && more)
      s = dumpi_rank_call(&t->rank, e);
  }
  dumpi_rank_end(&t->rank);
  dumpi_file_close(f);
  return s;
}

static enum status run(struct translation *t, struct recording *r, struct err *e)
{
  enum status s = prepare(t, r, e);
  for (uint32_t i = 0; s == OK && i < r->trace.ranks; i++)
    s = scan(t, i, e);
  if (s == OK)
    s = dumpi_comms_resolve(&t->comms, e);
  for (uint32_t i = 0; s == OK && i < r->trace.ranks; i++)
    s = translate(t, i, e);
  if (s != OK)
    return FAIL;
  if (t->missing > 0)
    recording_gap(r, false, "%s: %" PRIu64 " of %" PRIu64 " calls were not recorded", r->trace.name,
                  t->missing, t->calls);
  if (t->missing == 0 && t->rank.unknown > 0)
    recording_gap(r, false,
                  "%s: %" PRIu64 " requests end that no recorded call makes: DUMPI does not record "
                  "nonblocking collectives; the first such end is in %s, offset %" PRIu64,
                  r->trace.name, t->rank.unknown,
                  recording_rank_file(&r->trace, t->rank.unknown_rank), t->rank.unknown_offset);
  if (!t->comms.reordered)
    return OK;
  return recording_note(r, e,
                        "%s: grids or graphs were created with 'reorder', which may renumber the "
                        "ranks; the numbers of the parent are used",
                        r->trace.name);
}

enum status dumpi_translate(struct recording *r, const struct unpacked *files, struct err *e)
{
  struct translation t = {.files = files};
  const enum status s = run(&t, r, e);
  dumpi_rank_clear(&t.rank);
  dumpi_comms_clear(&t.comms);
  for (uint32_t i = 0; t.path != NULL && i < r->trace.ranks; i++)
    free(t.path[i]);
  free(t.path);
  free(t.meta.prefix);
  return s;
}
