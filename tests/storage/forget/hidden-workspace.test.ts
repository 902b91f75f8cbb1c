import { describe, expect, it } from 'vitest';
import { troubleNotices } from '../../../src/agents/trouble-notices.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { planForget, readForgotten } from '../../../src/storage/forget/forget-plan.js';
import { memoryOf, readLogLines } from '../../../src/storage/log-lines.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { stateDraft, workspaceDraft } from '../../fakes/events.js';
import { put, ROOT } from '../helpers.js';
import { createDevices } from './devices.js';
import { Partner } from './partner.js';

/** A device with a workspace that contains two states and a record. */
async function setUp() {
  const { vault, device, linesOf } = createDevices();
  const log = device('laptop').open();
  await put(log, workspaceDraft('Yard', 'yard'));
  for (const name of ['one', 'two']) await put(log, await stateDraft(name, `st-${name}`, 'yard'));
  await put(log, {
    t: 'record.new',
    e: 'r1',
    d: { ws: 'yard', kind: 'task', title: 'Ship it', by: {} },
  });
  const partner = new Partner(() => vault.clock.now());
  const count = async () => {
    await log.memory();
    const [notice] = troubleNotices(log.trouble(), { access: 'read' }, () => true);
    const { forgotten } = await verify(vault.files, ROOT, { now: vault.clock.now() });
    return [/remove (\d+) entr/.exec(notice ?? '')?.[1], forgotten.at(-1)?.count];
  };
  const review = async () => {
    const keys = (await log.forgetting.list()).map(({ key }) => key);
    return readForgotten({ files: vault.files, root: ROOT }, new Set(keys));
  };
  return { vault, log, linesOf, partner, count, review };
}

describe('A request that names the line of a workspace', () => {
  it('counts and shows the workspace with everything in it', async () => {
    const { vault, log, linesOf, partner, count, review } = await setUp();
    const { event } = partner.forget(await linesOf('yard'));
    partner.putInto(vault.files);
    expect(await count()).toEqual(['4', 4]);
    const items = (await review()).get(forgetKey(event));
    expect(items).toMatchObject([{ type: 'workspace', title: 'Yard' }]);
    await log.close();
  });

  it('counts and shows its earlier texts if the workspace stays', async () => {
    const { vault, log, linesOf, partner, count, review } = await setUp();
    await put(log, { t: 'set', e: 'yard', d: { '/purpose': 'Other' } });
    const { lines } = await readLogLines(vault.files, ROOT);
    const request = { kind: 'workspace', name: 'yard', workspaceId: 'yard' } as const;
    for (const draft of planForget(lines, memoryOf(lines), request).kept) partner.write(draft);
    const { event } = partner.forget((await linesOf('yard')).slice(0, 2));
    partner.putInto(vault.files);
    expect(await count()).toEqual(['2', 2]);
    expect((await review()).get(forgetKey(event))).toMatchObject([{ type: 'ws.new' }]);
    await log.close();
  });
});
