import { traceData, type Trace } from '../model/trace.js';
import { createEntityId } from '../platform/random.js';
import type { ToolHost, Toolkit } from '../toolkit/toolkit.js';
import { redactFolders } from '../toolkit/trace.js';
import { createToolkit } from './index.js';
import type { Services } from './services.js';
import { ASKED, troubleNotices, waitingRefusal } from './trouble-notices.js';

export interface OpenToolkitOptions extends Pick<
  ToolHost<Services>,
  'services' | 'refuse' | 'disabledToolsets' | 'currentWorkspaceId' | 'report'
> {
  /** Reads the memory for a call; by default, through the log. */
  readonly memory?: ToolHost<Services>['memory'];
  /** Vault folders whose paths are redacted in traces. */
  readonly excludedFolders?: () => readonly string[];
  /** Receives the trace of each call after it ends, even if it is not stored. */
  readonly onTrace?: (trace: Omit<Trace, 'createdAt'>) => void;
  /** True if nothing may be written, not even traces. */
  readonly isReadOnly: boolean;
  /** The calls of which traces are stored; all by default. */
  readonly traced?: 'all' | 'writes' | 'none';
}

/** Creates the toolkit with all tools. It writes the trace of each call to the log by default. */
export function openToolkit({
  services,
  refuse,
  disabledToolsets = () => [],
  currentWorkspaceId,
  report,
  isReadOnly,
  traced = 'all',
  excludedFolders,
  onTrace,
  memory = () => services.log.memory(),
}: OpenToolkitOptions): Toolkit<Services> {
  const { log, random } = services;
  return createToolkit({
    services,
    refuse: async (tool, client, call) =>
      (await refuse(tool, client, call)) ?? waitingRefusal(log, tool, call),
    disabledToolsets,
    ...(currentWorkspaceId && { currentWorkspaceId }),
    report,
    memory,
    notices(tool, isFirst) {
      const trouble = log.trouble();
      return troubleNotices(trouble, tool, (notice) => {
        const isTold = isFirst(notice);
        if (isTold && notice === ASKED) void log.forgetting.tell().catch(report);
        return isTold;
      });
    },
    writeTrace: async (trace, { access }) => {
      const redacted = redactFolders(trace, excludedFolders?.() ?? []);
      onTrace?.(redacted);
      if (isReadOnly || traced === 'none' || (access === 'read' && traced === 'writes')) return;
      const draft = { t: 'trace.new', e: createEntityId(random), d: traceData(redacted) };
      await log.writeTrace(draft, 'soon');
    },
  });
}
