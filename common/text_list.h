/** @file text_list.h
 *  Lists of texts that are arrays.
 */
#pragma once

#include <stddef.h>
#include <string.h>

/** Index of @p text in @p list; @p n, the number of texts, if it is not there.  O(n). */
static inline size_t text_list_find(const char *const *list, size_t n, const char *text)
{
  size_t i = 0;
  while (i < n && strcmp(list[i], text) != 0)
    i++;
  return i;
}

/** True if the array @p list has @p text. */
#define TEXT_LIST_HAS(list, text)                                                                  \
  (text_list_find((list), sizeof(list) / sizeof *(list), (text)) < sizeof(list) / sizeof *(list))
