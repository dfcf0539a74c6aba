/* The Graphviz language, read like SimGrid's SD_dotload: `size` is in flop for a node and in bytes
 * for an edge.  A separate parser: libcgraph would require all Graphviz libraries for a language
 * with two kinds of statements, and does not report the lines of parsed statements. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/containers/pairs.h"
#include "common/num.h"
#include "common/utf8.h"
#include "tasks/files/format.h"
#include "tasks/files/workflow.h"

/* Size of the buffer for a word, in bytes. */
enum { LONGEST = 1024 };

struct parser {
  struct workflow w;
  const char *path, *at;
  uint64_t line;
  char word[LONGEST];          /* the last word */
  bool quoted;                 /* the word is in quotes: no keyword */
  bool strict;                 /* an edge that is repeated is the same edge */
  struct pairs edge;           /* of a strict graph, with their numbers */
  double node_size, edge_size; /* defaults of the next nodes and edges; 0: none */
  struct err *e;
};

static enum status fail(const struct parser *p, const char *what, const char *value)
{
  return err_at(p->e, p->path, p->line, "%s '%.80s'", what, value);
}

static void skip_line(struct parser *p)
{
  p->at += strcspn(p->at, "\n");
}

static void skip_comment(struct parser *p)
{
  for (; *p->at != '\0' && strncmp(p->at, "*/", 2) != 0; p->at++)
    p->line += *p->at == '\n';
  p->at += *p->at == '\0' ? 0 : 2;
}

static void skip_blanks(struct parser *p)
{
  for (;;) {
    if (*p->at == '\n')
      p->line++;
    if (isspace((unsigned char)*p->at))
      p->at++;
    else if (*p->at == '#' || strncmp(p->at, "//", 2) == 0)
      skip_line(p);
    else if (strncmp(p->at, "/*", 2) == 0)
      skip_comment(p);
    else
      return;
  }
}

static bool take(struct parser *p, const char *text)
{
  skip_blanks(p);
  if (strncmp(p->at, text, strlen(text)) != 0)
    return false;
  p->at += strlen(text);
  return true;
}

static enum status fail_here(struct parser *p, const char *what)
{
  char here[2] = {*p->at, '\0'};
  return fail(p, what, here[0] == '\0' ? "the end of the file" : here);
}

/* Takes a keyword, in small or capital letters. */
static bool take_keyword(struct parser *p, const char *word)
{
  skip_blanks(p);
  const size_t n = strlen(word);
  if (strncasecmp(p->at, word, n) != 0 || isalnum((unsigned char)p->at[n]) || p->at[n] == '_')
    return false;
  p->at += n;
  return true;
}

/* True if the last word is this keyword. */
static bool is_keyword(const struct parser *p, const char *word)
{
  return !p->quoted && strcasecmp(p->word, word) == 0;
}

static enum status need(struct parser *p, const char *text)
{
  char what[64];
  if (take(p, text))
    return OK;
  snprintf(what, sizeof what, "expected '%s' and found", text);
  return fail_here(p, what);
}

/* Reads a quoted word after its opening quote. */
static enum status take_quoted(struct parser *p)
{
  size_t n = 0;
  for (; *p->at != '"'; p->at++) {
    if (*p->at == '\0' || n + 1 >= LONGEST)
      return fail_here(p, "a quoted word that is too long or has no end, at");
    if (*p->at == '\\' && p->at[1] == '"')
      p->at++;
    p->line += *p->at == '\n';
    p->word[n++] = *p->at;
  }
  p->word[n] = '\0';
  p->at++;
  return OK;
}

/* Refuses bytes that are not UTF-8, which the XML of haichi cannot hold. */
static enum status check_text(const struct parser *p)
{
  for (const char *c = p->word; *c != '\0'; c += utf8_bytes(c))
    if (utf8_bytes(c) == 0)
      return fail(p, "a word that is not UTF-8:", p->word);
  return OK;
}

/* Reads a name or a number into p->word. */
static enum status take_word(struct parser *p)
{
  size_t n = 0;
  p->quoted = take(p, "\"");
  if (p->quoted)
    return take_quoted(p) == OK ? check_text(p) : FAIL;
  for (; isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.' || *p->at == '+' ||
         (unsigned char)*p->at >= 128 || (*p->at == '-' && p->at[1] != '>' && p->at[1] != '-');
       p->at++) {
    if (n + 1 >= LONGEST)
      return fail_here(p, "a word that is too long, at");
    p->word[n++] = *p->at;
  }
  p->word[n] = '\0';
  return n > 0 ? check_text(p) : fail_here(p, "expected a name and found");
}

/* Reads attributes.  *size is unchanged if they do not set it. */
static enum status take_attributes(struct parser *p, double *size)
{
  while (take(p, "[")) {
    while (!take(p, "]")) {
      if (take_word(p) != OK)
        return FAIL;
      const bool is_size = strcmp(p->word, "size") == 0;
      if (take(p, "=") && take_word(p) != OK)
        return FAIL;
      if (is_size && num_double(p->word, -1, TASKNET_MOST_COST, size, p->e) != OK)
        return err_at(p->e, p->path, p->line, "size: %s", p->e->text);
      if (!take(p, ","))
        take(p, ";");
    }
  }
  return OK;
}

static enum status task_of(struct parser *p, uint32_t *task)
{
  if ((*task = workflow_find(&p->w, p->word)) != TASKNET_NONE)
    return OK;
  if (workflow_add_task(&p->w, p->word, fmax(p->node_size, 0), p->line, p->e) != OK)
    return err_place(p->e, p->path, p->line);
  *task = workflow_find(&p->w, p->word);
  return OK;
}

/* Removes the edges from @p first on that the strict graph has already; they change its size. */
static enum status join_edges(struct parser *p, size_t first)
{
  size_t kept = first;
  for (size_t i = first; i < p->w.edges; i++) {
    const struct workflow_edge edge = p->w.edge[i];
    uint32_t number;
    if (pairs_add(&p->edge, edge.from, edge.to, &number, p->e) != OK)
      return FAIL;
    if (number < kept)
      p->w.edge[number].volume = edge.volume;
    else
      p->w.edge[kept++] = edge;
  }
  p->w.edges = kept;
  return OK;
}

/* Reads "-> b -> c [size=..]" after the first task. */
static enum status take_edges(struct parser *p, uint32_t from)
{
  const size_t first = p->w.edges;
  double size = p->edge_size;
  do {
    uint32_t to;
    if (take_word(p) != OK || task_of(p, &to) != OK ||
        workflow_add_edge(&p->w, from, to, 0, p->e) != OK)
      return FAIL;
    from = to;
  } while (take(p, "->"));
  if (take_attributes(p, &size) != OK)
    return FAIL;
  for (size_t i = first; i < p->w.edges; i++)
    p->w.edge[i].volume = size > 0 ? size : 0;
  return p->strict ? join_edges(p, first) : OK;
}

static enum status take_statement(struct parser *p)
{
  uint32_t task;
  double size = 0;
  if (take_word(p) != OK)
    return FAIL;
  if (is_keyword(p, "graph"))
    return take_attributes(p, &size);
  if (is_keyword(p, "node"))
    return take_attributes(p, &p->node_size);
  if (is_keyword(p, "edge"))
    return take_attributes(p, &p->edge_size);
  if (is_keyword(p, "subgraph"))
    return fail(p, "subgraphs are not supported:", p->word);
  if (take(p, "="))
    return take_word(p);
  if (task_of(p, &task) != OK)
    return FAIL;
  if (take(p, "->"))
    return take_edges(p, task);
  if (take_attributes(p, &size) != OK)
    return FAIL;
  if (size > 0)
    p->w.n->array[task].cost.compute = size;
  return OK;
}

static enum status read_dot(struct tasknet *n, struct tasknet_text *t, struct err *e)
{
  struct parser p = {.w = {.n = n}, .path = t->path, .at = t->bytes, .line = 1, .e = e};
  p.strict = take_keyword(&p, "strict");
  enum status s = take_keyword(&p, "digraph") ? OK : need(&p, "digraph");
  if (s == OK && !take(&p, "{"))
    s = take_word(&p) == OK ? need(&p, "{") : FAIL;
  while (s == OK && !take(&p, "}"))
    if (!take(&p, ";"))
      s = take_statement(&p);
  skip_blanks(&p);
  if (s == OK && *p.at != '\0')
    s = fail_here(&p, "expected the end of the file and found");
  if (s == OK)
    s = workflow_finish(&p.w, e);
  workflow_clear(&p.w);
  pairs_clear(&p.edge);
  return s;
}

static bool is_dot(const char *begin)
{
  /* no other format begins with a comment */
  return strncasecmp(begin, "digraph", 7) == 0 || strncasecmp(begin, "strict", 6) == 0 ||
         *begin == '/' || *begin == '#';
}

const struct tasknet_format tasknet_dot = {.name = "dot",
                                           .help = "Graphviz' language, as SimGrid reads it: size "
                                                   "of nodes in flop, of edges in bytes",
                                           .is = is_dot,
                                           .read = read_dot};
