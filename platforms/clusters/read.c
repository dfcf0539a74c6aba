#define _DEFAULT_SOURCE
/* Parses a description: lines "cluster NAME FIELD=VALUE...", then lines "wan A B FIELD=VALUE...".
 */
#include <string.h>

#include "common/files/linefile.h"
#include "platforms/clusters/multicluster.h"

enum { WAN_RTT, WAN_BANDWIDTH, WAN_SHARING, WAN_FIELDS };

struct reader {
  struct multicluster *m;
  struct err *e;
};

static char *next_word(char **rest)
{
  char *word = NULL;
  while (*rest != NULL && (word = strsep(rest, " \t\r")) != NULL && *word == '\0')
    word = NULL;
  return word;
}

static enum status read_fields(struct field *fields, size_t n, char *rest, struct err *e)
{
  for (char *word; (word = next_word(&rest)) != NULL;)
    if (fields_take(fields, n, word, e) != OK)
      return FAIL;
  return OK;
}

static enum status read_cluster(struct reader *r, char *rest)
{
  struct field fields[SITE_FIELDS];
  memcpy(fields, site_fields, sizeof fields);
  const char *name = next_word(&rest);
  if (name == NULL)
    return err_set(r->e, "cluster: no name");
  if (r->m->wan != NULL)
    return err_set(r->e, "cluster '%.80s' comes after a wan", name);
  return read_fields(fields, SITE_FIELDS, rest, r->e) == OK
             ? multicluster_add(r->m, name, fields, r->e)
             : FAIL;
}

/* Finds the cluster called @p name.  "*" selects all clusters. */
static enum status find_site(const struct reader *r, const char *name, uint32_t *first,
                             uint32_t *last)
{
  *first = 0;
  *last = r->m->sites;
  if (name == NULL)
    return err_set(r->e, "wan: two clusters are to be named");
  if (strcmp(name, "*") == 0)
    return OK;
  while (*first < *last && strcmp(r->m->site[*first].c.id, name) != 0)
    ++*first;
  if (*first == *last)
    return err_set(r->e, "wan: no cluster '%.80s'", name);
  *last = *first + 1;
  return OK;
}

enum status multicluster_sharing(const char *text, enum wan_sharing *out, struct err *e)
{
  static const char *const NAMES[] = {"pair", "all", "flow"};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (strcmp(text, NAMES[i]) == 0) {
      *out = (enum wan_sharing)i;
      return OK;
    }
  return err_set(e, "sharing: '%.80s'; expected pair, all or flow", text);
}

/* Overwrites the given fields: a later line overrides an earlier one. */
static enum status take_fields(struct wan *w, const struct field *f, struct err *e)
{
  if (fields_quantity(&f[WAN_RTT], NUM_TIME, w->rtt_s, &w->rtt_s, e) != OK ||
      fields_quantity(&f[WAN_BANDWIDTH], NUM_BANDWIDTH, w->bandwidth_Bps, &w->bandwidth_Bps, e) !=
          OK)
    return FAIL;
  return f[WAN_SHARING].value[0] == '\0'
             ? OK
             : multicluster_sharing(f[WAN_SHARING].value, &w->sharing, e);
}

static enum status read_wan(struct reader *r, char *rest)
{
  static const struct field NAMES[WAN_FIELDS] = {
      {.name = "rtt"}, {.name = "bandwidth"}, {.name = "sharing"}};
  struct field fields[WAN_FIELDS];
  uint32_t a, a_end, b, b_end;
  memcpy(fields, NAMES, sizeof fields);
  if (r->m->wan == NULL && multicluster_join(r->m, r->e) != OK)
    return FAIL;
  const char *from = next_word(&rest), *to = next_word(&rest);
  if (find_site(r, from, &a, &a_end) != OK || find_site(r, to, &b, &b_end) != OK ||
      read_fields(fields, WAN_FIELDS, rest, r->e) != OK)
    return FAIL;
  if (strcmp(from, to) == 0 && strcmp(from, "*") != 0)
    return err_set(r->e, "wan: from cluster '%.80s' to itself", from);
  for (uint32_t i = a; i < a_end; i++)
    for (uint32_t j = b; j < b_end; j++)
      if (take_fields(multicluster_wan(r->m, i, j), fields, r->e) != OK)
        return FAIL;
  return OK;
}

static enum status read_line(struct reader *r, char *text)
{
  char *rest = text;
  const char *word = next_word(&rest);
  if (word == NULL)
    return OK;
  if (strcmp(word, "cluster") == 0)
    return read_cluster(r, rest);
  if (strcmp(word, "wan") == 0)
    return read_wan(r, rest);
  return err_set(r->e, "'%.80s': expected cluster or wan", word);
}

/* Checks that a connection with a bandwidth joins each pair of clusters, and that the connections
 * with sharing=all have the same bandwidth. */
static enum status check_wan(const struct multicluster *m, struct err *e)
{
  const struct wan *all = NULL;
  if (m->sites == 0)
    return err_set(e, "no clusters");
  for (uint32_t a = 0; a < m->sites; a++)
    for (uint32_t b = a + 1; b < m->sites; b++) {
      const struct wan *w = m->wan == NULL ? NULL : multicluster_wan(m, a, b);
      if (w == NULL || w->bandwidth_Bps <= 0)
        return err_set(e, "no wan with a bandwidth joins '%s' and '%s'", m->site[a].c.id,
                       m->site[b].c.id);
      if (w->sharing != WAN_ALL)
        continue;
      all = all == NULL ? w : all;
      if (w->bandwidth_Bps != all->bandwidth_Bps)
        return err_set(e, "the link that all share has bandwidths of %g and %g byte/s",
                       all->bandwidth_Bps, w->bandwidth_Bps);
    }
  return OK;
}

/* Cuts the comment off a line; it begins with a # at the start of the line or after white space. */
static void cut_comment(char *text)
{
  for (char *p = strchr(text, '#'); p != NULL; p = strchr(p + 1, '#'))
    if (p == text || p[-1] == ' ' || p[-1] == '\t') {
      *p = '\0';
      return;
    }
}

enum status multicluster_read(struct multicluster *m, const char *path, struct err *e)
{
  struct linefile l = {0};
  struct reader r = {m, e};
  bool more = true;
  enum status s = linefile_open(&l, path, e);
  while (s == OK && (s = linefile_next(&l, &more, e)) == OK && more) {
    cut_comment(l.text);
    if (read_line(&r, l.text) != OK)
      s = err_place(e, path, l.line);
  }
  if (s == OK && check_wan(m, e) != OK)
    s = err_place(e, path, l.line == 0 ? 1 : l.line);
  linefile_close(&l);
  return s;
}
