/** @file search_watch.h
 *  A scheduler's search at a terminal: a progress line, and SIGINT or SIGTERM to stop it.
 */
#ifndef CLI_SEARCH_WATCH_H
#define CLI_SEARCH_WATCH_H

#include "mappers/schedule/scheduler.h"

/** The `watch` of a struct scheduler_search, one at a time in a process.  Draws on stderr if that
 * is a terminal.  The first SIGINT or SIGTERM stops the search, the second one ends the process;
 *  signals that were ignored stay ignored. */
bool search_watch(struct scheduler_search *s);

/** Says on stderr what stopped the search of @p scheduler, a spec, and between which makespans the
 *  optimum is; says nothing of a search that proved its schedule. */
void search_note(const struct scheduler_search *s, const char *scheduler);

#endif
