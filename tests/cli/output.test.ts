import { expect, it } from 'vitest';
import { createJsonReport, createReport } from '../../src/cli/output.js';
import { Refusal } from '../../src/model/refusal.js';

const full = Object.assign(new Error("ENOSPC: no space left on device, open '/state/x'"), {
  code: 'ENOSPC',
});
const ADVICE = `"/state/x" cannot be written (ENOSPC). Check its permissions and the space on the disk, or choose another folder for this device's data with --state.`;

function createStream() {
  let text = '';
  const write = (more: string) => (text += more);
  return { stderr: { write } as unknown as NodeJS.WriteStream, text: () => text };
}

it('a report says once what to do about a disk that cannot be written', () => {
  const { stderr, text } = createStream();
  const report = createReport({ stderr });
  report(`No copy was made: ${String(full)}`);
  for (const problem of [full, `Again: ${String(full)}`, new Refusal('Wait.')]) report(problem);
  expect(text()).toBe(`savepoint: No copy was made: ${ADVICE}\nsavepoint: Wait.\n`);
});

it('a report for programs has the stack of a bug, but not of a full disk', () => {
  const { stderr, text } = createStream();
  const report = createJsonReport({ stderr });
  for (const problem of [full, new Error('Oops')]) report(problem);
  const [disk, bug] = text().trim().split('\n');
  expect(JSON.parse(disk!)).toMatchObject({ level: 'warning', message: ADVICE });
  expect(JSON.parse(bug!)).toMatchObject({
    level: 'error',
    message: expect.stringMatching(/^Error: Oops\n {4}at /) as string,
  });
});
