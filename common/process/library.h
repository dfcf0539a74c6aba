/** @file library.h
 *  Shared libraries loaded on demand, because loading them takes longer than most commands run.
 *  Each library has a struct of pointers to the functions that haichi uses, generated from a list
 *  such as #define FUNCTIONS(F) F(puts) F(getc).
 */
#pragma once

#include "common/err.h"

/** Declares the struct member for the function @p name of the header of the library. */
#define LIBRARY_MEMBER(name) __typeof__(name) *name;

/** The name in the list for library_find(), for the same function. */
#define LIBRARY_NAME(name) #name,

/** Loads the library @p file and keeps it until the process ends.  Errors name it @p what. */
enum status library_open(void **out, const char *file, const char *what, struct err *e);

/** Finds the functions with these names, a list that ends with NULL.  Writes their addresses to
 *  @p api, a struct of pointers to these functions in this order.  Fails if one is missing; *api
 *  then has some of them. */
enum status library_find(void *library, const char *const names[], void *api, const char *what,
                         struct err *e);

/** library_open() and library_find(). */
enum status library_load(const char *file, const char *const names[], void *api, const char *what,
                         struct err *e);
