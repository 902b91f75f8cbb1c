// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import type { SettingDefinitionItem } from 'obsidian';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ColorComponent,
  DropdownComponent,
  SecretComponent,
  SliderComponent,
  TextComponent,
  ToggleComponent,
} from './components.js';
import { PluginSettingTab, SettingPage } from './setting-tab.js';
import { Setting, SettingGroup } from './setting.js';
import { manifest, settle, startHost, texts } from './start.js';

const shown = (selector: string) =>
  Array.from(document.querySelectorAll<HTMLElement>(selector)).filter((el) => el.isShown());
const names = () => shown('.vertical-tab-content .setting-item-name').map((el) => el.textContent);
const rowOf = (name: string) =>
  shown('.vertical-tab-content .setting-item').find(
    (el) => el.find('.setting-item-name').textContent === name,
  )!;

function enter(row: HTMLElement, value: string): void {
  const input = row.find('input, textarea, select') as HTMLInputElement;
  input.value = value;
  input.dispatchEvent(
    new Event(input.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }),
  );
}

class Tab extends PluginSettingTab {
  definitions: SettingDefinitionItem[] = [];

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return this.definitions;
  }
}

async function openTab(
  definitions: SettingDefinitionItem[],
  { settings = {}, isMobile = false } = {},
) {
  const host = await startHost({}, { isMobile });
  host.plugin.settings = settings;
  const tab = new Tab(host.app, host.plugin);
  tab.definitions = definitions;
  host.plugin.addSettingTab(tab);
  host.app.setting.open();
  host.app.setting.openTabById(manifest.id);
  const data = async () => host.plugin.loadData();
  return { ...host, tab, data };
}

describe('a row', () => {
  afterEach(() => document.body.empty());

  test('labels its controls, and shows an error until it is cleared', async () => {
    await startHost();
    const row = new Setting(document.body)
      .setName('Name')
      .setDesc('Desc')
      .addText((text) => text.setValue('x'));
    expect(row.controlEl.find('input').getAttr('aria-labelledby')).toBe(row.nameEl.id);
    row.setErrorMessage('Wrong');
    expect([row.settingEl.hasClass('is-invalid'), row.errorEl?.textContent]).toEqual([
      true,
      'Wrong',
    ]);
    row.setErrorMessage('');
    expect([row.settingEl.hasClass('is-invalid'), row.errorEl]).toEqual([false, null]);
    row.setDisabled(true);
    expect((row.controlEl.find('input') as HTMLInputElement).disabled).toBe(true);
  });

  test('is shown in a group under a heading', async () => {
    await startHost();
    const group = new SettingGroup(document.body)
      .setHeading('Head')
      .addSetting((row) => void row.setName('In it'));
    expect(group.listEl.find('.setting-item-name').textContent).toBe('In it');
    expect(texts('.setting-group > .setting-item-heading .setting-item-name')).toEqual(['Head']);
  });
});

describe('a control', () => {
  test('reports changes by the user', async () => {
    await startHost();
    const told: unknown[] = [];
    const toggle = new ToggleComponent(document.body).onChange((value) => told.push(value));
    toggle.toggleEl.find('input').click();
    const dropdown = new DropdownComponent(document.body)
      .addOptions({ a: 'A', b: 'B' })
      .onChange((value) => told.push(value));
    dropdown.selectEl.value = 'b';
    dropdown.selectEl.dispatchEvent(new Event('change'));
    const text = new TextComponent(document.body).onChange((value) => told.push(value));
    text.setValue('typed').onChanged();
    const slider = new SliderComponent(document.body)
      .setLimits(0, 10, 1)
      .setDisplayFormat((n) => `${n} days`)
      .onChange((n) => told.push(n));
    slider.sliderEl.value = '7';
    slider.sliderEl.dispatchEvent(new Event('input'));
    slider.sliderEl.dispatchEvent(new Event('change'));
    expect(told).toEqual([true, 'b', 'typed', 7]);
    expect([toggle.toggleEl.hasClass('is-enabled'), slider.getValuePretty()]).toEqual([
      true,
      '7 days',
    ]);
  });

  test('converts a color between hex, RGB and HSL', async () => {
    await startHost();
    const color = new ColorComponent(document.body).setValue('#336699');
    expect([color.getValueRgb(), color.getValueHsl()]).toEqual([
      { r: 51, g: 102, b: 153 },
      { h: 210, s: 50, l: 40 },
    ]);
    expect(color.setValueHsl({ h: 210, s: 50, l: 40 }).getValue()).toBe('#336699');
  });

  test('picks a secret by its id and never shows it', async () => {
    const { app } = await startHost();
    app.secretStorage.setSecret('my-key', 'hush');
    const chosen = vi.fn();
    new SecretComponent(app, document.body).onChange(chosen);
    (document.querySelector('.secret-button') as HTMLElement).click();
    await settle();
    expect(texts('.suggestion-item')).toEqual(['my-key', 'Add secret']);
    (document.querySelector('.suggestion-item') as HTMLElement).click();
    expect(chosen).toHaveBeenCalledWith('my-key');
    expect(document.body.innerHTML).not.toContain('hush');
  });
});

describe('declared settings', () => {
  test('show each control’s value or default, and save entered values', async () => {
    const { data } = await openTab(
      [
        { name: 'Toggle', control: { type: 'toggle', key: 'toggle', defaultValue: true } },
        { name: 'Text', control: { type: 'text', key: 'text' } },
        { name: 'Area', control: { type: 'textarea', key: 'area' } },
        { name: 'Number', control: { type: 'number', key: 'number', defaultValue: 4 } },
        {
          name: 'Choice',
          control: { type: 'dropdown', key: 'choice', options: { a: 'A', b: 'B' } },
        },
      ],
      { settings: { text: 'kept' } },
    );
    expect((rowOf('Toggle').find('input') as HTMLInputElement).checked).toBe(true);
    expect((rowOf('Text').find('input') as HTMLInputElement).value).toBe('kept');
    rowOf('Toggle').find('input').click();
    enter(rowOf('Text'), 'new');
    enter(rowOf('Area'), 'long');
    enter(rowOf('Number'), '12');
    enter(rowOf('Choice'), 'b');
    await settle();
    expect(await data()).toEqual({
      toggle: false,
      text: 'new',
      area: 'long',
      number: 12,
      choice: 'b',
    });
    enter(rowOf('Number'), '');
    await settle();
    expect(await data()).toMatchObject({ number: 4 });
  });

  test('report an invalid value, stored or entered, and do not save it', async () => {
    const validate = (value: string) => (value.includes(' ') ? 'No spaces' : undefined);
    const { data } = await openTab(
      [{ name: 'Id', control: { type: 'text', key: 'id', validate } }],
      { settings: { id: 'a b' } },
    );
    expect(texts('.setting-item-error')).toEqual(['No spaces']);
    enter(rowOf('Id'), 'ab');
    await settle();
    expect([texts('.setting-item-error'), await data()]).toEqual([[], { id: 'ab' }]);
    enter(rowOf('Id'), 'c d');
    await settle();
    expect([texts('.setting-item-error'), await data()]).toEqual([['No spaces'], { id: 'ab' }]);
  });

  test('update visible and enabled rows after each change', async () => {
    const settings = { on: false };
    await openTab(
      [
        { name: 'On', control: { type: 'toggle', key: 'on' } },
        { name: 'Only then', visible: () => settings.on, control: { type: 'text', key: 'a' } },
        { type: 'group', heading: 'Head', visible: () => settings.on, items: [{ name: 'Inside' }] },
        { name: 'Usable then', control: { type: 'text', key: 'b', disabled: () => !settings.on } },
      ],
      { settings },
    );
    expect(names()).toEqual(['On', 'Usable then']);
    expect((rowOf('Usable then').find('input') as HTMLInputElement).disabled).toBe(true);
    rowOf('On').find('input').click();
    await settle();
    expect(names()).toEqual(['On', 'Only then', 'Head', 'Inside', 'Usable then']);
    expect((rowOf('Usable then').find('input') as HTMLInputElement).disabled).toBe(false);
  });

  test('navigate to pages, nested pages and custom pages, and back', async () => {
    const hidden = vi.fn();
    class Custom extends SettingPage {
      display(): void {
        this.containerEl.setText('by hand');
      }

      override hide(): void {
        super.hide();
        hidden();
      }
    }
    const { tab } = await openTab([
      {
        type: 'page',
        name: 'More',
        displayValue: () => 'three',
        status: 'warning',
        items: [{ name: 'Deep' }, { type: 'page', name: 'Custom', page: () => new Custom() }],
      },
    ]);
    expect(texts('.setting-item-display-value.mod-warning')).toEqual(['three']);
    rowOf('More').click();
    expect([names(), texts('.setting-page-title')]).toEqual([['Deep', 'Custom'], ['More']]);
    rowOf('Custom').click();
    expect(tab.containerEl.find('.setting-page-content').textContent).toBe('by hand');
    (document.querySelector('.setting-page-back-button') as HTMLElement).click();
    expect([names(), hidden.mock.calls.length]).toEqual([['Deep', 'Custom'], 1]);
    tab.update();
    expect(names()).toEqual(['Deep', 'Custom']);
    tab.definitions = [{ name: 'Other' }];
    tab.update();
    expect(names()).toEqual(['Other']);
  });

  test('let list items be added, deleted and reordered', async () => {
    const calls: unknown[] = [];
    const { tab } = await openTab([
      {
        type: 'list',
        heading: 'Things',
        emptyState: 'Nothing yet',
        items: [
          { name: 'a' },
          { name: 'b', action: (_el, index) => calls.push(['action', index]) },
        ],
        onDelete: (index) => calls.push(['delete', index]),
        onReorder: (from, to) => calls.push(['move', from, to]),
        addItem: { name: 'Add thing', action: () => calls.push('add') },
      },
    ]);
    rowOf('b').find('[aria-label="Delete"]').click();
    rowOf('a')
      .find('[aria-label="Move"]')
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    rowOf('b').dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }));
    rowOf('b').click();
    (document.querySelector('[aria-label="Add thing"]') as HTMLElement).click();
    expect(calls).toEqual([['delete', 1], ['move', 0, 1], ['delete', 1], ['action', 1], 'add']);
    tab.definitions = [{ type: 'list', emptyState: 'Nothing yet', items: [] }];
    tab.update();
    expect(texts('.setting-list-empty')).toEqual(['Nothing yet']);
  });

  test('filter a group by its own search, even after an update', async () => {
    const { tab } = await openTab([
      {
        type: 'group',
        heading: 'Things',
        search: { match: (definition, query) => definition.name.includes(query) },
        items: [{ name: 'apple' }, { name: 'pear' }, { name: 'always', searchable: false }],
      },
    ]);
    const search = document.querySelector('.setting-group-search input') as HTMLInputElement;
    search.value = 'pe';
    search.dispatchEvent(new Event('input'));
    expect(names()).toEqual(['Things', 'pear', 'always']);
    tab.update();
    expect(names()).toEqual(['Things', 'pear', 'always']);
  });

  test('render a custom row, and call its cleanup', async () => {
    const cleanup = vi.fn();
    const { app } = await openTab([
      {
        name: 'By hand',
        render: (setting) => {
          setting.addButton((button) => button.setButtonText('Press'));
          return cleanup;
        },
      },
    ]);
    expect(rowOf('By hand').find('button').textContent).toBe('Press');
    app.setting.close();
    expect(cleanup).toHaveBeenCalledTimes(1);
  });

  test('are found by name, description and alias in the settings search', async () => {
    await openTab([
      {
        type: 'page',
        name: 'Deep',
        items: [{ name: 'Colour', aliases: ['paint'], desc: 'Of the wall' }],
      },
      { name: 'Painting', searchable: false },
      { name: 'Paint pot', visible: false },
    ]);
    const search = document.querySelector('.vertical-tab-header input') as HTMLInputElement;
    search.value = 'paint';
    search.dispatchEvent(new Event('input'));
    expect(texts('.mod-found')).toEqual(['ColourMine › Deep']);
    (document.querySelector('.mod-found') as HTMLElement).click();
    expect(names()).toEqual(['Colour']);
  });

  test('show a row for adding an item on mobile', async () => {
    const added = vi.fn();
    await openTab([{ type: 'list', items: [], addItem: { name: 'thing', action: added } }], {
      isMobile: true,
    });
    (document.querySelector('.mod-add-item') as HTMLElement).click();
    expect([texts('.mod-add-item'), added.mock.calls.length]).toEqual([['+ thing'], 1]);
  });
});
