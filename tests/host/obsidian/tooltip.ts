import type { TooltipOptions } from 'obsidian';

let shown: { readonly el: HTMLElement; readonly target: HTMLElement } | null = null;
let timer: number | undefined;
const optionsOf = new WeakMap<HTMLElement, TooltipOptions>();

function hideTooltip(): void {
  window.clearTimeout(timer);
  shown?.el.detach();
  shown = null;
}

export function displayTooltip(
  target: HTMLElement,
  content: string | DocumentFragment,
  options: TooltipOptions = {},
): void {
  hideTooltip();
  const { placement = 'bottom', classes = [], gap = 4 } = options;
  const el = target.doc.body.createDiv({
    cls: ['tooltip', `mod-${placement}`, ...classes],
    attr: { 'aria-hidden': 'true' },
  });
  el.setText(content);
  el.createDiv('tooltip-arrow');
  const box = target.getBoundingClientRect();
  const own = el.getBoundingClientRect();
  const spots = {
    bottom: { top: box.bottom + gap, left: box.left + (box.width - own.width) / 2 },
    top: { top: box.top - own.height - gap, left: box.left + (box.width - own.width) / 2 },
    left: { top: box.top + (box.height - own.height) / 2, left: box.left - own.width - gap },
    right: { top: box.top + (box.height - own.height) / 2, left: box.right + gap },
  };
  const { top, left } = spots[placement];
  const room = target.win.innerWidth - own.width - gap;
  el.setCssStyles({ top: `${top}px`, left: `${Math.max(gap, Math.min(left, room))}px` });
  shown = { el, target };
}

/** The tooltip is the label of the element, shown while the pointer rests on it. */
export function setTooltip(el: HTMLElement, tooltip: string, options: TooltipOptions = {}): void {
  el.setAttr('aria-label', tooltip === '' ? null : tooltip);
  if (options.placement) el.setAttr('data-tooltip-position', options.placement);
  if (options.delay !== undefined) el.setAttr('data-tooltip-delay', options.delay);
  optionsOf.set(el, options);
}

/** Shows the labels of hovered elements. Returns a function that stops this. */
export function watchTooltips(win: Window): () => void {
  const onOver = (event: MouseEvent) => {
    const target = (event.target as Element | null)?.closest<HTMLElement>('[aria-label]');
    if (target === shown?.target) return;
    hideTooltip();
    if (!target) return;
    const placement = target.getAttr('data-tooltip-position') as TooltipOptions['placement'] | null;
    const options = { ...(placement && { placement }), ...optionsOf.get(target) };
    timer = window.setTimeout(() => {
      if (target.isConnected) displayTooltip(target, target.getAttr('aria-label') ?? '', options);
    }, options.delay ?? 500);
  };
  win.document.addEventListener('mouseover', onOver);
  win.document.addEventListener('mousedown', hideTooltip);
  return () => {
    hideTooltip();
    win.document.removeEventListener('mouseover', onOver);
    win.document.removeEventListener('mousedown', hideTooltip);
  };
}
