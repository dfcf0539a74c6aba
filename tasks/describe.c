#include "tasks/describe.h"

#include <inttypes.h>
#include <math.h>

static void print_number(double value, FILE *f)
{
  putc('\t', f);
  report_number(f, value);
}

void describe_tasks(const struct tasknet *n, const struct dependence *d, FILE *f)
{
  fputs("task\tcount\tpattern\tcompute\tinput\toutput\tloops\tfirst_start\tlast_start\n", f);
  for (uint32_t i = 0; i < n->arrays; i++) {
    const struct tasknet_array *a = &n->array[i];
    struct tasknet_cost mean = a->cost;
    double least = INFINITY, most = 0;
    if (a->varied) {
      const struct tasknet_cost sum = tasknet_array_sum(n, i);
      mean = (struct tasknet_cost){sum.compute / a->count, sum.in / a->count, sum.out / a->count,
                                   sum.loops};
    }
    for (uint32_t k = 0; k < a->count; k++) {
      least = fmin(least, d->start[a->first + k]);
      most = fmax(most, d->start[a->first + k]);
    }
    fprintf(f, "%s\t%" PRIu32 "\t%c", tasknet_name(n, i), a->count, 'A' + (int)a->pattern);
    const double values[] = {mean.compute, mean.in, mean.out, mean.loops, least, most};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
      print_number(values[v], f);
    putc('\n', f);
  }
}

static void print_ends(const struct tasknet *n, const struct tasknet_end *end, uint32_t ends,
                       FILE *f)
{
  for (uint32_t i = 0; i < ends; i++)
    fprintf(f, "%c%s", i == 0 ? '\t' : ' ', tasknet_name(n, end[i].array));
}

void describe_streams(const struct tasknet *n, FILE *f)
{
  fputs("stream\twidth\tvolume\tfrom\tto\n", f);
  for (uint32_t i = 0; i < n->streams; i++) {
    const struct tasknet_stream *s = &n->stream[i];
    fprintf(f, "%s\t%" PRIu32, tasknet_stream_name(n, i), s->width);
    print_number(tasknet_stream_volume(n, i), f);
    print_ends(n, &n->producer[s->from], s->producers, f);
    print_ends(n, &n->consumer[s->to], s->consumers, f);
    putc('\n', f);
  }
}

/* Groups are named g1, g2, ... */
static void print_unit(const struct tasknet *n, uint32_t unit, FILE *f)
{
  if (unit < n->arrays)
    fputs(tasknet_name(n, unit), f);
  else
    fprintf(f, "g%" PRIu32, unit - n->arrays + 1);
}

static void print_members(const struct tasknet *n, const uint32_t *member, uint32_t members,
                          FILE *f)
{
  for (uint32_t i = 0; i < members; i++) {
    putc(i == 0 ? '\t' : ' ', f);
    print_unit(n, member[i], f);
  }
  if (members == 0)
    fputs("\t-", f);
}

void describe_groups(const struct tasknet *n, const struct hierarchy *h, FILE *f)
{
  fputs("group\tparent\tstream\telements\tparts\tcompute\tinput\toutput\tfrom\tto\n", f);
  for (uint32_t i = 0; i < h->groups; i++) {
    const struct hierarchy_group *g = &h->group[i];
    const struct hierarchy_sum *sum = &h->sum[h->arrays + i];
    print_unit(n, h->arrays + i, f);
    putc('\t', f);
    if (sum->parent == TASKNET_NONE)
      putc('-', f);
    else
      print_unit(n, sum->parent, f);
    fprintf(f, "\t%s\t%" PRIu32 "\t%" PRIu32, tasknet_stream_name(n, g->stream), sum->elements,
            sum->parts);
    print_number(sum->compute, f);
    print_number(sum->in, f);
    print_number(sum->out, f);
    print_members(n, &h->member[g->member], g->ins, f);
    print_members(n, &h->member[g->member + g->ins], g->outs, f);
    putc('\n', f);
  }
}

void describe_hosts(const struct platform *p, const struct hosts *h, FILE *f)
{
  char name[PLATFORM_NAME_SIZE];
  fputs("group\tparent\tdepth\tgroups\thosts\tspeed_flops\tbandwidth_Bps\tfirst_host\n", f);
  for (uint32_t i = 0; i < h->groups; i++) {
    const struct hosts_group *g = &h->group[i];
    fprintf(f, "%" PRIu32, i);
    if (g->parent == HOSTS_NONE)
      fputs("\t-", f);
    else
      fprintf(f, "\t%" PRIu32, g->parent);
    fprintf(f, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32, g->depth, g->children, g->hosts);
    print_number(g->speed, f);
    if (isfinite(g->bandwidth))
      print_number(g->bandwidth, f);
    else
      fputs("\t-", f);
    fprintf(f, "\t%s\n", platform_host_name(p, h->host[g->first], name, sizeof name));
  }
}

/* The maximum nesting depth of groups. */
static uint32_t depth_of(const struct hierarchy *h)
{
  uint32_t deepest = 0;
  for (uint32_t u = 0; u < h->arrays; u++) {
    uint32_t depth = 0;
    for (uint32_t at = h->sum[u].parent; at != TASKNET_NONE; at = h->sum[at].parent)
      depth++;
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest;
}

static enum status add_hierarchy(const struct tasknet *n, struct report *r, struct err *e)
{
  struct hierarchy h;
  if (hierarchy_make(&h, n, e) != OK)
    return FAIL;
  report_u64(r, "groups", h.groups);
  report_u64(r, "group_depth", depth_of(&h));
  report_u64(r, "ungrouped", h.roots);
  hierarchy_clear(&h);
  return OK;
}

enum status describe_network(const struct tasknet *n, struct report *r, struct err *e)
{
  double path, compute = 0, volume = 0, last = 0;
  struct dependence d;
  if (tasknet_critical_path(n, &path, e) != OK || dependence_costs(&d, n, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    last = fmax(last, d.start[i]);
  dependence_clear(&d);
  for (uint32_t a = 0; a < n->arrays; a++)
    compute += tasknet_array_sum(n, a).compute;
  for (uint32_t s = 0; s < n->streams; s++)
    volume += tasknet_stream_volume(n, s);
  report_u64(r, "tasks", n->elements);
  report_u64(r, "arrays", n->arrays);
  report_u64(r, "streams", n->streams);
  report_double(r, "compute", compute);
  report_double(r, "communication", volume);
  report_double(r, "critical_path", path);
  report_double(r, "last_dependence", last);
  return add_hierarchy(n, r, e);
}
