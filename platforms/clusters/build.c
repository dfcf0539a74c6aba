/* Builds the platform of a spec of several clusters: writes the SimGrid XML and reads it back. */
#include <stdlib.h>
#include <string.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "platforms/clusters/multicluster.h"
#include "platforms/platform_internal.h"
#include "platforms/topology/kind.h"

const struct topology_kind topology_clusters = {
    .name = "clusters",
    .example = "clusters:FILE",
    .help = "clusters joined by wide-area links, as a short text describes them",
    .describe = multicluster_read,
    .names_file = true,
};

const struct topology_kind topology_random_clusters = {
    .name = "random-clusters",
    .example = "random-clusters:hosts=100,sizes=8+16+32,speed=0.5Gf..3Gf,seed=1",
    .help =
        "clusters of random size and speed, joined by slow links; also inside=, between=, rtt=, "
        "latency=, sharing=",
    .describe = multicluster_draw,
};

/* Lists the clusters of a spec.  Errors in a file name the file; other errors get the spec as a
 * prefix. */
static enum status describe(struct multicluster *m, const char *spec, struct err *e)
{
  const struct topology_kind *kind = topology_kind_of(spec);
  const char *fields = spec + strlen(kind->name) + 1;
  if (kind->describe(m, fields, e) == OK)
    return OK;
  return kind->names_file ? FAIL : err_prefix(e, "topology '%.80s': ", spec);
}

static enum status build(struct platform *p, const char *spec, struct err *e)
{
  struct multicluster m = {0};
  struct textout text;
  if ((p->name = mem_strdup(spec, e)) != NULL && describe(&m, spec, e) == OK &&
      textout_begin(&text, e) == OK) {
    multicluster_print(&m, text.f);
    p->xml = textout_end(&text, OK, e);
  }
  multicluster_clear(&m);
  if (p->xml == NULL || platform_read(p, p->xml, strlen(p->xml), e) != OK)
    return FAIL;
  return topology_kind_of(spec)->names_file ? platform_keep_file(p, strchr(spec, ':') + 1, e) : OK;
}

enum status platform_clusters_build(struct platform **out, const char *spec, struct err *e)
{
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  const enum status s = build(p, spec, e);
  if (s == OK)
    *out = p;
  else
    platform_free(p);
  return s;
}
