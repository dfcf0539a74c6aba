/** @file fields.h
 *  The fields of a spec: "k=8,levels=3".
 */
#ifndef COMMON_FIELDS_H
#define COMMON_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/num.h"

/** Longest text of the fields, in bytes. */
enum { FIELDS_LONGEST = 160 };

struct field {
  const char *name;
  char value[FIELDS_LONGEST]; /**< "" if it is not given */
};

/** Reads "NAME=VALUE", which it may change, into the one of the @p n fields that has the name and
 *  no value yet. */
enum status fields_take(struct field *fields, size_t n, char *word, struct err *e);

/** Reads "NAME=VALUE,..." into the @p n fields, whose names are given; each at most once. */
enum status fields_parse(struct field *fields, size_t n, const char *text, struct err *e);

/** The value of a field as a number of [1, @p most], or @p fallback if it is not given; 0: it must
 *  be. */
enum status fields_number(const struct field *f, uint32_t most, uint32_t fallback, uint32_t *out,
                          struct err *e);

/** The value of a field as a quantity, or @p fallback if it is not given. */
enum status fields_quantity(const struct field *f, enum num_unit unit, double fallback, double *out,
                            struct err *e);

/** The numbers of "4x4x2", or with any other @p separator, each of [1, @p most]; at most @p room of
 *  them. */
enum status fields_list(const char *name, const char *text, char separator, uint32_t most,
                        uint32_t *out, uint32_t room, uint32_t *count, struct err *e);

#endif
