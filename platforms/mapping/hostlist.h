/** @file hostlist.h
 *  Expands host lists as Slurm writes them, such as "nid[001-064,070],login1", to names.  Knows
 *  nothing of platforms.
 *
 *  Words are separated by commas, blanks or newlines.  A word is text with any number of brackets,
 *  which contain numbers and ranges.  "rack[0-1]n[00-02]" stands for rack0n00, rack0n01, rack0n02,
 *  rack1n00 and so on: the last bracket varies fastest.  A range keeps the leading zeros of its
 *  first number.  Ranges have no steps.  Names may occur more than once.
 *
 *      struct hostlist l;
 *      if (hostlist_parse(&l, text, e) != OK)
 *        return FAIL;
 *      for (size_t i = 0; i < l.count; i++)
 *        puts(l.name[i]);
 *      hostlist_clear(&l);
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

enum {
  HOSTLIST_MOST = 1 << 20,  /**< names of a list */
  HOSTLIST_NAME_MAX = 127,  /**< bytes of a name */
  HOSTLIST_BRACKETS_MAX = 8 /**< of a word */
};

/** Zeroed: empty. */
struct hostlist {
  char **name; /**< in the order of the list; owned, as the array */
  size_t count, room;
};

/** Expands @p text.  A text without words gives an empty list.  Refuses malformed brackets, ranges
 *  that end before they begin, characters other than printable ASCII, and lists beyond the limits
 *  above, before it expands them.  *out need not be initialised; it is empty after a failure.  The
 *  caller calls hostlist_clear().  O(length of the names). */
enum status hostlist_parse(struct hostlist *out, const char *text, struct err *e);

/** Accepts an empty list. */
void hostlist_clear(struct hostlist *l);
