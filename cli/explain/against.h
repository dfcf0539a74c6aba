/** @file against.h
 *  Explains in words why a program takes longer under one mapping than under another.
 */
#pragma once

#include <stdio.h>

#include "cli/explain/tables.h"
#include "common/err.h"

/** A mapping with the tables of its run. */
struct against_side {
  const char *name;
  const struct tables *tables;
};

/** Kinds of reasons why a run is slower. */
enum against_kind {
  AGAINST_CONTENTION,
  AGAINST_TRANSFER,
  AGAINST_LATENCY,
  AGAINST_COMPUTE,
  AGAINST_OTHER,
  AGAINST_KINDS
};

struct against_reason {
  enum against_kind kind;
  path_time seconds; /**< time of this kind in the slower run, minus its time in the other run */
  path_time item_s;  /**< the same difference on the link or pair alone; 0: none */
  uint32_t link;     /**< of the slower run's maxmin; CAUSES_NONE: none */
  uint32_t pair;     /**< number in the slower run's path; CAUSES_NONE: none */
  uint32_t actor;    /**< actor whose computations take longer; CAUSES_NONE: none */
};

/** Finds the reasons why run @p slow takes longer than run @p fast, the largest first. */
void against_find(struct against_reason out[AGAINST_KINDS], const struct tables *slow,
                  const struct tables *fast);

/** Prints four lines of text about two runs. */
enum status against_print(const struct against_reason reason[AGAINST_KINDS],
                          const struct against_side *slow, const struct against_side *fast, FILE *f,
                          struct err *e);

/** The platform's link in reason @p first; CAUSES_NONE if the reason has no link. */
uint32_t against_link(const struct against_reason *first, const struct tables *slow);
