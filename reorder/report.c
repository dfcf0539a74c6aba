#define _GNU_SOURCE
#include "reorder/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpose/decimal.h"

static const char HEADER[] =
    "call\tprocesses\tedges\tplatform\tmapper\toutcome\thop_bytes_before\thop_bytes_after\t"
    "max_link_load_before_s\tmax_link_load_after_s\testimated_time_before_s\t"
    "estimated_time_after_s\ttime_taken_s\n";

static void print_row(FILE *f, const struct subject *of, const struct result *r)
{
  const struct haichi_cost *a = &r->reordering.before, *b = &r->reordering.after;
  const struct settings *s = of->settings;
  char outcome[REORDER_TEXT + 16] = "moved";
  if (!r->ok)
    snprintf(outcome, sizeof outcome, "failed: %s", r->why);
  else if (!r->reordering.moved)
    snprintf(outcome, sizeof outcome, "stayed");
  for (char *at = outcome; *at != '\0'; at++)
    *at = *at == '\t' || *at == '\n' ? ' ' : *at;
  fprintf(f, "%s\t%d\t%zu\t%s\t%s\t%s\t", of->what, of->processes, of->edges,
          s->platform == NULL ? "-" : s->platform, s->mapper == NULL ? "auto" : s->mapper, outcome);
  if (r->ok)
    fprintf(f, "%" PRIu64 "\t%" PRIu64 "\t%.9g\t%.9g\t%.9g\t%.9g\t", a->hop_bytes, b->hop_bytes,
            a->max_link_load_s, b->max_link_load_s, a->estimated_time_s, b->estimated_time_s);
  else
    fprintf(f, "-\t-\t-\t-\t-\t-\t");
  fprintf(f, "%.6f\n", of->seconds);
}

/* Locks the file, so that one process at a time tests its size and writes. */
static bool append(FILE *f, const struct subject *of, const struct result *r)
{
  struct stat st;
  if (flock(fileno(f), LOCK_EX) != 0 || fstat(fileno(f), &st) != 0)
    return false;
  if (st.st_size == 0)
    fputs(HEADER, f);
  const locale_t before = decimal_begin();
  print_row(f, of, r);
  decimal_end(before);
  return fflush(f) == 0;
}

void report_write(const struct subject *of, const struct result *r)
{
  FILE *f = fopen(of->settings->report, "ae");
  bool good = f != NULL && append(f, of, r);
  int error = errno;
  if (f != NULL && fclose(f) != 0 && good) {
    good = false;
    error = errno;
  }
  if (!good)
    fprintf(stderr, "haichi reorder: %s: cannot write: %s\n", of->settings->report,
            strerror(error));
}
