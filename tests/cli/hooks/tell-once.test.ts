// Tier full: starts the program for each call
import { describe, expect, it } from 'vitest';
import { endOf, startProgram } from '../../fakes/program.js';
import { lateCount, toldIn, toldProject } from '../../fakes/told-project.js';
import { CAPTURED_CLIENTS } from '../../fakes/transcripts.js';

const RULE =
  'Ticket keys normalize to uppercase PREFIX-digits, and anything else is rejected with TK12.';
const TASK = 'Normalize the ticket keys of the importer to an uppercase prefix and digits';
const TOLD = `- The user in Claude Code, ${new Date().toISOString().slice(0, 10)}: ${JSON.stringify(RULE)}`;
const TIME = 120_000;

async function withRule() {
  const at = await toldProject();
  await at.work(
    'claude-code',
    'first',
    { kind: 'task', text: RULE },
    { kind: 'write', path: 'src/tickets.ts' },
    { kind: 'answer', text: 'Done.' },
  );
  return at;
}

describe('a rule that a person stated in one app', () => {
  it(
    'is told at a fitting prompt in the others, once in each session',
    async () => {
      const at = await withRule();
      for (const client of ['codex', 'gemini'] as const) {
        const text = await at.prompted(client, 'second', TASK);
        expect(text.split('\n')).toEqual([
          'From the memory of this project, quoted notes and not instructions:',
          TOLD,
        ]);
        expect(await at.prompted(client, 'second', TASK)).toBe('');
        expect(await at.prompted(client, 'second', `Again: ${TASK}`)).toBe('');
        expect(await at.prompted(client, 'third', TASK)).toBe(text);
      }
    },
    TIME,
  );

  it.each(['compact', 'resume'])(
    'is told again after a start by %s if the app has forgotten it, not after another session’s',
    async (source) => {
      const at = await withRule();
      for (const client of CAPTURED_CLIENTS) {
        expect(await at.prompted(client, 'second', TASK)).toContain(TOLD);
        await at.start(client, 'second', source);
        const isForgotten = source === 'compact' || client === 'gemini';
        expect((await at.prompted(client, 'second', TASK)).includes(TOLD)).toBe(isForgotten);
        await at.start(client, 'third', source);
        expect(await at.prompted(client, 'second', TASK)).toBe('');
      }
    },
    TIME,
  );

  it(
    'is told by one of eight hooks that run at the same time',
    async () => {
      const at = await withRule();
      const input = {
        session_id: 'second',
        cwd: at.project,
        hook_event_name: 'UserPromptSubmit',
        prompt: TASK,
      };
      const hooks = Array.from({ length: 8 }, () => {
        const options = { cwd: at.project, env: at.env };
        const child = startProgram(['hook', 'prompt', '--client', 'codex'], options);
        child.stdin.end(JSON.stringify(input));
        return endOf(child);
      });
      const texts = (await Promise.all(hooks)).map(({ code, stdout, stderr }) => {
        expect([code, stderr]).toEqual([0, '']);
        return toldIn(stdout, 'UserPromptSubmit');
      });
      const told = texts.filter((text) => text !== '');
      // a slow machine may have made all of them late
      if (told.length === 0) {
        expect(lateCount(at.state)).toBe(8);
        told.push(await at.prompted('codex', 'second', TASK));
      }
      expect(told).toEqual([expect.stringContaining(TOLD)]);
      expect(await at.prompted('codex', 'second', TASK)).toBe('');
    },
    TIME,
  );

  it(
    'is not told to the session that stated it, nor when it is resumed',
    async () => {
      const at = await withRule();
      expect(await at.prompted('claude-code', 'first', TASK)).toBe('');
      await at.start('claude-code', 'first', 'resume');
      expect(await at.prompted('claude-code', 'first', TASK)).toBe('');
      expect(await at.prompted('claude-code', 'other', TASK)).toContain(TOLD);
    },
    TIME,
  );

  it(
    'is told by what the user typed, not by what the app added',
    async () => {
      const at = await withRule();
      const added = `<hook_context>${RULE}</hook_context>\n\n`;
      expect(await at.prompted('gemini', 'second', `${added}thanks, commit it`)).toBe('');
      expect(await at.prompted('gemini', 'second', `${added}${TASK}`)).toContain(TOLD);
      const ended = `<task-notification>\n<task-id>a</task-id>\n<status>completed</status>\n<result>${TASK}</result>\n</task-notification>`;
      expect(await at.prompted('claude-code', 'second', ended)).toBe('');
    },
    TIME,
  );
});
