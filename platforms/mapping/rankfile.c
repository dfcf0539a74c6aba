/* Open MPI's rankfile: lines "rank N=HOST slot=SLOTS" in any order, and comments
 * (orte/mca/rmaps/rank_file of Open MPI 4.1).  Slots bind a rank to processors of its host: to a
 * core, if nodes have an inside; if not, haichi checks the syntax of slots and ignores them. */
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/inside/inside.h"
#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping_internal.h"

#define BLANKS " \t\v\f"

/* The first line may be a comment.  Only rankfiles have comments that begin with a slash. */
static bool looks_like_rank(const char *line, const struct platform *p)
{
  (void)p;
  line += strspn(line, BLANKS);
  return (strncmp(line, "rank", 4) == 0 && strchr(line, '=') != NULL) ||
         strncmp(line, "//", 2) == 0 || strncmp(line, "/*", 2) == 0;
}

/* Blanks the open comment from @p at on.  Returns its end, or NULL if it continues on the next
 * line. */
static char *skip_comment(struct mapping_reader *r, char *at)
{
  char *end = strstr(at, "*/");
  if (end == NULL) {
    *at = '\0';
    return NULL;
  }
  memset(at, ' ', (size_t)(end + 2 - at));
  r->comment = 0;
  return end + 2;
}

/* Blanks the comments within a line and cuts the line at a comment that lasts to its end. */
static void blank_comments(struct mapping_reader *r, char *line)
{
  char *at = line;
  if (r->comment != 0)
    at = skip_comment(r, at);
  while (at != NULL && *(at += strcspn(at, "#/")) != '\0') {
    if (at[0] == '#' || at[1] == '/') {
      *at = '\0';
    } else if (at[1] == '*') {
      r->comment = r->line;
      at[0] = at[1] = ' ';
      at = skip_comment(r, at);
    } else {
      at++;
    }
  }
}

/* Splits the text if it has exactly two words; if not, leaves it unchanged and returns false. */
static bool two_words(char *text, char **first, char **second)
{
  char *one = text + strspn(text, BLANKS), *one_end = one + strcspn(one, BLANKS);
  char *two = one_end + strspn(one_end, BLANKS), *two_end = two + strcspn(two, BLANKS);
  if (two == two_end || two_end[strspn(two_end, BLANKS)] != '\0')
    return false;
  *one_end = *two_end = '\0';
  *first = one;
  *second = two;
  return true;
}

/* Parses "rank N". */
static enum status parse_rank(const struct mapping_reader *r, char *text, uint32_t *rank,
                              struct err *e)
{
  char *word, *number;
  uint64_t value;
  if (!two_words(text, &word, &number))
    return err_set(e, "expected 'rank N=HOST slot=SLOTS', not '%.80s'", text);
  if (strcmp(word, "rank") != 0)
    return err_set(e, "expected 'rank', not '%.80s'", word);
  if (num_u64(number, UINT32_MAX, &value, e) != OK)
    return FAIL;
  if (value >= r->m->ranks)
    return err_set(e, "rank %" PRIu64 ", but there are %" PRIu32 " ranks", value, r->m->ranks);
  if (r->m->host[value] != MAPPING_NO_HOST)
    return err_set(e, "a second line for rank %" PRIu64, value);
  *rank = (uint32_t)value;
  return OK;
}

/* Parses "HOST slot" or "USER@HOST slot". */
static enum status parse_host(const struct mapping_reader *r, char *text, uint32_t *host,
                              struct err *e)
{
  char *name, *slot;
  if (!two_words(text, &name, &slot))
    return err_set(e, "expected 'HOST slot=SLOTS', not '%.80s'", text);
  if (strcmp(slot, "slot") != 0 && strcmp(slot, "slots") != 0)
    return err_set(e, "expected 'slot', not '%.80s'", slot);
  if (name[0] == '+')
    return err_set(e, "host '%.80s' is relative to Open MPI's allocation; name the host", name);
  const char *at = strrchr(name, '@');
  if (!binding_find(r->platform, name, host) &&
      (at == NULL || !binding_find(r->platform, at + 1, host)))
    return err_set(e, "no host '%.80s' on the platform", name);
  return OK;
}

/* Checks the syntax of slots: cores "0-3", cores of sockets "0:1,3", physical numbers "p0", or all
 * "*". */
static enum status check_slots(const char *text, struct err *e)
{
  static const char DIGITS[] = "0123456789*";
  const char *first = text + strspn(text, BLANKS);
  const size_t n = strspn(first, "0123456789*,:;-pPsS");
  if (first[n + strspn(first + n, BLANKS)] != '\0' || n == 0 || strchr(",:;-", *first) != NULL ||
      strchr(DIGITS, first[n - 1]) == NULL)
    return err_set(e, "'%.80s' are not slots such as 0, 0-3, 0:1 or p2", first);
  return OK;
}

static enum status read_line(struct mapping_reader *r, char *line, struct err *e)
{
  uint32_t rank = 0, host = 0;
  blank_comments(r, line);
  if (line[strspn(line, BLANKS)] == '\0')
    return OK;
  char *rest = line, *left = strsep(&rest, "="), *middle = strsep(&rest, "=");
  if (parse_rank(r, left, &rank, e) != OK)
    return FAIL;
  if (middle == NULL || rest == NULL)
    return err_set(e, "rank %" PRIu32 ": expected 'rank N=HOST slot=SLOTS'", rank);
  if (parse_host(r, middle, &host, e) != OK || check_slots(rest, e) != OK ||
      binding_slots(r->platform, rest, rank, &host, &r->choices, e) != OK)
    return FAIL;
  r->m->host[rank] = host;
  return OK;
}

static enum status finish(const struct mapping_reader *r, struct err *e)
{
  if (r->comment != 0)
    return err_set(e, "the comment that begins in line %" PRIu64 " does not end", r->comment);
  for (uint32_t i = 0; i < r->m->ranks; i++)
    if (r->m->host[i] == MAPPING_NO_HOST)
      return err_set(e, "the file ends without rank %" PRIu32 " of %" PRIu32, i, r->m->ranks);
  return OK;
}

/* True if @p name is a valid host name for Open MPI.  Its lexer requires a letter first, its
 * launcher only ASCII letters, digits, dots and hyphens, and its keywords are not names. */
static bool is_hostname(const char *name)
{
  static const char *const keywords[] = {"rank", "slot", "slots", "username", "user-name"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(name, keywords[i]) == 0)
      return false;
  return name[0] != '\0' && strchr("0123456789-.", name[0]) == NULL &&
         name[strspn(name, letters)] == '\0';
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  struct mapping nodes;
  if (binding_nodes(&nodes, m, p, e) != OK)
    return FAIL;
  const enum status s =
      mapping_check_names(&nodes, platform_nodes(p), is_hostname, "a rankfile", e);
  mapping_clear(&nodes);
  return s;
}

/* Writes the core of each rank as its slot. */
static enum status write_cores(const struct mapping *m, const struct platform *p, FILE *f)
{
  char buffer[PLATFORM_NAME_SIZE];
  const struct platform *nodes = platform_nodes(p);
  for (uint32_t r = 0; r < m->ranks; r++)
    fprintf(f, "rank %" PRIu32 "=%s slot=%" PRIu32 "\n", r,
            platform_host_name(nodes, platform_node(p, m->host[r]), buffer, sizeof buffer),
            m->host[r] % platform_inside(p)->cores);
  return OK;
}

static enum status write(const struct mapping *m, const struct platform *p, FILE *f, struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  if (platform_inside(p) != NULL)
    return write_cores(m, p, f);
  OWNED uint32_t *slots = mem_array(platform_hosts(p), sizeof *slots, e);
  if (slots == NULL)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    fprintf(f, "rank %" PRIu32 "=%s slot=%" PRIu32 "\n", r,
            platform_host_name(p, m->host[r], buffer, sizeof buffer), slots[m->host[r]]++);
  return OK;
}

const struct mapping_format mapping_rankfile = {
    .name = "rankfile",
    .recognise = looks_like_rank,
    .read_line = read_line,
    .finish = finish,
    .check = check,
    .write = write,
};
