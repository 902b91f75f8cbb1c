// Tier full: agents are real processes, which take seconds to start.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, journalOf, start } from './agent-app.js';

const NOTE = Array.from({ length: 60 }, (_, at) => `Row ${at + 1} of the beds`).join('\n');

test('an agent gets the open note once while it runs, and whole when it is started', async () => {
  const place = createPlace();
  writeFileSync(join(place.vault, 'note.md'), NOTE);
  const app = await start(place);
  await app.add('Claude Code');
  await app.run('open-chat');
  const prompts = () => journalOf(place).flatMap(({ prompt }) => prompt ?? []);
  const ask = async (words: string) => {
    const count = prompts().length;
    await app.send(words);
    await expect.poll(() => prompts().length, { timeout: 60_000 }).toBe(count + 1);
    await app.idle();
    return prompts().at(-1)!;
  };
  await app.host.evaluate((host) => host.app.workspace.openLinkText('note.md', ''));
  await expect.poll(() => app.texts('.savepoint-open-note')).not.toEqual([]);
  await app.host.evaluate(() =>
    document.querySelector<HTMLElement>('.savepoint-open-note [aria-pressed]')!.click(),
  );
  await expect.poll(() => app.texts('.savepoint-open-note [aria-pressed=true]')).not.toEqual([]);
  expect(await ask('do: say One.')).toContain('> Row 60 of the beds');
  const second = await ask('do: say Two.');
  expect(second).toContain('Unchanged since it was sent: the note "note.md"');
  expect(second).not.toContain('Row 60');
  await app.host.evaluate(async (host) => {
    const { vault } = host.app;
    const note = vault.getFileByPath('note.md')!;
    await vault.process(note, (text) => text.replace('Row 30 of', 'Line 30 of'));
  });
  const third = await ask('do: say Three.');
  expect(third).toContain('> -Row 30 of the beds\n> +Line 30 of the beds');
  expect(third).not.toContain('Row 60');
  // the first prompt of another run has only the end of the conversation
  await app.host.evaluate(async (host) => {
    await host.app.plugins.disablePlugin('savepoint');
    await host.app.plugins.enablePlugin('savepoint');
  });
  const conversation = journalOf(place)
    .flatMap(({ mcpServers = [] }) => mcpServers)
    .map(({ args }) => args[args.indexOf('--session') + 1]!)
    .at(-1)!;
  await app.run('open-chat');
  await app.show(conversation);
  await expect.poll(() => app.answers()).toContain('Three.');
  expect(await ask('do: say Four.')).toContain('> Line 30 of the beds\n> Row 31 of the beds');
  expect(await ask('do: say Five.')).toContain('Unchanged since it was sent');
}, 180_000);
