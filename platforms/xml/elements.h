/** @file elements.h
 *  Reads the elements of a zone in SimGrid's XML into the network.  Elements that only SimGrid
 *  supports make the platform opaque.  Input that SimGrid refuses is an error here, or makes the
 *  platform opaque so that SimGrid reports the error.  For xml/ only.
 */
#pragma once

#include "common/num.h"
#include "platforms/platform_internal.h"

struct zone_reader {
  struct platform *p;
  struct network *n;
  xmlNode **traces; /**< <trace> and <trace_connect>, in the order of the file */
  size_t count, room;
  bool opaque;
  struct err *e;
};

bool element_is(const xmlNode *node, const char *name);

/** True for a comment, a processing instruction or white space. */
bool element_is_blank(const xmlNode *node);

/** Puts the file and the line of the node in front of the error.  Returns FAIL. */
enum status element_fail(const struct zone_reader *r, const xmlNode *node);

/** Calls platform_xml_check() with the file of the reader. */
enum status element_check(struct zone_reader *r, const xmlNode *node, const char *const *known,
                          size_t required);

/** Parses an attribute with a unit.  Leaves *out unchanged if it is absent. */
enum status element_quantity(struct zone_reader *r, const xmlNode *node, const char *name,
                             enum num_unit unit, double *out);

/** Parses the attribute speed.  If it lists several speeds, uses number @p pstate, or the
 *  first one if @p pstate is NULL. */
enum status element_speed(struct zone_reader *r, const xmlNode *node, const char *pstate,
                          double *speed);

/** Declares the host, router or zone of a node, with its coordinates. */
enum status element_add_point(struct zone_reader *r, const xmlNode *node, enum point_kind kind,
                              struct point **out);

/** Declares the link of a node. */
enum status element_add_link(struct zone_reader *r, const xmlNode *node,
                             const struct link_info *info, bool split);

/** Finds the point named by an attribute. */
enum status element_find_point(struct zone_reader *r, const xmlNode *node, const char *name,
                               uint32_t *out);

/** Each of these functions reads one element. */
enum status element_prop(struct zone_reader *r, const xmlNode *node);
enum status element_host(struct zone_reader *r, const xmlNode *node);
enum status element_router(struct zone_reader *r, const xmlNode *node);

/** Refuses times of smpi/os, smpi/ois and smpi/or among the properties of a <host> or <cluster>,
 *  which SMPI reads (smpi_host.cpp). */
enum status element_refuse_costs(const struct zone_reader *r, const xmlNode *hosts);
enum status element_link(struct zone_reader *r, const xmlNode *node);
enum status element_peer(struct zone_reader *r, const xmlNode *node);
enum status element_route(struct zone_reader *r, const xmlNode *node, bool zones, bool bypass);

/** Elements that SimGrid evaluates at the end of a zone of routing Cluster:
 *  sg_platf_zone_cluster_populate() in src/surf/sg_platf.cpp of 3.32. */
struct zone_late {
  const xmlNode *backbone;
  const xmlNode **node; /**< <host_link> and <cabinet>, in the order of the file; owned */
  size_t count, room;
};

/** Declares the hosts, links and routes of these elements. */
enum status element_late(struct zone_reader *r, const struct zone_late *l);
