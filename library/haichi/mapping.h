/** @file mapping.h
 *  A mapping: the host of each rank.
 */
#ifndef HAICHI_MAPPING_H
#define HAICHI_MAPPING_H

#include <stdint.h>

#include <haichi/platform.h>

struct haichi_mapping;

/** Makes a mapping from the host of each rank.  Refuses hosts that @p p does not have.  Free *out
 *  with haichi_mapping_free(). */
HAICHI_PUBLIC enum haichi_status haichi_mapping_new(struct haichi_mapping **out,
                                                    const struct haichi_platform *p,
                                                    const uint32_t *host, uint32_t ranks,
                                                    struct haichi_error *e);

/** Reads the mapping of @p ranks ranks from a file in any format of `haichi map --format`.  Free
 *  *out with haichi_mapping_free(). */
HAICHI_PUBLIC enum haichi_status haichi_mapping_load(struct haichi_mapping **out, const char *path,
                                                     const struct haichi_platform *p,
                                                     uint32_t ranks, struct haichi_error *e);

/** Writes the mapping in the named format, for example "hostfile" or "rankfile".  A failure leaves
 *  no partial file. */
HAICHI_PUBLIC enum haichi_status haichi_mapping_save(const struct haichi_mapping *m,
                                                     const struct haichi_platform *p,
                                                     const char *format, const char *path,
                                                     struct haichi_error *e);

/** Accepts NULL. */
HAICHI_PUBLIC void haichi_mapping_free(struct haichi_mapping *m);

/** Number of ranks, and the host of each, valid until haichi_mapping_free(). */
HAICHI_PUBLIC uint32_t haichi_mapping_ranks(const struct haichi_mapping *m);
HAICHI_PUBLIC const uint32_t *haichi_mapping_hosts(const struct haichi_mapping *m);

#endif
