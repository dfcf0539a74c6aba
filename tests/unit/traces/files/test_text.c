#include "traces/files/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "tests/unit/traces/texts.h"

/* Compresses @p f into a file of the same name and ".gz"; returns its bytes in @p room. */
static struct file gzip(const struct file *f, char *room, size_t size)
{
  char name[64];
  snprintf(name, sizeof name, "%s.gz", f->name);
  struct archive *a = archive_write_new();
  struct archive_entry *entry = archive_entry_new();
  archive_write_set_format_raw(a);
  archive_write_add_filter_gzip(a);
  assert_int_equal(archive_write_open_filename(a, name), ARCHIVE_OK);
  archive_entry_set_pathname(entry, "-");
  archive_entry_set_filetype(entry, AE_IFREG);
  assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
  const size_t bytes = f->size > 0 ? f->size : strlen(f->text);
  assert_int_equal(archive_write_data(a, f->text, bytes), bytes);
  archive_entry_free(entry);
  assert_int_equal(archive_write_close(a), ARCHIVE_OK);
  archive_write_free(a);
  FILE *in = fopen(name, "r");
  assert_non_null(in);
  struct file packed = {f->name, room, fread(room, 1, size, in)};
  fclose(in);
  return packed;
}

static struct spool *new_spool(void)
{
  struct spool *s;
  struct err e;
  assert_int_equal(spool_new(&s, "text", SPOOL_LIMIT, &e), OK);
  return s;
}

/* Compares the text, which is read in small pieces. */
static void assert_bytes(struct text *t, struct spool *spool, const char *want, size_t size)
{
  struct text_cursor c = text_start(t, spool);
  char bytes[512];
  size_t used = 0, got = 1;
  struct err e = {{0}};
  while (got > 0) {
    if (text_read(&c, bytes + used, 7, &got, &e) != OK)
      fail_msg("%s", e.text);
    used += got;
  }
  assert_int_equal(used, size);
  assert_memory_equal(bytes, want, size);
  assert_true(t->plain);
}

static void plain_texts_stay_in_place(void **state)
{
  (void)state;
  static const char *const TEXTS[] = {
      "", "0 init\n", "# a\n", " \n", "\n", "\t0\n", "\r\n", "not\n", "words, and no number\n"};
  for (size_t i = 0; i < COUNT(TEXTS); i++) {
    char name[] = "f";
    struct text t = {.name = name, .stream = TEXT_IN_PLACE};
    struct spool *spool = new_spool();
    scratch_write(name, TEXTS[i]);
    assert_bytes(&t, spool, TEXTS[i], strlen(TEXTS[i]));
    assert_bytes(&t, spool, TEXTS[i], strlen(TEXTS[i]));
    assert_int_equal(t.stream, TEXT_IN_PLACE);
    spool_free(spool);
  }
}

/* Texts are unpacked at the first reading, even if compressed twice. */
static void compressed_texts_are_unpacked_once(void **state)
{
  (void)state;
  static const struct file PLAIN = {"z", "0 init\n0 barrier\n", 0};
  char name[] = "z", once[256], twice[256];
  const struct file z = gzip(&PLAIN, once, sizeof once), zz = gzip(&z, twice, sizeof twice);
  struct spool *spool = new_spool();
  struct text a = {.name = name, .stream = TEXT_IN_PLACE}, b = a;
  write_file(&z);
  assert_bytes(&a, spool, PLAIN.text, strlen(PLAIN.text));
  const uint32_t stream = a.stream;
  assert_int_not_equal(stream, TEXT_IN_PLACE);
  assert_bytes(&a, spool, PLAIN.text, strlen(PLAIN.text));
  assert_int_equal(a.stream, stream);
  write_file(&zz);
  assert_bytes(&b, spool, PLAIN.text, strlen(PLAIN.text));
  spool_free(spool);
}

/* A part can begin with any bytes, because its format is not detected. */
static void parts_are_streams_of_the_spool(void **state)
{
  (void)state;
  static const struct file FILE = {"p", "0 init\n", 0};
  char name[] = "p", bytes[16];
  struct text t = {.name = name, .stream = TEXT_IN_PLACE};
  struct spool *spool = new_spool();
  struct err e;
  uint32_t stream;
  size_t got;
  write_file(&FILE);
  assert_bytes(&t, spool, FILE.text, strlen(FILE.text));
  assert_int_equal(spool_add(spool, &stream, &e), OK);
  assert_int_equal(spool_append(spool, stream, "part", 4, &e), OK);
  assert_int_equal(spool_flush(spool, stream, &e), OK);
  struct text_cursor c = text_start_part(&t, spool, stream);
  assert_int_equal(text_read(&c, bytes, sizeof bytes, &got, &e), OK);
  assert_int_equal(got, 4);
  assert_memory_equal(bytes, "part", 4);
  spool_free(spool);
}

static void a_missing_file_is_a_failure(void **state)
{
  (void)state;
  char name[] = "none", byte;
  struct text t = {.name = name, .stream = TEXT_IN_PLACE};
  struct spool *spool = new_spool();
  struct text_cursor c = text_start(&t, spool);
  struct err e;
  size_t got;
  assert_int_equal(text_read(&c, &byte, 1, &got, &e), FAIL);
  assert_string_equal(e.text, "none: cannot open: No such file or directory");
  spool_free(spool);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_texts_stay_in_place),
      cmocka_unit_test(compressed_texts_are_unpacked_once),
      cmocka_unit_test(parts_are_streams_of_the_spool),
      cmocka_unit_test(a_missing_file_is_a_failure),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
