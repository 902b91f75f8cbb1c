import { Component, Keymap, MarkdownRenderer } from 'obsidian';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { act } from '../../../actions.js';
import { guardMarkdown, removeGuards } from '../../../../markdown/guard-markdown.js';
import { report } from '../../../host/logger.js';
import { CHAT_VIEW, type ChatHost } from '../host.js';
import { streamInto, type StreamedText } from './streamed-dom.js';

interface Written {
  readonly stream: StreamedText;
  readonly length: number;
  readonly hasEnded: boolean;
}

const TEXT_CLASSES = 'markdown-rendered savepoint-words';

/** Markdown that is being streamed; `isWhole` ends the stream. */
export function StreamedMarkdown({
  host,
  text,
  isWhole,
}: {
  host: ChatHost;
  text: string;
  isWhole: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const written = useRef<Written | undefined>(undefined);
  useLayoutEffect(() => {
    if (!box.current) return;
    const { stream, length, hasEnded } = written.current ?? {
      stream: streamInto(box.current),
      length: 0,
      hasEnded: false,
    };
    if (text.length > length) stream.write(text.slice(length));
    if (isWhole && !hasEnded) stream.end();
    written.current = { stream, length: text.length, hasEnded: hasEnded || isWhole };
  }, [text, isWhole]);
  useLinks(box, host);
  return <div ref={box} class={TEXT_CLASSES} />;
}

/** Messages this close to the viewport are rendered before the user scrolls to them. */
const RENDER_MARGIN = '600px';

/** Markdown, rendered by the app once near the viewport. Until then it looks as when streamed. */
export function RenderedMarkdown({ host, text }: { host: ChatHost; text: string }) {
  const box = useRef<HTMLDivElement>(null);
  const { app } = host.savepoint;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.empty();
    const streamed = element.createDiv(TEXT_CLASSES);
    const stream = streamInto(streamed);
    stream.write(text);
    stream.end();
    let component: Component | undefined;
    const render = async () => {
      component = new Component();
      component.load();
      // created in the same window, not in the page yet
      const rendered = streamed.cloneNode(false) as HTMLElement;
      await MarkdownRenderer.render(app, guardMarkdown(text), rendered, '', component);
      removeGuards(rendered);
      for (const table of rendered.findAll('table')) table.tabIndex = 0; // it scrolls
      for (const cell of rendered.findAll('td'))
        cell.toggleClass('savepoint-number', isNumber(cell.textContent));
      // the element itself, because other plugins may still write into it
      streamed.replaceWith(rendered);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        render().catch(report); // the streamed rendering stays
      },
      { rootMargin: RENDER_MARGIN },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      component?.unload();
    };
  }, [text, app]);

  useLinks(box, host);
  return <div ref={box} />;
}

const MAX_NUMBER_CHARS = 24;

/** Returns true for a number with at most one word, such as a date, which stays on one line. */
function isNumber(words: string): boolean {
  const others = words.split(/\s+/u).filter((word) => !/\p{N}/u.test(word));
  return words.length <= MAX_NUMBER_CHARS && /\p{N}/u.test(words) && others.length <= 1;
}

/** Opens linked notes on click, and shows a page preview on hover. */
function useLinks(
  box: { readonly current: HTMLDivElement | null },
  { savepoint, hoverParent }: ChatHost,
): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const { workspace } = savepoint.app;
    const linkAt = ({ target }: Event) =>
      (target as Element | null)?.closest<HTMLAnchorElement>('a.internal-link') ?? undefined;
    const open = (event: MouseEvent) => {
      const link = linkAt(event);
      if (!link || (event.type === 'auxclick' && event.button !== 1)) return;
      event.preventDefault();
      const target = link.getAttr('data-href') ?? link.getAttr('href') ?? '';
      act(() => workspace.openLinkText(target, '', Keymap.isModEvent(event)));
    };
    const hover = (event: MouseEvent) => {
      const link = linkAt(event);
      if (!link) return;
      const linktext = link.getAttr('data-href') ?? link.getAttr('href') ?? '';
      workspace.trigger('hover-link', {
        event,
        source: CHAT_VIEW,
        hoverParent,
        targetEl: link,
        linktext,
      });
    };
    element.addEventListener('click', open);
    element.addEventListener('auxclick', open);
    element.addEventListener('mouseover', hover);
    return () => {
      element.removeEventListener('click', open);
      element.removeEventListener('auxclick', open);
      element.removeEventListener('mouseover', hover);
    };
  }, [savepoint, hoverParent]);
}
