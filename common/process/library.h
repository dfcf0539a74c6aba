/** @file library.h
 *  Shared libraries loaded on demand, because loading them takes longer than most commands run.
 *  Each library has a struct of pointers to the functions that haichi uses, generated from a list
 *  such as #define FUNCTIONS(F) F(puts) F(getc).
 */
#pragma once

#include "common/err.h"

/** Declares the struct member for the function @p name of the header of the library. */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;

/** Loads the library @p file and keeps it until the process ends.  Errors name it @p what. */
enum status library_open(void **out, const char *file, const char *what, struct err *e);

/** Writes the address of the function @p name to @p member, a pointer of the type of that function.
 */
enum status library_find(void *library, const char *name, void *member, const char *what,
                         struct err *e);
