#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

#include "setup/packed.h"
#include "tests/unit/scratch.h"

enum { LENGTH = 300000, HELD = 200000, OWN_AT = 180000 };

/* Lines of different lengths. */
static void make_text(char *text)
{
  size_t at = 0;
  for (unsigned i = 0; at < LENGTH; i++) {
    char line[64];
    const size_t n = (size_t)snprintf(line, sizeof line, "0 send 1 %u %u\n", i % 17, i * i);
    for (size_t k = 0; k < n && at < LENGTH; k++)
      text[at++] = line[k];
  }
  text[LENGTH - 1] = '\n';
}

/* Writes the first @p n bytes, compressed, less @p cut bytes at the end of the file. */
static void write_frames(const char *text, size_t n, size_t cut)
{
  static char packed[2 * LENGTH];
  size_t used = 0;
  struct archive *a = archive_write_new();
  struct archive_entry *entry = archive_entry_new();
  assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
  assert_int_equal(archive_write_add_filter_zstd(a), ARCHIVE_OK);
  archive_write_set_bytes_in_last_block(a, 1);
  assert_int_equal(archive_write_open_memory(a, packed, sizeof packed, &used), ARCHIVE_OK);
  archive_entry_set_filetype(entry, AE_IFREG);
  assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
  assert_int_equal(archive_write_data(a, text, n), (la_ssize_t)n);
  assert_int_equal(archive_write_close(a), ARCHIVE_OK);
  archive_entry_free(entry);
  archive_write_free(a);
  scratch_write_bytes("r.txt.zst", packed, n == 0 ? 0 : used - cut);
}

/* Writes r.txt with NUL bytes in place of the first @p from bytes of the text, as after the
 * recorder released their space on the disk. */
static void write_own(const char *text, size_t from, size_t n)
{
  char *own = calloc(n, 1);
  assert_non_null(own);
  memcpy(own + from, text + from, n - from);
  scratch_write_bytes("r.txt", own, n);
  free(own);
}

static void patch(size_t at, char byte)
{
  FILE *f = fopen("r.txt", "r+");
  assert_non_null(f);
  assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
  putc(byte, f);
  assert_int_equal(fclose(f), 0);
}

/* The text in r.txt.zst is @p want. */
static void assert_packed(const char *want, size_t n)
{
  char *all = malloc(LENGTH + 2);
  uint64_t size;
  struct err e;
  assert_non_null(all);
  assert_int_equal(packed_ending("r.txt.zst", all, LENGTH + 2, &size, &e), OK);
  assert_int_equal(size, n);
  assert_memory_equal(all, want, n);
  assert_int_equal(access("r.txt", F_OK), -1);
  free(all);
}

static void frames_and_text_are_merged(void **state)
{
  (void)state;
  /* Bytes in frames, bytes that the file lacks, bytes cut off the frames. */
  static const size_t CASE[][3] = {
      {LENGTH, OWN_AT, 0}, {HELD, OWN_AT, 0}, {HELD, HELD, 0},     {HELD, 0, 0},
      {0, 0, 0},           {HELD, 0, 20},     {LENGTH, LENGTH, 0},
  };
  static char text[LENGTH];
  struct err e;
  make_text(text);
  for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++)
    for (int patched = 0; patched < 2; patched++) {
      make_text(text);
      write_frames(text, CASE[i][0], CASE[i][2]);
      write_own(text, CASE[i][1], LENGTH);
      if (patched) {
        patch(100, '#');
        text[100] = '#';
      }
      assert_int_equal(packed_finish("r.txt", LENGTH, &e), OK);
      assert_packed(text, LENGTH);
    }
}

static void frames_past_the_last_line_are_cut(void **state)
{
  (void)state;
  static char text[LENGTH];
  struct err e;
  make_text(text);
  write_frames(text, LENGTH, 0);
  write_own(text, OWN_AT, HELD + 7);
  assert_int_equal(packed_finish("r.txt", HELD + 7, &e), OK);
  assert_packed(text, HELD + 7);
}

static void lost_text_is_an_error(void **state)
{
  (void)state;
  static char text[LENGTH];
  struct err e;
  make_text(text);
  write_frames(text, HELD, 0);
  write_own(text, HELD + 1, LENGTH);
  assert_int_equal(packed_finish("r.txt", LENGTH, &e), FAIL);
  assert_string_equal(e.text, "r.txt: no text at byte 200000, and none in r.txt.zst");
  assert_int_equal(access("r.txt", F_OK), 0);
}

static void the_ending_fits_the_buffer(void **state)
{
  (void)state;
  static char text[LENGTH];
  char end[100];
  uint64_t size;
  struct err e;
  make_text(text);
  write_frames(text, LENGTH, 0);
  assert_int_equal(packed_ending("r.txt.zst", end, sizeof end, &size, &e), OK);
  assert_int_equal(size, LENGTH);
  assert_int_equal(strlen(end), sizeof end - 1);
  assert_memory_equal(end, text + LENGTH - (sizeof end - 1), sizeof end - 1);
  write_frames(text, 50, 0);
  assert_int_equal(packed_ending("r.txt.zst", end, sizeof end, &size, &e), OK);
  assert_int_equal(strlen(end), 50);
  assert_int_equal(packed_lines("r.txt.zst"), 3);
}

int main(void)
{
  static const struct CMUnitTest TESTS[] = {
      cmocka_unit_test(frames_and_text_are_merged),
      cmocka_unit_test(frames_past_the_last_line_are_cut),
      cmocka_unit_test(lost_text_is_an_error),
      cmocka_unit_test(the_ending_fits_the_buffer),
  };
  return cmocka_run_group_tests(TESTS, scratch_enter, scratch_leave);
}
