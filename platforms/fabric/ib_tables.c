/* Reads forwarding tables as ibroute prints them (ibroute(8)):
 *
 *     Unicast lids [0x0-0x12] of switch Lid 6 guid 0x005442ba00003080 (ISR9024 Voltaire):
 *       Lid  Out   Destination
 *            Port     Info
 *     0x0003 021 : (Switch portguid 0x0008f10400410015: 'SW-6IB4 Voltaire')
 *     12 valid lids dumped
 *
 * Ports of hosts may have several lids (lmc); only the first one is used.  Lids of switches are not
 * used. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"
#include "platforms/fabric/ib.h"

enum { LIDS = 65536, LAST_PORT = 255 };

struct reader {
  struct ib *x;
  uint32_t *end;  /* by lid: the end plus 1; 0: none */
  bool *known;    /* by switch: its table has been read */
  uint32_t at;    /* switch of the current table; FABRIC_NONE: before the first one */
  bool multicast; /* the current table is for multicast groups */
  struct err *e;
};

static enum status list_lids(struct reader *r)
{
  const struct ib *x = r->x;
  for (uint32_t i = 0; i < x->ends; i++) {
    const uint32_t lid = x->lid[i];
    if (lid == 0)
      return err_set(r->e, "%s: a port of host '%.80s' has no lid", x->f.file[0],
                     x->f.name[x->f.cable[i].end[0]]);
    if (r->end[lid] != 0)
      return err_set(r->e, "%s: lid %" PRIu32 " has ports of '%.80s' and of '%.80s'", x->f.file[0],
                     lid, x->f.name[x->f.cable[r->end[lid] - 1].end[0]],
                     x->f.name[x->f.cable[i].end[0]]);
    r->end[lid] = i + 1;
  }
  return OK;
}

/* Parses up to 16 hexadecimal digits after "0x".  False if there are none, or too many. */
static bool read_hex(const char *text, uint64_t *out)
{
  const size_t n = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
  *out = n > 0 && n <= 16 ? strtoull(text + 2, NULL, 16) : 0;
  return n > 0 && n <= 16;
}

/* Finds the switch of a table by its GUID. */
static enum status begin_table(struct reader *r, const char *text)
{
  char id[32];
  uint32_t node;
  uint64_t guid;
  const char *at = strstr(text, " guid ");
  if (at == NULL || !read_hex(at + 6, &guid))
    return err_set(r->e, "no guid of a switch in '%.80s'", text);
  snprintf(id, sizeof id, "S-%016" PRIx64, guid);
  fabric_find_host(&r->x->f.base, id, &node);
  if (node == INDEX_NONE || node < r->x->f.base.hosts)
    return err_set(r->e, "no switch '%s' in %s", id, r->x->f.file[0]);
  r->at = node - r->x->f.base.hosts;
  if (r->known[r->at])
    return err_set(r->e, "a second table of switch '%s'", id);
  r->known[r->at] = true;
  return OK;
}

/* The cable at a port of switch @p s; IB_NO_PORT if it leads to no other switch. */
static uint16_t find_out(const struct ib *x, uint32_t s, uint64_t port)
{
  for (uint32_t i = x->out_first[s]; i < x->out_first[s + 1]; i++)
    if (x->out[i].port == port)
      return (uint16_t)(i - x->out_first[s]);
  return IB_NO_PORT;
}

/* Reads "0x0003 021 : (...)". */
static enum status read_entry(struct reader *r, char *text)
{
  struct ib *x = r->x;
  uint64_t lid, port;
  const char *first = linefile_word(&text), *second = linefile_word(&text);
  if (!read_hex(first, &lid) || lid >= LIDS)
    return err_set(r->e, "'%.20s' is no lid", first);
  if (second == NULL || num_u64(second, LAST_PORT, &port, r->e) != OK)
    return err_set(r->e, "lid %s has no port of at most %d", first, LAST_PORT);
  const uint32_t end = r->end[lid];
  if (end == 0 || x->home[end - 1] == r->at)
    return OK;
  const uint16_t out = find_out(x, r->at, port);
  if (out == IB_NO_PORT)
    return err_set(r->e, "port %" PRIu64 " of switch '%s' leads to no other switch, but has lid %s",
                   port, x->f.name[x->f.base.hosts + r->at], first);
  x->next[(size_t)r->at * x->ends + end - 1] = out;
  return OK;
}

static bool is_heading(const char *text)
{
  static const char *const HEADINGS[] = {"Lid ", "Port ", "MLid", "Ports:", "***"};
  for (size_t i = 0; i < sizeof HEADINGS / sizeof *HEADINGS; i++)
    if (strncmp(text, HEADINGS[i], strlen(HEADINGS[i])) == 0)
      return true;
  return strstr(text, "lids dumped") != NULL;
}

static enum status read_line(struct reader *r, char *text)
{
  text += strspn(text, " \t");
  if (*text == '\0' || *text == '#' || is_heading(text))
    return OK;
  if (strncmp(text, "Unicast lids ", 13) == 0) {
    r->multicast = false;
    return begin_table(r, text);
  }
  if (strncmp(text, "Multicast mlids ", 16) == 0 || r->multicast) {
    r->multicast = true;
    return OK;
  }
  if (strncmp(text, "0x", 2) != 0)
    return err_set(r->e, "'%.40s' is no line of ibroute", text);
  return r->at == FABRIC_NONE ? err_set(r->e, "a lid before the first switch")
                              : read_entry(r, text);
}

static enum status read_tables(struct reader *r, const char *path)
{
  struct linefile l = {0};
  bool more = true;
  enum status s = linefile_open(&l, path, r->e);
  while (s == OK && (s = linefile_next(&l, &more, r->e)) == OK && more)
    if (read_line(r, l.text) != OK)
      s = err_place(r->e, path, l.line);
  linefile_close(&l);
  return s;
}

enum status ib_tables_read(struct ib *x, const char *path, struct err *e)
{
  struct reader r = {.x = x,
                     .end = mem_array(LIDS, sizeof *r.end, e),
                     .known = mem_array(x->f.base.switches, sizeof *r.known, e),
                     .at = FABRIC_NONE,
                     .e = e};
  const enum status s =
      r.end != NULL && r.known != NULL && list_lids(&r) == OK ? read_tables(&r, path) : FAIL;
  free(r.end);
  free(r.known);
  return s;
}
