import { expect, it } from 'vitest';
import { captureProject } from '../../fakes/captured-project.js';

it('says how many tokens the brief of a linked project has', async () => {
  const at = await captureProject('off');
  const state = {
    name: 'Outline',
    conversationContext: 'x',
    activeTask: 'Draft chapter two',
    activeFiles: [],
    nextSteps: ['Read it'],
  };
  const params = ['--workspace', 'App', '--json', JSON.stringify(state)];
  await at.run('call', 'createState', '--vault', at.vault, ...params);
  const { stdout } = await at.run('doctor', '--vault', at.vault, '--json');
  const { capture } = JSON.parse(stdout) as { capture: { name: string; text: string }[] };
  const [, tokens] =
    /starts with about (\d+) of at most 800 tokens; capture itself costs none$/.exec(
      capture.find(({ name }) => name === 'brief')?.text ?? '',
    ) ?? [];
  expect(Number(tokens)).toBeGreaterThan(20);
});
