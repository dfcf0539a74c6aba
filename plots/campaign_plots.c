#include "plots/campaign_plots.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/err.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/registry.h"
#include "plots/gnuplot.h"
#include "plots/links/link_loads.h"
#include "plots/links/links_order.h"
#include "plots/plot.h"

/* The pictures that this campaign has drawn.  Other pictures in the folder are reported, since an
 * earlier campaign left them, but not removed, since they may belong to the user.  Initially zero
 * except for `list`; freed by album_clear(). */
struct album {
  FILE *list;  /**< stream for the paths of drawn pictures; owned by the caller */
  char **name; /**< file names of the drawn pictures without extension; owned */
  size_t count, room;
};

/* Adds a copy of @p name, a file name without extension. */
static enum status album_add(struct album *a, const char *name, struct err *e)
{
  if (MEM_GROW(a->name, a->room, a->count + 1, e) != OK)
    return FAIL;
  a->name[a->count] = mem_strdup(name, e);
  if (a->name[a->count] == NULL)
    return FAIL;
  a->count++;
  return OK;
}

/* Accepts a zeroed album. */
static void album_clear(struct album *a)
{
  for (size_t i = 0; i < a->count; i++)
    free(a->name[i]);
  free(a->name);
  *a = (struct album){0};
}

/* Length of the file name without extension if campaigns draw pictures of that name; 0 if not. */
static size_t stem_length(const char *file)
{
  static const char *const WHOLE[] = {"speedup", "metrics", "makespan", "use", NULL};
  static const char *const BEGIN[] = {"matrix-", "links-", NULL};
  const char *dot = strrchr(file, '.');
  if (dot == NULL || registry_find(&plot_formats, dot + 1, strlen(dot + 1)) == NULL)
    return 0;
  const size_t n = (size_t)(dot - file);
  for (size_t i = 0; WHOLE[i] != NULL; i++) {
    const size_t k = strlen(WHOLE[i]);
    if (strncmp(file, WHOLE[i], k) == 0 &&
        (n == k || (file[k] == '-' && isdigit((unsigned char)file[k + 1]))))
      return n; /* of all machines, or of one: "use-2-torus:4x4" */
  }
  for (size_t i = 0; BEGIN[i] != NULL; i++)
    if (n > strlen(BEGIN[i]) && strncmp(file, BEGIN[i], strlen(BEGIN[i])) == 0)
      return n;
  return 0;
}

static bool has(const struct album *a, const char *file, size_t n)
{
  for (size_t i = 0; i < a->count; i++)
    if (strlen(a->name[i]) == n && strncmp(a->name[i], file, n) == 0)
      return true;
  return false;
}

/* True if the file is named like a picture of a campaign that this campaign did not draw. */
static bool is_foreign(const struct album *a, const char *file)
{
  const size_t n = stem_length(file);
  return n > 0 && !has(a, file, n);
}

/* Searches @p folder for files that are named like pictures of a campaign but are not in the
 * album.  If there are any, prints their number and the alphabetically first one on @p f. */
static enum status album_check(const struct album *a, const char *folder, FILE *f, struct err *e)
{
  DIR *d = opendir(folder);
  if (d == NULL)
    return err_errno(e, folder, "cannot open");
  char first[sizeof((struct dirent *)NULL)->d_name] = "";
  size_t count = 0;
  for (const struct dirent *x; (x = readdir(d)) != NULL;) {
    if (!is_foreign(a, x->d_name))
      continue;
    if (count++ == 0 || strcmp(x->d_name, first) < 0)
      snprintf(first, sizeof first, "%s", x->d_name);
  }
  closedir(d);
  if (count > 0)
    fprintf(f, "haichi: %s: %zu of the pictures are not of this campaign; the first is %s\n",
            folder, count, first);
  return OK;
}

/* Draws one picture in all formats, or prints on standard error why it has nothing to show. */
static enum status draw(const struct campaign_plots *p, struct plot *plot, const char *name,
                        struct album *album, struct err *e)
{
  const char *folder = p->campaign->folder;
  char *path[PLOT_MOST_FORMATS] = {NULL};
  bool nothing = false;
  enum status s = OK;
  plot->baseline = p->baseline;
  plot->nothing = &nothing;
  plot->output = (const char *const *)path;
  plot->outputs = 0;
  for (; s == OK && p->format[plot->outputs] != NULL; plot->outputs++) {
    char *to = mem_printf(e, "%s/plots/%s.%s", folder, name, p->format[plot->outputs]);
    s = to == NULL ? FAIL : outfile_check_plain(to, e);
    path[plot->outputs] = to;
  }
  if (s == OK)
    s = plot_draw(plot, e);
  for (size_t i = 0; i < plot->outputs; i++)
    free(path[i]);
  if (nothing) {
    fflush(album->list);
    fprintf(stderr, "haichi: %s/plots/%s is not drawn: %s\n", folder, name, e->text);
    return OK;
  }
  if (s != OK || album_add(album, name, e) != OK)
    return FAIL;
  fprintf(album->list, "%s/plots/%s", folder, name);
  for (size_t i = 0; p->format[i] != NULL; i++)
    fprintf(album->list, "%s.%s", i == 0 ? "" : ", ", p->format[i]);
  fputc('\n', album->list);
  return OK;
}

/* --- pictures of all runs --------------------------------------------------------------------- */

/* True if a run of the baseline is ok, on machine @p machine; plan->machines: on any. */
static bool baseline_is_ok(const struct campaign_plots *p, size_t machine)
{
  const struct plan *plan = p->campaign->plan;
  const size_t baseline = plan_find_method(plan, p->baseline);
  for (size_t i = 0; i < plan->runs; i++)
    if (plan->run[i].method == baseline && p->ok[i] &&
        (machine == plan->machines || plan->subject[plan->run[i].subject].machine == machine))
      return true;
  return false;
}

/* The label of a machine, as "torus:4x4, 1GBps", for file names: "torus:4x4-1GBps". */
static void machine_file_label(char label[GNUPLOT_LABEL_SIZE], const char *machine)
{
  char *to = label;
  gnuplot_file_label(label, machine);
  for (const char *from = label; *from != '\0'; from++)
    if (*from != ',')
      *to++ = *from == ' ' ? '-' : *from == '/' ? '_' : *from;
  *to = '\0';
}

/* Draws a picture of one machine.  Its name contains the number of the machine, since labels of
 * different machines may be equal. */
static enum status draw_machine(const struct campaign_plots *p, const char *kind, size_t machine,
                                const char *results, struct album *album, struct err *e)
{
  char label[GNUPLOT_LABEL_SIZE];
  const struct plan *plan = p->campaign->plan;
  OWNED char *text = plan_machine_label(plan, machine, e);
  if (text == NULL)
    return FAIL;
  machine_file_label(label, text);
  OWNED char *name = mem_printf(e, "%s-%zu-%s", kind, machine + 1, label);
  struct plot plot = {.kind = kind, .input = &results, .inputs = 1, .machine = text};
  return name == NULL ? FAIL : draw(p, &plot, name, album, e);
}

/* Draws a picture over all machines, then one for each machine. */
static enum status draw_kind(const struct campaign_plots *p, const char *kind, const char *results,
                             struct album *album, struct err *e)
{
  const size_t machines = p->campaign->plan->machines;
  struct plot plot = {.kind = kind, .input = &results, .inputs = 1};
  enum status s = draw(p, &plot, kind, album, e);
  for (size_t i = 0; s == OK && machines > 1 && i < machines; i++)
    if (baseline_is_ok(p, i))
      s = draw_machine(p, kind, i, results, album, e);
  return s;
}

static enum status draw_kinds(const struct campaign_plots *p, const char *const *kind,
                              const char *results, struct album *album, struct err *e)
{
  enum status s = OK;
  for (; s == OK && *kind != NULL; kind++)
    s = draw_kind(p, *kind, results, album, e);
  return s;
}

/* Draws the pictures of results.tsv whose kinds are @p kind. */
static enum status draw_results(const struct campaign_plots *p, const char *const *kind,
                                struct album *album, struct err *e)
{
  const char *folder = p->campaign->folder;
  if (!baseline_is_ok(p, p->campaign->plan->machines)) {
    fflush(album->list);
    fprintf(stderr, "haichi: %s/plots: no %s and %s: no run of the baseline '%s' is ok\n", folder,
            kind[0], kind[1], p->baseline);
    return OK;
  }
  OWNED char *results = mem_printf(e, "%s/results.tsv", folder);
  return results == NULL ? FAIL : draw_kinds(p, kind, results, album, e);
}

/* --- pictures of one subject ------------------------------------------------------------------ */

/* Label of a trace for file names. */
static void file_label(char label[GNUPLOT_LABEL_SIZE], const struct plan *plan, size_t trace)
{
  gnuplot_file_label(label, plan->subject[trace].file.name);
  for (char *c = label; *c != '\0'; c++)
    if (*c == '/')
      *c = '_';
}

/* Number of traces before @p end, on the first machine, with the label @p name. */
static size_t count_labels(const struct plan *plan, size_t end, const char *name)
{
  char label[GNUPLOT_LABEL_SIZE];
  size_t n = 0;
  for (size_t i = 0; i < end; i++) {
    file_label(label, plan, i);
    n += strcmp(label, name) == 0;
  }
  return n;
}

/* "KIND-LABEL", or "KIND-LABEL-NUMBER" if an earlier trace has an equal label.  NUMBER counts the
 * traces of that label.  If "LABEL-NUMBER" is itself the label of a trace, the number of traces is
 * added to NUMBER, which makes the name unique.  With several machines the number and the label of
 * the machine follow. */
static char *picture_name(const struct plan *plan, size_t subject, const char *kind, struct err *e)
{
  const size_t traces = plan->subjects / plan->machines, trace = subject % traces;
  const size_t machine = plan->subject[subject].machine;
  char label[GNUPLOT_LABEL_SIZE], unique[GNUPLOT_LABEL_SIZE + 24];
  file_label(label, plan, trace);
  snprintf(unique, sizeof unique, "%s", label);
  size_t number = 1 + count_labels(plan, trace, label);
  for (bool taken = number > 1; taken; number += traces) {
    snprintf(unique, sizeof unique, "%s-%zu", label, number);
    taken = count_labels(plan, traces, unique) > 0;
  }
  if (plan->machines == 1)
    return mem_printf(e, "%s-%s", kind, unique);
  OWNED char *text = plan_machine_label(plan, machine, e);
  if (text == NULL)
    return NULL;
  machine_file_label(label, text);
  return mem_printf(e, "%s-%s-%zu-%s", kind, unique, machine + 1, label);
}

static enum status draw_for_trace(const struct campaign_plots *p, size_t subject, struct plot *plot,
                                  struct album *album, struct err *e)
{
  OWNED char *name = picture_name(p->campaign->plan, subject, plot->kind, e);
  return name == NULL ? FAIL : draw(p, plot, name, album, e);
}

/* Draws the traffic matrix that the first run of the subject wrote. */
static enum status draw_matrix(const struct campaign_plots *p, size_t subject, size_t first,
                               struct album *album, struct err *e)
{
  if (!p->ok[first])
    return OK;
  OWNED char *path = campaign_extra(p->campaign, first, RUN_MATRIX, e);
  if (path == NULL)
    return FAIL;
  const char *const input[] = {path};
  struct plot plot = {.kind = "matrix", .input = input, .inputs = 1};
  return draw_for_trace(p, subject, &plot, album, e);
}

/* The files with link loads of a subject, for the first seed of each mapper; the paths are owned.
 */
struct links_files {
  struct links_file *file;
  size_t count, room;
};

static enum status list_links(const struct campaign_plots *p, size_t subject, size_t first,
                              struct links_files *l, struct err *e)
{
  const struct plan *plan = p->campaign->plan;
  for (size_t i = first; i < plan->runs && plan->run[i].subject == subject; i++) {
    if (!plan->run[i].first || !p->ok[i])
      continue;
    if (MEM_GROW(l->file, l->room, l->count + 1, e) != OK)
      return FAIL;
    const struct plan_method *m = &plan->method[plan->run[i].method];
    struct links_file *f = &l->file[l->count];
    *f = (struct links_file){.path = campaign_extra(p->campaign, i, RUN_LINKS, e),
                             .label = plan->run[i].spec,
                             .mapper = m->label,
                             .peer = m->library != NULL};
    if (f->path == NULL)
      return FAIL;
    l->count++;
  }
  return OK;
}

/* Writes the names of the mappers that are not in the picture, as far as there is room. */
static void write_note(const struct links_files *l, char *note, size_t size)
{
  char names[64] = "";
  size_t more = 0;
  for (size_t i = LINK_LOADS_MOST; i < l->count; i++)
    if (more == 0 && strlen(names) + strlen(l->file[i].label) + 3 < sizeof names)
      err_list(names, sizeof names, l->file[i].label);
    else
      more++;
  const int n = snprintf(note, size, names[0] != '\0' ? "not shown: %s" : "%s", names);
  if (more > 0)
    snprintf(note + n, size - (size_t)n, "%s %zu more",
             names[0] != '\0' ? " and" : "not shown:", more);
}

static enum status draw_loads(const struct campaign_plots *p, size_t subject,
                              const struct links_files *l, struct album *album, struct err *e)
{
  const char *path[LINK_LOADS_MOST], *label[LINK_LOADS_MOST];
  char note[128];
  struct plot plot = {.kind = "links",
                      .input = path,
                      .label = label,
                      .platform = plan_machine(p->campaign->plan, subject)->on,
                      .note = note};
  write_note(l, note, sizeof note);
  for (; plot.inputs < l->count && plot.inputs < LINK_LOADS_MOST; plot.inputs++) {
    path[plot.inputs] = l->file[plot.inputs].path;
    label[plot.inputs] = l->file[plot.inputs].label;
  }
  return draw_for_trace(p, subject, &plot, album, e);
}

/* Sorts the files as links_order() does. */
static enum status order_links(const struct campaign_plots *p, size_t subject,
                               struct links_files *l, struct err *e)
{
  const struct plan *plan = p->campaign->plan;
  const char *baseline = baseline_is_ok(p, plan->machines) ? p->baseline : NULL;
  struct plot_results r = {.baseline = 0};
  OWNED char *path = mem_printf(e, "%s/results.tsv", p->campaign->folder);
  OWNED char *name = path == NULL ? NULL : plan_subject_label(plan, subject, e);
  enum status s = name == NULL ? FAIL : plot_results_load(&r, path, NULL, baseline, false, e);
  if (s == OK)
    links_order(l->file, l->count, &r, name);
  plot_results_clear(&r);
  return s;
}

static enum status draw_links(const struct campaign_plots *p, size_t subject, size_t first,
                              struct album *album, struct err *e)
{
  struct links_files l = {.file = NULL};
  enum status s = list_links(p, subject, first, &l, e);
  if (s == OK && l.count > 0 && (s = order_links(p, subject, &l, e)) == OK)
    s = draw_loads(p, subject, &l, album, e);
  for (size_t i = 0; i < l.count; i++)
    free((char *)l.file[i].path);
  free(l.file);
  return s;
}

/* True if no earlier machine has the same number of ranks per host.  Machines with equal numbers
 * have equal traffic. */
static bool has_own_traffic(const struct plan *plan, size_t machine)
{
  const char *ranks = plan->machine[machine].value[MACHINE_RANKS];
  for (size_t i = 0; i < machine; i++)
    if (ranks == NULL || strcmp(plan->machine[i].value[MACHINE_RANKS], ranks) == 0)
      return false;
  return true;
}

static enum status draw_trace(const struct campaign_plots *p, size_t subject, struct album *album,
                              struct err *e)
{
  const struct plan *plan = p->campaign->plan;
  size_t first = 0;
  while (plan->run[first].subject != subject)
    first++;
  if (has_own_traffic(plan, plan->subject[subject].machine) &&
      draw_matrix(p, subject, first, album, e) != OK)
    return FAIL;
  return platform_is_opaque(plan_machine(plan, subject)->on)
             ? OK
             : draw_links(p, subject, first, album, e);
}

static enum status draw_traces(const struct campaign_plots *p, struct album *album, struct err *e)
{
  enum status s = OK;
  for (size_t i = 0; s == OK && i < p->campaign->plan->subjects; i++)
    s = draw_trace(p, i, album, e);
  return s;
}

/* --- all pictures ----------------------------------------------------------------------------- */

/* Pictures by kind of campaign. */
static const struct {
  const struct kind *kind;
  const char *results[3]; /* kinds of plots of results.tsv; ends with NULL */
  enum status (*draw)(const struct campaign_plots *p, struct album *album, struct err *e);
} PICTURES[] = {{&kind_traces, {"speedup", "metrics"}, draw_traces},
                {&kind_matrices, {NULL}, NULL},
                {&kind_networks, {"makespan", "use"}, NULL}};

/* Draws all pictures into the folder, which exists. */
static enum status draw_all(const struct campaign_plots *p, struct album *album, struct err *e)
{
  size_t i = 0;
  while (PICTURES[i].kind != p->campaign->plan->kind)
    i++;
  if (PICTURES[i].results[0] != NULL && draw_results(p, PICTURES[i].results, album, e) != OK)
    return FAIL;
  return PICTURES[i].draw == NULL ? OK : PICTURES[i].draw(p, album, e);
}

enum status campaign_plots_draw(const struct campaign_plots *p, FILE *list, struct err *e)
{
  OWNED char *folder = mem_printf(e, "%s/plots", p->campaign->folder);
  if (folder == NULL)
    return FAIL;
  struct album album = {.list = list};
  const enum status s = outfile_folder(folder, e) == OK && draw_all(p, &album, e) == OK
                            ? album_check(&album, folder, stderr, e)
                            : FAIL;
  album_clear(&album);
  return s;
}
