/** @file fields.h
 *  Parses lists of NAME=VALUE fields, such as "k=8,levels=3" in a topology spec.
 */
#ifndef COMMON_FIELDS_H
#define COMMON_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/num.h"

/** Size of the buffer for a value or for a whole list, in bytes. */
enum { FIELDS_LONGEST = 160 };

struct field {
  const char *name;
  char value[FIELDS_LONGEST]; /**< "" if absent */
};

/** Parses @p word, "NAME=VALUE", into the field called NAME of the @p n fields.  Refuses a field
 *  that already has a value.  May change @p word. */
enum status fields_take(struct field *fields, size_t n, char *word, struct err *e);

/** Parses "NAME=VALUE,..." into the @p n fields, whose names are set.  Refuses a repeated name. */
enum status fields_parse(struct field *fields, size_t n, const char *text, struct err *e);

/** The value of a field as an integer in [1, @p most], or @p fallback if it is absent.  A fallback
 *  of 0 makes the field mandatory. */
enum status fields_number(const struct field *f, uint32_t most, uint32_t fallback, uint32_t *out,
                          struct err *e);

/** The value of a field as a quantity, or @p fallback if it is absent. */
enum status fields_quantity(const struct field *f, enum num_unit unit, double fallback, double *out,
                            struct err *e);

/** Parses integers in [1, @p most] that are separated by @p separator, such as "4x4x2".  Fails if
 *  there are more than @p room. */
enum status fields_list(const char *name, const char *text, char separator, uint32_t most,
                        uint32_t *out, uint32_t room, uint32_t *count, struct err *e);

#endif
