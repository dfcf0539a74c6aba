/* The JSON of the Trace Event Format that chrome://tracing and Perfetto open: one complete event
 * ("X") for each interval, written at its end.  The readers use thread 0 for idle time, so rank r
 * is thread r + 1.  Times are whole ns, the readers' unit, so that intervals never overlap. */
#include <inttypes.h>
#include <math.h>

#include "sim/output/scene.h"
#include "sim/output/timeline.h"

static void begin(FILE *f, const struct timeline_rows *rows)
{
  fprintf(f,
          "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"%ss\"}}",
          rows->what);
  for (uint32_t r = 0; r < rows->count; r++) {
    fprintf(f,
            ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
            ",\"name\":\"thread_name\",\"args\":{\"name\":\"",
            r + 1);
    if (rows->name != NULL)
      fputs(rows->name[r], f);
    else
      fprintf(f, "%s %" PRIu32, rows->what, r);
    fprintf(f,
            "\"}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%" PRIu32
            ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
            r + 1, r);
  }
}

static void change(FILE *f, const struct timeline_change *c)
{
  const double begin_ns = round(c->since * 1e9), end_ns = round(c->at * 1e9);
  if (c->from != NULL && end_ns > begin_ns)
    fprintf(f,
            ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%" PRIu32
            ",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\"}",
            c->rank + 1, begin_ns / 1e3, (end_ns - begin_ns) / 1e3, c->from);
}

static void end(FILE *f)
{
  fputs("\n]}\n", f);
}

/* --- scenes ----------------------------------------------------------------------------------- */

/* Group g is process g + 1, row r thread r + 1 of its process; quantities are counters of a process
 * of their own.  An arrow is a flow event: it leaves the slice of its sender in which it begins,
 * and enters the slice of its receiver that encloses its last ns. */

static double whole_ns(double seconds)
{
  return round(seconds * 1e9);
}

static void print_text(FILE *f, const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      fprintf(f, "\\%c", *text);
    else if ((unsigned char)*text < 0x20)
      fprintf(f, "\\u%04x", (unsigned)*text);
    else
      fputc(*text, f);
}

static void name_process(FILE *f, uint32_t number, const char *name)
{
  fprintf(f, "%s{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"name\":\"process_name\",\"args\":{\"name\":\"",
          number == 1 ? "" : ",\n", number);
  print_text(f, name);
  fprintf(f,
          "\"}},\n{\"ph\":\"M\",\"pid\":%" PRIu32
          ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
          number, number);
}

static void scene_begin(FILE *f, const struct scene *s)
{
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", f);
  for (uint32_t g = 0; g < s->groups; g++)
    name_process(f, g + 1, s->group[g]);
  if (s->quantities > 0)
    name_process(f, s->groups + 1, "use of links");
  for (uint32_t r = 0; r < s->rows; r++) {
    fprintf(f,
            ",\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"name\":\"thread_name\",\"args\":{\"name\":\"",
            s->row[r].group + 1, r + 1);
    print_text(f, s->row[r].name);
    fprintf(f,
            "\"}},\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
            s->row[r].group + 1, r + 1, r);
  }
}

static void print_state(FILE *f, const struct scene *s, const struct scene_state *x)
{
  const double begin_ns = whole_ns(x->begin), end_ns = whole_ns(x->end);
  if (!(end_ns > begin_ns))
    return;
  fprintf(f,
          ",\n{\"ph\":\"X\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
          ",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\"",
          s->row[x->row].group + 1, x->row + 1, begin_ns / 1e3, (end_ns - begin_ns) / 1e3,
          s->name[x->name]);
  if (x->marked)
    fputs(",\"cname\":\"terrible\",\"cat\":\"critical\"", f);
  if (x->detail != NULL) {
    fputs(",\"args\":{\"detail\":\"", f);
    print_text(f, x->detail);
    fputs("\"}", f);
  }
  fputc('}', f);
}

static void print_arrow(FILE *f, const struct scene *s, size_t i, bool begins)
{
  const struct scene_arrow *a = &s->arrow[i];
  const uint32_t row = begins ? a->src : a->dst;
  const double begin_ns = whole_ns(a->begin), end_ns = fmax(begin_ns, whole_ns(a->end) - 1);
  fprintf(f,
          ",\n{\"ph\":\"%s\",\"id\":%zu,\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
          ",\"ts\":%.3f,\"cat\":\"%s\",\"name\":\"%.0f B, x%.3g\"",
          begins ? "s" : "f\",\"bp\":\"e", i + 1, s->row[row].group + 1, row + 1,
          (begins ? begin_ns : end_ns) / 1e3, a->marked ? "critical" : "message", a->bytes,
          a->slowdown);
  if (begins)
    fprintf(f, ",\"args\":{\"bytes\":%.0f,\"slowdown\":%.6g}", a->bytes, a->slowdown);
  fputc('}', f);
}

static void scene_moment(FILE *f, const struct scene *s, const struct scene_moment *m)
{
  if (m->kind == SCENE_STATE) {
    print_state(f, s, &s->state[m->index]);
  } else if (m->kind == SCENE_VALUE) {
    const struct scene_value *v = &s->value[m->index];
    fprintf(f, ",\n{\"ph\":\"C\",\"pid\":%" PRIu32 ",\"ts\":%.3f,\"name\":\"", s->groups + 1,
            whole_ns(v->at) / 1e3);
    print_text(f, s->quantity[v->quantity]);
    fprintf(f, "\",\"args\":{\"use\":%.4g}}", (double)v->value);
  } else {
    print_arrow(f, s, m->index, m->kind == SCENE_SEND);
  }
}

static void scene_end(FILE *f, const struct scene *s)
{
  (void)s;
  end(f);
}

const struct timeline_format timeline_chrome = {
    .name = "chrome",
    .endings = {".json"},
    .begin = begin,
    .change = change,
    .end = end,
};

extern const struct scene_format scene_chrome;

const struct scene_format scene_chrome = {
    .format = &timeline_chrome, .begin = scene_begin, .moment = scene_moment, .end = scene_end};
