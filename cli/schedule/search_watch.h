/** @file search_watch.h
 *  Watches the search of a scheduler: a progress line on a terminal, and SIGINT or SIGTERM to stop
 *  the search.
 */
#pragma once

#include "mappers/schedule/scheduler.h"

/** Callback `watch` of struct scheduler_search, for one search at a time.  Draws on stderr if that
 *  is a terminal.  The first SIGINT or SIGTERM stops the search, the second one ends the process;
 *  signals that were ignored stay ignored. */
bool search_watch(struct scheduler_search *s);

/** If the search of @p scheduler, a spec, was stopped, prints on stderr why, the makespan of its
 *  schedule, and the lower bound of the optimum. */
void search_note(const struct scheduler_search *s, const char *scheduler);
