#include "predict/instrument/instrument.h"

#include <stdlib.h>

#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/plural.h"
#include "predict/instrument/comm.h"
#include "predict/instrument/effects.h"
#include "predict/instrument/emit.h"
#include "predict/instrument/reduce.h"
#include "predict/instrument/slice.h"
#include "predict/instrument/split.h"

/* Results of the analysis of a program. */
struct program {
  struct tree tree;
  struct comm comm;
  struct effects effects;
  struct loops loops;
  struct split split;
};

static void program_clear(struct program *p)
{
  split_clear(&p->split);
  loops_clear(&p->loops);
  effects_clear(&p->effects);
  comm_clear(&p->comm);
  tree_clear(&p->tree);
}

static enum status refuse(struct instrument_result *r, const struct program *p, struct err *e)
{
  comm_refuse(&p->comm, &p->tree, &r->said);
  return r->said.count == 0 ? OK
                            : err_set(e, "%zu place%s that cannot be split into blocks",
                                      r->said.count, PLURAL(r->said.count));
}

static struct slice_job slice_job(struct program *p)
{
  return (struct slice_job){.t = &p->tree,
                            .c = &p->comm,
                            .x = &p->effects,
                            .fixed = p->loops.fixed,
                            .fixed_count = p->loops.fixed_count,
                            .only = TREE_NONE};
}

/* Finds the loops whose bound depends on the clock. */
static enum status find_clocks(struct program *p, struct err *e)
{
  for (uint32_t i = 0; i < p->loops.count; i++) {
    struct slice s;
    struct slice_job job = slice_job(p);
    job.only = p->loops.loop[i].node;
    if (slice_find(&s, &job, e) != OK)
      return FAIL;
    p->loops.loop[i].clock = s.clock;
    slice_clear(&s);
  }
  return OK;
}

/* The header of a loop as one line: blanks and control characters become single spaces. */
static void header_text(const struct tree *t, uint32_t loop, char *text, size_t size)
{
  const struct control c = tree_control(t, loop);
  const struct tree_file *f = &t->file[t->node[loop].file];
  size_t used = 0;
  for (uint32_t i = c.open; i <= c.close && i < f->size && used + 1 < size; i++) {
    const bool blank = (unsigned char)f->text[i] <= ' ';
    if (!blank || (used > 0 && text[used - 1] != ' '))
      text[used++] = blank ? ' ' : f->text[i];
  }
  text[used] = '\0';
}

static enum status tell_loops(struct instrument_result *r, const struct program *p, struct err *e)
{
  const struct tree *t = &p->tree;
  r->loop = mem_array(p->loops.count, sizeof *r->loop, e);
  if (r->loop == NULL)
    return FAIL;
  for (uint32_t i = 0; i < p->loops.count; i++) {
    const struct loop *l = &p->loops.loop[i];
    struct instrument_loop *out = &r->loop[r->loops++];
    snprintf(out->file, sizeof out->file, "%s", t->file[t->node[l->node].file].path);
    out->line = t->node[l->node].line;
    header_text(t, l->node, out->header, sizeof out->header);
    out->count = l->spec == NULL ? 0 : l->spec->count;
    out->real = l->spec == NULL ? 0 : l->spec->real;
    out->clock = l->clock == TREE_NONE ? 0 : t->node[l->clock].line;
  }
  return OK;
}

/* The name of a variable of the class; NULL if there is none. */
static const char *class_name(const struct program *p, uint32_t class)
{
  for (uint32_t i = 0; class != TREE_NONE && i < p->tree.symbols; i++)
    if (p->tree.symbol[i].kind == SYMBOL_VARIABLE &&
        effects_variable(&p->effects, i) == effects_class(&p->effects, class))
      return p->tree.symbol[i].name;
  return NULL;
}

/* True for a node that stays although users expect that it is removed: a loop without
 * communication, or a call that communicates. */
static bool is_notable(const struct program *p, const struct slice *s, uint32_t i)
{
  const struct node *n = &p->tree.node[i];
  if (!s->stays[i])
    return false;
  if (tree_is_loop(n->kind))
    return !p->comm.reaches[i];
  const uint32_t callee = n->kind == NODE_CALL ? tree_callee(&p->tree, i) : TREE_NONE;
  if (callee == TREE_NONE || !p->comm.direct[i])
    return false;
  const enum comm_family f = comm_family_of(p->tree.symbol[callee].name);
  return f != COMM_NOT && f != COMM_ALWAYS && f != COMM_LOCAL;
}

/* The class for which a node stays; for a loop, a class that its statements set for nodes outside
 * of the loop. */
static uint32_t reason(const struct program *p, const struct slice *s, uint32_t node)
{
  for (uint32_t i = node; i < tree_end(&p->tree, node); i++) {
    const uint32_t why = s->stays[i] ? s->why[i] : TREE_NONE;
    if (why == TREE_NONE || tree_is_loop(p->tree.node[i].kind))
      continue;
    const uint32_t asks = s->asks[effects_class(&p->effects, why)];
    if (i == node || !tree_below(&p->tree, asks, node))
      return why;
  }
  return TREE_NONE;
}

static void note(struct instrument_result *r, const struct program *p, const struct slice *s,
                 uint32_t i)
{
  const struct node *n = &p->tree.node[i];
  const char *path = p->tree.file[n->file].path;
  const char *what =
      tree_is_loop(n->kind) ? "the loop" : p->tree.symbol[tree_callee(&p->tree, i)].name;
  const uint32_t class = reason(p, s, i);
  const char *name = class_name(p, class);
  if (class == TREE_NONE)
    messages_add(&r->said, path, n->line, "%s stays: another call of its kind or a jump needs it",
                 what);
  else
    messages_add(&r->said, path, n->line, "%s stays: it sets %s, which line %u reads", what,
                 name == NULL ? "an object without a name" : name,
                 p->tree.node[s->asks[effects_class(&p->effects, class)]].line);
}

/* Fails if a count depends on the clock and was not given. */
static enum status refuse_clock(const struct program *p, const struct slice *s, struct err *e)
{
  if (s->clock == TREE_NONE)
    return OK;
  const struct node *n = &p->tree.node[s->clock];
  for (uint32_t i = 0; i < p->loops.count; i++) {
    const struct node *l = &p->tree.node[p->loops.loop[i].node];
    if (p->loops.loop[i].clock != TREE_NONE)
      return err_at(e, p->tree.file[l->file].path, l->line,
                    "the count of the loop depends on the clock of line %u: give it by --loops "
                    "NAME=COUNT/REAL",
                    n->line);
  }
  return err_at(e, p->tree.file[n->file].path, n->line,
                "how often blocks run depends on this clock");
}

static enum status copy_marks(const struct program *p, enum loops_use use, struct edits *out,
                              struct err *e)
{
  for (size_t i = 0; i < p->split.marks.count; i++) {
    const struct edit *m = &p->split.marks.edit[i];
    if ((m->closes ? edits_close : edits_insert)(out, m->file, m->begin, m->text, e) != OK)
      return FAIL;
  }
  return loops_edit(&p->loops, &p->tree, use, out, e);
}

/* Writes the sources of one of the programs; @p slice NULL: nothing is removed. */
static enum status write_program(const struct emit_input *in, const struct program *p,
                                 enum loops_use use, const struct slice *slice, struct err *e)
{
  static const char *const NAME[] = {"timing", "apart", "counting"};
  struct edits edits = {0};
  enum status s = copy_marks(p, use, &edits, e);
  if (s == OK && slice != NULL)
    s = reduce_text(&p->tree, slice, &edits, e);
  if (s == OK) {
    edits_sort(&edits);
    s = emit_sources(in, NAME[use], &edits, e);
  }
  edits_clear(&edits);
  return s;
}

static enum status write_reduced(const struct emit_input *in, struct program *p,
                                 struct instrument_result *r, bool apart, struct err *e)
{
  struct slice slice;
  struct slice_job job = slice_job(p);
  job.communicating = apart;
  if (slice_find(&slice, &job, e) != OK)
    return FAIL;
  enum status s = refuse_clock(p, &slice, e);
  for (uint32_t i = 0; !apart && i < p->tree.nodes; i++)
    if (is_notable(p, &slice, i))
      note(r, p, &slice, i);
  if (s == OK)
    s = write_program(in, p, apart ? LOOPS_APART : LOOPS_COUNTING, &slice, e);
  slice_clear(&slice);
  return s;
}

static enum status write_all(struct instrument_result *r, struct program *p,
                             const struct instrument_job *job, struct err *e)
{
  const struct emit_input in = {&p->tree, &p->split, job, r};
  r->blocks = p->split.count;
  for (uint32_t i = 0; i < p->split.count; i++)
    r->communication += p->split.block[i].communication;
  for (uint32_t i = 0; i < p->tree.files; i++)
    r->files += p->tree.file[i].given;
  if (job->folder == NULL)
    return OK;
  if (outfile_own_folder(job->folder, EMIT_BLOCKS, e) != OK)
    return FAIL;
  return write_reduced(&in, p, r, false, e) == OK && write_reduced(&in, p, r, true, e) == OK &&
                 write_program(&in, p, LOOPS_TIMING, NULL, e) == OK
             ? emit_rest(&in, e)
             : FAIL;
}

enum status instrument(struct instrument_result *r, const struct instrument_job *job, struct err *e)
{
  struct program p = {.tree = {0}};
  *r = (struct instrument_result){.loop = NULL};
  const enum status s = parse_sources(&p.tree, &job->parse, &r->said, e) == OK &&
                                comm_find(&p.comm, &p.tree, e) == OK && refuse(r, &p, e) == OK &&
                                split_blocks(&p.split, &p.tree, &p.comm, e) == OK &&
                                effects_new(&p.effects, &p.tree, e) == OK &&
                                loops_find(&p.loops, &p.tree, &p.comm, job->specs, e) == OK &&
                                find_clocks(&p, e) == OK && tell_loops(r, &p, e) == OK
                            ? write_all(r, &p, job, e)
                            : FAIL;
  program_clear(&p);
  return s;
}

void instrument_clear(struct instrument_result *r)
{
  free(r->loop);
  messages_clear(&r->said);
  *r = (struct instrument_result){0};
}
