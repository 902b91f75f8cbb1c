export function addButton(
  container: HTMLElement,
  label: string,
  press: () => void,
): HTMLButtonElement {
  const button = container.createEl('button', { text: label, attr: { type: 'button' } });
  button.addEventListener('click', press);
  return button;
}

/** Makes an item of the status bar act on clicks and on Enter. */
export function makeClickable(bar: HTMLElement, press: () => void): void {
  bar.addClass('mod-clickable');
  bar.setAttrs({ role: 'button', tabindex: '0' });
  bar.addEventListener('click', press);
  bar.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') press();
  });
}

/** A name with its value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

export function addFacts(container: HTMLElement, facts: readonly Fact[]): void {
  const list = container.createEl('dl', { cls: 'savepoint-facts' });
  for (const { label, value } of facts) {
    const row = list.createDiv();
    row.createEl('dt', { text: label, attr: { dir: 'auto' } });
    row.createEl('dd', { text: value, attr: { dir: 'auto' } });
  }
}

/** Adds a table that scrolls, with headings of its columns. Returns its body. */
export function addTable(
  container: HTMLElement,
  label: string,
  columns: readonly string[],
  cls = 'savepoint-writers',
): HTMLElement {
  const frame = container.createDiv({
    cls,
    attr: { tabindex: '0', role: 'region', 'aria-label': label },
  });
  const table = frame.createEl('table');
  const head = table.createEl('thead').createEl('tr');
  for (const column of columns) head.createEl('th', { text: column, attr: { scope: 'col' } });
  return table.createEl('tbody');
}

/** Adds at most `most` texts to a list, and says how many are left out. */
export function addItems(
  list: HTMLElement,
  texts: readonly string[],
  most: number,
  more: (count: number) => string,
): void {
  for (const text of texts.slice(0, most)) list.createEl('li', { text, attr: { dir: 'auto' } });
  if (texts.length > most) list.createEl('li', { text: more(texts.length - most) });
}
