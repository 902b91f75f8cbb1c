import type { Savepoint } from './savepoint.js';
import type { Store } from './store.js';
import { text } from './text/index.js';

/** Shows in the status bar what is being read, then the workspace that this device is in; a click opens the memory. Answers how to stop. */
export function showStatus(bar: HTMLElement, savepoint: Store<Savepoint | undefined>, open: () => void): () => void {
  bar.addClass('mod-clickable');
  bar.setAttrs({ role: 'button', tabindex: '0' });
  bar.addEventListener('click', open);
  bar.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') open();
  });
  let stopFollowing: () => void = () => undefined;
  const follow = () => {
    stopFollowing();
    const opened = savepoint.get();
    const show = () => {
      const [shown, label] = statusOf(opened);
      bar.setText(shown);
      bar.setAttr('aria-label', label);
    };
    const stops = opened ? [opened.reading, opened.memory, opened.workspaceId].map((store) => store.subscribe(show)) : [];
    stopFollowing = () => stops.forEach((stop) => stop());
    show();
  };
  follow();
  const stop = savepoint.subscribe(follow);
  return () => {
    stop();
    stopFollowing();
  };
}

/** What the bar shows, and what it is called for screen readers. */
function statusOf(savepoint: Savepoint | undefined): [string, string] {
  const { phase } = savepoint?.reading.get() ?? { phase: 'waiting' };
  if (phase === 'failed') return [text.general.readingFailed, text.general.readingFailed];
  if (!savepoint || phase !== 'ready') return [text.general.reading, text.general.reading];
  const { name } = savepoint.workspace();
  return [name, text.general.statusLabel(name)];
}
