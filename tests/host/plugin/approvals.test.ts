import { describe, expect, test } from 'vitest';
import { connect, endOf, startProgram } from '../../fakes/program.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, AXE_WIDTHS, expectNoViolations } from '../axe.js';
import { createDesktopPlace, startDesktop } from './desktop-app.js';
import { open } from '../shared-browser.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further ways to answer an approval in the app'));

const ASKING = { askingClients: ['savepoint-tests'] };
const QUESTION = '.savepoint-approval';
const BUTTONS = '.savepoint-approval button';
const HOSTILE = '<img src=x onerror=alert(1)>';

const HIDDEN = /[\p{DI}\p{Bidi_Control}]/u;

const namesIn = (answer: unknown) =>
  (answer as { data: { name: string }[] }).data.map(({ name }) => name).sort();

describe('a client that needs approval to write', () => {
  test('reads without approval, and writes only what the user allows', async () => {
    const place = createDesktopPlace(ASKING);
    const { host, texts, click } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(await texts(QUESTION)).toEqual([]);

    const saving = call('createState', stateNamed(HOSTILE));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    expect((await texts(QUESTION))[0]).toContain('savepoint-tests wants to write to this memory');
    expect((await texts(QUESTION))[0]).toContain(`Save state: ${HOSTILE}`);
    expect((await texts(QUESTION))[0]).toContain('In workspace Default');
    expect(await texts('img')).toEqual([]);
    await click(BUTTONS, 'Allow once');
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
    expect(await texts(QUESTION)).toEqual([]);

    const refused = call('createState', stateNamed('Second'));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await click(BUTTONS, 'Deny');
    expect(await refused).toMatchObject({
      success: false,
      error: expect.stringContaining('The user did not allow this call.') as string,
    });
    expect(namesIn(await call('listStates'))).toMatchObject([HOSTILE]);
    expect(host.errors).toEqual([]);
  });

  testInFull('sees every invisible character of its request as a marker', async () => {
    const place = createDesktopPlace(ASKING);
    const { host, texts, click, run } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const params = stateNamed('Plan', {
      conversationContext: 'Open gpj.\u202eexe',
      activeFiles: ['a\u200b.md'],
      tags: ['x\u{e0041}'],
    });
    expect(await call('createState', { ...params, name: 'Plan \u202egnp.exe' })).toEqual({
      success: false,
      error: '"name" has the invisible character U+202E; leave it out.',
    });
    const saving = call('createState', params);
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await run('answer-ai-apps');
    const [modal = ''] = await texts('.savepoint-approval-modal');
    expect(modal).toContain('ContextOpen gpj.⟨U+202E⟩exe');
    expect(modal).toContain('"Open gpj.⟨U+202E⟩exe"');
    expect(modal).toContain('a⟨U+200B⟩.md');
    expect(modal).toContain('x⟨U+E0041⟩');
    const page = await host.evaluate(() => document.documentElement.outerHTML);
    expect(page).not.toMatch(HIDDEN);
    await click('.savepoint-approval-modal button', 'Allow once');
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
    expect(await call('loadState', { name: 'Plan' })).toMatchObject({
      data: { conversationContext: 'Open gpj.⟨U+202E⟩exe' },
    });
  });

  testInFull('asks for each call in a batch, until allowed for the session or always', async () => {
    const place = createDesktopPlace(ASKING);
    const { texts, click, clickNow } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const calls = ['A', 'B', 'C'].map((name) => ({
      agent: 'memoryManager',
      tool: 'createState',
      params: stateNamed(name),
    }));
    const relayed = call('useTools', { calls, strategy: 'parallel' });
    await expect.poll(() => texts(QUESTION)).toHaveLength(3);
    await click(BUTTONS, 'More options');
    await clickNow('.menu-item', 'Allow for this session');
    expect(await relayed).toMatchObject({ success: true });
    expect(await call('createState', stateNamed('D'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });

    // Another connection is another session.
    const other = await connect(place.vault, place.state);
    const saving = other.call('createState', stateNamed('E'));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await click(BUTTONS, 'More options');
    await clickNow('.menu-item', 'Always allow');
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
    const third = await connect(place.vault, place.state);
    expect(await third.call('createState', stateNamed('F'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(namesIn(await third.call('listStates'))).toMatchObject(['A', 'B', 'C', 'D', 'E', 'F']);
  });

  testInFull('asks without taking the focus, and shows all parameters in a dialog', async () => {
    const place = createDesktopPlace(ASKING);
    const { host, texts, click, run } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const focused = () => host.evaluate(() => document.activeElement?.id ?? '');
    await host.evaluate(() => {
      const field = document.body.createEl('textarea', { attr: { id: 'note' } });
      field.focus();
    });
    const saving = call('createState', stateNamed('Plan', { nextSteps: ['One', 'Two'] }));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    const waiting = call('createWorkspace', garden);
    await expect.poll(() => texts(QUESTION)).toHaveLength(2);
    const [, creating] = await texts(QUESTION);
    expect(creating).toContain('Create workspace: Garden');
    expect(creating).not.toContain('In workspace');
    expect(await focused()).toBe('note');
    await expect
      .poll(() =>
        host.evaluate(() =>
          document
            .querySelector('.status-bar-item[aria-label*="waiting for"]')
            ?.getAttribute('aria-label'),
        ),
      )
      .toBe('2 AI app requests are waiting for approval');

    await run('answer-ai-apps');
    const facts = async () => (await texts('.savepoint-approval-modal')).join('\n');
    expect(await facts()).toContain('ContextWe talked.');
    expect(await facts()).toContain('Next stepsOne\nTwo');
    expect(await facts()).toContain('"conversationContext": "We talked."');
    expect(await facts()).toContain('1 more request waiting');
    expect(await host.evaluate(() => document.activeElement?.textContent)).toBe('Allow once');
    await click('.savepoint-approval-modal button', 'Allow once');
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
    await expect.poll(facts).toContain('Create workspace');
    expect(await facts()).not.toContain('WorkspaceDefault');
    await click('.savepoint-approval-modal button', 'Deny');
    expect(await waiting).toMatchObject({ success: false });
    await expect.poll(() => texts('.savepoint-approval-modal')).toEqual([]);
    expect(await focused()).toBe('note');
  });

  testInFull('ignores clicks at the moment that its question appears', async () => {
    const place = createDesktopPlace(ASKING);
    const { texts, clickNow, click, host } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const saving = call('createState', stateNamed('Plan'));
    const seen = await host.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const look = () => {
            const button = document.querySelector<HTMLElement>('.savepoint-approval button');
            if (!button) return void setTimeout(look, 1);
            button.click();
            resolve(document.querySelectorAll('.savepoint-approval').length);
          };
          look();
        }),
    );
    expect(seen).toBe(1);
    await clickNow(
      `${QUESTION} .savepoint-approval-title`,
      'savepoint-tests wants to write to this memory',
    );
    expect(await texts(QUESTION)).toHaveLength(1);
    await click(BUTTONS, 'Allow once');
    expect(await saving).toMatchObject({ success: true, workspace: 'Default' });
  });
});

describe('an open approval', () => {
  testInFull('is withdrawn when its client disconnects, and nothing is written', async () => {
    const place = createDesktopPlace({ otherClients: 'ask' });
    const { texts, host } = await startDesktop(place);
    const child = startProgram(['mcp', '--vault', place.vault, '--state', place.state]);
    const ended = endOf(child);
    const params = { name: 'createState', arguments: stateNamed('Plan') };
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`,
    );
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    child.stdin.end();
    expect((await ended).code).toBe(0);
    await expect.poll(() => texts(QUESTION)).toEqual([]);
    const { call } = await connect(place.vault, place.state);
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Default', data: [] });
    expect(host.errors).toEqual([]);
  });

  testInFull('is refused when the plugin is disabled, and asked again afterwards', async () => {
    const place = createDesktopPlace(ASKING);
    const { host, texts, click } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const cut = call('createState', stateNamed('Plan'));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await host.evaluate((running) => running.app.plugins.disablePlugin('savepoint'));
    expect(await texts(QUESTION)).toEqual([]);
    expect(await cut).toMatchObject({
      success: false,
      error: expect.stringContaining('Nothing was written') as string,
    });
    expect(await call('createState', stateNamed('Plan'))).toMatchObject({
      error: expect.stringContaining('in Obsidian, which does not have this vault open') as string,
    });
    await host.evaluate((running) =>
      running.app.plugins.enablePlugin('savepoint').then(() => undefined),
    );
    await expect.poll(() => texts('.status-bar-item')).toContain('Default');
    const again = call('createState', stateNamed('Plan'));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await click(BUTTONS, 'Allow once');
    expect(await again).toMatchObject({ success: true, workspace: 'Default' });
    expect(namesIn(await call('listStates'))).toMatchObject(['Plan']);
    expect(host.errors).toEqual([]);
  });

  testInFull('is shared by repeats of the call with the same key', async () => {
    const place = createDesktopPlace(ASKING);
    const { texts, click } = await startDesktop(place);
    const { client, call } = await connect(place.vault, place.state);
    const save = async () =>
      (
        await client.callTool({
          name: 'createState',
          arguments: stateNamed('Plan'),
          _meta: { 'savepoint/key': 'k1' },
        })
      ).structuredContent;
    const answers = Promise.all([save(), save()]);
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await click(BUTTONS, 'Allow once');
    expect(await answers).toMatchObject([
      { success: true, workspace: 'Default' },
      { success: true, workspace: 'Default' },
    ]);
    expect(await save()).toMatchObject({ success: true, workspace: 'Default' });
    expect(await texts(QUESTION)).toEqual([]);
    expect(namesIn(await call('listStates'))).toMatchObject(['Plan']);
  });

  testInFull('is refused when the settings become read-only', async () => {
    const place = createDesktopPlace(ASKING);
    const { texts, openPage, turn } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    const saving = call('createState', stateNamed('Plan'));
    await expect.poll(() => texts(QUESTION)).toHaveLength(1);
    await openPage('AI apps');
    await turn('Read-only for all');
    expect(await saving).toMatchObject({
      error: expect.stringContaining('AI apps may only read this memory.') as string,
    });
    expect(await texts(QUESTION)).toEqual([]);
  });
});

describe('the activity of clients', () => {
  const NOTICES = '.notice';

  testInFull('is shown in notices for writes, for all calls, or not at all', async () => {
    const place = createDesktopPlace();
    const { texts, host } = await startDesktop(place);
    const { call } = await connect(place.vault, place.state);
    await call('listStates');
    expect(await texts(NOTICES)).toEqual([]);
    await call('createState', stateNamed(HOSTILE));
    await expect.poll(() => texts(NOTICES)).toEqual([`savepoint-tests: Save state: ${HOSTILE}.`]);
    await call('createState', stateNamed('Second'));
    await expect
      .poll(() => texts(NOTICES))
      .toEqual(['savepoint-tests: Save state: Second. And 1 earlier call.']);
    expect(await texts('img')).toEqual([]);

    const quiet = createDesktopPlace({ clientNotices: 'off' });
    const other = await startDesktop(quiet);
    const { call: callQuietly } = await connect(quiet.vault, quiet.state);
    await callQuietly('createState', stateNamed('Plan'));
    const talkative = createDesktopPlace({ clientNotices: 'all' });
    const third = await startDesktop(talkative);
    const { call: callLoudly } = await connect(talkative.vault, talkative.state);
    await callLoudly('loadState', { name: 'None' });
    await expect
      .poll(() => third.texts(NOTICES))
      .toEqual(['savepoint-tests: Load state: None (failed).']);
    expect(await other.texts(NOTICES)).toEqual([]);
    expect(host.errors).toEqual([]);
  });

  testInFull('appears in the memory view immediately', async () => {
    const place = createDesktopPlace({ clientNotices: 'off' });
    const { texts, run } = await startDesktop(place);
    await run('open-memory');
    const { call } = await connect(place.vault, place.state);
    await call('createWorkspace', garden);
    await expect
      .poll(async () => (await texts('.workspace-leaf-content')).join('\n'))
      .toContain('Garden');
  });
});

testInFull('approvals and their dialog have no axe-core violations', async () => {
  const place = createDesktopPlace(ASKING);
  const { host, texts, run, click, openPage } = await startDesktop(place);
  const { call } = await connect(place.vault, place.state);
  const answers = [call('createState', stateNamed('Plan')), call('createWorkspace', garden)];
  await expect.poll(() => texts(QUESTION)).toHaveLength(2);
  const shown: string[] = [];
  const keep = async (selector: string) =>
    shown.push(
      await host.evaluate(
        (_, wanted) => [...document.querySelectorAll(wanted)].at(-1)!.outerHTML,
        selector,
      ),
    );
  await keep('.notice-container');
  await run('answer-ai-apps');
  await keep('.modal-container');
  for (let left = answers.length; left > 0; left--)
    await click('.savepoint-approval-modal button', 'Allow once');
  await Promise.all(answers);
  await openPage('AI apps');
  await keep('.modal-container');
  for (const width of AXE_WIDTHS) {
    const { page, setTheme } = await open({ width });
    for (const theme of AXE_THEMES) {
      await setTheme(theme);
      for (const html of shown) {
        await page.evaluate((box) => {
          const made = document.createRange().createContextualFragment(box).firstElementChild!;
          made.id = 'kept';
          document.body.append(made);
        }, html);
        await expectNoViolations(page, '#kept');
        for (const button of await page.locator('#kept .modal-button-container .mod-cta').all())
          expect(
            await button.evaluate((each) => each.getBoundingClientRect().bottom <= innerHeight),
          ).toBe(true);
        expect(
          await page.locator('#kept').evaluate((box) => box.scrollWidth - box.clientWidth),
        ).toBe(0);
        await page.evaluate(() => document.getElementById('kept')?.remove());
      }
    }
  }
});
