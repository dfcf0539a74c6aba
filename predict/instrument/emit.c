#include "predict/instrument/emit.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/outfile.h"
#include "common/files/share.h"

static const char *const RUNTIME[2] = {"../share/haichi/predict/runtime", "../../predict/runtime"};

static bool is_within(const char *path, const char *base)
{
  const size_t n = strlen(base);
  return strncmp(path, base, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* The folder that holds all sources, without a final slash; "" is the root. */
static enum status base_folder(const struct tree *t, char base[PATH_MAX], struct err *e)
{
  char path[PATH_MAX];
  bool first = true;
  base[0] = '\0';
  for (uint32_t i = 0; i < t->files; i++) {
    if (!t->file[i].given)
      continue;
    if (realpath(t->file[i].path, path) == NULL)
      return err_errno(e, t->file[i].path, "cannot find");
    *strrchr(path, '/') = '\0';
    if (first)
      memcpy(base, path, strlen(path) + 1);
    while (base[0] != '\0' && !is_within(path, base))
      *strrchr(base, '/') = '\0';
    first = false;
  }
  return OK;
}

static bool has_edits(const struct edits *edits, uint32_t file)
{
  for (size_t i = 0; i < edits->count; i++)
    if (edits->edit[i].file == file)
      return true;
  return false;
}

static enum status open_in(struct outfile *o, const char *folder, const char *name, struct err *e)
{
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return err_set(e, "%s/%s: the path is too long", folder, name);
  char *slash = strrchr(path, '/');
  *slash = '\0';
  const enum status s = outfile_folder(path, e);
  *slash = '/';
  return s == OK ? outfile_open(o, path, e) : FAIL;
}

/* The path of a file of the tree relative to the base; NULL if the file is not below the base. */
static const char *within(const struct tree_file *f, const char *base, char path[PATH_MAX])
{
  if (realpath(f->path, path) == NULL || !is_within(path, base))
    return NULL;
  return path + strlen(base) + 1;
}

/* Writes one file to folder @p name.  A source first includes the header of the runtime, which is
 * in the folder above. */
static enum status emit_source(const struct emit_input *in, const char *name, uint32_t file,
                               const struct edits *edits, const char *inside, struct err *e)
{
  struct outfile o;
  char relative[PATH_MAX];
  const struct tree_file *f = &in->t->file[file];
  if (snprintf(relative, sizeof relative, "%s/%s", name, inside) >= (int)sizeof relative)
    return err_set(e, "%s: the path is too long", inside);
  if (open_in(&o, in->job->folder, relative, e) != OK)
    return FAIL;
  if (f->given) {
    fputs("#include \"../", o.f);
    for (const char *slash = strchr(inside, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
      fputs("../", o.f);
    fputs("haichi_blocks.h\"\n", o.f);
  }
  edits_write(edits, in->t, file, o.f);
  return outfile_commit(&o, e);
}

enum status emit_sources(const struct emit_input *in, const char *name, const struct edits *edits,
                         struct err *e)
{
  char base[PATH_MAX], path[PATH_MAX];
  if (base_folder(in->t, base, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < in->t->files; i++) {
    const char *inside = within(&in->t->file[i], base, path);
    if (inside == NULL && !has_edits(edits, i))
      continue;
    if (inside == NULL)
      return err_set(e, "%s: has functions that communicate, but is not below the sources' folder",
                     in->t->file[i].path);
    if (in->t->file[i].given && strpbrk(inside, " \t$#:%*?[]\\'\"();&|<>`") != NULL)
      return err_set(e, "%s: a Makefile cannot hold this name", in->t->file[i].path);
    if (emit_source(in, name, i, edits, inside, e) != OK)
      return FAIL;
  }
  return OK;
}

static void print_cell(FILE *f, const char *text)
{
  for (; *text != '\0'; text++)
    fputc((unsigned char)*text < ' ' ? '?' : *text, f);
}

/* The loops around a block, outermost first: "FILE:LINE;FILE:LINE". */
static bool print_loops(const struct tree *t, uint32_t node, FILE *f)
{
  const uint32_t up = t->node[node].parent;
  bool any = up != TREE_NONE && print_loops(t, up, f);
  if (!tree_is_loop(t->node[node].kind))
    return any;
  fprintf(f, "%s", any ? ";" : "");
  print_cell(f, t->file[t->node[node].file].path);
  fprintf(f, ":%" PRIu32, t->node[node].line);
  return true;
}

static void print_block(const struct tree *t, const struct block *b, FILE *f)
{
  const struct node *n = &t->node[b->node];
  const uint32_t function = t->node[tree_function(t, b->node)].symbol;
  fprintf(f, "%s\t%s\t", b->communication ? "communication" : "computation",
          t->symbol[function].name);
  print_cell(f, t->file[n->file].path);
  fprintf(f, "\t%" PRIu32 "\t%" PRIu32 "\t", b->line, b->last_line);
  if (!print_loops(t, b->node, f))
    fputc('-', f);
  const uint32_t callee = b->call == TREE_NONE ? TREE_NONE : tree_callee(t, b->call);
  fprintf(f, "\t%s\n", callee == TREE_NONE ? "-" : t->symbol[callee].name);
}

static void print_blocks(const struct emit_input *in, FILE *f)
{
  fputs("block\tkind\tfunction\tfile\tline\tlast_line\tloops\tcall\n", f);
  for (uint32_t i = 0; i < in->split->count; i++) {
    fprintf(f, "%" PRIu32 "\t", i);
    print_block(in->t, &in->split->block[i], f);
  }
}

void emit_loops(const struct instrument_result *r, FILE *f)
{
  fputs("file\tline\theader\tcount\treal\tclock_line\n", f);
  for (uint32_t i = 0; i < r->loops; i++) {
    const struct instrument_loop *l = &r->loop[i];
    print_cell(f, l->file);
    fprintf(f, "\t%" PRIu32 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu32 "\n", l->line, l->header,
            l->count, l->real, l->clock);
  }
}

static void print_loop_table(const struct emit_input *in, FILE *f)
{
  emit_loops(in->result, f);
}

static void print_notes(const struct emit_input *in, FILE *f)
{
  for (size_t i = 0; i < in->result->said.count; i++)
    fprintf(f, "%s\n", in->result->said.text[i].text);
}

/* Writes a word of the Makefile, quoted so that the shell does not change it. */
static void print_word(FILE *f, const char *text)
{
  fputs(" '", f);
  for (; *text != '\0'; text++)
    fputs(*text == '$'    ? "$$"
          : *text == '\'' ? "'\\''"
          : *text == '#'  ? "\\#"
                          : (char[]){*text, '\0'},
          f);
  fputc('\'', f);
}

/* Options of the compiler with a path as the rest of the word, or as the next word. */
static const char *const WITH_PATH[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include"};

/* The length of the option of WITH_PATH that the word begins with; 0 if there is none. */
static size_t path_option(const char *word)
{
  for (size_t i = 0; i < sizeof WITH_PATH / sizeof *WITH_PATH; i++)
    if (strncmp(word, WITH_PATH[i], strlen(WITH_PATH[i])) == 0)
      return strlen(WITH_PATH[i]);
  return 0;
}

/* Writes the words of the compiler's arguments; paths become absolute.  Leaves out the folder of
 * mpi.h for the parser, since mpicc finds its own mpi.h. */
static void print_arguments(const struct emit_input *in, FILE *f)
{
  const struct parse_job *job = &in->job->parse;
  const size_t end = job->arguments - job->mpi_arguments;
  char path[PATH_MAX], word[PATH_MAX + 16];
  for (size_t i = 0; i < end; i++) {
    const char *a = job->argument[i];
    const size_t n = path_option(a);
    if (n > 0 && a[n] == '\0' && i + 1 < end) {
      print_word(f, a);
      a = job->argument[++i];
      print_word(f, realpath(a, path) != NULL ? path : a);
    } else if (n > 0 && realpath(a + n, path) != NULL) {
      snprintf(word, sizeof word, "%.*s%s", (int)n, a, path);
      print_word(f, word);
    } else {
      print_word(f, a);
    }
  }
}

static void print_sources(const struct emit_input *in, const char *base, FILE *f)
{
  char path[PATH_MAX];
  fputs("SOURCES =", f);
  for (uint32_t i = 0; i < in->t->files; i++) {
    const char *inside = in->t->file[i].given ? within(&in->t->file[i], base, path) : NULL;
    if (inside != NULL)
      fprintf(f, " %s", inside);
  }
  fputc('\n', f);
}

/* A variable of the Makefile, empty if @p value is NULL. */
static void print_setting(FILE *f, const char *name, const char *value)
{
  fprintf(f, "%s = %s\n", name, value == NULL ? "" : value);
}

static void print_makefile(const struct emit_input *in, const char *base, FILE *f)
{
  fputs("# make timing counting apart; CC=smpicc for smpirun.  Leaves the programs in bin/.\n"
        "CC = mpicc\nCFLAGS = -O2\nLDLIBS = -lm\n",
        f);
  fputs("FLAGS =", f);
  print_arguments(in, f);
  fputs(" -I", f);
  print_word(f, base[0] == '\0' ? "/" : base);
  fputc('\n', f);
  print_sources(in, base, f);
  print_setting(f, "WARMUP", in->job->warmup);
  print_setting(f, "VARIATION", in->job->variation);
  print_setting(f, "SLOW", in->job->slow);
  fputs("KINDS = ", f);
  for (uint32_t i = 0; i < in->split->count; i++)
    fputc(in->split->block[i].communication ? 'm' : 'c', f);
  fputs(
      "\nDEFINES = -DHAICHI_BLOCKS_DIR='\"$(CURDIR)\"' -DHAICHI_BLOCKS_WARMUP='\"$(WARMUP)\"' \\\n"
      "  -DHAICHI_BLOCKS_VARIATION='\"$(VARIATION)\"' -DHAICHI_BLOCKS_SLOW='\"$(SLOW)\"' \\\n"
      "  -DHAICHI_BLOCKS_KINDS='\"$(KINDS)\"'\n\n"
      ".PHONY: all timing counting apart\nall: timing counting apart\n\n"
      "apart: DEFINES += -DHAICHI_APART\ncounting: DEFINES += -DHAICHI_COUNTING\n\n"
      "timing counting apart:\n\t@mkdir -p bin\n"
      "\t$(CC) $(CFLAGS) $(FLAGS) $(DEFINES) -o bin/$@ $(addprefix $@/,$(SOURCES)) "
      "haichi_blocks.c $(LDLIBS)\n",
      f);
}

/* Copies a file of the runtime. */
static enum status copy_file(const char *from, const char *folder, const char *name, struct err *e)
{
  char path[SHARE_ROOM + 32], to[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", from, name);
  snprintf(to, sizeof to, "%s/%s", folder, name);
  return outfile_copy(path, to, e);
}

static enum status emit_table(const struct emit_input *in, const char *name,
                              void (*print)(const struct emit_input *, FILE *), struct err *e)
{
  struct outfile o;
  if (open_in(&o, in->job->folder, name, e) != OK)
    return FAIL;
  print(in, o.f);
  return outfile_commit(&o, e);
}

enum status emit_rest(const struct emit_input *in, struct err *e)
{
  char runtime[SHARE_ROOM], base[PATH_MAX];
  struct outfile o;
  if (emit_table(in, EMIT_BLOCKS, print_blocks, e) != OK ||
      emit_table(in, "loops.tsv", print_loop_table, e) != OK ||
      emit_table(in, "notes.txt", print_notes, e) != OK ||
      share_find(runtime, RUNTIME, "haichi_blocks.c", e) != OK ||
      copy_file(runtime, in->job->folder, "haichi_blocks.c", e) != OK ||
      copy_file(runtime, in->job->folder, "haichi_blocks.h", e) != OK ||
      base_folder(in->t, base, e) != OK || open_in(&o, in->job->folder, "Makefile", e) != OK)
    return FAIL;
  print_makefile(in, base, o.f);
  return outfile_commit(&o, e);
}
