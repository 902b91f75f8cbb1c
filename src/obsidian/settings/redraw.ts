import type { SettingDefinitionItem, SettingDefinitionPage } from 'obsidian';

/** A page that is also drawn again when one of these objects is replaced. */
export interface PartsPage extends SettingDefinitionPage {
  readonly parts: readonly (object | undefined)[];
}

const partIds = new WeakMap<object, number>();
let lastPartId = 0;

/** Returns what the definitions draw by themselves, as text, for each page; `''` is the tab. */
export function drawnTexts(
  items: readonly SettingDefinitionItem[],
  page = '',
  parts: PartsPage['parts'] = [],
): Map<string, string> {
  const texts = new Map([[page, JSON.stringify([parts.map(partId), items.map(drawnPart)])]]);
  const flat = items.flatMap((item) => (isGroup(item) ? (item.items ?? []) : [item]));
  for (const item of flat)
    if (isPage(item)) {
      const inner = 'parts' in item ? (item as PartsPage).parts : [];
      const below = drawnTexts(item.items ?? [], pathOf(page, item), inner);
      for (const [path, drawn] of below) texts.set(path, drawn);
    }
  return texts;
}

/**
 * Calls `enter` for each row drawn by a function, with its page as in `drawnTexts`, and the
 * function that it returns when the row is removed.
 */
export function withEntering<T extends SettingDefinitionItem>(
  items: readonly T[],
  enter: (page: string) => () => void,
  page = '',
): T[] {
  return items.map((item): T => {
    if (isGroup(item)) return { ...item, items: withEntering(item.items ?? [], enter, page) };
    if (isPage(item))
      return { ...item, items: withEntering(item.items ?? [], enter, pathOf(page, item)) };
    const { render } = item;
    if (!render) return item;
    return {
      ...item,
      render(...row: Parameters<typeof render>) {
        const leave = enter(page);
        const remove = render(...row);
        return () => {
          remove?.();
          leave();
        };
      },
    };
  });
}

/** Redraws an element. The focus and unapplied input go to the same control of the same row. */
export function redrawKeepingFocus(containerEl: HTMLElement, redraw: () => void): void {
  const focused = containerEl.doc.activeElement;
  const controls = (root: Element) => [
    ...root.querySelectorAll<HTMLElement>('input, select, textarea, button, [tabindex]'),
  ];
  const overall = focused ? controls(containerEl).findIndex((each) => each === focused) : -1;
  if (!focused || overall < 0) return redraw();
  const rowEl = focused.closest('.setting-item');
  const name = nameOf(rowEl);
  const at = rowEl ? controls(rowEl).findIndex((each) => each === focused) : -1;
  const field = focused.instanceOf(HTMLInputElement) ? focused : undefined;
  const typed = field?.value;
  const selection = [field?.selectionStart ?? null, field?.selectionEnd ?? null] as const;
  redraw();
  const sameRow = [...containerEl.querySelectorAll('.setting-item')].find(
    (each) => nameOf(each) === name,
  );
  const same = sameRow && controls(sameRow)[at];
  const all = controls(containerEl);
  (same ?? all[Math.min(overall, all.length - 1)])?.focus();
  if (typed === undefined || !same?.instanceOf(HTMLInputElement)) return;
  if (same.type !== 'checkbox' && same.value !== typed) typeAgain(same, typed);
  if (selection[0] !== null) same.setSelectionRange(...selection);
}

/** Sets a field's text as if the user had typed it, so that it is applied when editing ends. */
function typeAgain(field: HTMLInputElement, typed: string): void {
  let isApplied = false;
  field.value = typed;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.addEventListener('change', () => (isApplied = true), { once: true });
  field.addEventListener(
    'blur',
    () => isApplied || field.dispatchEvent(new Event('change', { bubbles: true })),
    { once: true },
  );
}

type Group = Extract<SettingDefinitionItem, { type: 'group' | 'list' }>;

function isGroup(item: SettingDefinitionItem): item is Group {
  return 'type' in item && item.type !== 'page';
}

function isPage(item: SettingDefinitionItem): item is SettingDefinitionPage {
  return 'type' in item && item.type === 'page';
}

function pathOf(page: string, { name }: SettingDefinitionPage): string {
  return `${page}/${name}`;
}

function drawnPart(item: SettingDefinitionItem): unknown {
  if (isGroup(item)) return { ...item, items: item.items?.map(drawnPart) };
  if (!isPage(item)) return item;
  const { name, desc, displayValue } = item;
  return [name, desc, typeof displayValue === 'function' ? displayValue() : displayValue];
}

function partId(part: object | undefined): number {
  if (!part) return 0;
  const id = partIds.get(part) ?? ++lastPartId;
  partIds.set(part, id);
  return id;
}

function nameOf(rowEl: Element | null): string {
  return rowEl?.querySelector('.setting-item-name')?.textContent ?? '';
}
