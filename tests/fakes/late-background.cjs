// Preloaded into a program (`NODE_OPTIONS=--require`), delays its processes in the background until the file that LATE_UNTIL names exists, and creates one beside it when they end.
const { existsSync, writeFileSync } = require('node:fs');

const file = process.env.LATE_UNTIL;
if (process.argv.includes('--background')) {
  const end = Date.now() + 60_000;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(file) && Date.now() < end) Atomics.wait(cell, 0, 0, 20);
  process.once('exit', () => writeFileSync(`${file}.ended`, ''));
}
