#include "platforms/mapping/mapping.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/outfile.h"
#include "common/files/textfile.h"
#include "common/mem.h"
#include "common/plural.h"
#include "common/registry.h"
#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping_internal.h"

/* The formats are tried in this order on the first lines of a file; the default is a hostfile. */
#define LIST(ROW)                                                                                  \
  ROW(mapping_hostfile)                                                                            \
  ROW(mapping_rankfile)                                                                            \
  ROW(mapping_coordinates)                                                                         \
  ROW(mapping_vcoordfile)                                                                          \
  ROW(mapping_slurm)                                                                               \
  ROW(mapping_rank_order)

#define DECLARE(row) extern const struct mapping_format row;
LIST(DECLARE)

const struct registry mapping_formats = REGISTRY("format", LIST);

enum status mapping_new(struct mapping *m, uint32_t ranks, struct err *e)
{
  uint32_t *host = mem_array(ranks, sizeof *host, e);
  if (host == NULL)
    return FAIL;
  *m = (struct mapping){.ranks = ranks, .host = host};
  return OK;
}

void mapping_clear(struct mapping *m)
{
  free(m->host);
  *m = (struct mapping){0};
}

/* Maximum size of a file in bytes.  A mapping of the maximum number of ranks is smaller. */
enum { MAX_BYTES = 1 << 28 };

/* The text of a file, with NULs in place of newlines. */
struct text {
  char *bytes; /* owned; ends with an additional NUL */
  size_t length;
};

/* Replaces each newline by a NUL and drops a CR before it. */
static void cut_lines(struct text *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->length; i++) {
    const char c = t->bytes[i], next = t->bytes[i + 1];
    if (c != '\r' || (next != '\n' && next != '\0'))
      t->bytes[n++] = c == '\n' ? '\0' : c;
  }
  t->bytes[n] = '\0';
  t->length = n;
}

static const struct mapping_format *recognise_line(const char *line, const struct platform *p)
{
  const struct mapping_format *format;
  for (size_t i = 0; (format = registry_at(&mapping_formats, i)) != NULL; i++)
    if (format->recognise != NULL && format->recognise(line, p))
      return format;
  const char *first = line + strspn(line, " \t");
  return *first == '\0' || *first == '#' ? NULL : &mapping_hostfile;
}

static const struct mapping_format *recognise(const struct text *t, const struct platform *p)
{
  const struct mapping_format *format = NULL;
  for (size_t i = 0; format == NULL && i < t->length; i += strlen(t->bytes + i) + 1)
    format = recognise_line(t->bytes + i, p);
  return format == NULL ? &mapping_hostfile : format;
}

static enum status read_lines(struct mapping_reader *r, const struct text *t, const char *path,
                              struct err *e)
{
  const struct mapping_format *format = recognise(t, r->platform);
  for (uint32_t i = 0; i < r->m->ranks; i++)
    r->m->host[i] = MAPPING_NO_HOST;
  size_t next;
  for (size_t i = 0; i < t->length; i = next) {
    next = i + strlen(t->bytes + i) + 1;
    r->line++;
    if (format->read_line(r, t->bytes + i, e) != OK)
      return err_place(e, path, r->line);
  }
  return format->finish(r, e) == OK ? binding_settle(r->m, r->platform, &r->choices, e)
                                    : err_place(e, path, r->line == 0 ? 1 : r->line);
}

enum status mapping_load_as(struct mapping *m, const char *path, const char *name,
                            const struct platform *p, uint32_t ranks, struct err *e)
{
  struct text text = {0};
  struct mapping read = {0};
  struct mapping_reader r = {.platform = p, .m = &read};
  enum status s = textfile_load(&text.bytes, &text.length, path, name, MAX_BYTES, e);
  if (s == OK) {
    cut_lines(&text);
    s = mapping_new(&read, ranks, e);
  }
  if (s == OK)
    s = read_lines(&r, &text, name, e);
  free(text.bytes);
  binding_clear(&r.choices);
  if (s == OK)
    *m = read;
  else
    mapping_clear(&read);
  return s;
}

enum status mapping_load(struct mapping *m, const char *path, const struct platform *p,
                         uint32_t ranks, struct err *e)
{
  return mapping_load_as(m, path, path, p, ranks, e);
}

enum status mapping_save(const struct mapping *m, const struct platform *p,
                         const struct mapping_format *format, const char *path, struct err *e)
{
  struct outfile o;
  if (format->check(m, p, e) != OK || outfile_open(&o, path, e) != OK)
    return FAIL;
  return outfile_end(&o, format->write(m, p, o.f, e), e);
}

enum status mapping_check_names(const struct mapping *m, const struct platform *p,
                                bool (*fits)(const char *name), const char *file, struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  for (uint32_t r = 0; r < m->ranks; r++) {
    const char *name = platform_host_name(p, m->host[r], buffer, sizeof buffer);
    if (!fits(name))
      return err_set(e, "host name '%.80s' cannot be written in %s", name, file);
  }
  return OK;
}

enum status mapping_check(const struct mapping *m, const struct platform *p,
                          uint32_t ranks_per_host, struct err *e)
{
  const uint32_t hosts = platform_hosts(p);
  const struct platform *nodes = platform_nodes(p);
  char buffer[PLATFORM_NAME_SIZE];
  OWNED uint32_t *load = mem_array(hosts, sizeof *load, e);
  if (load == NULL)
    return FAIL;
  enum status s = OK;
  for (uint32_t r = 0; s == OK && r < m->ranks; r++) {
    const uint32_t h = m->host[r];
    if (h >= hosts)
      s = err_set(e, "rank %u is on host %u, but the platform has %u hosts", r, h, hosts);
    else if (++load[platform_node(p, h)] > ranks_per_host)
      s = err_set(e, "rank %u is on host %s, which already has %u rank%s, the maximum per host", r,
                  platform_host_name(nodes, platform_node(p, h), buffer, sizeof buffer),
                  ranks_per_host, PLURAL(ranks_per_host));
  }
  return s;
}
