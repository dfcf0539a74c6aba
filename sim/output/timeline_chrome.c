/* The JSON of the Trace Event Format that chrome://tracing and Perfetto open: one complete event
 * ("X") for each interval, written at its end.  The readers use thread 0 for idle time, so rank r
 * is thread r + 1.  Times are whole ns, the readers' unit, so that intervals never overlap. */
#include <inttypes.h>
#include <math.h>

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

const struct timeline_format timeline_chrome = {
    .name = "chrome",
    .help = "JSON for Perfetto and chrome://tracing",
    .endings = {".json"},
    .begin = begin,
    .change = change,
    .end = end,
};
