#include "plots/report/parts/trace_pictures.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "campaign/plan/machine.h"
#include "campaign/results/extras.h"
#include "common/files/linefile.h"
#include "common/files/path.h"
#include "common/mem.h"
#include "plots/links/links_order.h"
#include "plots/report/drawing.h"
#include "plots/report/parts/note.h"
#include "plots/report/text.h"
#include "setup/checksum.h"
#include "setup/inputs.h"

/* Files larger than this, in bytes, are not included in the page. */
enum { MOST_DATA = 4 << 20 };

/* --- a picture of files ----------------------------------------------------------------------- */

struct sources {
  const char *kind; /* kind of plot */
  const char *of;   /* a trace, or a file */
  const char *path[DRAWING_MOST_DATA], *label[DRAWING_MOST_DATA];
  size_t count, left_out;
  const struct platform *platform; /* NULL: the kind needs none */
  const char *platform_name;
};

/* Adds the files to the page as data of the picture, except large ones. */
static enum status add_data(const struct pictures *p, const struct sources *from, struct drawing *d,
                            struct err *e)
{
  const char separator = strcmp(from->kind, "timeline") == 0 ? ',' : '\t';
  for (size_t i = 0; i < from->count; i++) {
    struct stat st;
    struct sheet sheet;
    struct drawing_data *data = &d->data[d->datas];
    if (stat(from->path[i], &st) != 0)
      return err_errno(e, from->path[i], "cannot read");
    if (st.st_size > MOST_DATA) {
      note_add(p->page, p->part, "%s is larger than %d MiB and not included in this page.",
               from->path[i], MOST_DATA >> 20);
      continue;
    }
    if (sheet_load(&sheet, from->path[i], separator, e) != OK)
      return FAIL;
    snprintf(data->id, sizeof data->id, "%.36s-%zu", d->id, i + 1);
    snprintf(data->file, sizeof data->file, "%.36s-%zu.tsv", d->id, i + 1);
    data->of = strcmp(from->kind, "links") == 0 ? from->label[i] : from->of;
    page_add(p->page, p->part, "tables", sheet_data(p->page, &sheet, data->id));
    sheet_clear(&sheet);
    d->datas++;
  }
  return OK;
}

static char *make_command(const struct sources *from, struct err *e)
{
  const char *word[DRAWING_MOST_DATA + 2];
  size_t n = 0;
  for (; n < from->count; n++)
    word[n] = from->path[n];
  if (from->platform != NULL) {
    word[n++] = "--platform";
    word[n++] = from->platform_name;
  }
  return text_command(word, n, e);
}

static enum status draw(const struct pictures *p, const struct sources *from, struct drawing *d,
                        struct err *e)
{
  char note[64] = "";
  if (from->left_out > 0)
    snprintf(note, sizeof note, "not shown: %zu more", from->left_out);
  d->plot = (struct plot){.kind = from->kind,
                          .input = from->path,
                          .inputs = from->count,
                          .label = from->label,
                          .platform = from->platform,
                          .note = note};
  d->may_fail = true;
  if (add_data(p, from, d, e) != OK)
    return FAIL;
  return drawing_add(p->page, p->part, d, e);
}

/* Draws picture @p number of its kind, from 1. */
static enum status draw_files(const struct pictures *p, const struct sources *from,
                              const char *what, size_t number, struct err *e)
{
  char id[SHEET_ID_SIZE];
  struct drawing d = {.id = id, .shaded = strcmp(from->kind, "timeline") != 0};
  snprintf(id, sizeof id, "%s-%s-%zu", p->folder->id, from->kind, number);
  char *caption = text_print(e, "%s: %s", what, from->of);
  char *description = text_print(e, "%s of %s; the numbers are in the data.", what, from->of);
  char *command = make_command(from, e);
  d.caption = caption;
  d.description = description;
  d.command = command;
  const enum status s =
      caption == NULL || description == NULL || command == NULL ? FAIL : draw(p, from, &d, e);
  free(caption);
  free(description);
  free(command);
  return s;
}

/* --- files of the runs ------------------------------------------------------------------------ */

/* The files of a trace on a machine, whose name is one of the machines of struct folder. */
struct files_of {
  const struct extras *extras;
  size_t trace; /* line in the provenance */
  const char *machine;
};

static bool is_of(const struct extra *x, const struct files_of *of)
{
  return x->trace_line == of->trace && strcmp(x->machine, of->machine) == 0;
}

/* The first file of each mapper. */
static enum status list_files(struct links_file **file, size_t *files, const struct pictures *p,
                              const struct files_of *of, struct err *e)
{
  const struct extra *before = NULL;
  if ((*file = mem_array(of->extras->count, sizeof **file, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < of->extras->count; i++) {
    const struct extra *now = &of->extras->extra[i];
    if (!is_of(now, of) || (before != NULL && before->mapper_line == now->mapper_line))
      continue;
    before = now;
    const struct provenance_line *l = &p->folder->about.line[now->mapper_line];
    (*file)[(*files)++] = (struct links_file){
        .path = now->path, .label = now->mapper, .mapper = l->value, .peer = *l->library != '\0'};
  }
  return OK;
}

/* Chooses the files to draw: the first ones in the order of links_order(). */
static enum status choose(struct sources *from, const struct pictures *p, const struct files_of *of,
                          struct err *e)
{
  struct links_file *file;
  struct plot_results r = {.baseline = 0};
  size_t files = 0;
  enum status s = list_files(&file, &files, p, of, e);
  if (s == OK && files > 1 &&
      (s = plot_results_load(&r, p->folder->results, NULL, p->baseline, false, e)) == OK)
    links_order(file, files, &r, from->of);
  for (size_t i = 0; s == OK && i < files && i < DRAWING_MOST_DATA; i++) {
    from->path[from->count] = file[i].path;
    from->label[from->count++] = file[i].label;
  }
  from->left_out = files - from->count;
  plot_results_clear(&r);
  free(file);
  return s;
}

/* Draws picture @p number of a kind, from 1. */
static enum status draw_one(const struct pictures *p, const struct sources *what,
                            const struct files_of *of, size_t number, struct err *e)
{
  static const char *const TITLE[] = {"Traffic", "Load of links"};
  struct sources from = *what;
  char *name = machine_subject_label(p->folder->about.line[of->trace].value, of->machine, e);
  from.of = name;
  enum status s = name == NULL ? FAIL : choose(&from, p, of, e);
  if (from.platform == NULL && from.count > 1)
    from.count = 1; /* the traffic is the same under all mappers */
  if (s == OK && from.count > 0)
    s = draw_files(p, &from, TITLE[from.platform != NULL], number, e);
  free(name);
  return s;
}

/* Draws the pictures of one kind on a machine for all traces, up to p->most_traces in all; *number
 * counts the pictures. */
static enum status draw_kind(const struct pictures *p, const struct sources *what,
                             struct files_of of, size_t *number, struct err *e)
{
  const struct provenance *about = &p->folder->about;
  enum status s = OK;
  for (size_t i = 0; s == OK && i < about->lines && *number < p->most_traces; i++) {
    of.trace = i;
    if (strcmp(about->line[i].kind, "trace") == 0)
      s = draw_one(p, what, &of, ++*number, e);
  }
  return s;
}

/* Opens the platform of a file, unless the platform has changed since the campaign.  On failure,
 * *out is NULL and a note in the page says why. */
static void open_platform(const struct pictures *p, const struct extra *x, struct platform **out)
{
  const struct provenance *about = &p->folder->about;
  const struct provenance_line *l = NULL;
  char hex[CHECKSUM_SIZE];
  struct err e;
  *out = NULL;
  for (size_t i = 0; l == NULL && i < about->lines; i++)
    if (strcmp(about->line[i].kind, "platform") == 0 &&
        strcmp(about->line[i].value, x->platform) == 0)
      l = &about->line[i];
  enum status s = l == NULL ? err_set(&e, "results.tsv does not name the platform")
                            : inputs_platform(out, l->value, 0, &e);
  if (s == OK && l->checksum[0] != '\0' && (s = checksum_platform(*out, l->value, hex, &e)) == OK &&
      strcmp(hex, l->checksum) != 0)
    s = err_set(&e, "%s is no longer the file of the campaign", l->value);
  if (s == OK && platform_is_opaque(*out))
    s = err_set(&e, "only SimGrid knows the routes of %s", l->value);
  if (s == OK)
    return;
  platform_free(*out);
  *out = NULL;
  note_add(p->page, p->part, "No pictures of link loads: %s.", e.text);
}

/* Draws the link loads on a machine. */
static enum status draw_links(const struct pictures *p, const struct files_of *of, size_t *number,
                              struct err *e)
{
  const struct extras *x = of->extras;
  struct platform *platform;
  size_t i = 0;
  while (i < x->count && strcmp(x->extra[i].machine, of->machine) != 0)
    i++;
  if (i == x->count || *number >= p->most_traces)
    return OK;
  open_platform(p, &x->extra[i], &platform);
  if (platform == NULL)
    return OK;
  const struct sources links = {
      .kind = "links", .platform = platform, .platform_name = x->extra[i].platform};
  const enum status s = draw_kind(p, &links, *of, number, e);
  platform_free(platform);
  return s;
}

/* Traffic depends on the machine only through the ranks per host: if all machines have equal ranks
 * per host, the traffic on the first machine is drawn. */
static enum status draw_files_of(const struct pictures *p, const struct extras *links,
                                 const struct extras *matrix, struct err *e)
{
  static const struct sources MATRIX = {.kind = "matrix"};
  const struct names *machine = &p->folder->machine;
  const bool first_only = folder_count(p->folder, "ranks-per-host") < 2;
  size_t loads = 0, traffics = 0;
  enum status s = OK;
  for (uint32_t i = 0; s == OK && i < machine->count; i++) {
    const struct files_of of = {.extras = links, .machine = machine->name[i]};
    s = draw_links(p, &of, &loads, e);
  }
  for (uint32_t i = 0; s == OK && i < machine->count && (i == 0 || !first_only); i++) {
    const struct files_of of = {.extras = matrix, .machine = machine->name[i]};
    s = draw_kind(p, &MATRIX, of, &traffics, e);
  }
  return s;
}

static enum status draw_extras(const struct pictures *p, struct err *e)
{
  struct extras links = {.count = 0}, matrix = {.count = 0};
  const enum status s =
      extras_find(&links, p->folder->path, &p->folder->about, RUN_LINKS, e) == OK &&
              extras_find(&matrix, p->folder->path, &p->folder->about, RUN_MATRIX, e) == OK
          ? draw_files_of(p, &links, &matrix, e)
          : FAIL;
  const size_t machines = p->folder->machine.count,
               traces = folder_count(p->folder, "trace") * machines;
  if (s == OK && links.count + matrix.count > 0 && traces > p->most_traces)
    note_add(p->page, p->part,
             "Pictures of single traces%s are drawn for the first %u of %zu (--traces).",
             machines > 1 ? " on single platforms" : "", p->most_traces, traces);
  extras_clear(&links);
  extras_clear(&matrix);
  return s;
}

/* --- timelines and curves --------------------------------------------------------------------- */

/* Files of a kind of plot that commands write, and that a user may put into the folder. */
struct shown {
  const char *kind, *ending, *caption, *several;
  const char *header[3]; /* first lines of the files; NULL: no more */
};

static const struct shown SHOWN[] = {
    {"timeline",
     ".csv",
     "Timeline",
     "Timelines",
     {"rank,start_s,end_s,state", "host,start_s,end_s,state", "link,start_s,end_s,state"}},
    {"latency",
     ".tsv",
     "Tolerated latency",
     "Curves of latency",
     {"latencies\tsimulated_s\tpredicted_s"}},
};

static bool is_shown(const struct shown *x, const char *path)
{
  enum { HEADERS = sizeof x->header / sizeof *x->header };
  struct linefile in;
  struct err unused;
  bool more = false, is = false;
  const bool read =
      linefile_open(&in, path, &unused) == OK && linefile_next(&in, &more, &unused) == OK && more;
  for (int i = 0; i < HEADERS && read && x->header[i] != NULL; i++)
    is = is || strcmp(in.text, x->header[i]) == 0;
  linefile_close(&in);
  return is;
}

static int may_be_shown(const struct dirent *d)
{
  return path_ends_with(d->d_name, ".csv") || path_ends_with(d->d_name, ".tsv");
}

/* Draws a file if it has the kind; *number counts such files. */
static enum status draw_shown(const struct pictures *p, const struct shown *x, const char *name,
                              size_t *number, struct err *e)
{
  OWNED char *path = mem_printf(e, "%s/%s", p->folder->path, name);
  if (path == NULL)
    return FAIL;
  const struct sources from = {
      .kind = x->kind, .of = name, .path = {path}, .label = {name}, .count = 1};
  if (!path_ends_with(name, x->ending) || !is_shown(x, path) || ++*number > p->most_traces)
    return OK;
  return draw_files(p, &from, x->caption, *number, e);
}

static enum status draw_all_shown(const struct pictures *p, const struct shown *x, struct err *e)
{
  struct dirent **file;
  size_t number = 0;
  enum status s = OK;
  const int n = scandir(p->folder->path, &file, may_be_shown, alphasort);
  if (n < 0)
    return err_errno(e, p->folder->path, "cannot open");
  for (int i = 0; i < n; i++) {
    if (s == OK)
      s = draw_shown(p, x, file[i]->d_name, &number, e);
    free(file[i]);
  }
  free(file);
  if (s == OK && number > p->most_traces)
    note_add(p->page, p->part, "%s: the first %u of %zu (--traces).", x->several, p->most_traces,
             number);
  return s;
}

enum status trace_pictures_add(const struct pictures *p, struct err *e)
{
  if (draw_extras(p, e) != OK)
    return FAIL;
  for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++)
    if (draw_all_shown(p, &SHOWN[i], e) != OK)
      return FAIL;
  return OK;
}
