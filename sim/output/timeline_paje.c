/* The Paje trace format (de Kergommeaux, Stein, Martin: Paje input data format, 2003): one
 * container per rank, with one type of state.  Events are in order of time, as the readers
 * require. */
#include <inttypes.h>

#include "sim/output/timeline.h"

enum { DEFINE_CONTAINER, DEFINE_STATE, DEFINE_VALUE, CREATE, SET_STATE, DESTROY };

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
};

/* Grey, then the palette of Okabe and Ito (Color Universal Design, 2008); used in turn. */
static const char *const COLOURS[] = {
    "0.60 0.60 0.60", "0.90 0.62 0.00", "0.34 0.71 0.91", "0.00 0.62 0.45", "0.94 0.89 0.26",
    "0.00 0.45 0.70", "0.84 0.37 0.00", "0.80 0.47 0.65", "0.00 0.00 0.00",
};

#define COLOUR_COUNT (sizeof COLOURS / sizeof *COLOURS)

static void begin(FILE *f, const struct timeline_rows *rows)
{
  for (size_t i = 0; i < sizeof EVENTS / sizeof *EVENTS; i++)
    fprintf(f, "%%EventDef Paje%s %zu\n%s%%EndEventDef\n", EVENTS[i].name, i, EVENTS[i].fields);
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

const struct timeline_format timeline_paje = {
    .name = "paje",
    .help = "Paje, which ViTE and pajeng read",
    .endings = {".paje", ".trace"},
    .begin = begin,
    .change = change,
    .end = end,
};
