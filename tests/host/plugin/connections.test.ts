import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { AXE_THEMES, AXE_WIDTHS, expectNoViolations } from '../axe.js';
import { startNodeHost, type NodeHost } from '../node-host.js';
import { personAt, whenShown } from './desktop-app.js';
import { open } from '../shared-browser.js';
import { openSettings, row } from './settings-window.js';
import { inFull } from '../../tier.js';

const testInFull = test.runIf(inFull('further cases of connecting apps'));

const OTHERS =
  '{\n  "mcpServers": {\n    "other": { "command": "y", "env": { "API_KEY": "sk-ant-0123456789abcdefghijklmnop" } }\n  }\n}\n';

/** Creates a home folder with Claude Desktop and Codex, and a vault with the installed plugin. */
function createHome() {
  const home = temporaryFolder('home');
  const vault = join(home, 'my vault 工作');
  const plugin = join(vault, '.obsidian/plugins/savepoint/main.js');
  const desktop = join(home, '.config/Claude/claude_desktop_config.json');
  for (const folder of [dirname(plugin), dirname(desktop), join(home, '.codex')])
    mkdirSync(folder, { recursive: true });
  for (const file of ['main.js', 'manifest.json'])
    copyFileSync(join(dirname(PROGRAM), file), join(dirname(plugin), file));
  writeFileSync(desktop, OTHERS);
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: '',
  };
  const launcher = join(env.SAVEPOINT_STATE, 'program/savepoint.js');
  return { home, vault, plugin, desktop, launcher, state: env.SAVEPOINT_STATE, env };
}

async function start({ vault, plugin, env }: ReturnType<typeof createHome>, isMobile = false) {
  const host = await startNodeHost({ vault, plugin, env, isMobile });
  onTestFinished(() => host.kill());
  const person = by(host);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { host, ...person };
}

/** Actions and observations of a user who connects apps. */
function by(host: NodeHost) {
  const person = personAt(host);
  return {
    ...person,
    text: async (selector: string) => (await person.texts(selector)).join('\n'),
    offered: () =>
      host.evaluate((running) => running.app.commands.listCommands().map(({ id }) => id)),
    press: (label: string) => person.clickNow('.modal button', label),
    choose: (title: string) =>
      host.evaluate((_, wanted) => {
        const found = [...document.querySelectorAll('.prompt .suggestion-item')].find((each) =>
          each.textContent?.startsWith(wanted),
        );
        if (!found) throw new Error(`"${wanted}" is not offered`);
        (found as HTMLElement).click();
      }, title),
    /** Selects a value in the dropdown with this label. */
    pickOption: (label: string, value: string) =>
      whenShown(() =>
        host.evaluate(
          (_, { label: wanted, value }) => {
            const nameOf = (each: Element) =>
              each.getAttribute('aria-label') ??
              document.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent;
            const list = [...document.querySelectorAll('.modal select')].find(
              (each) => nameOf(each) === wanted,
            );
            if (!list) throw new Error(`There is no list "${wanted}"`);
            (list as HTMLSelectElement).value = value;
            list.dispatchEvent(new Event('change'));
          },
          { label, value },
        ),
      ),
    /** Label of the plug icon in the status bar, or empty if it is hidden. */
    client: () =>
      host.evaluate(() => {
        const plug = document.querySelector<HTMLElement>('.status-bar [role="img"]');
        return plug && plug.style.display !== 'none' ? plug.getAttribute('aria-label') : '';
      }),
  };
}

describe.skipIf(process.platform === 'darwin')('connecting an app', () => {
  testInFull('previews, applies, checks and undoes the change', async () => {
    const home = createHome();
    const { host, run, texts, text, choose, press, turn, pickOption } = await start(home);
    await run('connect-ai-app');
    await expect
      .poll(() => texts('.prompt .suggestion-title'))
      .toEqual(['Claude Desktop', 'Codex']);
    await choose('Claude Desktop');
    await expect.poll(() => text('.savepoint-change')).toContain('+     "savepoint"');
    expect(await text('.modal')).toContain(home.desktop);
    expect(await text('.modal')).not.toContain('sk-ant-0123456789');
    expect(readFileSync(home.desktop, 'utf8')).toBe(OTHERS);
    await turn('Read-only');
    await expect.poll(() => text('.savepoint-change')).toContain('"--read-only"');
    await turn('Read-only');
    await expect.poll(() => text('.savepoint-change')).not.toContain('"--read-only"');

    await pickOption('Extra tools', 'all');
    await expect.poll(() => text('.savepoint-change')).toContain('"--toolsets"');
    await pickOption('Extra tools', '');
    await expect.poll(() => text('.savepoint-change')).not.toContain('"--toolsets"');

    await press('Connect');
    await expect
      .poll(() => texts('.savepoint-verdict-title'), { timeout: 60_000 })
      .toEqual(['Claude Desktop is connected']);
    expect(await texts('.savepoint-step.is-good .savepoint-step-words > :first-child')).toEqual([
      'Node found',
      'Savepoint found',
      'Vault found',
      'Server starts',
      'Tools listed',
      'Test call works',
    ]);
    expect(await texts('.savepoint-step-time')).toHaveLength(6);
    expect(await texts('.savepoint-step.is-bad')).toEqual([]);
    const { mcpServers } = JSON.parse(readFileSync(home.desktop, 'utf8')) as {
      mcpServers: Record<string, { args: string[] }>;
    };
    expect(Object.keys(mcpServers)).toEqual(['other', 'savepoint']);
    expect(mcpServers['savepoint']?.args).toEqual([
      home.launcher,
      'mcp',
      '--vault',
      home.vault,
      '--state',
      home.state,
    ]);

    await press('Undo');
    await expect
      .poll(() => text('.modal-content'))
      .toContain('Restored the settings of Claude Desktop.');
    expect(readFileSync(home.desktop, 'utf8')).toBe(OTHERS);
    expect(host.errors).toEqual([]);
  });

  testInFull('reports the position in a malformed file, and keeps the file', async () => {
    const home = createHome();
    writeFileSync(home.desktop, '{ oops }');
    const { run, text, choose, texts } = await start(home);
    await run('connect-ai-app');
    await expect.poll(() => text('.prompt')).toContain("Can't read its settings");
    await choose('Claude Desktop');
    await expect.poll(() => text('.savepoint-problem')).toContain('line 1, column 3');
    expect(await texts('.modal button')).toEqual(['Cancel']);
    expect(readFileSync(home.desktop, 'utf8')).toBe('{ oops }');
  });

  testInFull('does not say that all works while something is uncertain', async () => {
    const home = createHome();
    const settings = join(home.home, '.codex/config.toml');
    const { run, texts } = await start(home);
    const entry = `command = "${process.execPath}"\nargs = ["${home.plugin}", "mcp", "--vault", "${home.vault}"]`;
    writeFileSync(settings, `[mcp_servers.savepoint]\n${entry}\n\n[features]\nmemories = true\n`);
    await run('check-connections');
    await expect
      .poll(() => texts('.savepoint-verdict-title'), { timeout: 60_000 })
      .toEqual(['Nothing has failed, but not all is certain']);
    expect(await texts('.savepoint-verdict.is-good')).toEqual([]);
    expect(await texts('.savepoint-step.is-unsure .savepoint-step-words > :first-child')).toEqual([
      'Entry enabled',
    ]);
  });

  testInFull('names the failing step with a fix, and can be undone by disconnecting', async () => {
    const home = createHome();
    const { host, run, text, texts, press, choose } = await start(home);
    await run('check-connections');
    await expect
      .poll(() => texts('.savepoint-verdict-title'))
      .toEqual(['No AI app is connected to this vault']);
    await press('Close');

    const entry = { command: '/nowhere/node', args: [home.plugin, 'mcp', '--vault', home.vault] };
    writeFileSync(home.desktop, JSON.stringify({ mcpServers: { savepoint: entry } }));
    await run('check-connections');
    await expect
      .poll(() => texts('.savepoint-verdict-title'))
      .toEqual(['Some connections need attention']);
    expect(await texts('.savepoint-step.is-bad .savepoint-step-words > :first-child')).toEqual([
      'Node found',
    ]);
    expect(await text('.savepoint-step-fix')).toMatch(
      /^Fix: install Node .* connect this app again\.$/,
    );
    expect(await text('.modal')).toContain('has this vault open');
    await press('Close');

    await run('connect-ai-app');
    await expect.poll(() => text('.prompt')).toContain('Connected as "savepoint"');
    await choose('Claude Desktop');
    await expect.poll(() => text('.savepoint-change')).toContain('-');
    await press('Disconnect');
    await expect
      .poll(() => texts('.savepoint-verdict-title'))
      .toEqual(['Claude Desktop is disconnected']);
    expect(JSON.parse(readFileSync(home.desktop, 'utf8'))).toEqual({ mcpServers: {} });
    expect(host.errors).toEqual([]);
  });

  testInFull('copies a config with the program and the vault', async () => {
    const home = createHome();
    const { run, catchCopies, copied } = await start(home);
    await catchCopies();
    await run('copy-mcp-config');
    await expect.poll(copied).toContain('mcpServers');
    const { mcpServers } = JSON.parse(await copied()) as {
      mcpServers: { savepoint: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.savepoint;
    expect(existsSync(command)).toBe(true);
    expect(args).toEqual([home.launcher, 'mcp', '--vault', home.vault, '--state', home.state]);
  });
});

describe('the AI apps page', () => {
  testInFull('shows callers, makes one or all of them read-only, and lists refusals', async () => {
    const home = createHome();
    const { host, openPage, text, texts, turn, pickOption, press, client, catchCopies, copied } =
      await start(home);
    await catchCopies();
    await openPage('AI apps');
    await expect
      .poll(() => text('.modal'))
      .toContain('No app has connected since Obsidian started.');
    expect(await client()).toBe('');

    const { call } = await connect(home.vault, home.state);
    expect(await call('createWorkspace', garden)).toEqual({ success: true });
    await expect
      .poll(() => text('.modal'))
      .toMatch(
        /savepoint-tests.*1 call since Obsidian started; the last was createWorkspace, now\./s,
      );
    expect(await client()).toBe('savepoint-tests is using this memory');

    await pickOption('Access of savepoint-tests', 'read');
    const refusal = async () => JSON.stringify(await call('archiveState', { name: 'None' }));
    await expect.poll(refusal).toContain('savepoint-tests\\" may only read this memory.');
    expect(await call('createState', stateNamed('One'))).toMatchObject({ success: false });
    expect(await call('listStates')).toEqual({ success: true, workspace: 'Garden', data: [] });
    await pickOption('Access of savepoint-tests', 'usual');
    await expect.poll(refusal).toContain('None');
    expect(await call('createState', stateNamed('Two'))).toEqual({
      success: true,
      workspace: 'Garden',
    });
    await turn('Read-only for all');
    await expect.poll(refusal).toContain('AI apps may only read this memory.');
    expect(await call('createState', stateNamed('Three'))).toMatchObject({ success: false });

    await expect
      .poll(() => text('.savepoint-audit'))
      .toContain('AI apps may only read this memory.');
    expect(await text('.savepoint-audit')).toContain(
      '"savepoint-tests" may only read this memory.',
    );
    expect(await texts('.savepoint-audit tbody tr:last-child td')).toEqual([
      'now',
      'savepoint-tests',
      'createWorkspace',
      'Done',
    ]);
    await press('Copy as CSV');
    await expect.poll(copied).toContain('"savepoint-tests","Garden"');
    expect((await copied()).split('\r\n')[0]).toBe(
      '"When","App","Workspace","Session","Tool","Outcome","Parameters"',
    );
    await press('Export as note');
    const notes = () => readdirSync(home.vault).filter((name) => name.startsWith('AI app calls '));
    await expect.poll(notes).toHaveLength(1);
    expect(readFileSync(join(home.vault, notes()[0]!), 'utf8')).toContain(
      '| savepoint-tests | Garden |',
    );
    await turn('Let AI apps connect');
    await expect
      .poll(() =>
        readdirSync(home.state, { recursive: true }).filter((name) =>
          String(name).endsWith('live.json'),
        ),
      )
      .toEqual([]);
    expect(host.errors).toEqual([]);
  });
});

describe('the dialogs and the settings page', () => {
  testInFull('have no axe-core violations in any theme and width', async () => {
    const home = createHome();
    const { host, run, texts, text, choose, press, openPage } = await start(home);
    const shown: string[] = [];
    const keep = async () =>
      shown.push(
        await host.evaluate(
          () => [...document.querySelectorAll('.modal-container')].at(-1)!.outerHTML,
        ),
      );
    await run('connect-ai-app');
    await expect.poll(() => texts('.prompt .suggestion-title')).toHaveLength(2);
    await keep();
    await choose('Codex');
    await expect.poll(() => text('.savepoint-change')).toContain('[mcp_servers.savepoint]');
    await keep();
    await press('Connect');
    await expect
      .poll(() => texts('.savepoint-verdict-title'), { timeout: 60_000 })
      .toEqual(['Codex is connected']);
    await keep();
    await press('Close');
    writeFileSync(home.desktop, '{ oops }');
    await run('check-connections');
    await expect
      .poll(() => texts('.savepoint-verdict-title'), { timeout: 60_000 })
      .toEqual(['Some connections need attention']);
    await keep();
    await press('Close');
    const { call } = await connect(home.vault, home.state);
    await call('createWorkspace', garden);
    await call('archiveState', { name: 'None' });
    await openPage('AI apps');
    await expect.poll(() => text('.savepoint-audit')).toContain('archiveState');
    await keep();

    // The process of the app has no screen, so its HTML is checked in a browser.
    for (const width of AXE_WIDTHS) {
      const { page, setTheme } = await open({ width });
      for (const theme of AXE_THEMES) {
        await setTheme(theme);
        for (const html of shown) {
          await page.evaluate(
            (modal) => document.body.append(document.createRange().createContextualFragment(modal)),
            html,
          );
          await expectNoViolations(page, '.modal-container');
          expect(
            await page
              .locator('.modal-container')
              .evaluate((box) => box.scrollWidth - box.clientWidth),
          ).toBe(0);
          await page.evaluate(() => document.querySelector('.modal-container')?.remove());
        }
      }
    }
  });
});

describe('a phone', () => {
  testInFull('has no commands and no settings page for AI apps', async () => {
    const host = await open({ isMobile: true });
    for (const title of ['Connect an AI app', 'Check connections', 'Copy MCP config'])
      expect(await host.commands(title)).not.toContain(title);
    await openSettings(host);
    expect(await row(host.page, 'AI apps').isVisible()).toBe(false);
    expect(await row(host.page, 'Privacy').isVisible()).toBe(true);
  });
});

testInFull('a vault without a folder on disk explains that apps cannot connect', async () => {
  const host = await open({});
  expect(await host.commands('Connect an AI app')).not.toContain('Connect an AI app');
  await openSettings(host);
  await row(host.page, 'AI apps').click();
  await host.page.getByText('AI apps can only connect on a computer.').waitFor();
  await expectNoViolations(host.page);
});
