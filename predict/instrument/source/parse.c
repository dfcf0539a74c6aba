#include "predict/instrument/source/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predict/instrument/source/clang_api.h"

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

/* Sets the source range of the node, and n->macro if the range begins in a macro's expansion. */
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
  n->spelled_begin = spelled == file ? other : offset;
  p->clang.clang_getExpansionLocation(end, NULL, NULL, NULL, &offset);
  p->clang.clang_getSpellingLocation(end, &spelled, NULL, NULL, &other);
  n->end = offset < n->begin ? n->begin : offset;
  n->spelled_end = spelled == file ? other : n->end;
  return file_of(p, file, &n->file);
}

enum { DEEPEST_MACRO = 8 };

/* The text of the macro whose name is the @p n bytes of @p name, in the files of the tree so far,
 * by its first definition; NULL if there is none. */
static const char *definition(const struct tree *t, const char *name, size_t n)
{
  for (uint32_t i = 0; i < t->files; i++)
    for (const char *at = t->file[i].text; (at = strstr(at, "define")) != NULL; at += 6) {
      const char *word = at + 6 + strspn(at + 6, " \t");
      if (word > at + 6 && strncmp(word, name, n) == 0 && strchr(" \t\n(", word[n]) != NULL)
        return word + n;
    }
  return NULL;
}

static size_t word_length(const char *s)
{
  return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* True if a macro, or one that it uses, may change a variable: its text has ++, --, or a '=' that
 * does not compare (not <<= and >>=). */
static bool macro_changes(const struct tree *t, const char *name, size_t n, int depth)
{
  const char *s = definition(t, name, n);
  if (depth == DEEPEST_MACRO)
    return true;
  if (s == NULL)
    return depth == 0;
  for (; *s != '\0' && (*s != '\n' || s[-1] == '\\'); s++) {
    const bool doubled = (*s == '+' || *s == '-') && s[1] == *s;
    if (doubled || (*s == '=' && s[1] != '=' && strchr("=!<>", s[-1]) == NULL))
      return true;
    const size_t word = word_length(s);
    if (word > 0 && (word != n || strncmp(s, name, n) != 0) && macro_changes(t, s, word, depth + 1))
      return true;
    s += word > 0 ? word - 1 : 0;
  }
  return false;
}

/* The file's text from the begin of the node on, also for a node in a macro's argument.  NULL if
 * the node begins in the body of a macro; *macro: the text at the use of the macro,
 * beginning with its name.  *before is the number
 * of bytes of the file before the returned text. */
static const char *spelled(struct parser *p, CXCursor c, size_t *before, const char **macro)
{
  CXFile file, used;
  unsigned offset, use;
  size_t size;
  const CXSourceRange range = p->clang.clang_getCursorExtent(c);
  const CXSourceLocation begin = p->clang.clang_getRangeStart(range);
  p->clang.clang_getSpellingLocation(begin, &file, NULL, NULL, &offset);
  p->clang.clang_getExpansionLocation(begin, &used, NULL, NULL, &use);
  const char *text = file == NULL ? NULL : p->clang.clang_getFileContents(p->unit, file, &size);
  *macro = text == NULL ? "" : text + use;
  *before = offset;
  return text == NULL || (in_macro(begin) && offset == use) ? NULL : text + offset;
}

/* Offset of the begin of the cursor or, in a macro, of the begin of the expansion. */
static unsigned use_of(struct parser *p, CXCursor c, CXFile *file)
{
  unsigned offset;
  const CXSourceRange range = p->clang.clang_getCursorExtent(c);
  p->clang.clang_getExpansionLocation(p->clang.clang_getRangeStart(range), file, NULL, NULL,
                                      &offset);
  return offset;
}

/* The operator of a binary expression: '=' for an assignment, '?' if the text does not tell, 0 for
 * any other operator. */
static char assigns(struct parser *p, CXCursor whole, CXCursor right)
{
  CXFile file;
  size_t before, size;
  const char *macro, *s = spelled(p, right, &before, &macro);
  const unsigned use = use_of(p, right, &file);
  if (use != use_of(p, whole, &file)) { /* not both in one macro */
    before = use;
    s = p->clang.clang_getFileContents(p->unit, file, &size) + use;
  }
  while (s != NULL && before > 0 && strchr(" \t\r\n\\", s[-1]) != NULL) {
    before--;
    s--;
  }
  if (s == NULL || before < 2 || strchr(",(", s[-1]) != NULL) /* in a macro, or its argument */
    return macro_changes(p->tree, macro, word_length(macro), 0) ? '?' : 0;
  if (s[-1] == '/' && s[-2] == '*')
    return '?'; /* a comment */
  return s[-1] == '=' && strchr("=!<>", s[-2]) == NULL ? '=' : 0;
}

static enum CXChildVisitResult keep_second(CXCursor c, CXCursor parent, CXClientData data)
{
  CXCursor *operand = data;
  (void)parent;
  operand[0] = operand[1];
  operand[1] = c;
  return CXChildVisit_Continue;
}

/* A unary operator in the body of a macro, derived from the types. */
static char operator_by_type(struct parser *p, CXCursor c, CXCursor operand, const char *macro)
{
  const enum node_type to = type_of(p, p->clang.clang_getCursorType(c));
  const enum node_type from = type_of(p, p->clang.clang_getCursorType(operand));
  if (from == TYPE_POINTER && to != TYPE_POINTER)
    return '*';
  if (from != TYPE_POINTER && to == TYPE_POINTER)
    return '&';
  if (from == TYPE_POINTER)
    return '*';
  return macro_changes(p->tree, macro, word_length(macro), 0) ? '+' : 0;
}

static char operator_of(struct parser *p, CXCursor c, enum node_kind kind)
{
  size_t before;
  const char *macro;
  CXCursor operand[2] = {c, c};
  if (kind != NODE_BINARY && kind != NODE_UNARY)
    return 0;
  p->clang.clang_visitChildren(c, keep_second, operand);
  if (kind == NODE_BINARY)
    return assigns(p, c, operand[1]);
  const char *s = spelled(p, c, &before, &macro);
  if (s == NULL)
    return operator_by_type(p, c, operand[1], macro);
  if (s[0] == '&' || s[0] == '*')
    return s[0];
  return strchr("!~", s[0]) != NULL || (strchr("+-", s[0]) != NULL && s[1] != s[0]) ? 0 : '+';
}

static void describe_function(struct parser *p, struct symbol *s, CXType type)
{
  const int n = p->clang.clang_getNumArgTypes(type);
  s->arguments = n < 0 ? 0 : (uint32_t)n;
  for (int i = 0; i < n && i < 64; i++) {
    const CXType argument =
        p->clang.clang_getCanonicalType(p->clang.clang_getArgType(type, (unsigned)i));
    const CXType to = p->clang.clang_getPointeeType(argument);
    /* A handle of MPI may be a pointer type; the object that it refers to is not a variable. */
    const bool handle = strncmp(s->name, "MPI_", 4) == 0 &&
                        p->clang.clang_getArgType(type, (unsigned)i).kind != CXType_Pointer;
    const bool pointer = argument.kind == CXType_Pointer && !handle;
    s->handle |= handle ? UINT64_C(1) << i : 0;
    if (!pointer || p->clang.clang_isConstQualifiedType(to))
      s->constant |= UINT64_C(1) << i;
    if (pointer && p->clang.clang_getCanonicalType(to).kind == CXType_Void)
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
  n.op = operator_of(p, c, n.kind);
  n.real = is_real(p, p->clang.clang_getCursorType(c));
  const bool names = n.kind == NODE_NAME || n.kind == NODE_VARIABLE || n.kind == NODE_PARAMETER ||
                     n.kind == NODE_FUNCTION;
  if ((names && symbol_of(p, c, &n.symbol) != OK) || place(p, c, &n) != OK)
    return CXChildVisit_Break;
  if ((p->status = tree_add(p->tree, n, &below.parent, p->e)) != OK)
    return CXChildVisit_Break;
  p->clang.clang_visitChildren(c, add_node, &below);
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
    p->status = err_set(p->e, "%s: %zu error%s", source, errors, errors == 1 ? "" : "s");
  } else if (file_of(p, p->clang.clang_getFile(p->unit, source), &file) == OK) {
    p->clang.clang_visitChildren(p->clang.clang_getTranslationUnitCursor(p->unit), add_definition,
                                 p);
    p->clang.clang_getInclusions(p->unit, add_header, p);
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
    return err_set(e, "%s: not a C source, whose name ends in .c", source);
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
