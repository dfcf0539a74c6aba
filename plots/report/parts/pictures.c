#include "plots/report/parts/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/memfile.h"
#include "common/mem.h"
#include "common/report.h"
#include "plots/kinds/results.h"
#include "plots/report/drawing.h"
#include "plots/report/parts/means.h"
#include "plots/report/parts/note.h"
#include "plots/report/parts/trace_pictures.h"
#include "plots/report/text.h"

/* With more rows than this, points are means over seeds. */
enum { MOST_POINTS = 2000 };

static enum status add_speedup(struct sheet *s, const struct plot_results *r, uint32_t trace,
                               uint32_t mapper, struct err *e)
{
  const struct results_spread x = plot_results_speedup(&r->r, trace, mapper);
  const double value[] = {x.mean, x.min, x.max};
  char text[4][32];
  char *field[] = {
      r->r.trace.name[trace], r->r.mapper.name[mapper], text[0], text[1], text[2], text[3]};
  if (x.count == 0)
    return OK;
  snprintf(text[0], sizeof text[0], "%zu", x.count);
  for (int i = 0; i < 3; i++) {
    FILE *f = fmemopen(text[i + 1], sizeof text[i + 1], "w");
    if (f == NULL)
      return err_set(e, "out of memory");
    report_number(f, value[i]);
    fclose(f);
  }
  return sheet_add(s, field, e);
}

/* Makes the table behind the bars of speedups. */
static enum status make_speedups(struct sheet *s, const struct plot_results *r, struct err *e)
{
  static const char *const NAMES[] = {"trace",       "mapper",       "values", "speedup",
                                      "speedup_low", "speedup_high", NULL};
  enum status status = sheet_new(s, NAMES, e);
  for (uint32_t t = 0; status == OK && t < r->r.trace.count; t++)
    for (uint32_t m = 0; status == OK && m < r->r.mapper.count; m++)
      status = add_speedup(s, r, t, m, e);
  return status;
}

static enum status add_speedups(const struct pictures *p, const struct plot_results *r,
                                struct err *e)
{
  char id[SHEET_ID_SIZE];
  struct sheet s = {.rows = 0};
  OWNED char *note = text_print(e, "Over the baseline, %s.", r->r.mapper.name[r->baseline]);
  enum status status = note == NULL ? FAIL : make_speedups(&s, r, e);
  if (status == OK) {
    snprintf(id, sizeof id, "%s-speedups", p->folder->id);
    const struct sheet_look look = {id, "speedups.tsv", "Speedups", note};
    page_add(p->page, p->part, "tables", sheet_part(p->page, &s, &look));
  }
  sheet_clear(&s);
  return status;
}

/* The pictures of results.tsv. */
struct overview {
  const struct pictures *p;
  const char *points;  /* the table, or means over the seeds, for pictures of points */
  bool means;          /* `points` has means */
  const char *machine; /* the only one in the pictures; NULL: all */
  size_t number;       /* of the machine, from 1; 0: all */
  char *command;
};

static bool has_machines(const struct pictures *p)
{
  return p->folder->machine.count > 1;
}

/* Draws @p path, which the page offers as table @p data. */
static enum status draw(const struct overview *o, struct drawing *d, const char *path,
                        const char *data, struct err *e)
{
  char id[SHEET_ID_SIZE], number[24] = "";
  char *caption = text_print(e, "%s%s%s", d->caption,
                             o->machine != NULL   ? ", on "
                             : has_machines(o->p) ? ", on all platforms"
                                                  : "",
                             o->machine != NULL ? o->machine : "");
  char *description = text_print(e, "%s%s.", d->description,
                                 o->means && path == o->points
                                     ? "; a point is the mean over the seeds of a mapper on a trace"
                                     : "");
  if (o->number > 0)
    snprintf(number, sizeof number, "-%zu", o->number);
  snprintf(id, sizeof id, "%s-%s%s", o->p->folder->id, d->plot.kind, number);
  snprintf(d->data[0].id, sizeof d->data[0].id, "%s-%s", o->p->folder->id, data);
  snprintf(d->data[0].file, sizeof d->data[0].file, "%s.tsv", data);
  d->data[0].of = data;
  d->datas = 1;
  d->plot.inputs = 1;
  d->plot.input = &path;
  d->plot.baseline = o->p->baseline;
  d->plot.machine = o->machine;
  d->id = id;
  d->caption = caption;
  d->description = description;
  d->command = o->command;
  const enum status s =
      caption == NULL || description == NULL ? FAIL : drawing_add(o->p->page, o->p->part, d, e);
  free(caption);
  free(description);
  return s;
}

static enum status draw_all(const struct overview *o, const struct plot_results *r, struct err *e)
{
  struct drawing speedup = {.plot = {.kind = "speedup", .results = r},
                            .caption = "Speedup of each mapper on each trace",
                            .description = "Bars: mean speedup over the baseline"};
  struct drawing metrics = {.plot = {.kind = "metrics", .results = o->means ? NULL : r},
                            .caption = "Metrics of the mappings against simulated time",
                            .description = "Points: hop-bytes, and the load of the fullest link, "
                                           "against simulated time, relative to the baseline"};
  struct drawing fit = {.plot = {.kind = "fit"},
                        .caption = "Which metric predicts simulated time",
                        .description = "Panels: simulated time against each metric, with the line "
                                       "of least squares",
                        .may_fail = true};
  if (draw(o, &speedup, o->p->folder->results, "speedups", e) != OK ||
      draw(o, &metrics, o->points, "results", e) != OK)
    return FAIL;
  return o->machine == NULL ? draw(o, &fit, o->points, "results", e) : OK;
}

/* The arguments of the command after the kind of plot.  The caller frees it with free(). */
static char *command_of(const struct pictures *p, const char *machine, struct err *e)
{
  const char *word[5] = {p->folder->results};
  size_t n = 1;
  if (p->baseline != NULL) {
    word[n++] = "--baseline";
    word[n++] = p->baseline;
  }
  if (machine != NULL) {
    word[n++] = "--machine";
    word[n++] = machine;
  }
  return text_command(word, n, e);
}

/* True if a row of the baseline on the machine is ok. */
static bool has_baseline(const struct plot_results *all, const char *machine)
{
  const struct results *r = &all->r;
  for (size_t i = 0; i < r->rows; i++)
    if (r->row[i].mapper == all->baseline &&
        strcmp(r->machine.name[r->machine_of[r->row[i].trace]], machine) == 0)
      return true;
  return false;
}

static enum status draw_machine(struct overview o, const struct plot_results *all, struct err *e)
{
  struct plot_results r = {.baseline = 0};
  const char *baseline = all->r.mapper.name[all->baseline];
  if (!has_baseline(all, o.machine)) {
    note_add(o.p->page, o.p->part, "No speedups on %s: no row of the baseline %s is ok.", o.machine,
             baseline);
    return OK;
  }
  o.command = command_of(o.p, o.machine, e);
  const enum status s = o.command != NULL && plot_results_load(&r, o.p->folder->results, o.machine,
                                                               baseline, true, e) == OK
                            ? draw_all(&o, &r, e)
                            : FAIL;
  plot_results_clear(&r);
  free(o.command);
  return s;
}

/* Pictures of each machine, up to the limit. */
static enum status draw_machines(const struct overview *all, const struct plot_results *r,
                                 struct err *e)
{
  const struct names *machine = &all->p->folder->machine;
  struct overview o = *all;
  enum status s = OK;
  for (uint32_t i = 0; s == OK && has_machines(all->p) && i < machine->count; i++) {
    o.machine = machine->name[i];
    o.number = i + 1;
    if (i < all->p->most_traces)
      s = draw_machine(o, r, e);
  }
  if (s == OK && has_machines(all->p) && machine->count > all->p->most_traces)
    note_add(all->p->page, all->p->part,
             "Pictures of single platforms are drawn for the first %u of %u platforms (--traces).",
             all->p->most_traces, machine->count);
  return s;
}

static enum status draw_results(const struct pictures *p, const char *points, bool means,
                                struct err *e)
{
  struct overview o = {.p = p, .points = points, .means = means};
  struct plot_results r = {.baseline = 0};
  if ((o.command = command_of(p, NULL, e)) == NULL)
    return FAIL;
  const enum status s =
      plot_results_load(&r, p->folder->results, NULL, p->baseline, true, e) == OK &&
              draw_all(&o, &r, e) == OK && draw_machines(&o, &r, e) == OK
          ? add_speedups(p, &r, e)
          : FAIL;
  plot_results_clear(&r);
  free(o.command);
  return s;
}

static enum status draw_means(const struct pictures *p, struct err *e)
{
  struct memfile m;
  if (memfile_open(&m, "means of the results", e) != OK)
    return FAIL;
  const enum status s =
      means_write(&p->folder->table[FOLDER_RESULTS], m.f, e) == OK && memfile_flush(&m, e) == OK
          ? draw_results(p, m.path, true, e)
          : FAIL;
  memfile_close(&m);
  return s;
}

static enum status draw_traces(const struct pictures *p, struct err *e)
{
  return p->folder->table[FOLDER_RESULTS].rows > MOST_POINTS
             ? draw_means(p, e)
             : draw_results(p, p->folder->results, false, e);
}

static enum status draw_networks(const struct pictures *p, struct err *e)
{
  struct drawing makespan = {.plot = {.kind = "makespan"},
                             .caption = "Makespan of each scheduler on each network",
                             .description = "Bars: makespan relative to the baseline, geometric "
                                            "mean over the loads, and its least and greatest"};
  struct drawing use = {.plot = {.kind = "use"},
                        .caption = "Use of the machine against load",
                        .description = "Lines: machine use of each scheduler, mean over the "
                                       "networks"};
  struct overview o = {.p = p, .points = p->folder->results};
  if ((o.command = command_of(p, NULL, e)) == NULL)
    return FAIL;
  const enum status s = draw(&o, &makespan, o.points, "results", e) == OK
                            ? draw(&o, &use, o.points, "results", e)
                            : FAIL;
  free(o.command);
  return s;
}

/* Pictures of results.tsv by kind of campaign. */
static const struct {
  const struct kind *kind;
  enum status (*draw)(const struct pictures *p, struct err *e);
} OVERVIEW[] = {
    {&kind_traces, draw_traces}, {&kind_matrices, NULL}, {&kind_networks, draw_networks}};

static enum status draw_overview(const struct pictures *p, struct err *e)
{
  if (p->folder->failed == p->folder->table[FOLDER_RESULTS].rows) {
    note_add(p->page, p->part, "No row is ok: there are no pictures of the results.");
    return OK;
  }
  size_t i = 0;
  while (OVERVIEW[i].kind != p->folder->kind)
    i++;
  return OVERVIEW[i].draw == NULL ? OK : OVERVIEW[i].draw(p, e);
}

enum status pictures_add(const struct pictures *p, struct err *e)
{
  if (page_why_no_pictures(p->page) != NULL)
    note_add(p->page, p->part, "%s", page_why_no_pictures(p->page));
  return draw_overview(p, e) == OK ? trace_pictures_add(p, e) : FAIL;
}
