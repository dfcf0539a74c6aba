#include "predict/instrument/source/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/plural.h"
#include "predict/instrument/source/clang_api.h"
#include "predict/instrument/source/macros.h"

struct parser {
  struct clang_api clang;
  struct tree *tree;
  struct messages *said;
  struct err *e;
  CXTranslationUnit unit;
  CXFile last;        /* file that file_of() returned last */
  uint32_t last_file; /* its number; TREE_NONE: none yet */
  enum status status;
};

/* State of a visit to the children of a cursor. */
struct visit {
  struct parser *p;
  uint32_t parent;
};

static const struct {
  enum CXCursorKind from;
  enum node_kind to;
} KINDS[] = {
    {CXCursor_FunctionDecl, NODE_FUNCTION},
    {CXCursor_ParmDecl, NODE_PARAMETER},
    {CXCursor_VarDecl, NODE_VARIABLE},
    {CXCursor_CompoundStmt, NODE_COMPOUND},
    {CXCursor_DeclStmt, NODE_DECLARATIONS},
    {CXCursor_IfStmt, NODE_IF},
    {CXCursor_ForStmt, NODE_FOR},
    {CXCursor_WhileStmt, NODE_WHILE},
    {CXCursor_DoStmt, NODE_DO},
    {CXCursor_SwitchStmt, NODE_SWITCH},
    {CXCursor_CaseStmt, NODE_CASE},
    {CXCursor_DefaultStmt, NODE_CASE},
    {CXCursor_LabelStmt, NODE_LABEL},
    {CXCursor_GotoStmt, NODE_GOTO},
    {CXCursor_IndirectGotoStmt, NODE_GOTO},
    {CXCursor_BreakStmt, NODE_BREAK},
    {CXCursor_ContinueStmt, NODE_CONTINUE},
    {CXCursor_ReturnStmt, NODE_RETURN},
    {CXCursor_GCCAsmStmt, NODE_ASM},
    {CXCursor_CallExpr, NODE_CALL},
    {CXCursor_DeclRefExpr, NODE_NAME},
    {CXCursor_MemberRefExpr, NODE_MEMBER},
    {CXCursor_ArraySubscriptExpr, NODE_SUBSCRIPT},
    {CXCursor_UnaryOperator, NODE_UNARY},
    {CXCursor_BinaryOperator, NODE_BINARY},
    {CXCursor_CompoundAssignOperator, NODE_COMPUTE},
    {CXCursor_ConditionalOperator, NODE_CONDITIONAL},
    {CXCursor_ParenExpr, NODE_PASS},
    {CXCursor_CStyleCastExpr, NODE_PASS},
    {CXCursor_UnexposedExpr, NODE_PASS},
    {CXCursor_IntegerLiteral, NODE_LITERAL},
    {CXCursor_FloatingLiteral, NODE_LITERAL},
    {CXCursor_StringLiteral, NODE_LITERAL},
    {CXCursor_CharacterLiteral, NODE_LITERAL},
    {CXCursor_UnaryExpr, NODE_SIZEOF},
    {CXCursor_InitListExpr, NODE_LIST},
    {CXCursor_CompoundLiteralExpr, NODE_LIST},
    {CXCursor_StmtExpr, NODE_BLOCK},
    {CXCursor_TypeRef, NODE_IGNORED},
    {CXCursor_MemberRef, NODE_IGNORED},
    {CXCursor_LabelRef, NODE_IGNORED},
    {CXCursor_StructDecl, NODE_IGNORED},
    {CXCursor_UnionDecl, NODE_IGNORED},
    {CXCursor_EnumDecl, NODE_IGNORED},
    {CXCursor_TypedefDecl, NODE_IGNORED},
};

static enum node_kind kind_of(enum CXCursorKind k)
{
  for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
    if (KINDS[i].from == k)
      return KINDS[i].to;
  return k >= CXCursor_FirstAttr && k <= CXCursor_LastAttr ? NODE_IGNORED : NODE_EXPRESSION;
}

static enum node_type type_of(const struct parser *p, CXType type)
{
  switch (p->clang.clang_getCanonicalType(type).kind) {
  case CXType_Pointer:
    return TYPE_POINTER;
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_VariableArray:
    return TYPE_ARRAY;
  case CXType_Record:
    return TYPE_RECORD;
  case CXType_FunctionProto:
  case CXType_FunctionNoProto:
    return TYPE_FUNCTION;
  default:
    return TYPE_VALUE;
  }
}

static bool is_real(const struct parser *p, CXType type)
{
  const enum CXTypeKind k = p->clang.clang_getCanonicalType(type).kind;
  return k == CXType_Float || k == CXType_Double || k == CXType_LongDouble;
}

/* The number of a file; copies its text at the first use. */
static enum status file_of(struct parser *p, CXFile file, uint32_t *out)
{
  size_t size = 0;
  if (p->last_file != TREE_NONE && p->last == file) {
    *out = p->last_file;
    return OK;
  }
  const char *text = p->clang.clang_getFileContents(p->unit, file, &size);
  CXString name = p->clang.clang_getFileName(file);
  if (text == NULL || size >= UINT32_MAX)
    p->status = err_set(p->e, "%s: cannot read", p->clang.clang_getCString(name));
  else
    p->status = tree_file(p->tree, p->clang.clang_getCString(name), text, size, out, p->e);
  p->clang.clang_disposeString(name);
  p->last = file;
  p->last_file = *out;
  return p->status;
}

/* True if the source location is in a macro's expansion.  libclang has no function for this; it
 * sets bit 31 of int_data. */
static bool in_macro(CXSourceLocation at)
{
  return (at.int_data & UINT32_C(1) << 31) != 0;
}

/* Sets the source range of the node, and n->macro if the range begins in a macro's expansion.  The
 * spelling location of a token in the body of a macro is the macro's use with old versions of
 * libclang, and its definition, which precedes the use, with others: both give the use here. */
static enum status place(struct parser *p, CXCursor c, struct node *n)
{
  const CXSourceRange range = p->clang.clang_getCursorExtent(c);
  const CXSourceLocation begin = p->clang.clang_getRangeStart(range);
  const CXSourceLocation end = p->clang.clang_getRangeEnd(range);
  CXFile file, spelled;
  unsigned line, offset, other;
  p->clang.clang_getExpansionLocation(begin, &file, &line, NULL, &offset);
  p->clang.clang_getSpellingLocation(begin, &spelled, NULL, NULL, &other);
  if (file == NULL)
    return OK;
  n->begin = offset;
  n->line = line;
  n->macro = in_macro(begin);
  n->spelled_begin = spelled == file && other > offset ? other : offset;
  p->clang.clang_getExpansionLocation(end, NULL, NULL, NULL, &offset);
  p->clang.clang_getSpellingLocation(end, &spelled, NULL, NULL, &other);
  n->end = offset < n->begin ? n->begin : offset;
  n->spelled_end = spelled == file && other > n->begin ? other : n->end;
  return file_of(p, file, &n->file);
}

/* True if the node begins in the body of a macro, not in an argument of one. */
static bool begins_in_body(const struct node *n)
{
  return n->macro && n->spelled_begin == n->begin;
}

static bool may_change(const struct parser *p, const struct node *n)
{
  return macros_change(p->tree, &p->tree->file[n->file], n->begin);
}

/* The operator of a binary expression from the text between its operands: '=', '?' if uncertain,
 * or 0.  If the operator may be in the body of a macro, may_change() decides between '?' and 0. */
static char operator_by_text(struct parser *p, const struct node *n, const struct node *left,
                             const struct node *right)
{
  const uint32_t end = right->begin != n->begin ? right->begin : right->spelled_begin;
  const bool after_left = left->end >= n->begin && left->end <= end;
  if (left->file != n->file || right->file != n->file)
    return '?';
  const struct tree_gap gap =
      tree_gap(&p->tree->file[n->file], after_left ? left->end : n->begin, end);
  const bool by_macro = !after_left && right->begin != n->begin;
  if (gap.torn)
    return '?';
  if (!by_macro && gap.last == '=')
    return gap.before != 0 && strchr("=!<>", gap.before) != NULL ? 0 : '=';
  if (!by_macro && gap.last != 0 &&
      strchr(n->macro ? "+-*/%&|^<>" : "+-*/%&|^<>,", gap.last) != NULL)
    return 0;
  if (!n->macro && (gap.last != 0 || !begins_in_body(right)))
    return '?';
  return may_change(p, n->macro ? n : right) ? '?' : 0;
}

static enum status binary(struct parser *p, const CXCursor operand[2], struct node *n)
{
  struct node left = {.file = TREE_NONE}, right = left;
  if (place(p, operand[0], &left) != OK || place(p, operand[1], &right) != OK)
    return FAIL;
  n->op = operator_by_text(p, n, &left, &right);
  return OK;
}

static enum CXChildVisitResult keep_second(CXCursor c, CXCursor parent, CXClientData data)
{
  CXCursor *operand = data;
  (void)parent;
  operand[0] = operand[1];
  operand[1] = c;
  return CXChildVisit_Continue;
}

/* The canonical type of the objects that a pointer, or an array parameter, points to.  libclang
 * gives the type of an array parameter as it is written. */
static CXType pointed_type(const struct parser *p, CXType type)
{
  const CXType canonical = p->clang.clang_getCanonicalType(type);
  CXType to = p->clang.clang_getPointeeType(canonical);
  if (canonical.kind != CXType_Pointer)
    to = p->clang.clang_getArrayElementType(type); /* with its qualifiers */
  if (to.kind == CXType_Invalid)
    to = p->clang.clang_getArrayElementType(canonical);
  return p->clang.clang_getCanonicalType(to);
}

/* A unary operator in the body of a macro, derived from the types. */
static char operator_by_type(struct parser *p, CXType to, CXType from, const struct node *n)
{
  const CXType to_target = pointed_type(p, to), from_target = pointed_type(p, from);
  const bool to_pointer = to_target.kind != CXType_Invalid;
  const bool from_pointer = from_target.kind != CXType_Invalid;
  if (!to_pointer && !from_pointer)
    return may_change(p, n) ? '+' : 0;
  if (to_pointer && from_pointer && p->clang.clang_equalTypes(to_target, from_target))
    return '+';
  if (from_pointer &&
      (!to_pointer || p->clang.clang_equalTypes(p->clang.clang_getCanonicalType(to), from_target)))
    return '*';
  return '&';
}

static enum status unary(struct parser *p, CXCursor c, CXCursor operand, struct node *n)
{
  struct node inner = {.file = TREE_NONE};
  const char *s = p->tree->file[n->file].text + n->spelled_begin;
  if (place(p, operand, &inner) != OK)
    return FAIL;
  if (begins_in_body(n) && n->end <= inner.end)
    n->op = operator_by_type(p, p->clang.clang_getCursorType(c),
                             p->clang.clang_getCursorType(operand), n);
  else if (!begins_in_body(n) && (s[0] == '&' || s[0] == '*'))
    n->op = s[0];
  else if (begins_in_body(n) ||
           (strchr("!~", s[0]) == NULL && (strchr("+-", s[0]) == NULL || s[1] == s[0])))
    n->op = '+'; /* ++ or --, before or after the operand */
  return OK;
}

/* Sets the operator of a node whose places are set. */
static enum status operator_of(struct parser *p, CXCursor c, struct node *n)
{
  CXCursor operand[2] = {c, c};
  if (n->kind != NODE_BINARY && n->kind != NODE_UNARY)
    return OK;
  p->clang.clang_visitChildren(c, keep_second, operand);
  return n->kind == NODE_BINARY ? binary(p, operand, n) : unary(p, c, operand[1], n);
}

static void describe_function(struct parser *p, struct symbol *s, CXType type)
{
  const int n = p->clang.clang_getNumArgTypes(type);
  s->arguments = n < 0 ? 0 : (uint32_t)n;
  for (int i = 0; i < n && i < 64; i++) {
    const CXType given = p->clang.clang_getArgType(type, (unsigned)i);
    const CXType argument = p->clang.clang_getCanonicalType(given), to = pointed_type(p, given);
    /* A handle of MPI may be a pointer type; the object that it refers to is not a variable. */
    const bool handle = strncmp(s->name, "MPI_", 4) == 0 && argument.kind == CXType_Pointer &&
                        given.kind != CXType_Pointer;
    const bool pointer = to.kind != CXType_Invalid && !handle;
    const bool constant =
        p->clang.clang_isConstQualifiedType(to) ||
        (argument.kind != CXType_Pointer && p->clang.clang_isConstQualifiedType(argument));
    s->handle |= handle ? UINT64_C(1) << i : 0;
    if (!pointer || constant)
      s->constant |= UINT64_C(1) << i;
    if (pointer && to.kind == CXType_Void)
      s->data |= UINT64_C(1) << i;
  }
}

/* The symbol that a cursor names or declares; TREE_NONE if the cursor refers to no
 * declaration. */
static enum status symbol_of(struct parser *p, CXCursor c, uint32_t *out)
{
  const CXCursor named = p->clang.clang_getCursorReferenced(c);
  *out = TREE_NONE;
  if (p->clang.clang_Cursor_isNull(named))
    return OK;
  const enum CXCursorKind kind = p->clang.clang_getCursorKind(named);
  CXString key = p->clang.clang_getCursorUSR(p->clang.clang_getCanonicalCursor(named));
  CXString name = p->clang.clang_getCursorSpelling(named);
  const CXType type = p->clang.clang_getCanonicalType(p->clang.clang_getCursorType(named));
  const uint32_t known = p->tree->symbols;
  p->status = tree_symbol(p->tree, p->clang.clang_getCString(key), p->clang.clang_getCString(name),
                          out, p->e);
  if (p->status == OK && p->tree->symbols > known) {
    struct symbol *s = &p->tree->symbol[*out];
    s->type = type_of(p, type);
    if (kind == CXCursor_ParmDecl && s->type == TYPE_ARRAY)
      s->type = TYPE_POINTER;
    s->kind = kind == CXCursor_FunctionDecl                           ? SYMBOL_FUNCTION
              : kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl ? SYMBOL_VARIABLE
                                                                      : SYMBOL_OTHER;
    s->system = p->clang.clang_Location_isInSystemHeader(p->clang.clang_getCursorLocation(named));
    if (s->kind == SYMBOL_FUNCTION)
      describe_function(p, s, p->clang.clang_getCursorType(named));
  }
  p->clang.clang_disposeString(key);
  p->clang.clang_disposeString(name);
  return p->status;
}

static enum CXChildVisitResult add_node(CXCursor c, CXCursor above, CXClientData data)
{
  const struct visit *v = data;
  struct parser *p = v->p;
  struct node n = {
      .kind = kind_of(p->clang.clang_getCursorKind(c)), .parent = v->parent, .symbol = TREE_NONE};
  struct visit below = {p, TREE_NONE};
  (void)above;
  if (n.kind == NODE_IGNORED)
    return CXChildVisit_Continue;
  n.type = type_of(p, p->clang.clang_getCursorType(c));
  n.real = is_real(p, p->clang.clang_getCursorType(c));
  const bool names = n.kind == NODE_NAME || n.kind == NODE_VARIABLE || n.kind == NODE_PARAMETER ||
                     n.kind == NODE_FUNCTION;
  if ((names && symbol_of(p, c, &n.symbol) != OK) || place(p, c, &n) != OK ||
      operator_of(p, c, &n) != OK)
    return CXChildVisit_Break;
  if (n.symbol != TREE_NONE && n.type == TYPE_ARRAY)
    n.type = p->tree->symbol[n.symbol].type; /* an array parameter is a pointer */
  if ((p->status = tree_add(p->tree, n, &below.parent, p->e)) != OK)
    return CXChildVisit_Break;
  p->clang.clang_visitChildren(c, add_node, &below);
  struct node *made = &p->tree->node[below.parent];
  if (p->clang.clang_getCursorKind(c) == CXCursor_UnexposedExpr && made->child != made->last)
    made->kind = NODE_ATOMIC; /* a conversion has one child */
  if (p->status == OK && tree_is_control(n.kind) && !n.macro)
    p->tree->node[below.parent].macro = !tree_header_is_text(p->tree, below.parent);
  return p->status == OK ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* True if the function or variable is in the tree already: another source includes the same
 * header. */
static bool is_known(const struct tree *t, uint32_t symbol)
{
  return symbol != TREE_NONE && t->symbol[symbol].body != TREE_NONE;
}

static enum CXChildVisitResult add_definition(CXCursor c, CXCursor above, CXClientData data)
{
  struct parser *p = data;
  struct visit top = {p, TREE_NONE};
  uint32_t symbol = TREE_NONE;
  const enum CXCursorKind kind = p->clang.clang_getCursorKind(c);
  (void)above;
  if ((kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl) ||
      !p->clang.clang_isCursorDefinition(c))
    return CXChildVisit_Continue;
  const CXSourceRange range = p->clang.clang_getCursorExtent(c);
  if (p->clang.clang_Location_isInSystemHeader(p->clang.clang_getRangeStart(range)))
    return CXChildVisit_Continue;
  if (symbol_of(p, c, &symbol) != OK)
    return CXChildVisit_Break;
  if (is_known(p->tree, symbol))
    return CXChildVisit_Continue;
  const uint32_t body = p->tree->nodes;
  if (add_node(c, c, &top) == CXChildVisit_Break)
    return CXChildVisit_Break;
  if (symbol != TREE_NONE && p->tree->nodes > body)
    p->tree->symbol[symbol].body = body;
  return CXChildVisit_Continue;
}

/* Adds a header of the user, even if it only has declarations. */
static void add_header(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
  struct parser *p = data;
  uint32_t number;
  const CXSourceLocation at = p->clang.clang_getLocationForOffset(p->unit, file, 0);
  (void)stack;
  (void)depth;
  if (p->status == OK && !p->clang.clang_Location_isInSystemHeader(at))
    file_of(p, file, &number);
}

/* Adds the compiler's errors to p->said and returns their number. */
static size_t take_errors(struct parser *p, const char *source)
{
  size_t errors = 0;
  const unsigned n = p->clang.clang_getNumDiagnostics(p->unit);
  for (unsigned i = 0; i < n; i++) {
    CXDiagnostic d = p->clang.clang_getDiagnostic(p->unit, i);
    CXFile file;
    unsigned line, column;
    p->clang.clang_getExpansionLocation(p->clang.clang_getDiagnosticLocation(d), &file, &line,
                                        &column, NULL);
    if (p->clang.clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
      CXString text = p->clang.clang_getDiagnosticSpelling(d);
      CXString name = p->clang.clang_getFileName(file);
      const char *path = file == NULL ? NULL : p->clang.clang_getCString(name);
      char place[1024];
      snprintf(place, sizeof place, "%s:%u", path == NULL ? source : path, line);
      messages_add(p->said, place, column, "error: %s", p->clang.clang_getCString(text));
      p->clang.clang_disposeString(text);
      p->clang.clang_disposeString(name);
      errors++;
    }
    p->clang.clang_disposeDiagnostic(d);
  }
  return errors;
}

static enum status parse_one(struct parser *p, CXIndex index, const struct parse_job *job,
                             const char *source)
{
  uint32_t file;
  const enum CXErrorCode code = p->clang.clang_parseTranslationUnit2(
      index, source, job->argument, (int)job->arguments, NULL, 0, CXTranslationUnit_None, &p->unit);
  if (code != CXError_Success)
    return err_set(p->e, "%s: libclang cannot parse it (error %d)", source, (int)code);
  p->last_file = TREE_NONE;
  const size_t errors = take_errors(p, source);
  if (errors > 0) {
    p->status = err_set(p->e, "%s: %zu error%s", source, errors, PLURAL(errors));
  } else if (file_of(p, p->clang.clang_getFile(p->unit, source), &file) == OK) {
    p->clang.clang_getInclusions(p->unit, add_header, p); /* headers first: they define macros */
    if (p->status == OK)
      p->clang.clang_visitChildren(p->clang.clang_getTranslationUnitCursor(p->unit), add_definition,
                                   p);
  }
  p->clang.clang_disposeTranslationUnit(p->unit);
  return p->status;
}

static enum status check_source(const char *source, struct err *e)
{
  const char *ending = strrchr(source, '.');
  if (access(source, R_OK) != 0)
    return err_errno(e, source, "cannot read");
  if (ending == NULL || strcmp(ending, ".c") != 0)
    return err_set(e, "%s: not a C source: its name does not end in .c", source);
  return OK;
}

enum status parse_sources(struct tree *t, const struct parse_job *job, struct messages *said,
                          struct err *e)
{
  struct parser p = {.tree = t, .said = said, .e = e};
  for (size_t i = 0; i < job->sources; i++)
    if (check_source(job->source[i], e) != OK)
      return FAIL;
  if (clang_api_open(&p.clang, e) != OK)
    return FAIL;
  CXIndex index = p.clang.clang_createIndex(0, 0);
  for (size_t i = 0; i < job->sources && p.status == OK; i++)
    p.status = parse_one(&p, index, job, job->source[i]);
  p.clang.clang_disposeIndex(index);
  for (uint32_t f = 0; f < t->files; f++)
    for (size_t i = 0; i < job->sources; i++)
      t->file[f].given |= strcmp(t->file[f].path, job->source[i]) == 0;
  return p.status;
}
