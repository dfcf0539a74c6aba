/** @file otf2_api.h
 *  Private to traces/: libopen-trace-format2, the library of the Open Trace Format 2, loaded on
 *  demand.  Built only where its headers are installed.
 */
#ifndef TRACES_OTF2_OTF2_API_H
#define TRACES_OTF2_OTF2_API_H

#include <otf2/otf2.h>

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

/** Loads the library. */
enum status otf2_load_reading(struct otf2_reading *api, struct err *e);

/** What the library has reported last. */
struct otf2_report {
  char text[256];
};

/** Makes the library report to @p to instead of printing. */
void otf2_report_to(const struct otf2_reading *api, struct otf2_report *to);

#endif
