/** @file scene.h
 *  A timeline of a whole run: besides the states of rows (timeline.h), messages as arrows between
 *  rows, and quantities over time.  Kept in memory and written in order of time, by the formats of
 *  timeline.h that can show it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

/** A row of states; rows are numbered from 0. */
struct scene_row {
  char *name;     /**< owned: "rank 3 on host-5" */
  uint32_t group; /**< rows of one group are consecutive */
};

/** A row has a state from `begin` to `end`, in s.  States of one row do not overlap. */
struct scene_state {
  double begin, end;
  uint32_t row;
  uint32_t name;      /**< index in scene.name */
  const char *detail; /**< free text, or NULL; not owned */
  bool marked;        /**< on the critical path */
};

/** A message from row to row. */
struct scene_arrow {
  double begin, end; /**< s */
  double bytes;
  double slowdown; /**< time of the message / its time on an idle network, at least 1 */
  uint32_t src, dst;
  bool marked;
};

/** A quantity takes a value, which it keeps until its next one. */
struct scene_value {
  double at; /**< s */
  float value;
  uint32_t quantity;
};

struct scene {
  char **group; /**< names; owned, with the texts */
  struct scene_row *row;
  const char *const *name; /**< of states */
  char **quantity;         /**< names of links; owned, with the texts */
  struct scene_state *state;
  struct scene_arrow *arrow;
  struct scene_value *value;
  uint32_t groups, rows, names, quantities;
  size_t states, arrows, values;
  double end; /**< of the run, in s */
};

/** Frees all arrays and names; accepts a zeroed struct. */
void scene_clear(struct scene *s);

/** Kinds of moments; at one date they have this order. */
enum scene_kind { SCENE_STATE, SCENE_VALUE, SCENE_SEND, SCENE_RECEIVE };

/** An element of state[], value[] or arrow[] at its date. */
struct scene_moment {
  double at; /**< s */
  enum scene_kind kind;
  size_t index;
};

struct timeline_format;

/** How a format of timelines shows scenes. */
struct scene_format {
  const struct timeline_format *format;
  void (*begin)(FILE *f, const struct scene *s);
  void (*moment)(FILE *f, const struct scene *s, const struct scene_moment *m);
  void (*end)(FILE *f, const struct scene *s);
};

/** Fails if the format has no scenes: csv shows states only, and otf2 is for ranks alone. */
enum status scene_check(const struct timeline_format *format, struct err *e);

/** Writes a scene in a format that scene_check() accepts.  O(n log n). */
enum status scene_print(const struct scene *s, const struct timeline_format *format, FILE *f,
                        struct err *e);
