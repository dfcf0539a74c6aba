/** @file clang_api.h
 *  Pointers to libclang's C functions.  The library is loaded on first use and stays loaded,
 *  because loading takes longer than most commands run.
 */
#pragma once

#include <clang-c/Index.h>

#include "common/process/library.h"

/** Applies F to each function of libclang that haichi uses. */
#define CLANG_FUNCTIONS(F)                                                                         \
  F(clang_Cursor_isNull)                                                                           \
  F(clang_Location_isInSystemHeader)                                                               \
  F(clang_createIndex)                                                                             \
  F(clang_disposeDiagnostic)                                                                       \
  F(clang_disposeIndex)                                                                            \
  F(clang_disposeString)                                                                           \
  F(clang_disposeTranslationUnit)                                                                  \
  F(clang_equalTypes)                                                                              \
  F(clang_getArgType)                                                                              \
  F(clang_getArrayElementType)                                                                     \
  F(clang_getCString)                                                                              \
  F(clang_getCanonicalCursor)                                                                      \
  F(clang_getCanonicalType)                                                                        \
  F(clang_getCursorExtent)                                                                         \
  F(clang_getCursorLocation)                                                                       \
  F(clang_getCursorKind)                                                                           \
  F(clang_getCursorReferenced)                                                                     \
  F(clang_getCursorSpelling)                                                                       \
  F(clang_getCursorType)                                                                           \
  F(clang_getCursorUSR)                                                                            \
  F(clang_getDiagnostic)                                                                           \
  F(clang_getDiagnosticLocation)                                                                   \
  F(clang_getDiagnosticSeverity)                                                                   \
  F(clang_getDiagnosticSpelling)                                                                   \
  F(clang_getExpansionLocation)                                                                    \
  F(clang_getFile)                                                                                 \
  F(clang_getFileContents)                                                                         \
  F(clang_getFileName)                                                                             \
  F(clang_getInclusions)                                                                           \
  F(clang_getLocationForOffset)                                                                    \
  F(clang_getNumArgTypes)                                                                          \
  F(clang_getNumDiagnostics)                                                                       \
  F(clang_getPointeeType)                                                                          \
  F(clang_getRangeEnd)                                                                             \
  F(clang_getRangeStart)                                                                           \
  F(clang_getResultType)                                                                           \
  F(clang_getSpellingLocation)                                                                     \
  F(clang_getTranslationUnitCursor)                                                                \
  F(clang_isConstQualifiedType)                                                                    \
  F(clang_isCursorDefinition)                                                                      \
  F(clang_parseTranslationUnit2)                                                                   \
  F(clang_visitChildren)

struct clang_api {
  CLANG_FUNCTIONS(LIBRARY_MEMBER)
};

/** Loads HAICHI_LIBCLANG, a name from the Makefile, if necessary, and finds the functions.  @p api
 *  is unchanged on failure. */
enum status clang_api_open(struct clang_api *api, struct err *e);
