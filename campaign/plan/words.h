/** @file words.h
 *  Words of the command line from which a plan is made, such as its traces.
 */
#pragma once

#include <stddef.h>

/** The owner frees the array.  The texts are borrowed. */
struct plan_words {
  char **word;
  size_t count, room;
};
