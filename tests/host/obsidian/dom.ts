import { refuse } from './refuse';

/*
 * DOM helpers that Obsidian adds to prototypes and to `window`. They are installed once per window.
 */

export type BrowserWindow = Window & typeof globalThis;

interface ElementInfo extends SvgElementInfo {
  text?: string | DocumentFragment;
  title?: string;
  value?: string;
  type?: string;
  placeholder?: string;
  href?: string;
}

/** Every window that has the helpers: the main one first, then pop-outs. */
const windows: BrowserWindow[] = [];
const migrations = new WeakMap<Node, Set<(win: Window) => unknown>>();

const classesOf = (cls: string | string[]) =>
  (Array.isArray(cls) ? cls : [cls]).flatMap((part) => part.split(/\s+/)).filter(Boolean);

const documentOf = (node: Node): Document => node.ownerDocument ?? (node as Document);

function fill<T extends Element>(el: T, info: ElementInfo | string = {}): T {
  if (typeof info === 'string') {
    el.addClass(info);
    return el;
  }
  const { cls, text, attr, parent, prepend, ...properties } = info;
  if (cls !== undefined) el.addClasses(classesOf(cls));
  if (text !== undefined) el.setText(text);
  if (attr) el.setAttrs(attr);
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined) Reflect.set(el, name, value);
  if (prepend) parent?.insertBefore(el, parent.firstChild);
  else parent?.appendChild(el);
  return el;
}

function makeEl<K extends keyof HTMLElementTagNameMap>(
  doc: Document,
  tag: K,
  info?: ElementInfo | string,
  callback?: (el: HTMLElementTagNameMap[K]) => void,
): HTMLElementTagNameMap[K] {
  const el = fill(doc.createElement(tag), info);
  callback?.(el);
  return el;
}

function makeSvg<K extends keyof SVGElementTagNameMap>(
  doc: Document,
  tag: K,
  info?: SvgElementInfo | string,
  callback?: (el: SVGElementTagNameMap[K]) => void,
): SVGElementTagNameMap[K] {
  const el = fill(doc.createElementNS('http://www.w3.org/2000/svg', tag), info);
  callback?.(el);
  return el;
}

const inside = (parent: Node, info: ElementInfo | string | undefined): ElementInfo =>
  typeof info === 'string' ? { cls: info, parent } : { ...info, parent };

const isInstance = (
  value: Node | UIEvent,
  type: abstract new (...data: never[]) => unknown,
): boolean =>
  value instanceof type ||
  windows.some((win) => value instanceof ((Reflect.get(win, type.name) ?? type) as typeof type));

const nodeHelpers: Partial<Node> & ThisType<Node> = {
  get doc() {
    return documentOf(this);
  },
  get win() {
    return documentOf(this).defaultView ?? window;
  },
  get constructorWin() {
    return windows.find((win) => this instanceof win.Node) ?? window;
  },
  detach() {
    this.parentNode?.removeChild(this);
  },
  empty() {
    while (this.lastChild) this.removeChild(this.lastChild);
  },
  insertAfter(node, child) {
    this.insertBefore(node, child ? child.nextSibling : this.firstChild);
    return node;
  },
  indexOf(other) {
    return Array.from(this.childNodes).indexOf(other as ChildNode);
  },
  setChildrenInPlace(children) {
    for (const child of Array.from(this.childNodes))
      if (!children.includes(child)) this.removeChild(child);
    children.forEach((child, index) => {
      if (this.childNodes[index] !== child)
        this.insertBefore(child, this.childNodes[index] ?? null);
    });
  },
  appendText(text) {
    this.appendChild(this.doc.createTextNode(text));
  },
  instanceOf(type): this is never {
    return isInstance(this, type);
  },
  createEl(tag, info, callback) {
    return makeEl(this.doc, tag, inside(this, info), callback);
  },
  createDiv(info, callback) {
    return makeEl(this.doc, 'div', inside(this, info), callback);
  },
  createSpan(info, callback) {
    return makeEl(this.doc, 'span', inside(this, info), callback);
  },
  createSvg(tag, info, callback) {
    return makeSvg(this.doc, tag, inside(this, info), callback);
  },
};

const elementHelpers: Partial<Element> & ThisType<Element> = {
  getText() {
    return this.textContent;
  },
  setText(text) {
    if (typeof text === 'string') this.textContent = text;
    else this.replaceChildren(text);
  },
  addClass(...classes) {
    this.addClasses(classes);
  },
  addClasses(classes) {
    this.classList.add(...classesOf(classes));
  },
  removeClass(...classes) {
    this.removeClasses(classes);
  },
  removeClasses(classes) {
    this.classList.remove(...classesOf(classes));
  },
  toggleClass(classes, value) {
    for (const cls of classesOf(classes)) this.classList.toggle(cls, value);
  },
  hasClass(cls) {
    return this.classList.contains(cls);
  },
  setAttr(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  },
  setAttrs(attributes) {
    for (const [name, value] of Object.entries(attributes)) this.setAttr(name, value);
  },
  getAttr(name) {
    return this.getAttribute(name);
  },
  matchParent(selector, lastParent) {
    if (this.matches(selector)) return this;
    if (this === lastParent) return null;
    return this.parentElement?.matchParent(selector, lastParent) ?? null;
  },
  getCssPropertyValue(property, pseudoElement) {
    return this.win.getComputedStyle(this, pseudoElement).getPropertyValue(property).trim();
  },
  isActiveElement() {
    return this.doc.activeElement === this;
  },
  find(selector: string) {
    return this.querySelector<HTMLElement>(selector);
  },
  findAll(selector) {
    return Array.from(this.querySelectorAll<HTMLElement>(selector));
  },
  findAllSelf(selector) {
    return [...(this.matches(selector) ? [this as HTMLElement] : []), ...this.findAll(selector)];
  },
};

const styleHelpers: Partial<HTMLElement & SVGElement> & ThisType<HTMLElement> = {
  setCssStyles(styles) {
    Object.assign(this.style, styles);
  },
  setCssProps(props) {
    for (const [name, value] of Object.entries(props)) this.style.setProperty(name, value);
  },
};

const padding = (el: HTMLElement, ...sides: string[]) =>
  sides.reduce(
    (sum, side) => sum + (parseFloat(el.getCssPropertyValue(`padding-${side}`)) || 0),
    0,
  );

const htmlHelpers: Partial<HTMLElement> & ThisType<HTMLElement> = {
  show() {
    this.style.removeProperty('display');
  },
  hide() {
    this.style.display = 'none';
  },
  toggle(show) {
    if (show) this.show();
    else this.hide();
  },
  toggleVisibility(visible) {
    this.style.visibility = visible ? '' : 'hidden';
  },
  isShown() {
    if (!this.isConnected) return false;
    const isHidden = this.win.getComputedStyle(this).display === 'none';
    return !isHidden && (this.parentElement?.isShown() ?? true);
  },
  get innerWidth() {
    return this.clientWidth - padding(this, 'left', 'right');
  },
  get innerHeight() {
    return this.clientHeight - padding(this, 'top', 'bottom');
  },
  onClickEvent(listener, options) {
    this.addEventListener('click', listener, options);
    this.addEventListener('auxclick', listener, options);
  },
  onNodeInserted(listener, once = false) {
    let wasConnected = this.isConnected;
    const observer = new MutationObserver(() => {
      if (this.isConnected && !wasConnected) {
        if (once) observer.disconnect();
        listener();
      }
      wasConnected = this.isConnected;
    });
    observer.observe(this.doc, { childList: true, subtree: true });
    return () => observer.disconnect();
  },
  onWindowMigrated(listener) {
    const listeners = migrations.get(this) ?? new Set();
    migrations.set(this, listeners.add(listener));
    return () => listeners.delete(listener);
  },
  trigger(eventType) {
    this.dispatchEvent(
      new (this.win as BrowserWindow).Event(eventType, { bubbles: true, cancelable: true }),
    );
  },
};

type Delegating = (Document | HTMLElement) & { _EVENTS?: Record<string, EventListenerInfo[]> };
type DelegateListener = (this: unknown, event: Event, delegateTarget: Element) => unknown;

const delegationHelpers = {
  on(
    this: Delegating,
    type: string,
    selector: string,
    listener: DelegateListener,
    options?: boolean | AddEventListenerOptions,
  ) {
    const callback = (event: Event) => {
      const last = this.nodeType === 9 ? undefined : (this as HTMLElement);
      const target = (event.target as Element | null)?.matchParent(selector, last);
      if (target) listener.call(this, event, target);
    };
    const known = (this._EVENTS ??= {});
    (known[type] ??= []).push({
      selector,
      listener,
      ...(options !== undefined && { options }),
      callback,
    });
    this.addEventListener(type, callback, options);
  },
  off(
    this: Delegating,
    type: string,
    selector: string,
    listener: DelegateListener,
    options?: boolean | AddEventListenerOptions,
  ) {
    const infos = this._EVENTS?.[type] ?? [];
    for (const info of infos.filter(
      (each) =>
        each.selector === selector && each.listener === listener && each.options === options,
    )) {
      infos.splice(infos.indexOf(info), 1);
      this.removeEventListener(type, info.callback as EventListener, options);
    }
  },
};

const eventHelpers: Partial<UIEvent> & ThisType<UIEvent> = {
  get targetNode() {
    return this.target as Node | null;
  },
  get win() {
    return this.targetNode?.win ?? window;
  },
  get doc() {
    return this.targetNode?.doc ?? document;
  },
  instanceOf(type): this is never {
    return isInstance(this, type);
  },
};

const arrayHelpers: ThisType<unknown[]> = {
  first() {
    return this[0];
  },
  last() {
    return this[this.length - 1];
  },
  contains(target: unknown) {
    return this.includes(target);
  },
  remove(target: unknown) {
    for (let index = this.length - 1; index >= 0; index--)
      if (this[index] === target) this.splice(index, 1);
  },
  shuffle() {
    for (let index = this.length - 1; index > 0; index--) {
      const other = Math.floor(Math.random() * (index + 1));
      [this[index], this[other]] = [this[other], this[index]];
    }
    return this;
  },
  unique() {
    return [...new Set(this)];
  },
};

const stringHelpers: ThisType<string> = {
  contains(target: string) {
    return this.includes(target);
  },
  format(...args: string[]) {
    return this.replace(/\{(\d+)\}/g, (whole, index: string) => args[Number(index)] ?? whole);
  },
};

const globals = {
  createEl: <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    info?: ElementInfo | string,
    callback?: (el: HTMLElementTagNameMap[K]) => void,
  ) => makeEl(document, tag, info, callback),
  createDiv: (info?: ElementInfo | string, callback?: (el: HTMLDivElement) => void) =>
    makeEl(document, 'div', info, callback),
  createSpan: (info?: ElementInfo | string, callback?: (el: HTMLSpanElement) => void) =>
    makeEl(document, 'span', info, callback),
  createSvg: <K extends keyof SVGElementTagNameMap>(
    tag: K,
    info?: SvgElementInfo | string,
    callback?: (el: SVGElementTagNameMap[K]) => void,
  ) => makeSvg(document, tag, info, callback),
  createFragment: (callback?: (el: DocumentFragment) => void) => {
    const fragment = document.createDocumentFragment();
    callback?.(fragment);
    return fragment;
  },
  fish: (selector: string) => document.querySelector<HTMLElement>(selector),
  fishAll: (selector: string) => Array.from(document.querySelectorAll<HTMLElement>(selector)),
  isBoolean: (value: unknown) => typeof value === 'boolean',
  sleep: (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms)),
  nextFrame: () => new Promise<void>((resolve) => window.requestAnimationFrame(() => resolve())),
  ready: (callback: () => unknown) => {
    if (document.readyState === 'loading')
      document.addEventListener('DOMContentLoaded', callback, { once: true });
    else callback();
  },
  ajax: () => refuse('ajax'),
  ajaxPromise: () => refuse('ajaxPromise'),
};

/**
 * Defines non-enumerable properties and accessors. Existing ones (`String.startsWith`) are kept.
 */
function extend(target: object, helpers: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(helpers)))
    Object.defineProperty(target, name, { ...descriptor, enumerable: false, configurable: true });
}

function installLanguage(win: BrowserWindow): void {
  extend(win.Array.prototype, arrayHelpers);
  extend(win.Array, { combine: <T>(arrays: T[][]) => arrays.flat() });
  extend(win.String.prototype, stringHelpers);
  extend(win.String, { isString: (value: unknown) => typeof value === 'string' });
  extend(win.Number, { isNumber: (value: unknown) => typeof value === 'number' });
  extend(win.Math, {
    clamp: (value: number, min: number, max: number) => Math.min(Math.max(value, min), max),
    square: (value: number) => value * value,
  });
  extend(win.Object, {
    isEmpty: (value: object) => Object.keys(value).length === 0,
    each: <T>(
      value: Record<string, T>,
      callback: (value: T, key: string) => boolean | void,
      context?: unknown,
    ) => Object.entries(value).every(([key, each]) => callback.call(context, each, key) !== false),
  });
}

/** Installs the helpers of Obsidian in a window. The first one is the main window. */
export function installDom(win: BrowserWindow): void {
  if (windows.includes(win)) return;
  windows.push(win);
  installLanguage(win);
  extend(win.Node.prototype, nodeHelpers);
  extend(win.Element.prototype, elementHelpers);
  extend(win.DocumentFragment.prototype, {
    find: elementHelpers.find,
    findAll: elementHelpers.findAll,
  });
  extend(win.HTMLElement.prototype, styleHelpers);
  extend(win.HTMLElement.prototype, htmlHelpers);
  extend(win.SVGElement.prototype, styleHelpers);
  extend(win.HTMLElement.prototype, delegationHelpers);
  extend(win.Document.prototype, delegationHelpers);
  extend(win.UIEvent.prototype, eventHelpers);
  Object.assign(win, globals);
  setActiveWindow(windows[0] ?? win);
  // The window of the latest input is active, even if an automated browser sends no `focus`.
  for (const name of ['focus', 'mousedown', 'keydown'])
    win.addEventListener(name, () => setActiveWindow(win), true);
}

/** Removes a closed pop-out. */
export function forgetWindow(win: BrowserWindow): void {
  windows.remove(win);
  setActiveWindow(windows[0] ?? win);
}

function setActiveWindow(active: BrowserWindow): void {
  for (const win of windows)
    Object.assign(win, { activeWindow: active, activeDocument: active.document });
}

/**
 * Moves an element to another document, and notifies the elements below it that listen for this.
 */
export function migrate(el: HTMLElement, parent: HTMLElement): void {
  const isAbroad = el.doc !== parent.doc;
  parent.appendChild(el);
  if (isAbroad)
    for (const node of el.findAllSelf('*'))
      migrations.get(node)?.forEach((listener) => listener(parent.win));
}
