/** @file elements.h
 *  The elements of a zone in SimGrid's XML, read into the network.  What SimGrid knows and haichi
 *  does not makes the platform opaque; what SimGrid refuses is an error here too, or opaque, and
 *  SimGrid says why.  For xml/ only.
 */
#ifndef PLATFORMS_XML_ELEMENTS_H
#define PLATFORMS_XML_ELEMENTS_H

#include <string.h>

#include "common/num.h"
#include "platforms/platform_internal.h"

struct zone_reader {
  struct platform *p;
  struct network *n;
  xmlNode **traces; /**< <trace> and <trace_connect>, in the file's order */
  size_t count, room;
  bool opaque;
  struct err *e;
};

/** The value of an attribute; "" if the node has none. */
const char *element_attribute(const xmlNode *node, const char *name);

bool element_is(const xmlNode *node, const char *name);

/** A comment, a processing instruction or white space? */
bool element_is_blank(const xmlNode *node);

/** Reports @p why with the file and the node's line; returns FAIL. */
enum status element_fail(const struct zone_reader *r, const xmlNode *node, const struct err *why);

/** platform_xml_check() of the reader's file. */
enum status element_check(struct zone_reader *r, const xmlNode *node, const char *const *known,
                          size_t required);

/** Reads an attribute with a unit; left out, *out stays. */
enum status element_quantity(struct zone_reader *r, const xmlNode *node, const char *name,
                             enum num_unit unit, double *out);

/** Reads the attribute speed: of several, the one that @p pstate numbers ("": the first). */
enum status element_speed(struct zone_reader *r, const xmlNode *node, const char *pstate,
                          double *speed);

/** Declares the host, router or zone that the node names, with its coordinates. */
enum status element_add_point(struct zone_reader *r, const xmlNode *node, enum point_kind kind,
                              struct point **out);

/** Declares the link that the node names. */
enum status element_add_link(struct zone_reader *r, const xmlNode *node,
                             const struct link_info *info, bool split);

/** Finds the point that an attribute names. */
enum status element_find_point(struct zone_reader *r, const xmlNode *node, const char *name,
                               uint32_t *out);

/** Read one element. */
enum status element_prop(struct zone_reader *r, const xmlNode *node);
enum status element_host(struct zone_reader *r, const xmlNode *node);
enum status element_router(struct zone_reader *r, const xmlNode *node);
enum status element_link(struct zone_reader *r, const xmlNode *node);
enum status element_peer(struct zone_reader *r, const xmlNode *node);
enum status element_route(struct zone_reader *r, const xmlNode *node, bool zones, bool bypass);

/** What SimGrid builds when a zone of routing Cluster ends: sg_platf_zone_cluster_populate() in
 *  src/surf/sg_platf.cpp of 3.32. */
struct zone_late {
  const xmlNode *backbone;
  const xmlNode **node; /**< <host_link> and <cabinet>, in the file's order; owned */
  size_t count, room;
};

/** Builds it. */
enum status element_late(struct zone_reader *r, const struct zone_late *l);

#endif
