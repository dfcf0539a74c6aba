#include "traces/files/members.h"

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
#include "traces/files/source.h"

/* Contents of an archive: up to six files, terminated by a NULL name. */
struct pack {
  const char *name;
  int (*format)(struct archive *);
  int (*filter)(struct archive *);
  struct file file[6];
};

static void add_entry(struct archive *a, const char *name, mode_t type, const struct file *f)
{
  const size_t size = f->size > 0 ? f->size : strlen(f->text);
  struct archive_entry *entry = archive_entry_new();
  assert_non_null(entry);
  archive_entry_set_pathname(entry, name);
  archive_entry_set_filetype(entry, type);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, type == AE_IFREG ? (la_int64_t)size : 0);
  if (type == AE_IFLNK)
    archive_entry_set_symlink(entry, "/etc/passwd");
  assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
  if (type == AE_IFREG)
    assert_int_equal(archive_write_data(a, f->text, size), size);
  archive_entry_free(entry);
}

static void write_pack(const struct pack *p)
{
  struct archive *a = archive_write_new();
  assert_non_null(a);
  assert_int_equal(p->format(a), ARCHIVE_OK);
  if (p->filter != NULL)
    assert_int_equal(p->filter(a), ARCHIVE_OK);
  assert_int_equal(archive_write_open_filename(a, p->name), ARCHIVE_OK);
  const bool members = p->format != archive_write_set_format_raw;
  if (members) { /* neither of them is a text */
    add_entry(a, "folder", AE_IFDIR, &p->file[0]);
    add_entry(a, "folder/link", AE_IFLNK, &p->file[0]);
  }
  for (const struct file *f = p->file; f->name != NULL; f++)
    add_entry(a, f->name, AE_IFREG, f);
  assert_int_equal(archive_write_close(a), ARCHIVE_OK);
  archive_write_free(a);
}

static void compressed_texts_are_unpacked(void **state)
{
  (void)state;
  static int (*const FILTERS[])(struct archive *) = {
      archive_write_add_filter_gzip, archive_write_add_filter_bzip2, archive_write_add_filter_xz,
      archive_write_add_filter_zstd, archive_write_add_filter_lz4,   archive_write_add_filter_lzip,
  };
  static const struct file INDEX = {"z", "z0\nz1", 0};
  write_file(&INDEX);
  for (size_t i = 0; i < COUNT(FILTERS); i++) {
    const struct pack packs[] = {
        {"m.z", archive_write_set_format_raw, FILTERS[i], {{"-", MERGED, 0}}},
        {"i.z", archive_write_set_format_raw, FILTERS[i], {{"-", "z0\nz1", 0}}},
        {"z0", archive_write_set_format_raw, FILTERS[i], {{"-", A, 0}}},
        {"z1", archive_write_set_format_raw, FILTERS[i], {{"-", B, 0}}},
    };
    for (size_t k = 0; k < COUNT(packs); k++)
      write_pack(&packs[k]);
    assert_source("m.z", "m.z", "m.z");
    assert_source("i.z", "z0", "z1");
    assert_source("z", "z0", "z1");
  }
}

static const struct pack ARCHIVES[] = {
    {"a.tar",
     archive_write_set_format_ustar,
     NULL,
     {{"index.txt", "r/0\nr/1\n", 0}, {"r/1", B, 0}, {"r/0", A, 0}}},
    {"a.tar",
     archive_write_set_format_pax,
     archive_write_add_filter_zstd,
     {{"r/0", A, 0}, {"r/1", B, 0}, {"./index.txt", "./r/0\nq/..//r/1\n", 0}}},
    {"a.tar",
     archive_write_set_format_gnutar,
     archive_write_add_filter_xz,
     {{"/r/0", A, 0}, {"../r/1", B, 0}, {"x/index.txt", "r/0\nr/1\n", 0}}},
    {"a.tar",
     archive_write_set_format_zip,
     NULL,
     {{"r/0", A, 0}, {"r/1", B, 0}, {"index.txt", "r/0\nr/1\n", 0}, {"r/index.txt", "no", 0}}},
    {"a.tar",
     archive_write_set_format_ustar,
     NULL,
     {{"r/0", A, 0}, {"r/1", B, 0}, {"r/index.txt", "0\n1", 0}, {"r/x/index.txt", "no", 0}}},
};

static void archives_are_unpacked(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(ARCHIVES); i++) {
    write_pack(&ARCHIVES[i]);
    assert_source("a.tar", "a.tar/r/0", "a.tar/r/1");
  }
}

static void archives_may_hold_a_merged_file(void **state)
{
  (void)state;
  static const struct pack ALONE = {
      "m.tar", archive_write_set_format_ustar, archive_write_add_filter_gzip, {{"m", MERGED, 0}}};
  static const struct pack INDEXED = {"m.tar",
                                      archive_write_set_format_ustar,
                                      NULL,
                                      {{"d/index.txt", "m\n", 0}, {"d/m", MERGED, 0}}};
  write_pack(&ALONE);
  assert_source("m.tar", "m.tar/m", "m.tar/m");
  write_pack(&INDEXED);
  assert_source("m.tar", "m.tar/d/m", "m.tar/d/m");
}

/* Reads a whole file into @p f. */
static void slurp(const char *name, struct file *f, char *room, size_t size)
{
  FILE *in = fopen(name, "r");
  assert_non_null(in);
  f->text = room;
  f->size = fread(room, 1, size, in);
  assert_int_equal(fclose(in), 0);
}

static void members_may_be_compressed(void **state)
{
  (void)state;
  static const struct pack RANK = {
      "rank.gz", archive_write_set_format_raw, archive_write_add_filter_gzip, {{"-", B, 0}}};
  char bytes[4096];
  struct pack all = {"a.tar",
                     archive_write_set_format_ustar,
                     NULL,
                     {{"index.txt", "r/0\nr/1\n", 0}, {"r/0", A, 0}, {"r/1", NULL, 0}}};
  write_pack(&RANK);
  slurp("rank.gz", &all.file[2], bytes, sizeof bytes);
  write_pack(&all);
  assert_source("a.tar", "a.tar/r/0", "a.tar/r/1");
}

/* --- refusals -------------------------------------------------------------------------------- */

static void assert_refused(const char *path, const char *why)
{
  struct source *s = NULL;
  struct err e = {{0}};
  assert_int_equal(source_open(&s, path, SPOOL_LIMIT, &e), FAIL);
  assert_null(s);
  assert_string_equal(e.text, why);
}

struct bad_pack {
  struct pack pack;
  const char *why;
};

#define TAR archive_write_set_format_ustar

static const struct bad_pack BAD_PACKS[] = {
    {{"b", TAR, NULL, {{NULL, "", 0}}}, "b: no index.txt among its 0 files"},
    {{"b", TAR, NULL, {{"r0", A, 0}, {"r1", B, 0}}}, "b: no index.txt among its 2 files"},
    {{"b", TAR, NULL, {{"c/index.txt", "r0", 0}, {"d/index.txt", "r0", 0}}},
     "b: two traces in it, 'c/index.txt' and 'd/index.txt'"},
    {{"b", TAR, NULL, {{"r0", A, 0}, {"./r0", A, 0}}}, "b: two files of the name 'r0'"},
    {{"b", TAR, NULL, {{"index.txt", "r0\nx0\n", 0}, {"r0", A, 0}}},
     "b/index.txt:2: no file 'x0' in the archive"},
    {{"b", TAR, NULL, {{"index.txt", "r0\nfolder/link\n", 0}, {"r0", A, 0}}},
     "b/index.txt:2: no file 'folder/link' in the archive"},
    {{"b", TAR, NULL, {{"index.txt", "r0\n\n", 0}, {"r0", A, 0}}},
     "b/index.txt:2: an index has no blank lines, only one file name a line"},
};

static void other_archives_are_refused(void **state)
{
  (void)state;
  static const struct file OUTSIDE = {"x0", A, 0};
  write_file(&OUTSIDE);
  for (size_t i = 0; i < COUNT(BAD_PACKS); i++) {
    write_pack(&BAD_PACKS[i].pack);
    assert_refused("b", BAD_PACKS[i].why);
  }
}

static void cut_archives_are_refused(void **state)
{
  (void)state;
  static const struct pack RAW = {
      "b.gz", archive_write_set_format_raw, archive_write_add_filter_gzip, {{"-", MERGED, 0}}};
  write_pack(&RAW);
  struct stat st;
  assert_int_equal(stat("b.gz", &st), 0);
  assert_int_equal(truncate("b.gz", st.st_size - 9), 0);
  assert_refused("b.gz", "b.gz: cannot unpack: truncated gzip input");
  static const struct pack PACKED = {"b.tar", TAR, NULL, {{"m", MERGED, 0}}};
  write_pack(&PACKED);
  assert_int_equal(truncate("b.tar", 3 * 512 + 10), 0);
  assert_refused("b.tar", "b.tar: cannot unpack: Truncated tar archive");
}

/* The holes of a sparse file would have to be written out in its declared size. */
static void sparse_members_are_refused(void **state)
{
  (void)state;
  FILE *hole = fopen("hole", "w");
  assert_non_null(hole);
  assert_int_equal(fseeko(hole, (off_t)1 << 40, SEEK_SET), 0);
  assert_true(fputs(A, hole) >= 0);
  assert_int_equal(fclose(hole), 0);
  if (system("tar -S --format=gnu -cf sparse.tar hole 2>/dev/null") != 0)
    skip();
  assert_refused("sparse.tar", "sparse.tar: it contains a sparse file, which is not a text");
}

/* The trace opens, but each reading of the second of its two files fails. */
static void assert_unreadable(const char *path, const char *why)
{
  struct source *s = NULL;
  struct err e = {{0}};
  char byte;
  size_t got;
  assert_int_equal(source_open(&s, path, SPOOL_LIMIT, &e), OK);
  assert_text(s, 0, A);
  for (int again = 0; again < 2; again++) {
    struct text_cursor c = source_start(s, 1);
    assert_int_equal(text_read(&c, &byte, 1, &got, &e), FAIL);
    assert_string_equal(e.text, why);
  }
  source_free(s);
}

static void rank_files_are_checked_when_they_are_read(void **state)
{
  (void)state;
  static const struct file RANK = {"x0", A, 0}, INDEX = {"i", "x0\npacked\n", 0};
  static const struct pack PACKED = {"packed", TAR, NULL, {{"m", MERGED, 0}}};
  static const struct pack CUT = {
      "packed", archive_write_set_format_raw, archive_write_add_filter_gzip, {{"-", B, 0}}};
  struct stat st;
  write_file(&RANK);
  write_file(&INDEX);
  write_pack(&PACKED);
  assert_unreadable("i", "packed: an archive where a text should be");
  write_pack(&CUT);
  assert_source("i", "x0", "packed");
  assert_int_equal(stat("packed", &st), 0);
  assert_int_equal(truncate("packed", st.st_size - 9), 0);
  assert_unreadable("i", "packed: cannot unpack: truncated gzip input");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compressed_texts_are_unpacked),
      cmocka_unit_test(archives_are_unpacked),
      cmocka_unit_test(archives_may_hold_a_merged_file),
      cmocka_unit_test(members_may_be_compressed),
      cmocka_unit_test(other_archives_are_refused),
      cmocka_unit_test(cut_archives_are_refused),
      cmocka_unit_test(sparse_members_are_refused),
      cmocka_unit_test(rank_files_are_checked_when_they_are_read),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
