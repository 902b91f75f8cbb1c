import { traceData, type Trace } from '../model/trace.js';
import { createEntityId } from '../platform/random.js';
import type { ToolHost, Toolset } from '../toolkit/toolset.js';
import { withoutFolders } from '../toolkit/trace.js';
import { createToolset } from './index.js';
import type { Services } from './services.js';

export interface OpenOptions extends Pick<
  ToolHost<Services>,
  'services' | 'refuse' | 'agentsOff' | 'report'
> {
  /** The memory as a call finds it; without it, as it lies in the folder when the call comes. */
  readonly memory?: ToolHost<Services>['memory'];
  /** Folders of the vault that the traces of calls must not tell of. */
  readonly excludedFolders?: () => readonly string[];
  /** Hears of each call once it is over, as its trace tells of it. */
  readonly traced?: (trace: Omit<Trace, 'createdAt'>) => void;
  /** Whether nothing may be written, not even the traces of calls. */
  readonly isReadOnly: boolean;
}

/** The toolset as every door has it: over the log that is among the services, with each call's trace kept there. */
export function openToolset({
  services,
  refuse,
  agentsOff = () => [],
  report,
  isReadOnly,
  excludedFolders,
  traced,
  memory = () => services.log.memory(),
}: OpenOptions): Toolset<Services> {
  const { log, random } = services;
  return createToolset({
    services,
    refuse,
    agentsOff,
    report,
    memory,
    keepTrace: async (trace) => {
      const kept = withoutFolders(trace, excludedFolders?.() ?? []);
      traced?.(kept);
      if (isReadOnly) return;
      await log.writeTrace({ t: 'trace.new', e: createEntityId(random), d: traceData(kept) });
    },
  });
}
