/** @file plural.h
 *  Nouns after numbers in messages.
 */
#pragma once

/** The ending of a noun after the number @p n: "%zu field%s". */
#define PLURAL(n) ((n) == 1 ? "" : "s")
