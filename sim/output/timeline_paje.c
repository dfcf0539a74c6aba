/* The Paje trace format (de Kergommeaux, Stein, Martin: Paje input data format, 2003): one
 * container per rank, with one type of state.  Events are in order of time, as the readers
 * require. */
#include <inttypes.h>

#include "sim/output/scene.h"
#include "sim/output/timeline.h"

enum {
  DEFINE_CONTAINER,
  DEFINE_STATE,
  DEFINE_VALUE,
  CREATE,
  SET_STATE,
  DESTROY,
  STATES_ONLY,
  DEFINE_LINK = STATES_ONLY,
  DEFINE_VARIABLE,
  START_LINK,
  END_LINK,
  SET_VARIABLE
};

static const struct {
  const char *name, *fields;
} EVENTS[] = {
    [DEFINE_CONTAINER] = {"DefineContainerType", "% Alias string\n% Type string\n% Name string\n"},
    [DEFINE_STATE] = {"DefineStateType", "% Alias string\n% Type string\n% Name string\n"},
    [DEFINE_VALUE] = {"DefineEntityValue",
                      "% Alias string\n% Type string\n% Name string\n% Color color\n"},
    [CREATE] = {"CreateContainer", "% Time date\n% Alias string\n% Type string\n"
                                   "% Container string\n% Name string\n"},
    [SET_STATE] = {"SetState", "% Time date\n% Type string\n% Container string\n% Value string\n"},
    [DESTROY] = {"DestroyContainer", "% Time date\n% Type string\n% Name string\n"},
    [DEFINE_LINK] = {"DefineLinkType", "% Alias string\n% Type string\n"
                                       "% StartContainerType string\n% EndContainerType string\n"
                                       "% Name string\n"},
    [DEFINE_VARIABLE] = {"DefineVariableType", "% Alias string\n% Type string\n% Name string\n"
                                               "% Color color\n"},
    [START_LINK] = {"StartLink", "% Time date\n% Type string\n% Container string\n"
                                 "% StartContainer string\n% Value string\n% Key string\n"
                                 "% Slowdown string\n"},
    [END_LINK] = {"EndLink", "% Time date\n% Type string\n% Container string\n"
                             "% EndContainer string\n% Value string\n% Key string\n"},
    [SET_VARIABLE] = {"SetVariable", "% Time date\n% Type string\n% Container string\n"
                                     "% Value double\n"},
};

/* Grey, then the palette of Okabe and Ito (Color Universal Design, 2008); used in turn. */
static const char *const COLOURS[] = {
    "0.60 0.60 0.60", "0.90 0.62 0.00", "0.34 0.71 0.91", "0.00 0.62 0.45", "0.94 0.89 0.26",
    "0.00 0.45 0.70", "0.84 0.37 0.00", "0.80 0.47 0.65", "0.00 0.00 0.00",
};

#define COLOUR_COUNT (sizeof COLOURS / sizeof *COLOURS)

static void define_events(FILE *f, size_t n)
{
  for (size_t i = 0; i < n; i++)
    fprintf(f, "%%EventDef Paje%s %zu\n%s%%EndEventDef\n", EVENTS[i].name, i, EVENTS[i].fields);
}

static void begin(FILE *f, const struct timeline_rows *rows)
{
  define_events(f, STATES_ONLY);
  fprintf(f, "%d R 0 \"%s\"\n%d S R \"state\"\n", DEFINE_CONTAINER, rows->what, DEFINE_STATE);
  for (uint32_t r = 0; r < rows->count; r++)
    if (rows->name != NULL)
      fprintf(f, "%d 0 r%" PRIu32 " R 0 \"%s\"\n", CREATE, r, rows->name[r]);
    else
      fprintf(f, "%d 0 r%" PRIu32 " R 0 \"%s %" PRIu32 "\"\n", CREATE, r, rows->what, r);
}

static void change(FILE *f, const struct timeline_change *c)
{
  if (c->fresh)
    fprintf(f, "%d s%" PRIu32 " S \"%s\" \"%s\"\n", DEFINE_VALUE, c->state, c->to,
            COLOURS[c->state % COLOUR_COUNT]);
  if (c->to != NULL)
    fprintf(f, "%d %.15f S r%" PRIu32 " s%" PRIu32 "\n", SET_STATE, c->at, c->rank, c->state);
  else
    fprintf(f, "%d %.15f R r%" PRIu32 "\n", DESTROY, c->at, c->rank);
}

static void end(FILE *f)
{
  (void)f;
}

/* --- scenes ----------------------------------------------------------------------------------- */

/* Groups are containers of rows; quantities are containers of their own. */
static void scene_begin(FILE *f, const struct scene *s)
{
  define_events(f, sizeof EVENTS / sizeof *EVENTS);
  fprintf(f, "%d G 0 \"group\"\n%d R G \"row\"\n%d Q 0 \"link\"\n%d S R \"state\"\n",
          DEFINE_CONTAINER, DEFINE_CONTAINER, DEFINE_CONTAINER, DEFINE_STATE);
  fprintf(f, "%d M 0 R R \"message\"\n%d C 0 R R \"critical message\"\n", DEFINE_LINK, DEFINE_LINK);
  fprintf(f, "%d U Q \"use\" \"%s\"\n", DEFINE_VARIABLE, COLOURS[0]);
  for (uint32_t i = 0; i < s->names; i++)
    fprintf(f, "%d s%" PRIu32 " S \"%s\" \"%s\"\n", DEFINE_VALUE, i, s->name[i],
            COLOURS[i % COLOUR_COUNT]);
  for (uint32_t i = 0; i < s->groups; i++)
    fprintf(f, "%d 0 g%" PRIu32 " G 0 \"%s\"\n", CREATE, i, s->group[i]);
  for (uint32_t i = 0; i < s->rows; i++)
    fprintf(f, "%d 0 r%" PRIu32 " R g%" PRIu32 " \"%s\"\n", CREATE, i, s->row[i].group,
            s->row[i].name);
  for (uint32_t i = 0; i < s->quantities; i++)
    fprintf(f, "%d 0 q%" PRIu32 " Q 0 \"%s\"\n", CREATE, i, s->quantity[i]);
}

static void print_arrow(FILE *f, const struct scene *s, const struct scene_moment *m)
{
  const struct scene_arrow *a = &s->arrow[m->index];
  const bool starts = m->kind == SCENE_SEND;
  fprintf(f, "%d %.15f %s 0 r%" PRIu32 " \"%.0f B\" k%zu", starts ? START_LINK : END_LINK, m->at,
          a->marked ? "C" : "M", starts ? a->src : a->dst, a->bytes, m->index);
  if (starts)
    fprintf(f, " \"x%.3g\"", a->slowdown);
  fputc('\n', f);
}

static void scene_moment(FILE *f, const struct scene *s, const struct scene_moment *m)
{
  if (m->kind == SCENE_STATE) {
    const struct scene_state *x = &s->state[m->index];
    fprintf(f, "%d %.15f S r%" PRIu32 " s%" PRIu32 "\n", SET_STATE, m->at, x->row, x->name);
  } else if (m->kind == SCENE_VALUE) {
    const struct scene_value *v = &s->value[m->index];
    fprintf(f, "%d %.15f U q%" PRIu32 " %.4g\n", SET_VARIABLE, m->at, v->quantity,
            (double)v->value);
  } else {
    print_arrow(f, s, m);
  }
}

static void scene_end(FILE *f, const struct scene *s)
{
  for (uint32_t i = 0; i < s->rows; i++)
    fprintf(f, "%d %.15f R r%" PRIu32 "\n", DESTROY, s->end, i);
  for (uint32_t i = 0; i < s->quantities; i++)
    fprintf(f, "%d %.15f Q q%" PRIu32 "\n", DESTROY, s->end, i);
  for (uint32_t i = 0; i < s->groups; i++)
    fprintf(f, "%d %.15f G g%" PRIu32 "\n", DESTROY, s->end, i);
}

const struct timeline_format timeline_paje = {
    .name = "paje",
    .endings = {".paje", ".trace"},
    .begin = begin,
    .change = change,
    .end = end,
};

extern const struct scene_format scene_paje;

const struct scene_format scene_paje = {
    .format = &timeline_paje, .begin = scene_begin, .moment = scene_moment, .end = scene_end};
