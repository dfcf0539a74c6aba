/* HPE Cray's MPICH_RANK_ORDER for MPICH_RANK_REORDER_METHOD=3: the ranks in the order in which the
 * launcher fills the nodes.  All nodes except the last have the same number of ranks.  The file
 * contains no host names, so it cannot be read back.  The nodes of the job are the hosts that have
 * ranks, in platform order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/buckets.h"
#include "common/mem.h"
#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping_internal.h"

#define NO_HOST UINT32_MAX

/* First line of a written file, so that a file of ranks is not mistaken for coordinates. */
#define TITLE "# MPICH_RANK_ORDER"

static bool has_title(const char *line, const struct platform *p)
{
  (void)p;
  return strncmp(line, TITLE, sizeof TITLE - 1) == 0;
}

/* Refuses every line; a finish() is therefore not needed. */
static enum status refuse(struct mapping_reader *r, char *line, struct err *e)
{
  (void)r;
  (void)line;
  return err_set(e, "a rank order names no hosts: it is written only, not read");
}

/* The ranks sorted by host.  Host h has rank[first[h]] to rank[first[h + 1] - 1]. */
struct by_host {
  uint32_t hosts;
  uint32_t *first, *rank;
};

static void clear(struct by_host *b)
{
  free(b->first);
  free(b->rank);
}

static enum status sort(struct by_host *b, const struct mapping *m, uint32_t hosts, struct err *e)
{
  *b = (struct by_host){.hosts = hosts};
  if ((b->first = mem_array((size_t)hosts + 2, sizeof *b->first, e)) == NULL ||
      (b->rank = mem_array(m->ranks, sizeof *b->rank, e)) == NULL) {
    clear(b);
    return FAIL;
  }
  buckets_sort(m->host, m->ranks, hosts, b->first, b->rank);
  return OK;
}

static uint32_t load_of(const struct by_host *b, uint32_t host)
{
  return b->first[host + 1] - b->first[host];
}

static enum status check_loads(const struct by_host *b, const struct platform *p, struct err *e)
{
  char one[PLATFORM_NAME_SIZE], other[PLATFORM_NAME_SIZE];
  uint32_t first = NO_HOST, last = NO_HOST;
  for (uint32_t h = 0; h < b->hosts; h++)
    if (load_of(b, h) > 0) {
      last = h;
      first = first == NO_HOST ? h : first;
    }
  for (uint32_t h = 0; h < b->hosts; h++) {
    const uint32_t load = load_of(b, h), each = load_of(b, first);
    if (load == 0 || load == each || (h == last && load < each))
      continue;
    return err_set(e,
                   "host %s has %" PRIu32 " ranks and host %s has %" PRIu32
                   ": in a rank order, all hosts but the last must have the same number",
                   platform_host_name(p, first, one, sizeof one), each,
                   platform_host_name(p, h, other, sizeof other), load);
  }
  return OK;
}

/* Sorts the ranks by node. */
static enum status sort_nodes(struct by_host *b, const struct mapping *m, const struct platform *p,
                              struct err *e)
{
  struct mapping nodes;
  if (binding_nodes(&nodes, m, p, e) != OK)
    return FAIL;
  const enum status s = sort(b, &nodes, platform_hosts(platform_nodes(p)), e);
  mapping_clear(&nodes);
  return s;
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  struct by_host b;
  if (binding_check(m, p, e) != OK || sort_nodes(&b, m, p, e) != OK)
    return FAIL;
  const enum status s = check_loads(&b, platform_nodes(p), e);
  clear(&b);
  return s;
}

/* Writes one line per host. */
static enum status write(const struct mapping *m, const struct platform *p, FILE *f, struct err *e)
{
  struct by_host b;
  char name[PLATFORM_NAME_SIZE];
  if (sort_nodes(&b, m, p, e) != OK)
    return FAIL;
  fputs(TITLE "\n", f);
  const enum status s = binding_write(m, p, "# -bind-to user:", f, e);
  for (uint32_t h = 0; h < b.hosts; h++) {
    if (load_of(&b, h) > 0)
      fprintf(f, "# %s\n", platform_host_name(platform_nodes(p), h, name, sizeof name));
    for (uint32_t i = b.first[h]; i < b.first[h + 1]; i++)
      fprintf(f, "%" PRIu32 "%c", b.rank[i], i + 1 < b.first[h + 1] ? ',' : '\n');
  }
  clear(&b);
  return s;
}

const struct mapping_format mapping_rank_order = {.name = "rank-order",
                                                  .recognise = has_title,
                                                  .read_line = refuse,
                                                  .check = check,
                                                  .write = write};
