/** @file meta_internal.h
 *  The parsed form of a meta program.  For meta/ only.
 */
#pragma once

#include <stddef.h>

#include "tasks/meta/meta.h"

/** Maximum stack size of an expression, and maximum nesting depth of loops and of parentheses. */
enum { META_DEPTH = 64 };

/** A step of an expression, in postfix order. */
enum meta_step_kind {
  META_NUMBER,
  META_ARG,
  META_INPUT,
  META_ADD,
  META_SUBTRACT,
  META_MULTIPLY,
  META_DIVIDE,
  META_NEGATE
};

struct meta_step {
  enum meta_step_kind kind;
  double number;  /**< for META_NUMBER */
  uint32_t index; /**< for META_ARG */
};

enum meta_statement_kind { META_FOR, META_COMPUTE, META_READ, META_WRITE };

struct meta_statement {
  enum meta_statement_kind kind;
  uint32_t first, steps; /**< its expression is step[first] .. */
  uint32_t end;          /**< for a loop: the first statement after it */
  uint64_t line;
  uint32_t column;
};

/** Statements are in the order of the text; the statements of a loop follow the loop. */
struct meta {
  char *file; /**< owned */
  struct meta_statement *statement;
  size_t statement_room;
  uint32_t statements;
  struct meta_step *step;
  size_t step_room;
  uint32_t steps;
  uint32_t args;
};
