#define _POSIX_C_SOURCE 200809L
#include "cli/schedule/search_watch.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int SIGNALS[] = {SIGINT, SIGTERM};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof *SIGNALS };

static struct sigaction before[SIGNAL_COUNT];
static volatile sig_atomic_t watching, stopped;

static void give_back(void)
{
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(SIGNALS[i], &before[i], NULL);
}

static void note_signal(int number)
{
  (void)number;
  stopped = 1;
  give_back();
}

static void take(void)
{
  struct sigaction action = {.sa_handler = note_signal};
  sigfillset(&action.sa_mask);
  stopped = 0;
  for (int i = 0; i < SIGNAL_COUNT; i++)
    sigaction(SIGNALS[i], NULL, &before[i]);
  for (int i = 0; i < SIGNAL_COUNT; i++)
    if (before[i].sa_handler != SIG_IGN)
      sigaction(SIGNALS[i], &action, NULL);
  watching = 1;
}

static double wall_s(void)
{
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(const struct scheduler_search *s)
{
  static double next_s;
  if (isatty(STDERR_FILENO) == 0)
    return;
  if (!s->running)
    fputs("\r\033[K", stderr);
  else if (wall_s() >= next_s) {
    next_s = wall_s() + 0.2;
    fprintf(stderr,
            "\r%" PRIu64
            " partial schedules, best %.6g s, optimum at least %.6g s (Ctrl-C takes the "
            "best)\033[K",
            s->nodes, s->best_s, s->bound_s);
  }
  fflush(stderr);
}

bool search_watch(struct scheduler_search *s)
{
  if (s->running && !watching)
    take();
  draw(s);
  if (!s->running && watching) {
    give_back();
    watching = 0;
  }
  return !stopped;
}

void search_note(const struct scheduler_search *s, const char *scheduler)
{
  if (s->stopped != NULL)
    fprintf(stderr,
            "haichi: note: scheduler '%.*s' was stopped by %s after %" PRIu64
            " partial schedules: its schedule takes %.9g s, the optimum %.9g s or more\n",
            (int)strcspn(scheduler, ":"), scheduler, s->stopped, s->nodes, s->best_s, s->bound_s);
}
