#include "plots/report/drawing.h"

#include "common/files/memfile.h"
#include "common/mem.h"
#include "common/utf8.h"
#include "plots/report/parts/note.h"

static void add_button(struct page *p, xmlNode *figure, const struct drawing_data *data)
{
  struct err unused;
  OWNED char *of = utf8_clean(data->of, &unused);
  xmlNode *button = of == NULL ? NULL : sheet_button(p, data->id, data->file, of);
  page_add(p, figure, "buttons", button);
}

static void add_figure(struct page *p, xmlNode *part, const struct drawing *d, FILE *svg)
{
  char prefix[SHEET_ID_SIZE];
  xmlNode *figure = page_part(p, "picture");
  snprintf(prefix, sizeof prefix, "%s-", d->id);
  page_attribute(p, figure, "figure", "id", d->id);
  if (d->shaded)
    page_attribute(p, figure, "figure", "class", "picture shaded");
  page_add(p, figure, "drawing", page_svg(p, svg, prefix, d->caption, d->description));
  page_text(p, figure, "caption", d->caption);
  page_print(p, figure, "command", "haichi plot %s %s -o %s.svg", d->plot.kind, d->command, d->id);
  for (size_t i = 0; i < d->datas; i++)
    add_button(p, figure, &d->data[i]);
  page_add(p, part, "pictures", figure);
}

enum status drawing_add(struct page *p, xmlNode *part, const struct drawing *d, struct err *e)
{
  bool nothing = false;
  struct memfile svg;
  struct plot plot = d->plot;
  plot.nothing = &nothing;
  if (page_why_no_pictures(p) != NULL)
    return OK;
  if (memfile_open(&svg, "picture", e) != OK)
    return FAIL;
  const enum status s = plot_draw_to(&plot, "svg", svg.f, e) == OK ? memfile_flush(&svg, e) : FAIL;
  if (s == OK)
    add_figure(p, part, d, svg.f);
  memfile_close(&svg);
  if (s == OK || !(nothing || (d->may_fail && !err_of_environment(e))))
    return s;
  note_add(p, part, "No picture \u201c%s\u201d: %s.", d->caption, e->text);
  return OK;
}
