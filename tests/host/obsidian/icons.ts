import iconNodes from './icons/icons.json';
import { setTooltip } from './tooltip';

type IconNode = [tag: string, attributes: Record<string, string>][];

/** From lucide-static 1.62.0, of which `history` is the older name of `rotate-ccw-clock`. */
const lucide = iconNodes as unknown as Record<string, IconNode>;
const added = new Map<string, string>();

const bare = (iconId: string) => iconId.replace(/^lucide-/, '');

export function addIcon(iconId: string, svgContent: string): void {
  added.set(iconId, svgContent);
}

export function removeIcon(iconId: string): void {
  added.delete(iconId);
}

export function getIconIds(): string[] {
  return [...Object.keys(lucide).map((name) => `lucide-${name}`), ...added.keys()];
}

function svg(className: string, viewBox: string): SVGSVGElement {
  return createSvg('svg', {
    cls: ['svg-icon', className],
    attr: {
      xmlns: 'http://www.w3.org/2000/svg',
      width: '24',
      height: '24',
      viewBox,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': '2',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
  });
}

/** Added icons have a view box of 100 by 100, those of Lucide of 24 by 24. */
export function getIcon(iconId: string): SVGSVGElement | null {
  const content = added.get(iconId);
  if (content !== undefined) {
    const el = svg(iconId, '0 0 100 100');
    el.innerHTML = content;
    return el;
  }
  const name = bare(iconId);
  const node = Object.hasOwn(lucide, name) ? lucide[name] : undefined;
  if (!node) return null;
  const el = svg(`lucide-${name}`, '0 0 24 24');
  for (const [tag, attr] of node) el.createSvg(tag as 'path', { attr });
  return el;
}

export function setIcon(parent: HTMLElement, iconId: string): void {
  const icon = getIcon(iconId);
  parent.empty();
  if (icon) parent.appendChild(parent.doc.importNode(icon, true));
}

/** An icon button of the app: a real button, so that it works by keyboard. */
export function iconButton(
  parent: HTMLElement,
  icon: string,
  label: string,
  onClick: (event: MouseEvent) => unknown,
  cls = '',
): HTMLElement {
  const el = parent.createDiv({
    cls: `clickable-icon ${cls}`,
    attr: { role: 'button', tabindex: 0 },
  });
  setIcon(el, icon);
  setTooltip(el, label);
  pressable(el, onClick);
  return el;
}

/** Makes an element that is not a button react to Enter and Space. */
export function pressable(el: HTMLElement, onPress: (event: MouseEvent) => unknown): void {
  el.addEventListener('click', onPress);
  el.addEventListener('keydown', (event) => {
    if (event.target !== el || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    el.click();
  });
}
