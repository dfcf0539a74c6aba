/* SimGrid's hostfile, as read by smpirun: "HOST" is the host of the next rank, "HOST:SLOTS" of the
 * next SLOTS ranks.  Also reads comments and Open MPI's "HOST slots=N max_slots=M". */
#include <inttypes.h>
#include <string.h>

#include "common/num.h"
#include "common/plural.h"
#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping_internal.h"

static bool names_host(const char *line, const struct platform *p)
{
  uint32_t host;
  return binding_find(p, line, &host);
}

/* Cuts ":slots" off the line; like smpirun, at the last colon. */
static enum status cut_slots(char *line, uint64_t *slots, struct err *e)
{
  char *colon = strrchr(line, ':');
  *slots = 1;
  if (colon == NULL)
    return OK;
  *colon = '\0';
  return num_u64(colon + 1, UINT32_MAX, slots, e);
}

const char *mapping_slots_word(const char *word, bool *limits)
{
  static const char *const NAMES[] = {"slots=", "max_slots=", "max-slots="};
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const size_t n = strlen(NAMES[i]);
    *limits = i > 0;
    if (strncmp(word, NAMES[i], n) == 0)
      return word + n;
  }
  return NULL;
}

/* Reads a word "slots=N" or "max_slots=M".  The latter is only checked: a line never places more
 * ranks than its slots. */
static enum status read_word(char *word, uint64_t *slots, struct err *e)
{
  bool limits;
  uint64_t value;
  const char *number = mapping_slots_word(word, &limits);
  if (number == NULL)
    return err_set(e, "'%.80s' after a host's name is neither slots=N nor max_slots=N", word);
  if (num_u64(number, UINT32_MAX, &value, e) != OK)
    return FAIL;
  *slots = limits ? *slots : value;
  return OK;
}

/* Cuts Open MPI's words off a line for which has_words() is true. */
static enum status cut_words(char *line, uint64_t *slots, struct err *e)
{
  char *rest = strpbrk(line, " \t");
  *slots = 1;
  *rest++ = '\0';
  for (char *word; (word = strsep(&rest, " \t")) != NULL;)
    if (*word != '\0' && *word != '#' && read_word(word, slots, e) != OK)
      return FAIL;
    else if (*word == '#')
      break;
  return OK;
}

/* True if Open MPI's words or a comment follow the host.  False if the whole line is a host name
 * that contains blanks. */
static bool has_words(const char *line, const struct platform *p)
{
  const char *blank = strpbrk(line, " \t");
  return blank > line && !names_host(line, p) &&
         (strstr(blank, "slots=") != NULL || blank[strspn(blank, " \t")] == '#');
}

/* Removes blanks around the line, unless they are part of a host name. */
static char *trim(char *line, const struct platform *p)
{
  if (names_host(line, p))
    return line;
  line += strspn(line, " \t");
  size_t n = strlen(line);
  while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
    n--;
  line[n] = '\0';
  return line;
}

/* Assigns the host of the line to the next ranks, one per slot.  Skips blank lines and comments. */
static enum status read_line(struct mapping_reader *r, char *line, struct err *e)
{
  uint64_t slots;
  uint32_t host;
  line = trim(line, r->platform);
  if (line[0] == '\0' || (line[0] == '#' && !names_host(line, r->platform)))
    return OK;
  if ((has_words(line, r->platform) ? cut_words(line, &slots, e) : cut_slots(line, &slots, e)) !=
      OK)
    return FAIL;
  if (!binding_find(r->platform, line, &host))
    return err_set(e, "no host '%.80s' on the platform", line);
  for (; slots > 0 && r->next < r->m->ranks; slots--)
    r->m->host[r->next++] = host;
  return OK;
}

static enum status finish(const struct mapping_reader *r, struct err *e)
{
  if (r->next < r->m->ranks)
    return err_set(e, "the file has only %" PRIu32 " slot%s for %" PRIu32 " ranks", r->next,
                   PLURAL(r->next), r->m->ranks);
  return OK;
}

/* SimGrid allows colons and blanks in host names, but in a hostfile they separate the slots. */
static bool is_writable(const char *name)
{
  return name[0] != '\0' && strpbrk(name, ": \t\r\n") == NULL;
}

static enum status check(const struct mapping *m, const struct platform *p, struct err *e)
{
  return mapping_check_names(m, p, is_writable, "a hostfile", e);
}

enum status mapping_write_hosts(const struct mapping *m, const struct platform *p, FILE *f,
                                struct err *e)
{
  char buffer[PLATFORM_NAME_SIZE];
  (void)e;
  for (uint32_t r = 0; r < m->ranks; r++)
    fprintf(f, "%s\n", platform_host_name(p, m->host[r], buffer, sizeof buffer));
  return OK;
}

const struct mapping_format mapping_hostfile = {
    .name = "hostfile",
    .recognise = names_host,
    .read_line = read_line,
    .finish = finish,
    .check = check,
    .write = mapping_write_hosts,
};
