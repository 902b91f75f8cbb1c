/** Makes the clock of a process show another time, or run faster, with its timers. */
const shift = Number(process.env.SAVEPOINT_TEST_CLOCK_SHIFT_MS ?? 0);
const speed = Number(process.env.SAVEPOINT_TEST_CLOCK_SPEED ?? 1);
const RealDate = Date;
const start = RealDate.now();
const now = () => start + Math.round((RealDate.now() - start) * speed) + shift;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};

if (speed !== 1)
  for (const timers of [globalThis, require('node:timers')])
    for (const name of ['setTimeout', 'setInterval']) {
      const set = timers[name];
      timers[name] = (task, ms, ...args) => set(task, ms / speed, ...args);
    }
