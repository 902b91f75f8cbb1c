import { expect, it } from 'vitest';
import { sessionDraft } from '../../../../src/capture/checkpoint-trace.js';
import { readCheckpoint, type Checkpoint } from '../../../../src/model/text/checkpoint.js';
import { createTestVault, stateNamed, type TestVault } from '../../../fakes/test-vault.js';

let count = 0;

async function addCheckpoint({ log }: TestVault, checkpoint: Checkpoint): Promise<void> {
  const origin = { workspaceId: 'default', sessionId: 's' };
  await log.writeTrace(sessionDraft('entity', origin, checkpoint, `key ${++count}`));
}

it('promotes the last checkpoint of the workspace to a state', async () => {
  const vault = createTestVault();
  const params = stateNamed('After', {
    activeFiles: ['project:a.ts'],
    nextSteps: ['Test'],
    fromCheckpoint: true,
  });
  expect(await vault.error('createState', params)).toBe(
    'The workspace "Default" has no checkpoint. Leave fromCheckpoint out. Checkpoints come from sessions in a linked project.',
  );
  const data = {
    turns: [{ message: 'Fix the login', answer: 'Fixed.', isTask: true }],
    written: ['project:a.ts', 'project:b.ts'],
    todos: [
      { text: 'Done', isDone: true },
      { text: 'Open', isDone: false },
    ],
  };
  await addCheckpoint(vault, readCheckpoint({ turns: [{ message: 'Older', isTask: true }] })!);
  await addCheckpoint(vault, readCheckpoint(data)!);
  expect((await vault.call('createState', params)).success).toBe(true);
  expect(await vault.data('loadState', { name: 'After' })).toMatchObject({
    activeFiles: ['project:a.ts', 'project:b.ts'],
    nextSteps: ['Test', 'Open'],
    conversationContext: expect.stringContaining(
      'From the last checkpoint:\nTask: Fix the login\nLast answer: Fixed.\nFiles written (2): project:a.ts, project:b.ts',
    ) as string,
  });
});

it('shows a checkpoint in the timeline and finds it in the memory', async () => {
  const vault = createTestVault();
  await addCheckpoint(
    vault,
    readCheckpoint({ turns: [{ message: 'Fix the peculiar login', isTask: true }] })!,
  );
  expect(await vault.data('timeline', { kinds: ['checkpoint'] })).toMatchObject([
    { kind: 'checkpoint' },
  ]);
  const [first] = (await vault.data('searchMemory', { query: 'peculiar' })) as object[];
  expect(first).toMatchObject({ kind: 'checkpoint', content: 'Fix the peculiar login' });
});
