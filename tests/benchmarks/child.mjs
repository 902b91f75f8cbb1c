/**
 * `node --expose-gc tests/benchmarks/child.mjs PROGRAM [--describe]` runs a compiled benchmark and sends
 * what comes of it, one message each: its question and the folders that it measures, then (unless
 * it is only described) its figures, or why there are none.
 */
import { pathToFileURL } from 'node:url';

const [program, isDescribed] = process.argv.slice(2);

const send = (message) => new Promise((resolve) => process.send(message, resolve));
const stop = async (error) => {
  const reason = error instanceof Error ? error.message : String(error);
  await send(error?.name === 'NotRunError' ? { notRun: reason } : { problem: `threw "${reason}"` });
  process.exit();
};
process.on('uncaughtException', stop);
process.on('disconnect', () => process.exit(1)); // the process that asked is gone
process.channel.unref(); // a benchmark that waits for nothing ends at once

try {
  const { question, measures, answer } = await import(pathToFileURL(program).href);
  await send({ question, measures });
  if (!isDescribed) await send({ figures: await answer() });
  process.exit();
} catch (error) {
  await stop(error);
}
