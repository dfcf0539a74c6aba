#define _GNU_SOURCE
#include "platforms/mapping.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/outfile.h"

enum status mapping_new(struct mapping *m, uint32_t ranks, struct err *e)
{
  uint32_t *host = mem_array(ranks, sizeof *host, e);
  if (host == NULL)
    return FAIL;
  *m = (struct mapping){ranks, host};
  return OK;
}

void mapping_clear(struct mapping *m)
{
  free(m->host);
  *m = (struct mapping){0};
}

/* Cuts ":slots" off the line, at the last colon as smpirun does. */
static enum status cut_slots(char *line, uint64_t *slots, struct err *e)
{
  char *colon = strrchr(line, ':');
  *slots = 1;
  if (colon == NULL)
    return OK;
  *colon = '\0';
  return num_u64(colon + 1, UINT32_MAX, slots, e);
}

/* Gives the host of one line, blank ones apart, to as many ranks as it has slots; *next is the
 * first rank without a host. */
static enum status place_line(struct mapping *m, char *line, const struct platform *p,
                              uint64_t *next, struct err *e)
{
  uint64_t slots;
  uint32_t host;
  if (line[0] == '\0')
    return OK;
  if (line[strlen(line) - 1] == '\r')
    return err_set(e, "a line that ends in CR LF; smpirun wants LF alone");
  if (cut_slots(line, &slots, e) != OK)
    return FAIL;
  if (!platform_find_host(p, line, &host))
    return err_set(e, "no host '%.80s' on the platform", line);
  for (; slots > 0 && *next < m->ranks; slots--)
    m->host[(*next)++] = host;
  return OK;
}

static enum status read_lines(struct mapping *m, const char *path, FILE *f,
                              const struct platform *p, struct err *e)
{
  char *line = NULL;
  size_t room = 0;
  uint64_t next = 0, number = 0;
  enum status s = OK;
  struct err cause;
  ssize_t length;
  while (s == OK && (length = getline(&line, &room, f)) >= 0) {
    number++;
    if (length > 0 && line[length - 1] == '\n')
      line[--length] = '\0';
    if (strlen(line) != (size_t)length)
      s = err_at(e, path, number, "a NUL character");
    else if (place_line(m, line, p, &next, &cause) != OK)
      s = err_at(e, path, number, "%s", cause.text);
  }
  free(line);
  if (s == OK && ferror(f))
    return err_errno(e, path, "cannot read");
  if (s == OK && next < m->ranks)
    return err_at(e, path, number == 0 ? 1 : number,
                  "the file ends with %" PRIu64 " slots for %u ranks", next, m->ranks);
  return s;
}

enum status mapping_load(struct mapping *m, const char *path, const struct platform *p,
                         uint32_t ranks, struct err *e)
{
  struct mapping read;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return err_errno(e, path, "cannot read");
  enum status s = mapping_new(&read, ranks, e);
  if (s == OK && (s = read_lines(&read, path, f, p, e)) != OK)
    mapping_clear(&read);
  fclose(f);
  if (s == OK)
    *m = read;
  return s;
}

/* A colon would be read back as the start of a number of slots; SimGrid allows it in names. */
static enum status check_names(const struct mapping *m, const struct platform *p, struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  for (uint32_t r = 0; r < m->ranks; r++) {
    const char *name = platform_host_name(p, m->host[r], buffer, sizeof buffer);
    if (name[0] == '\0' || strpbrk(name, ": \t\r\n") != NULL)
      return err_set(e, "host name '%.80s' cannot stand in a hostfile", name);
  }
  return OK;
}

enum status mapping_save(const struct mapping *m, const struct platform *p, const char *path,
                         struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  struct outfile o;
  if (check_names(m, p, e) != OK || outfile_open(&o, path, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    fprintf(o.f, "%s\n", platform_host_name(p, m->host[r], buffer, sizeof buffer));
  return outfile_commit(&o, e);
}

enum status mapping_check(const struct mapping *m, const struct platform *p,
                          uint32_t ranks_per_host, struct err *e)
{
  const uint32_t hosts = platform_hosts(p);
  char buffer[PLATFORM_NAME_SIZE];
  uint32_t *load = mem_array(hosts, sizeof *load, e);
  if (load == NULL)
    return FAIL;
  enum status s = OK;
  for (uint32_t r = 0; s == OK && r < m->ranks; r++) {
    const uint32_t h = m->host[r];
    if (h >= hosts)
      s = err_set(e, "rank %u is on host %u, but the platform has %u hosts", r, h, hosts);
    else if (++load[h] > ranks_per_host)
      s = err_set(e, "rank %u is the %u. on host %s; at most %u may share a host", r, load[h],
                  platform_host_name(p, h, buffer, sizeof buffer), ranks_per_host);
  }
  free(load);
  return s;
}
