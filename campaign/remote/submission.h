/** @file submission.h
 *  A submission: items of a campaign that are given to a back end together, divided into numbered
 *  tasks.  It is the folder FOLDER/on/N of the campaign, from which the tasks read their items:
 *
 *    words    working directory and arguments of the command, each ended by a NUL
 *    tasks    a line for each item: task, subject, item, key of its result
 *    script   run by the back end once for each task
 *    job      the name of the back end and its id of the job, once accepted
 *    log      output of the back end's program
 *    log.N    output of task N
 *
 *  The only texts from the user in the script are two paths, with special bytes as octal numbers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "campaign/remote/backend.h"
#include "common/err.h"
#include "setup/checksum.h"

struct submission_item {
  uint32_t task;  /**< from 1 */
  size_t subject; /**< index in the plan */
  size_t item;    /**< number of the item (item.h) */
  char key[CHECKSUM_SIZE];
};

struct submission {
  char *path; /**< absolute; owned, like `item` */
  struct submission_item *item;
  size_t items, room;
  uint32_t tasks; /**< highest number of a task in `item` */
};

/** The words of a command: working directory, then the arguments without the program. */
struct submission_words {
  char *text; /**< holds the words; owned */
  char **word;
  size_t count, room;
};

/** Creates the folder of a new submission, without items, in the campaign's @p folder.  Free *s
 *  with submission_clear(). */
enum status submission_new(struct submission *s, const char *folder, struct err *e);

/** Adds an item. */
enum status submission_add(struct submission *s, const struct submission_item *item, struct err *e);

/** Writes words, tasks and script; @p program is the path of haichi. */
enum status submission_write(const struct submission *s, const struct submission_words *words,
                             const char *program, struct err *e);

/** Writes the file `job`. */
enum status submission_set_job(const struct submission *s, const char *backend, const char *id,
                               struct err *e);

/** Reads the items of task @p task, or of all tasks if @p task is 0.  Free *s with
 *  submission_clear(). */
enum status submission_open(struct submission *s, const char *path, uint32_t task, struct err *e);

/** Reads the file `job`.  *backend is NULL if it is missing or invalid. */
enum status submission_job(const struct submission *s, const struct backend **backend,
                           struct backend_handle *h, struct err *e);

/** Reads the words.  Free *w with submission_words_clear(). */
enum status submission_words_read(struct submission_words *w, const char *path, struct err *e);

/** Makes words of the working directory of this process and @p argv.  Free *w with
 *  submission_words_clear(). */
enum status submission_words_make(struct submission_words *w, int argc, char **argv, struct err *e);

/** Both functions accept a zeroed struct. */
void submission_words_clear(struct submission_words *w);
void submission_clear(struct submission *s);

/** Removes the folder, and its parent if that is then empty. */
void submission_remove(const struct submission *s);

/** Calls @p take with the path of each submission of the campaign in @p folder, ordered by number.
 */
enum status submission_each(const char *folder,
                            enum status (*take)(void *arg, const char *path, struct err *e),
                            void *arg, struct err *e);

/** Copies the last line that is not blank from the log of task @p task, or of the back end's
 *  program if @p task is 0, without the carriage return that ssh adds; "" if the log has no such
 *  line. */
void submission_last_line(const struct submission *s, uint32_t task, char *line, size_t size);
