/** @file otf2_api.h
 *  Private to traces/: libopen-trace-format2, the library of the Open Trace Format 2, loaded on
 *  demand.  Built only where its headers are installed.
 */
#pragma once

#include <otf2/otf2.h>
#include <stdarg.h>

#include "common/err.h"
#include "common/process/library.h"

#define OTF2_READ_DEFS(F)                                                                          \
  F(OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback)                                      \
  F(OTF2_GlobalDefReaderCallbacks_SetStringCallback)                                               \
  F(OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback)                                        \
  F(OTF2_GlobalDefReaderCallbacks_SetLocationCallback)                                             \
  F(OTF2_GlobalDefReaderCallbacks_SetRegionCallback)                                               \
  F(OTF2_GlobalDefReaderCallbacks_SetGroupCallback)                                                \
  F(OTF2_GlobalDefReaderCallbacks_SetCommCallback)                                                 \
  F(OTF2_GlobalDefReaderCallbacks_SetInterCommCallback)                                            \
  F(OTF2_GlobalDefReaderCallbacks_New)                                                             \
  F(OTF2_GlobalDefReaderCallbacks_Delete)                                                          \
  F(OTF2_Reader_GetGlobalDefReader)                                                                \
  F(OTF2_Reader_RegisterGlobalDefCallbacks)                                                        \
  F(OTF2_Reader_ReadAllGlobalDefinitions)                                                          \
  F(OTF2_Reader_CloseGlobalDefReader)                                                              \
  F(OTF2_Reader_OpenDefFiles)                                                                      \
  F(OTF2_Reader_GetDefReader)                                                                      \
  F(OTF2_Reader_ReadAllLocalDefinitions)                                                           \
  F(OTF2_Reader_CloseDefReader)                                                                    \
  F(OTF2_Reader_CloseDefFiles)

#define OTF2_READ_EVENTS(F)                                                                        \
  F(OTF2_EvtReaderCallbacks_New)                                                                   \
  F(OTF2_EvtReaderCallbacks_Delete)                                                                \
  F(OTF2_EvtReaderCallbacks_SetEnterCallback)                                                      \
  F(OTF2_EvtReaderCallbacks_SetLeaveCallback)                                                      \
  F(OTF2_EvtReaderCallbacks_SetBufferFlushCallback)                                                \
  F(OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback)                                           \
  F(OTF2_EvtReaderCallbacks_SetProgramBeginCallback)                                               \
  F(OTF2_EvtReaderCallbacks_SetProgramEndCallback)                                                 \
  F(OTF2_EvtReaderCallbacks_SetMpiSendCallback)                                                    \
  F(OTF2_EvtReaderCallbacks_SetMpiIsendCallback)                                                   \
  F(OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback)                                           \
  F(OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback)                                            \
  F(OTF2_EvtReaderCallbacks_SetMpiRecvCallback)                                                    \
  F(OTF2_EvtReaderCallbacks_SetMpiIrecvCallback)                                                   \
  F(OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback)                                        \
  F(OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback)                                         \
  F(OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback)                                           \
  F(OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback)                               \
  F(OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback)                              \
  F(OTF2_EvtReaderCallbacks_SetRmaPutCallback)                                                     \
  F(OTF2_EvtReaderCallbacks_SetRmaGetCallback)                                                     \
  F(OTF2_EvtReaderCallbacks_SetRmaAtomicCallback)                                                  \
  F(OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback)                                           \
  F(OTF2_Reader_OpenEvtFiles)                                                                      \
  F(OTF2_Reader_CloseEvtFiles)                                                                     \
  F(OTF2_Reader_GetEvtReader)                                                                      \
  F(OTF2_Reader_RegisterEvtCallbacks)                                                              \
  F(OTF2_Reader_ReadAllLocalEvents)                                                                \
  F(OTF2_Reader_CloseEvtReader)

#define OTF2_READ(F)                                                                               \
  OTF2_READ_DEFS(F)                                                                                \
  OTF2_READ_EVENTS(F)                                                                              \
  F(OTF2_Error_GetDescription)                                                                     \
  F(OTF2_Error_RegisterCallback)                                                                   \
  F(OTF2_Reader_Open)                                                                              \
  F(OTF2_Reader_Close)                                                                             \
  F(OTF2_Reader_SetSerialCollectiveCallbacks)                                                      \
  F(OTF2_Reader_GetNumberOfLocations)                                                              \
  F(OTF2_Reader_GetCreator)                                                                        \
  F(OTF2_Reader_SelectLocation)

/** The functions that read. */
struct otf2_reading {
  OTF2_READ(LIBRARY_MEMBER)
};

#define OTF2_WRITE(F)                                                                              \
  F(OTF2_Error_RegisterCallback)                                                                   \
  F(OTF2_Archive_Open)                                                                             \
  F(OTF2_Archive_Close)                                                                            \
  F(OTF2_Archive_SetFlushCallbacks)                                                                \
  F(OTF2_Archive_SetSerialCollectiveCallbacks)                                                     \
  F(OTF2_Archive_SetCreator)                                                                       \
  F(OTF2_Archive_OpenEvtFiles)                                                                     \
  F(OTF2_Archive_CloseEvtFiles)                                                                    \
  F(OTF2_Archive_OpenDefFiles)                                                                     \
  F(OTF2_Archive_CloseDefFiles)                                                                    \
  F(OTF2_Archive_GetEvtWriter)                                                                     \
  F(OTF2_Archive_CloseEvtWriter)                                                                   \
  F(OTF2_Archive_GetDefWriter)                                                                     \
  F(OTF2_Archive_CloseDefWriter)                                                                   \
  F(OTF2_Archive_GetGlobalDefWriter)                                                               \
  F(OTF2_GlobalDefWriter_WriteClockProperties)                                                     \
  F(OTF2_GlobalDefWriter_WriteString)                                                              \
  F(OTF2_GlobalDefWriter_WriteSystemTreeNode)                                                      \
  F(OTF2_GlobalDefWriter_WriteLocationGroup)                                                       \
  F(OTF2_GlobalDefWriter_WriteLocation)                                                            \
  F(OTF2_GlobalDefWriter_WriteRegion)                                                              \
  F(OTF2_GlobalDefWriter_WriteGroup)                                                               \
  F(OTF2_GlobalDefWriter_WriteComm)                                                                \
  F(OTF2_EvtWriter_Enter)                                                                          \
  F(OTF2_EvtWriter_Leave)                                                                          \
  F(OTF2_EvtWriter_MpiSend)                                                                        \
  F(OTF2_EvtWriter_MpiRecv)                                                                        \
  F(OTF2_EvtWriter_MpiIsend)                                                                       \
  F(OTF2_EvtWriter_MpiIsendComplete)                                                               \
  F(OTF2_EvtWriter_MpiIrecvRequest)                                                                \
  F(OTF2_EvtWriter_MpiIrecv)                                                                       \
  F(OTF2_EvtWriter_MpiCollectiveBegin)                                                             \
  F(OTF2_EvtWriter_MpiCollectiveEnd)                                                               \
  F(OTF2_EvtWriter_NonBlockingCollectiveRequest)                                                   \
  F(OTF2_EvtWriter_NonBlockingCollectiveComplete)

/** The functions that write. */
struct otf2_writing {
  OTF2_WRITE(LIBRARY_MEMBER)
};

/** Load the library. */
enum status otf2_load_writing(struct otf2_writing *api, struct err *e);
enum status otf2_load_reading(struct otf2_reading *api, struct err *e);

/** The first error that the library has reported; "": none. */
struct otf2_report {
  char text[256];
};

/** Makes the library report to @p to instead of printing. */
void otf2_report_to(const struct otf2_reading *api, struct otf2_report *to);

/** The callback of the library that stores its first report in @p user, a struct otf2_report. */
OTF2_ErrorCode otf2_report_note(void *user, const char *file, uint64_t line, const char *function,
                                OTF2_ErrorCode code, const char *format, va_list values);
