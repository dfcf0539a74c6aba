/* Parses a description: lines "cluster NAME OPTION=VALUE...", then lines "wan A B OPTION=VALUE...".
 */
#include <string.h>

#include "common/files/linefile.h"
#include "platforms/clusters/multicluster.h"

struct reader {
  struct multicluster *m;
  struct err *e;
};

/* Cuts the next word off *rest; NULL at the end of the line. */
static char *next_word(char **rest)
{
  char *word = *rest + strspn(*rest, " \t\r"), *end = word + strcspn(word, " \t\r");
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return *word == '\0' ? NULL : word;
}

static enum status read_cluster(struct reader *r, char *rest)
{
  const char *name = next_word(&rest);
  if (name == NULL)
    return err_set(r->e, "cluster: no name");
  if (r->m->wan != NULL)
    return err_set(r->e, "cluster '%.80s' comes after a wan", name);
  return multicluster_add(r->m, name, rest, r->e);
}

/* Finds the cluster called @p name.  "*" selects all clusters. */
static enum status find_site(const struct reader *r, const char *name, uint32_t *first,
                             uint32_t *last)
{
  *first = 0;
  *last = r->m->sites;
  if (name == NULL)
    return err_set(r->e, "wan: expected the names of two clusters");
  if (strcmp(name, "*") == 0)
    return OK;
  while (*first < *last && strcmp(r->m->site[*first].c.id, name) != 0)
    ++*first;
  if (*first == *last)
    return err_set(r->e, "wan: no cluster '%.80s'", name);
  *last = *first + 1;
  return OK;
}

static const struct spec_option WAN_OPTIONS[] = {
    {"rtt", SPEC_TIME, offsetof(struct wan, rtt_s), "", .help = "round-trip time"},
    {"bandwidth", SPEC_BANDWIDTH, offsetof(struct wan, bandwidth_Bps), "", .help = "bandwidth"},
    {"sharing", SPEC_CHOICE, offsetof(struct wan, sharing), "pair",
     .help = "the connections that share the bandwidth", .names = wan_sharings},
    {.name = NULL},
};

/* Copies the given options of @p by to *w: a later line overrides an earlier one. */
static void override(struct wan *w, const struct spec *given, const struct wan *by)
{
  if (spec_given(given, "rtt"))
    w->rtt_s = by->rtt_s;
  if (spec_given(given, "bandwidth"))
    w->bandwidth_Bps = by->bandwidth_Bps;
  if (spec_given(given, "sharing"))
    w->sharing = by->sharing;
}

static enum status read_wan(struct reader *r, char *rest)
{
  struct spec given;
  struct wan wan;
  uint32_t a, a_end, b, b_end;
  if (r->m->wan == NULL && multicluster_join(r->m, r->e) != OK)
    return FAIL;
  const char *from = next_word(&rest), *to = next_word(&rest);
  if (find_site(r, from, &a, &a_end) != OK || find_site(r, to, &b, &b_end) != OK)
    return FAIL;
  if (strcmp(from, to) == 0 && strcmp(from, "*") != 0)
    return err_set(r->e, "wan: from cluster '%.80s' to itself", from);
  if (spec_split(&given, WAN_OPTIONS, rest, " \t\r", &wan, r->e) != OK)
    return FAIL;
  for (uint32_t i = a; i < a_end; i++)
    for (uint32_t j = b; j < b_end; j++)
      override(multicluster_wan(r->m, i, j), &given, &wan);
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
        return err_set(e, "connections with sharing=all have bandwidths of %g and %g byte/s",
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
