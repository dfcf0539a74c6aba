#include "tasks/files/files.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/textfile.h"
#include "tasks/files/format.h"
#include "tasks/generate.h"

/* Maximum size of a file in bytes. */
#define LONGEST ((size_t)2 << 30)

/* The formats are tried in this order on the first bytes of a file. */
#define LIST(ROW) ROW(tasknet_xml) ROW(tasknet_wfcommons) ROW(tasknet_dax) ROW(tasknet_dot)

#define DECLARE(row) extern const struct tasknet_format row;
LIST(DECLARE)

const struct registry tasknet_formats = REGISTRY("format", LIST);

const char *tasknet_format_help(size_t i)
{
  const struct tasknet_format *f = registry_at(&tasknet_formats, i);
  return f->help;
}

/* Skips the XML declaration, comments and white space.  NULL if there is no element. */
static const char *first_element(const char *c)
{
  while ((c = strchr(c, '<')) != NULL) {
    const char *end = "";
    if (strncmp(c, "<!--", 4) == 0)
      end = "-->";
    else if (c[1] == '?' || c[1] == '!')
      end = ">";
    else
      return c + 1;
    if ((c = strstr(c, end)) == NULL)
      return NULL;
  }
  return NULL;
}

bool tasknet_root_is(const char *begin, const char *name)
{
  const size_t length = strlen(name);
  const char *root = *begin == '<' ? first_element(begin) : NULL;
  return root != NULL && strncmp(root, name, length) == 0 &&
         strchr(" \t\r\n/>", root[length]) != NULL;
}

static enum status read_network(struct tasknet *n, struct tasknet_text *t, struct err *e)
{
  const char *begin = t->bytes + strspn(t->bytes, " \t\r\n");
  const struct tasknet_format *f;
  for (size_t i = 0; (f = registry_at(&tasknet_formats, i)) != NULL; i++)
    if (f->is(begin))
      return f->read(n, t, e);
  char names[80];
  registry_list(&tasknet_formats, names, sizeof names);
  return err_at(e, t->path, 1, "begins like no format of task networks: %s", names);
}

enum status tasknet_load(struct tasknet *out, const char *path, struct err *e)
{
  struct tasknet_text t = {.path = path};
  struct tasknet n = {0};
  enum status s = textfile_load(&t.bytes, &t.length, path, path, LONGEST, e) == OK &&
                          tasknet_set_file(&n, path, e) == OK
                      ? read_network(&n, &t, e)
                      : FAIL;
  free(t.bytes);
  if (s == OK)
    s = tasknet_seal(&n, e);
  if (s == OK)
    *out = n;
  else
    tasknet_clear(&n);
  return s;
}

enum status tasknet_open(struct tasknet *out, const char *network, struct err *e)
{
  return tasknet_is_spec(network) ? tasknet_generate(out, network, e)
                                  : tasknet_load(out, network, e);
}
