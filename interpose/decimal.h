/** @file decimal.h
 *  Numbers with a decimal point, in whatever locale the MPI program has set.
 */
#pragma once

#include <locale.h>

/** Makes the calling thread read and print numbers as the locale "C" does.  Returns the locale for
 *  decimal_end(). */
static inline locale_t decimal_begin(void)
{
  return uselocale(newlocale(LC_NUMERIC_MASK, "C", (locale_t)0));
}

/** Gives the thread the locale @p before again. */
static inline void decimal_end(locale_t before)
{
  const locale_t own = uselocale(before);
  if (own != before)
    freelocale(own);
}
