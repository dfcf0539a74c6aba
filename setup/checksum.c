#include "setup/checksum.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "traces/trace.h"

static void finish(struct sha256_ctx *c, char *hex)
{
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(c, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++)
    snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

void checksum_text(const char *text, char *hex)
{
  struct sha256_ctx c;
  sha256_init(&c);
  sha256_update(&c, strlen(text), (const uint8_t *)text);
  finish(&c, hex);
}

enum status checksum_file(const char *path, char *hex, struct err *e)
{
  struct sha256_ctx c;
  uint8_t buffer[65536];
  size_t n;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return err_errno(e, path, "cannot open");
  sha256_init(&c);
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    sha256_update(&c, n, buffer);
  const enum status s = ferror(f) ? err_errno(e, path, "cannot read") : OK;
  fclose(f);
  if (s == OK)
    finish(&c, hex);
  return s;
}

/* Adds the line of one file, its checksum, to the list. */
static enum status add_line(struct sha256_ctx *c, const char *file, struct err *e)
{
  char line[CHECKSUM_SIZE + 1];
  if (checksum_file(file, line, e) != OK)
    return FAIL;
  line[CHECKSUM_SIZE - 1] = '\n';
  sha256_update(c, CHECKSUM_SIZE, (const uint8_t *)line);
  return OK;
}

enum status checksum_platform(const struct platform *p, const char *path, char *hex, struct err *e)
{
  struct sha256_ctx c;
  size_t next = 0;
  if (path == NULL)
    path = platform_file(p, next++);
  if (platform_file(p, next) == NULL)
    return checksum_file(path, hex, e);
  sha256_init(&c);
  if (add_line(&c, path, e) != OK)
    return FAIL;
  const char *file;
  for (size_t i = next; (file = platform_file(p, i)) != NULL; i++)
    if (add_line(&c, file, e) != OK)
      return FAIL;
  finish(&c, hex);
  return OK;
}

/* Programs may be defined in the network file itself, which is listed once. */
enum status checksum_tasknet(const struct tasknet *n, const char *path, char *hex, struct err *e)
{
  struct sha256_ctx c;
  const char *file;
  bool alone = true;
  sha256_init(&c);
  if (add_line(&c, path, e) != OK)
    return FAIL;
  for (uint32_t i = 0; (file = tasknet_program_file(n, i)) != NULL; i++) {
    if (strcmp(file, path) == 0)
      continue;
    alone = false;
    if (add_line(&c, file, e) != OK)
      return FAIL;
  }
  if (alone)
    return checksum_file(path, hex, e);
  finish(&c, hex);
  return OK;
}

static enum status several_files(const struct trace *t, char *hex, struct err *e)
{
  struct sha256_ctx c;
  const char *file;
  sha256_init(&c);
  for (size_t i = 0; (file = trace_input(t, i)) != NULL; i++)
    if (add_line(&c, file, e) != OK)
      return FAIL;
  finish(&c, hex);
  return OK;
}

enum status checksum_trace(const struct trace *t, char *hex, struct err *e)
{
  return trace_input(t, 1) == NULL ? checksum_file(trace_input(t, 0), hex, e)
                                   : several_files(t, hex, e);
}
