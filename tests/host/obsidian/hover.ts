import type { Point } from 'obsidian';
import { Component } from './component';

export enum PopoverState {
  Showing,
  Shown,
  Hiding,
  Hidden,
}

interface HoverParent {
  hoverPopover: HoverPopover | null;
}

/** A box next to the hovered element; it stays while the pointer is over either. */
export class HoverPopover extends Component {
  hoverEl: HTMLElement = createDiv('popover hover-popover');
  state = PopoverState.Showing;
  readonly #parent: HoverParent;
  readonly #targetEl: HTMLElement | null;
  readonly #listening = new AbortController();
  #timer: number;

  constructor(
    parent: HoverParent,
    targetEl: HTMLElement | null,
    waitTime = 300,
    staticPos: Point | null = null,
  ) {
    super();
    this.#parent = parent;
    this.#targetEl = targetEl;
    parent.hoverPopover?.hide();
    parent.hoverPopover = this;
    this.#timer = window.setTimeout(() => this.show(staticPos), waitTime);
    for (const el of [targetEl, this.hoverEl]) {
      const { signal } = this.#listening;
      const leave = () => {
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => this.hide(), 300);
      };
      el?.addEventListener('mouseleave', leave, { signal });
      el?.addEventListener('mouseenter', () => window.clearTimeout(this.#timer), { signal });
    }
  }

  show(position: Point | null): void {
    this.state = PopoverState.Shown;
    (this.#targetEl?.doc ?? activeDocument).body.appendChild(this.hoverEl);
    const box = this.#targetEl?.getBoundingClientRect();
    this.hoverEl.setCssStyles({
      left: `${position?.x ?? box?.left ?? 0}px`,
      top: `${position?.y ?? box?.bottom ?? 0}px`,
    });
    void this.load();
  }

  hide(): void {
    this.state = PopoverState.Hidden;
    window.clearTimeout(this.#timer);
    this.#listening.abort();
    this.hoverEl.detach();
    if (this.#parent.hoverPopover === this) this.#parent.hoverPopover = null;
    this.unload();
  }
}

export class RenderContext {
  hoverPopover: HoverPopover | null = null;
}
