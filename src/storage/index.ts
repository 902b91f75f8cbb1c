/** All that the room offers. Its README says what it is; nobody imports its other files. */

// the log
export type { FileWatch } from './change-feed.js';
export type { LogOptions, LogTrouble, TraceEntry, TraceList } from './log.js';
export { createLog, type Log } from './vault-log.js';

// ports that the host implements
export type { Copies, CopyHead, VaultRecord } from './copies/copies.js';
export type { ForgetDecisions } from './forget/forget-decisions.js';
export type { ForgetStore } from './forget/forgets.js';
export type { LastLine } from './format/watermark.js';
export { FOLDER_CACHED_LANES, type Cache, type CachedSegment } from './read/cache.js';
export { isWriterRecord, type Identities, type WriterRecord } from './write/writer-identity.js';

// forgetting
export { FORGET_KINDS, type ForgetKind } from './forget/forget-event.js';
export { repeatsTextOf } from './forget/forget-mentions.js';
export { planForget, readForgotten } from './forget/forget-plan.js';
export type { ForgetPlan, LogItem, RelatedItem } from './forget/forget-plan.js';
export { AGREEMENT_DAYS, entryCount, isOpenRequest } from './forget/forget-decisions.js';
export { removedIds, toldDays } from './forget/forget-decisions.js';
export type { DecidedForget } from './forget/forget-decisions.js';
export type { Removal } from './forget/due-lines.js';
export type { DestroyReport } from './forget/forgetter.js';

// checking
export { dismissFormer } from './copies/copies.js';
export type { DeviceAgreement } from './integrity/device-agreement.js';
export { agreementText, findingsOf, FINDING_TEXTS, hasRanges } from './integrity/findings.js';
export { isHarmless, rangesText, unknownWriters } from './integrity/findings.js';
export type { FindingKind, VerifyFinding } from './integrity/findings.js';
export type { ForgottenEvents, VerifyReport } from './integrity/verify-report.js';
export { verify } from './integrity/verify.js';
export { dismissMissing, type WriterReport } from './integrity/writer-reports.js';

// the whole log at once, for export and import
export { digestOf } from './integrity/digest.js';
export { retiredRanges, retirementOf, retirementsIn } from './integrity/retirements.js';
export { isLacking, memoryOf, readLogLines } from './log-lines.js';
export type { LogContents, LogLine } from './log-lines.js';
export { indexEvent, type WriterIndex } from './read/writer-index.js';

// the data folder
export { isLeftOutBySync, OTHER_SYNC_ENTRIES } from './data-folder/obsidian-sync.js';
export { readmePath, writeReadme } from './data-folder/readme.js';
export { devicesIn, isConfirmable, readDevices } from './data-folder/devices.js';
export type { DeviceActivity } from './data-folder/devices.js';
export { confirmDevice, confirmedIn, trustOf } from './data-folder/known-writers.js';
export { withdrawDevice, type DeviceStore } from './data-folder/known-writers.js';
export { readUsage, type LaneUsage } from './data-folder/usage.js';
export { vaultIdsIn } from './data-folder/vault-identity.js';
export { DEFAULT_TRACE_LIMITS } from './integrity/retention.js';
export { MAX_PARALLEL_READS } from './read/reader.js';

// the format
export { withAppendedEvents } from './format/appended-lines.js';
export { nextTimestamp } from './format/hybrid-clock.js';
export { dayOf, isRetirable, isSegmentName, LANES, segmentPath } from './format/lanes.js';
export type { LaneName } from './format/lanes.js';
export { CHAIN_START } from './format/line-hash.js';
export { encodeLine, hasLineTail, isSequenceNumber, MAX_LINE_BYTES } from './format/line.js';
export { NEWLINE, readTailCrc, TAIL_BYTES } from './format/line.js';
export { countNumbers } from './format/number-ranges.js';
export { parseSegment, toUtf8, type LineProblem } from './format/segment.js';
export { watermarkOf } from './format/watermark.js';
