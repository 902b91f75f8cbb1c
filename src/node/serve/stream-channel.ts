import type { ByteChannel } from '../../bridge/framing.js';
import type { NodeModules } from '../modules.js';

/** Creates a channel from two streams, or the two sides of a socket. `close` ends them. */
export function createStreamChannel(
  input: import('node:stream').Readable,
  output: import('node:stream').Writable,
  timers: NodeModules['timers'],
  close: () => void,
): ByteChannel {
  let isClosed = false;
  return {
    listen(onData, onEnd) {
      let hasEnded = false;
      const end = () => {
        if (!hasEnded) onEnd();
        hasEnded = true;
      };
      input.on('data', onData);
      for (const event of ['end', 'error', 'close'] as const) input.once(event, end);
      output.once('error', end);
    },
    pause() {
      input.pause();
    },
    resume() {
      if (!isClosed) input.resume(); // a flowing input keeps the program alive
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        output.write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close() {
      isClosed = true;
      input.removeAllListeners('data').pause();
      close();
    },
    after(ms, task) {
      const timer = timers.setTimeout(task, ms);
      return () => timers.clearTimeout(timer);
    },
  };
}
