/** @file tree.h
 *  The functions of a C program as a tree of statements and expressions with their places in the
 *  text.  Knows C, but nothing of MPI or of blocks. libclang makes the tree (parse.h) and is not
 *  needed afterwards.
 *
 *  Nodes, symbols and files are numbered; a node's number is larger than its parent's.  Text from a
 *  macro's expansion has the place of the macro's use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"

/** No node, no symbol. */
#define TREE_NONE UINT32_MAX

enum node_kind {
  NODE_EXPRESSION, /**< an expression without a kind of its own */
  NODE_FUNCTION,   /**< a definition: parameters, then a compound */
  NODE_PARAMETER,
  NODE_VARIABLE, /**< a declaration: bounds of arrays, then the initialiser */
  NODE_COMPOUND,
  NODE_DECLARATIONS,
  NODE_IF,
  NODE_FOR,
  NODE_WHILE,
  NODE_DO,
  NODE_SWITCH,
  NODE_CASE, /**< or default; the last child is the statement */
  NODE_LABEL,
  NODE_GOTO,
  NODE_BREAK,
  NODE_CONTINUE,
  NODE_RETURN,
  NODE_ASM,
  NODE_CALL, /**< the function, then the arguments */
  NODE_NAME, /**< name of a variable or a function: `symbol` */
  NODE_MEMBER,
  NODE_SUBSCRIPT,
  NODE_UNARY,
  NODE_BINARY,  /**< also an assignment, by `op` */
  NODE_COMPUTE, /**< an assignment with an operation: += */
  NODE_CONDITIONAL,
  NODE_ATOMIC, /**< a built-in that is no call: it may read and write what its operands point to */
  NODE_PASS,   /**< parentheses, a cast, a conversion: has the value of its last child */
  NODE_LITERAL,
  NODE_SIZEOF,
  NODE_LIST,  /**< braces of an initialiser */
  NODE_BLOCK, /**< a statement in an expression: ({ ... }) */
  NODE_IGNORED
};

enum node_type { TYPE_VALUE, TYPE_POINTER, TYPE_ARRAY, TYPE_RECORD, TYPE_FUNCTION };

/** `op` of NODE_BINARY: '=' an assignment, '?' possibly an assignment, 0 any other operator.  `op`
 *  of NODE_UNARY: '&', '*', '+' for ++ and --, 0 any other operator. */
struct node {
  enum node_kind kind;
  enum node_type type; /**< of an expression or declaration */
  char op;
  bool real;                           /**< an expression of a floating type */
  bool macro;                          /**< its begin is inside a macro's expansion, or a macro has
                                            the brackets or semicolons of its header */
  uint32_t file, begin, end, line;     /**< [begin, end) in bytes; the line from 1 */
  uint32_t spelled_begin, spelled_end; /**< the same, except in an argument of a macro: the place of
                                            the argument in the file */
  uint32_t parent, child, next, last;
  uint32_t symbol;
};

enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_FUNCTION, SYMBOL_OTHER };

struct symbol {
  char *key;  /**< libclang's USR: the same in all sources; owned */
  char *name; /**< owned */
  enum symbol_kind kind;
  enum node_type type;
  uint32_t body;      /**< NODE_FUNCTION or NODE_VARIABLE that defines it, or TREE_NONE */
  uint64_t constant;  /**< bit i: argument i is no pointer, or points to a const type */
  uint64_t data;      /**< bit i: argument i is a pointer to void */
  uint64_t handle;    /**< bit i: argument i is a handle of MPI, which points to no variable */
  uint32_t arguments; /**< number in the prototype */
  bool system;        /**< declared in a system header */
};

struct tree_file {
  char *path; /**< path given by libclang; owned */
  char *text; /**< owned; size bytes and a NUL */
  uint32_t size;
  bool given; /**< one of the sources, not a header */
};

struct tree {
  struct node *node;
  struct symbol *symbol;
  struct tree_file *file;
  uint32_t nodes, symbols, files;
  /* private */
  size_t node_room, symbol_room, file_room;
  struct index by_key;
};

/** Accepts a zeroed struct. */
void tree_clear(struct tree *t);

/** Appends a node as the last child of n.parent. */
enum status tree_add(struct tree *t, struct node n, uint32_t *out, struct err *e);

/** The symbol with the key, added if it is new. */
enum status tree_symbol(struct tree *t, const char *key, const char *name, uint32_t *out,
                        struct err *e);

/** The file with the path, added with a copy of its text if it is new. */
enum status tree_file(struct tree *t, const char *path, const char *text, size_t size,
                      uint32_t *out, struct err *e);

/** Child @p i of a node; TREE_NONE if there are fewer. */
uint32_t tree_child(const struct tree *t, uint32_t node, uint32_t i);

/** The function around a node, or the node itself; TREE_NONE outside of functions. */
uint32_t tree_function(const struct tree *t, uint32_t node);

/** True for a statement that is no expression: compounds, declarations, control statements, labels,
 *  jumps and assembly. */
bool tree_is_statement(enum node_kind kind);
bool tree_is_loop(enum node_kind kind);

/** True for a statement with a header in parentheses: an if, a switch or a loop. */
bool tree_is_control(enum node_kind kind);

/** The symbol of the called function; TREE_NONE for a call through a pointer. */
uint32_t tree_callee(const struct tree *t, uint32_t call);

/** The node without parentheses, casts and conversions around it. */
uint32_t tree_strip(const struct tree *t, uint32_t node);

/** True if @p node is below @p above, or the same. */
bool tree_below(const struct tree *t, uint32_t node, uint32_t above);

/** One past the last node below @p node: all nodes with numbers in between are below it. */
uint32_t tree_end(const struct tree *t, uint32_t node);

/** The parts of a control statement; TREE_NONE if absent.  A for statement has up to four children
 *  that only the text distinguishes. */
struct control {
  uint32_t start, condition, step; /**< expressions; `start` may be declarations */
  uint32_t body, otherwise;        /**< statements */
  uint32_t open, close;            /**< places of the parentheses of the header */
  uint32_t first, second;          /**< places of the semicolons of a for; 0 in other statements */
};

struct control tree_control(const struct tree *t, uint32_t node);

/** True if the parentheses and semicolons of a control statement's header are in the file, not in
 *  the body of a macro.  If not, tree_control() is wrong. */
bool tree_header_is_text(const struct tree *t, uint32_t node);

/** Place of the first @p wanted at the bracket depth of @p at, before the brackets around @p at
 *  end; skips strings, comments and character constants.  The file's size if there is none. */
uint32_t tree_find(const struct tree_file *f, uint32_t at, char wanted);

/** Place after the comment, string or character constant at @p at; @p at if there is none. */
uint32_t tree_skip(const struct tree_file *f, uint32_t at);

/** The end of a piece of text, without comments, blanks, strings and character constants. */
struct tree_gap {
  char before, last; /**< the last two characters; 0 if there are fewer */
  bool torn;         /**< it contains a directive of the preprocessor */
};

struct tree_gap tree_gap(const struct tree_file *f, uint32_t begin, uint32_t end);

/** End of a statement, including its semicolon. */
uint32_t tree_statement_end(const struct tree *t, uint32_t node);

/** Begin of a statement, including the "#pragma" lines above that apply to it; only blanks and
 *  comments are between. */
uint32_t tree_statement_begin(const struct tree *t, uint32_t node);

/** True if a line with a directive begins at @p at in the file of the node: text before it needs a
 *  line of its own. */
bool tree_is_directive(const struct tree *t, uint32_t node, uint32_t at);
