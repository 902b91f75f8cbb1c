import type { NodeModules } from './modules.js';

type Modules = Pick<NodeModules, 'fs' | 'callbackFs' | 'path' | 'crypto' | 'timers'>;
type StatOptions = import('node:fs').StatOptions;

/** A look-up that takes longer shows a slow disk. */
const SLOW_MS = 5;
/** Time for which a slow disk is looked up by the thread pool. */
const SLOW_PAUSE_MS = 1000;

/**
 * Returns Node's modules with an `fs.stat` that looks up at once, because the way through the
 * thread pool takes many times longer than the look-up itself. A slow disk must not hold up other
 * calls, so it is looked up by the thread pool. Not for a process that shows a window.
 */
export function withQuickStat(node: Modules, now = () => performance.now()): Modules {
  const { fs, callbackFs, path, timers } = node;
  let slowUntil = -Infinity;
  const stat = async (file: string, options?: StatOptions) => {
    const start = now();
    if (start < slowUntil) return fs.stat(file, options);
    try {
      return callbackFs.statSync(file, options);
    } finally {
      const end = now();
      if (end - start > SLOW_MS) slowUntil = end + SLOW_PAUSE_MS;
    }
  };
  return {
    fs: { ...fs, stat: stat as typeof fs.stat },
    callbackFs,
    path,
    timers,
    get crypto() {
      return node.crypto;
    },
  };
}
