/** @file ib_file.h
 *  Reads the output of ibnetdiscover (its manual page, TOPOLOGY FILE FORMAT): switches, channel
 *  adapters, and the cables between their ports.  For platforms/fabric/ only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/containers/pairs.h"
#include "common/err.h"

enum ib_kind {
  IB_SWITCH,
  IB_ADAPTER, /**< channel adapter of a host */
  IB_OTHER    /**< router, or aggregation node inside a switch; no host */
};

struct ib_node {
  enum ib_kind kind;
  char *id;          /**< such as "S-005442ba00003080"; owned */
  char *description; /**< owned */
};

/** A port with a cable. */
struct ib_port {
  uint32_t node, number;
  uint32_t peer;        /**< node at the other end */
  uint32_t peer_number; /**< port there */
  uint32_t lid;         /**< of the port of an adapter; 0: not given */
  double bandwidth_Bps; /**< 0: not given */
  uint64_t line;
};

/** Zeroed: empty.  The caller frees it with ib_file_clear(). */
struct ib_file {
  struct ib_node *node; /**< owned */
  size_t node_room;
  uint32_t nodes;
  struct index ids;     /**< of the nodes */
  struct ib_port *port; /**< in the order of the file; owned */
  size_t port_room;
  uint32_t ports;
  struct pairs at; /**< by port: its node and its number there */
  char **peer;     /**< by port: id of the node at the other end; owned; private */
  size_t peer_room;
};

/** Reads @p path.  The file must list each cable at both of its ends.  Errors name the file and the
 *  line. */
enum status ib_file_read(struct ib_file *f, const char *path, struct err *e);

void ib_file_clear(struct ib_file *f);
