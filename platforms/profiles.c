#include "platforms/profiles.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/platform_internal.h"

/* Maximum number of events in all profiles (1 GB). */
#define MOST_EVENTS ((size_t)1 << 26)

void profiles_clear(struct profiles *s)
{
  for (uint32_t i = 0; i < s->count; i++)
    profile_clear(&s->profile[i]);
  free(s->profile);
  pairs_clear(&s->taken);
  *s = (struct profiles){0};
}

static const char *target_name(const struct platform *p, const struct profile *x, char *name,
                               size_t size)
{
  return x->kind == PROFILE_SPEED ? platform_host_name(p, x->target, name, size)
                                  : platform_link_name(p, x->target, name, size);
}

/* Records that the target has a profile of this kind; fails if it already has one.  The first call
 * records the profiles of the platform itself. */
static enum status take(struct profiles *s, const struct platform *p, const struct profile *x,
                        struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  uint32_t number;
  for (uint32_t i = 0; s->taken.count < p->profiles && i < p->profiles; i++)
    if (pairs_add(&s->taken, p->profile[i].kind, p->profile[i].target, &number, e) != OK)
      return FAIL;
  if (pairs_find(&s->taken, x->kind, x->target) != PAIRS_NONE)
    return err_set(e, "a second profile of the %s of '%.80s'", profile_kinds[x->kind],
                   target_name(p, x, name, sizeof name));
  return pairs_add(&s->taken, x->kind, x->target, &number, e);
}

enum status profiles_add(struct profiles *s, const struct platform *p, struct profile *x,
                         struct err *e)
{
  if (x->events > MOST_EVENTS - s->events)
    return err_set(e, "more than %zu events in profiles", MOST_EVENTS);
  if (MEM_GROW(s->profile, s->room, (size_t)s->count + 1, e) != OK || take(s, p, x, e) != OK)
    return FAIL;
  for (size_t i = 0; x->kind == PROFILE_SPEED && p->scale != NULL && i < x->events; i++)
    x->value[i] *= p->scale[x->target];
  s->events += x->events;
  s->profile[s->count++] = *x;
  return OK;
}

/* --- parsing a file --------------------------------------------------------------------------- */

/* A name that selects a link: the name of the link itself, or of a split link, whose two directions
 * are separate links (NAME_UP and NAME_DOWN). */
struct name {
  char *text;
  uint32_t link;
};

struct reading {
  struct profiles *s;
  const struct platform *p;
  struct linefile in;
  enum profile_kind kind; /* kind of the current section */
  uint32_t *target;       /* hosts or links of the current section */
  size_t targets, target_room;
  char *text; /* lines of the current section so far */
  size_t length, text_room;
  uint64_t line;     /* line of the file where the text begins */
  uint64_t header;   /* line of the section header; 0 before the first section */
  struct name *name; /* sorted by name; NULL until the first lookup of a link */
  size_t names, name_room;
  struct err *e;
};

static enum status fail(struct reading *r, uint64_t line, const char *what, const char *word)
{
  return err_at(r->e, r->in.path, line, "%s '%.80s'", what, word);
}

static int compare(const void *a, const void *b)
{
  const struct name *x = a, *y = b;
  return strcmp(x->text, y->text) ?: RISING(x->link, y->link);
}

static enum status add_name(struct reading *r, const char *text, size_t length, uint32_t link)
{
  if (MEM_GROW(r->name, r->name_room, r->names + 1, r->e) != OK)
    return FAIL;
  struct name *n = &r->name[r->names];
  n->link = link;
  if ((n->text = mem_array(length + 1, 1, r->e)) == NULL)
    return FAIL;
  memcpy(n->text, text, length);
  r->names++;
  return OK;
}

static size_t stem(const char *name)
{
  const size_t n = strlen(name);
  if (n > 3 && strcmp(name + n - 3, "_UP") == 0)
    return n - 3;
  return n > 5 && strcmp(name + n - 5, "_DOWN") == 0 ? n - 5 : n;
}

static enum status list_names(struct reading *r)
{
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t l = 0; l < platform_link_ids(r->p); l++) {
    if (!platform_has_link(r->p, l))
      continue;
    const char *text = platform_link_name(r->p, l, name, sizeof name);
    const size_t all = strlen(text), some = stem(text);
    if (add_name(r, text, all, l) != OK || (some < all && add_name(r, text, some, l) != OK))
      return FAIL;
  }
  if (r->names > 0)
    qsort(r->name, r->names, sizeof *r->name, compare);
  return OK;
}

static enum status add_target(struct reading *r, uint32_t target)
{
  if (MEM_GROW(r->target, r->target_room, r->targets + 1, r->e) != OK)
    return FAIL;
  r->target[r->targets++] = target;
  return OK;
}

static enum status add_links(struct reading *r, char *word)
{
  size_t low = 0, high;
  if (r->name == NULL && list_names(r) != OK)
    return FAIL;
  for (high = r->names; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (strcmp(r->name[middle].text, word) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == r->names || strcmp(r->name[low].text, word) != 0)
    return fail(r, r->in.line, "no link", word);
  for (; low < r->names && strcmp(r->name[low].text, word) == 0; low++)
    if (add_target(r, r->name[low].link) != OK)
      return FAIL;
  return OK;
}

static enum status add_all(struct reading *r)
{
  const struct platform *p = r->p;
  const bool hosts = r->kind == PROFILE_SPEED;
  const uint32_t n = hosts ? platform_hosts(p) : platform_link_ids(p);
  for (uint32_t i = 0; i < n; i++)
    if ((hosts || (platform_has_link(p, i) && !platform_is_loopback(p, i))) &&
        add_target(r, i) != OK)
      return FAIL;
  return OK;
}

static enum status add_word(struct reading *r, char *word)
{
  uint32_t host;
  if (strcmp(word, "*") == 0)
    return add_all(r);
  if (r->kind != PROFILE_SPEED)
    return add_links(r, word);
  if (!platform_find_host(r->p, word, &host))
    return fail(r, r->in.line, "no host", word);
  return add_target(r, host);
}

/* Adds the profile of the current section for one of its targets. */
static enum status add_profile(struct reading *r, uint32_t target)
{
  struct profile x = {.kind = r->kind, .target = target};
  bool random;
  if (profile_parse(&x, r->text == NULL ? "" : r->text, -1, r->in.path, r->line, &random, r->e) !=
      OK)
    return FAIL;
  enum status s = OK;
  if (random)
    s = err_at(r->e, r->in.path, r->header, "random values or dates are not supported");
  else if (x.events == 0)
    s = err_at(r->e, r->in.path, r->header, "a profile without events");
  else if ((s = profiles_add(r->s, r->p, &x, r->e)) != OK)
    err_place(r->e, r->in.path, r->header);
  if (s != OK)
    profile_clear(&x);
  return s;
}

static enum status end_section(struct reading *r)
{
  for (size_t i = 0; i < r->targets; i++)
    if (add_profile(r, r->target[i]) != OK)
      return FAIL;
  r->targets = r->length = 0;
  return OK;
}

static enum status begin_section(struct reading *r, enum profile_kind kind, char *words)
{
  static const char BLANK[] = " \t\r";
  if (end_section(r) != OK)
    return FAIL;
  r->kind = kind;
  r->header = r->in.line;
  r->line = r->in.line + 1;
  if (r->text != NULL)
    r->text[0] = '\0';
  char *save, *word = strtok_r(words, BLANK, &save);
  if (word == NULL)
    return fail(r, r->in.line, "no name after", profile_kinds[kind]);
  for (; word != NULL; word = strtok_r(NULL, BLANK, &save))
    if (add_word(r, word) != OK)
      return FAIL;
  return OK;
}

static enum status add_line(struct reading *r)
{
  if (r->header == 0 && r->in.text[0] != '#' && r->in.text[strspn(r->in.text, " \t\r")] != '\0')
    return fail(r, r->in.line, "expected speed, bandwidth or latency and names, not", r->in.text);
  if (r->header == 0)
    return OK;
  if (MEM_GROW(r->text, r->text_room, r->length + r->in.length + 2, r->e) != OK)
    return FAIL;
  memcpy(r->text + r->length, r->in.text, r->in.length);
  r->length += r->in.length;
  memcpy(r->text + r->length++, "\n", 2);
  return OK;
}

static enum status take_line(struct reading *r)
{
  const size_t n = strcspn(r->in.text, " \t\r");
  for (int k = 0; profile_kinds[k] != NULL; k++)
    if (n == strlen(profile_kinds[k]) && strncmp(r->in.text, profile_kinds[k], n) == 0)
      return begin_section(r, (enum profile_kind)k, r->in.text + n);
  return add_line(r);
}

static enum status read_lines(struct reading *r)
{
  bool more = true;
  while (linefile_next(&r->in, &more, r->e) == OK && more)
    if (take_line(r) != OK)
      return FAIL;
  if (more)
    return FAIL;
  if (r->header == 0)
    return err_set(r->e, "%s: no profiles", r->in.path);
  return end_section(r);
}

enum status profiles_read(struct profiles *s, const struct platform *p, const char *path,
                          struct err *e)
{
  struct reading r = {.s = s, .p = p, .e = e};
  if (platform_need_routes(p, "a file of profiles", e) != OK)
    return FAIL;
  const enum status status = linefile_open(&r.in, path, e) == OK ? read_lines(&r) : FAIL;
  linefile_close(&r.in);
  for (size_t i = 0; i < r.names; i++)
    free(r.name[i].text);
  free(r.name);
  free(r.target);
  free(r.text);
  return status;
}
