/** @file words.h
 *  Words of the command line from which a plan is made, such as its traces.
 */
#ifndef CAMPAIGN_PLAN_WORDS_H
#define CAMPAIGN_PLAN_WORDS_H

#include <stddef.h>

/** The array is the owner's, the texts are not owned. */
struct plan_words {
  char **word;
  size_t count, room;
};

#endif
