import type { ByteChannel } from '../bridge/line-transport.js';
import type { NodeModules } from './modules.js';

/** Standard input and output as a channel. */
export function createStdioChannel(process: Pick<NodeJS.Process, 'stdin' | 'stdout'>, timers: NodeModules['timers']): ByteChannel {
  const { stdin, stdout } = process;
  return {
    listen(onData, onEnd) {
      stdin.on('data', onData);
      stdin.once('end', onEnd);
      stdin.once('error', onEnd);
      // The client is gone: there is nobody left to answer.
      stdout.once('error', onEnd);
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      stdin.removeAllListeners('data').pause();
    },
    after(ms, task) {
      const timer = timers.setTimeout(task, ms);
      return () => timers.clearTimeout(timer);
    },
  };
}
