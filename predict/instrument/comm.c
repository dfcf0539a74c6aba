#include "predict/instrument/comm.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/text_list.h"

/* Names after "MPI_"; a final '*' matches any ending. */
static const struct {
  enum comm_family family;
  const char *name;
} NAMES[] = {
    {COMM_NOT, "Wtime"},          {COMM_NOT, "Wtick"},
    {COMM_NOT, "Get_count"},      {COMM_NOT, "Get_elements*"},
    {COMM_NOT, "Error_*"},        {COMM_NOT, "Get_processor_name"},
    {COMM_NOT, "Get_version"},    {COMM_NOT, "Get_library_version"},
    {COMM_NOT, "Initialized"},    {COMM_NOT, "Finalized"},
    {COMM_NOT, "Get_address"},    {COMM_NOT, "Address"},
    {COMM_NOT, "Aint_*"},         {COMM_NOT, "Test_cancelled"},
    {COMM_NOT, "Type_size*"},     {COMM_NOT, "Type_get_*"},
    {COMM_ALWAYS, "Init"},        {COMM_ALWAYS, "Init_thread"},
    {COMM_ALWAYS, "Finalize"},    {COMM_NOT, "Abort"},
    {COMM_LOCAL, "Comm_rank"},    {COMM_LOCAL, "Comm_size"},
    {COMM_LOCAL, "Comm_group"},   {COMM_LOCAL, "Group_*"},
    {COMM_LOCAL, "Cart_coords"},  {COMM_LOCAL, "Cart_rank"},
    {COMM_LOCAL, "Cart_shift"},   {COMM_LOCAL, "Cart_get"},
    {COMM_LOCAL, "Cartdim_get"},  {COMM_LOCAL, "Dims_create"},
    {COMM_LOCAL, "Graph_*"},      {COMM_LOCAL, "Type_*"},
    {COMM_LOCAL, "Op_*"},         {COMM_LOCAL, "Info_*"},
    {COMM_LOCAL, "Comm_set_*"},   {COMM_LOCAL, "Comm_get_*"},
    {COMM_LOCAL, "Comm_compare"}, {COMM_LOCAL, "Errhandler_*"},
    {COMM_LOCAL, "Query_thread"}, {COMM_LOCAL, "Pack*"},
    {COMM_LOCAL, "Unpack*"},      {COMM_LOCAL, "Topo_test"},
    {COMM_MESSAGES, "Send*"},     {COMM_MESSAGES, "Recv*"},
    {COMM_MESSAGES, "Isend*"},    {COMM_MESSAGES, "Irecv*"},
    {COMM_MESSAGES, "Ssend*"},    {COMM_MESSAGES, "Issend*"},
    {COMM_MESSAGES, "Bsend*"},    {COMM_MESSAGES, "Ibsend*"},
    {COMM_MESSAGES, "Rsend*"},    {COMM_MESSAGES, "Irsend*"},
    {COMM_MESSAGES, "Wait*"},     {COMM_MESSAGES, "Test*"},
    {COMM_MESSAGES, "Probe"},     {COMM_MESSAGES, "Iprobe"},
    {COMM_MESSAGES, "Mprobe"},    {COMM_MESSAGES, "Improbe"},
    {COMM_MESSAGES, "Mrecv"},     {COMM_MESSAGES, "Imrecv"},
    {COMM_MESSAGES, "Start*"},    {COMM_MESSAGES, "Cancel"},
    {COMM_MESSAGES, "Request_*"}, {COMM_MESSAGES, "Buffer_*"},
    {COMM_WINDOWS, "Win_*"},      {COMM_WINDOWS, "Rput"},
    {COMM_WINDOWS, "Rget*"},      {COMM_WINDOWS, "Raccumulate"},
    {COMM_WINDOWS, "Put"},        {COMM_WINDOWS, "Get"},
    {COMM_WINDOWS, "Accumulate"}, {COMM_WINDOWS, "Get_accumulate"},
    {COMM_WINDOWS, "Fetch_*"},    {COMM_WINDOWS, "Compare_and_swap"},
};

static bool matches(const char *pattern, const char *name)
{
  const size_t n = strlen(pattern);
  return pattern[n - 1] == '*' ? strncmp(pattern, name, n - 1) == 0 : strcmp(pattern, name) == 0;
}

enum comm_family comm_family_of(const char *name)
{
  name += name[0] == 'P';
  if (strncmp(name, "MPI_", 4) != 0)
    return COMM_NOT;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
    if (matches(NAMES[i].name, name + 4))
      return NAMES[i].family;
  return COMM_COLLECTIVE;
}

void comm_clear(struct comm *c)
{
  free(c->reaches);
  free(c->direct);
  free(c->function);
  *c = (struct comm){0};
}

static bool is_mpi(const struct tree *t, uint32_t symbol)
{
  return symbol != TREE_NONE && t->symbol[symbol].body == TREE_NONE &&
         comm_family_of(t->symbol[symbol].name) != COMM_NOT;
}

/* One pass over the calls; true if it found another function that communicates. */
static bool find_functions(struct comm *c, const struct tree *t)
{
  bool more = false;
  for (uint32_t i = 0; i < t->nodes; i++) {
    const uint32_t callee = t->node[i].kind == NODE_CALL ? tree_callee(t, i) : TREE_NONE;
    const uint32_t around = callee == TREE_NONE ? TREE_NONE : tree_function(t, i);
    if (around == TREE_NONE)
      continue;
    c->direct[i] = is_mpi(t, callee);
    c->reaches[i] = c->direct[i] || c->function[callee];
    const uint32_t caller = t->node[around].symbol;
    if (c->reaches[i] && !c->function[caller])
      more = c->function[caller] = true;
  }
  return more;
}

enum status comm_find(struct comm *c, const struct tree *t, struct err *e)
{
  *c = (struct comm){.reaches = mem_array(t->nodes, 1, e),
                     .direct = mem_array(t->nodes, 1, e),
                     .function = mem_array(t->symbols, 1, e)};
  if (c->reaches == NULL || c->direct == NULL || c->function == NULL) {
    comm_clear(c);
    return FAIL;
  }
  while (find_functions(c, t))
    ;
  for (uint32_t i = t->nodes; i-- > 0;) {
    const uint32_t above = t->node[i].parent;
    if (above == TREE_NONE)
      continue;
    c->reaches[above] |= c->reaches[i];
    c->direct[above] |= c->direct[i];
  }
  return OK;
}

uint32_t comm_first(const struct tree *t, uint32_t node)
{
  for (uint32_t i = node; i < tree_end(t, node); i++)
    if (t->node[i].kind == NODE_CALL && is_mpi(t, tree_callee(t, i)))
      return i;
  return TREE_NONE;
}

/* True if the name is the function of the call around it. */
static bool is_called(const struct tree *t, uint32_t name)
{
  uint32_t at = name;
  while (t->node[at].parent != TREE_NONE && (t->node[t->node[at].parent].kind == NODE_PASS ||
                                             t->node[t->node[at].parent].kind == NODE_UNARY))
    at = t->node[at].parent;
  const uint32_t call = t->node[at].parent;
  return call != TREE_NONE && t->node[call].kind == NODE_CALL && t->node[call].child == at;
}

static void refuse_name(const struct comm *c, const struct tree *t, uint32_t name,
                        struct messages *said)
{
  static const char *const JUMPS[] = {"setjmp",     "_setjmp",     "__sigsetjmp", "sigsetjmp",
                                      "longjmp",    "_longjmp",    "siglongjmp",  "swapcontext",
                                      "setcontext", "makecontext", "vfork"};
  const struct node *n = &t->node[name];
  const struct symbol *s = &t->symbol[n->symbol];
  const char *path = t->file[n->file].path;
  if (TEXT_LIST_HAS(JUMPS, s->name))
    messages_add(said, path, n->line, "%s(): control flow that cannot be followed", s->name);
  if ((is_mpi(t, n->symbol) || c->function[n->symbol]) && !is_called(t, name))
    messages_add(said, path, n->line, "%s%s is used as a pointer: its calls cannot be found",
                 s->name, c->function[n->symbol] ? "(), which communicates," : "()");
}

/* True if a line "#pragma omp parallel" is just above the statement. */
static bool is_parallel(const struct tree *t, uint32_t node)
{
  const uint32_t begin = tree_statement_begin(t, node);
  const char *text = t->file[t->node[node].file].text;
  const char *omp = strstr(text + begin, "omp"), *parallel = strstr(text + begin, "parallel");
  const char *end = text + t->node[node].begin;
  return begin < t->node[node].begin && omp != NULL && parallel != NULL && omp < parallel &&
         parallel < end;
}

void comm_refuse(const struct comm *c, const struct tree *t, struct messages *said)
{
  bool any = false;
  for (uint32_t i = 0; i < t->nodes; i++) {
    const struct node *n = &t->node[i];
    any |= c->direct[i];
    if (n->kind == NODE_NAME && n->symbol != TREE_NONE &&
        t->symbol[n->symbol].kind == SYMBOL_FUNCTION)
      refuse_name(c, t, i, said);
    if (c->reaches[i] && tree_is_statement(n->kind) && !n->macro && is_parallel(t, i))
      messages_add(said, t->file[n->file].path, n->line,
                   "communication in a parallel region of OpenMP");
    if (n->kind == NODE_FUNCTION && c->reaches[i] && t->node[n->last].macro)
      messages_add(said, t->file[n->file].path, n->line,
                   "a macro makes a function that communicates");
    if (n->kind == NODE_ASM && tree_function(t, i) != TREE_NONE && n->child != TREE_NONE &&
        c->function[t->node[tree_function(t, i)].symbol])
      messages_add(said, t->file[n->file].path, n->line,
                   "assembly with operands in a function that communicates");
  }
  if (!any && t->files > 0)
    messages_add(said, t->file[0].path, 1, "no call of MPI in the sources");
}
