import type { MarkdownPostProcessor, MarkdownPostProcessorContext } from 'obsidian';
import type { App } from './app';
import { Component } from './component';
import { currentApp } from './current-app';
import type { HoverPopover } from './hover';
import { setIcon } from './icons';
import { parseLinktext } from './links';
import { createMarkdown } from './markdown-syntax';
import { refuse } from './refuse';
import type { TFile } from './vault';
import { getFrontMatterInfo } from './yaml';

export class MarkdownRenderChild extends Component {
  containerEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.containerEl = containerEl;
  }
}

const markdown = createMarkdown();
let postProcessors: MarkdownPostProcessor[] = [];

/** Parses HTML into elements without running anything in it. */
function toElements(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  return document.importNode(template.content, true);
}

const callout = /^\[!([^\]]+)\]([+-]?)[ \t]*(.*)$/;
const calloutIcons: Record<string, string> = {
  tip: 'flame',
  warning: 'alert-triangle',
  info: 'info',
  todo: 'check-circle',
  quote: 'quote',
};

/** A block quote that starts with `[!kind]` becomes a callout. */
function makeCallouts(el: ParentNode): void {
  for (const quote of Array.from(el.querySelectorAll('blockquote'))) {
    const first = quote.firstElementChild;
    const [head = '', ...rest] = (first?.textContent ?? '').split('\n');
    const [, kind, fold, title] = callout.exec(head) ?? [];
    if (!first || kind === undefined) continue;
    const type = kind.toLowerCase();
    const box = createDiv({
      cls: 'callout',
      attr: { 'data-callout': type, 'data-callout-metadata': '', 'data-callout-fold': fold ?? '' },
    });
    const titleEl = box.createDiv({ cls: 'callout-title', attr: { dir: 'auto' } });
    setIcon(titleEl.createDiv('callout-icon'), calloutIcons[type] ?? 'pencil');
    titleEl.createDiv({
      cls: 'callout-title-inner',
      text: title || type.charAt(0).toUpperCase() + type.slice(1),
    });
    const content = box.createDiv('callout-content');
    if (rest.length === 0) first.remove();
    else cutFirstLine(first);
    content.append(...Array.from(quote.childNodes));
    if (content.textContent.trim() === '') content.detach();
    quote.replaceWith(box);
  }
}

function cutFirstLine(paragraph: Element): void {
  const lineBreak = paragraph.querySelector('br');
  while (paragraph.firstChild && paragraph.firstChild !== lineBreak) paragraph.firstChild.remove();
  lineBreak?.remove();
}

function makeTasks(el: ParentNode): void {
  for (const item of Array.from(el.querySelectorAll('li'))) {
    const text = (item.querySelector(':scope > p') ?? item).firstChild;
    const [mark, task] =
      /^\[(.)\]\s/.exec(text?.nodeType === 3 ? (text.textContent ?? '') : '') ?? [];
    if (!text || mark === undefined || task === undefined) continue;
    text.textContent = (text.textContent ?? '').slice(mark.length);
    item.addClass('task-list-item');
    item.setAttr('data-task', task);
    item.toggleClass('is-checked', task !== ' ');
    item.parentElement?.addClass('contains-task-list');
    const box = createEl('input', {
      cls: 'task-list-item-checkbox',
      type: 'checkbox',
      attr: { 'aria-label': 'Task' },
    });
    box.checked = task !== ' ';
    item.prepend(box);
  }
}

function finishLinks(el: ParentNode, app: App, sourcePath: string): void {
  for (const link of Array.from(el.querySelectorAll<HTMLAnchorElement>('a:not(.tag)'))) {
    const href = link.getAttr('href') ?? '';
    const isInternal = link.hasClass('internal-link') || !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href);
    link.setAttrs({ target: '_blank', rel: 'noopener nofollow' });
    if (!isInternal) {
      link.addClass('external-link');
      continue;
    }
    link.addClass('internal-link');
    if (!link.hasAttribute('data-href')) link.setAttr('data-href', decodeURI(href));
    const { path } = parseLinktext(link.getAttr('data-href') ?? '');
    const isKnown = path === '' || app.metadataCache.getFirstLinkpathDest(path, sourcePath);
    link.toggleClass('is-unresolved', !isKnown);
  }
}

function finishBlocks(el: ParentNode): void {
  for (const heading of Array.from(el.querySelectorAll('h1, h2, h3, h4, h5, h6'))) {
    heading.setAttrs({ 'data-heading': heading.textContent, dir: 'auto' });
  }
  for (const block of Array.from(el.querySelectorAll('p, ul, ol'))) block.setAttr('dir', 'auto');
  for (const pre of Array.from(el.querySelectorAll('pre'))) {
    const code = pre.querySelector('code');
    pre.addClasses(Array.from(code?.classList ?? []));
    const button = pre.createEl('button', {
      cls: 'copy-code-button',
      attr: { 'aria-label': 'Copy' },
    });
    setIcon(button, 'copy');
    button.addEventListener(
      'click',
      () => void navigator.clipboard.writeText(code?.textContent ?? ''),
    );
  }
}

/**
 * Renders as the app's code does (quoted in l1xnan/obsidian-better-export-pdf, dev.md): every post
 * processor gets the caller's own element, at once, and only the promises they return are awaited.
 */
async function render(
  app: App,
  text: string,
  el: HTMLElement,
  sourcePath: string,
  component: Component,
): Promise<void> {
  if (!(component instanceof Component))
    throw new TypeError('A component is needed, for the life of what is rendered');
  const fragment = toElements(markdown.render(text.slice(getFrontMatterInfo(text).contentStart)));
  makeCallouts(fragment);
  makeTasks(fragment);
  finishBlocks(fragment);
  finishLinks(fragment, app, sourcePath);
  const file = app.vault.getFileByPath(sourcePath);
  const context: MarkdownPostProcessorContext = {
    docId: Math.random().toString(16).slice(2),
    sourcePath,
    frontmatter: file && app.metadataCache.getFileCache(file)?.frontmatter,
    addChild: (child) => void component.addChild(child as unknown as Component),
    getSectionInfo: () => null,
  };
  el.appendChild(fragment);
  const processed = postProcessors.map(async (process) => {
    await process(el, context);
  });
  await Promise.all(processed);
}

export abstract class MarkdownRenderer extends MarkdownRenderChild {
  readonly app: App;
  hoverPopover: HoverPopover | null = null;

  constructor(app: App, containerEl: HTMLElement) {
    super(containerEl);
    this.app = app;
  }

  abstract get file(): TFile;

  static render(
    app: App,
    text: string,
    el: HTMLElement,
    sourcePath: string,
    component: Component,
  ): Promise<void> {
    return render(app, text, el, sourcePath, component);
  }

  static renderMarkdown(
    text: string,
    el: HTMLElement,
    sourcePath: string,
    component: Component,
  ): Promise<void> {
    return render(currentApp(), text, el, sourcePath, component);
  }
}

type CodeHandler = (
  source: string,
  el: HTMLElement,
  context: MarkdownPostProcessorContext,
) => Promise<unknown> | void;

export function createCodeBlockPostProcessor(
  language: string,
  handler: CodeHandler,
): MarkdownPostProcessor {
  return async (el, context) => {
    for (const code of el.findAll(`pre > code.language-${CSS.escape(language)}`)) {
      const target = createDiv(`block-language-${language}`);
      code.parentElement?.replaceWith(target);
      await handler(code.textContent.replace(/\n$/, ''), target, context);
    }
  };
}

export class MarkdownPreviewRenderer {
  static registerPostProcessor(postProcessor: MarkdownPostProcessor, sortOrder?: number): void {
    if (sortOrder !== undefined) postProcessor.sortOrder = sortOrder;
    postProcessors = [...postProcessors, postProcessor].sort(
      (a, b) => (a.sortOrder ?? 0) - (b.sortOrder ?? 0),
    );
  }

  static unregisterPostProcessor(postProcessor: MarkdownPostProcessor): void {
    postProcessors = postProcessors.filter((other) => other !== postProcessor);
  }

  static createCodeBlockPostProcessor(
    language: string,
    handler: CodeHandler,
  ): MarkdownPostProcessor {
    return createCodeBlockPostProcessor(language, handler);
  }
}

/** Reading mode of a Markdown view: links open, and hovering triggers the page preview. */
export class MarkdownPreviewView extends MarkdownRenderer {
  readonly #file: () => TFile | null;
  #text = '';
  #rendered: Component | null = null;

  constructor(app: App, containerEl: HTMLElement, file: () => TFile | null) {
    super(app, containerEl);
    this.#file = file;
    containerEl.addClasses([
      'markdown-preview-view',
      'markdown-rendered',
      'node-insert-event',
      'is-readable-line-width',
      'allow-fold-headings',
    ]);
    containerEl.on('click', 'a.internal-link', (event, link) => {
      event.preventDefault();
      void app.workspace.openLinkText(
        link.getAttr('data-href') ?? '',
        this.#file()?.path ?? '',
        event.ctrlKey || event.metaKey,
      );
    });
    containerEl.on('mouseover', 'a.internal-link', (event, link) => {
      const hover = {
        event,
        source: 'preview',
        hoverParent: this,
        targetEl: link,
        linktext: link.getAttr('data-href'),
      };
      app.workspace.trigger('hover-link', { ...hover, sourcePath: this.#file()?.path ?? '' });
    });
  }

  get file(): TFile {
    return this.#file() ?? refuse('file in an empty view');
  }

  get(): string {
    return this.#text;
  }

  set(data: string, _clear: boolean): void {
    this.#text = data;
    this.rerender();
  }

  clear(): void {
    this.#text = '';
    this.containerEl.empty();
  }

  rerender(_full?: boolean): void {
    if (this.#rendered) this.removeChild(this.#rendered);
    this.#rendered = this.addChild(new Component());
    this.containerEl.empty();
    const sizer = this.containerEl.createDiv('markdown-preview-sizer markdown-preview-section');
    void render(this.app, this.#text, sizer, this.#file()?.path ?? '', this.#rendered);
  }

  getScroll(): number {
    return this.containerEl.scrollTop;
  }

  applyScroll(scroll: number): void {
    this.containerEl.scrollTop = scroll;
  }
}

/**
 * Removes everything that could run or load from HTML with an allowlist, like the app's sanitizer.
 */
export function sanitizeHTMLToDom(html: string): DocumentFragment {
  const fragment = toElements(html);
  for (const el of Array.from(fragment.querySelectorAll('*'))) {
    if (
      /^(script|style|iframe|object|embed|link|meta|base|form|template|noscript)$/i.test(el.tagName)
    ) {
      el.remove();
      continue;
    }
    for (const { name, value } of Array.from(el.attributes)) {
      const isScript =
        /^(href|src|action|formaction|xlink:href)$/i.test(name) &&
        /^\s*(javascript|vbscript|data:text)/i.test(value);
      if (/^on/i.test(name) || isScript) el.removeAttribute(name);
    }
  }
  return fragment;
}
