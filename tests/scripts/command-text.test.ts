import { describe, expect, it } from 'vitest';
import { markdownText } from '../../scripts/command-text.mjs';

describe('the text of a command', () => {
  it.each([
    ['prints JSON over HTTP', '', 'prints JSON over HTTP'],
    ['NAME is a name, ID an id', 'call NAME [--session ID]', '`NAME` is a name, `ID` an id'],
    ['With --for TEXT, TEXT counts', 'brief [--for TEXT]', 'With `--for TEXT`, `TEXT` counts'],
    ['see SAVEPOINT_VAULT and AGENTS.md', '', 'see `SAVEPOINT_VAULT` and `AGENTS.md`'],
  ])('marks only names in "%s"', (text, syntax, marked) => {
    expect(markdownText(text, syntax)).toBe(marked);
  });
});
