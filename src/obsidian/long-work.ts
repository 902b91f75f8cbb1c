import type { Modal } from 'obsidian';
import { text } from './i18n/index.js';
import type { WritableStore } from './store.js';

/** Work that goes on while its window is closed, as the status bar and the memory view show it. */
export interface LongWork {
  readonly title: string;
  /** Share that is done, from 0 to 1. */
  readonly share: number;
  readonly stop?: (why?: 'closed') => void;
  readonly window?: Modal;
}

export type LongWorks = WritableStore<readonly LongWork[]>;

export interface WorkControl {
  /** Its reason is `closed` if the vault is closed. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
  /** Takes the share that is done. */
  readonly tell: (share: number) => void;
}

/** Shows work and its share, or hides it if the share is undefined. */
export function showWork(
  works: LongWorks,
  title: string,
  share?: number,
  more: Pick<LongWork, 'stop' | 'window'> = {},
): void {
  const all = works.get();
  const before = all.find((work) => work.title === title);
  if (share === undefined) return works.set(before ? all.filter((each) => each !== before) : all);
  const work = { ...more, title, share: Math.min(share, 1) };
  if (!before) works.set([...all, work]);
  else if (Math.abs(share - before.share) >= 0.01)
    works.set(all.map((each) => (each === before ? work : each)));
}

/** Runs the work of a window, and shows it until it ends. */
export async function runWork<T>(
  works: LongWorks,
  { title, window }: Required<Pick<LongWork, 'title' | 'window'>>,
  task: (control: WorkControl) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const stop = (why?: 'closed') => stopping.abort(why);
  const tell = (share: number) => showWork(works, title, share, { window, stop });
  tell(0);
  try {
    return await task({ signal: stopping.signal, stop, tell });
  } finally {
    showWork(works, title);
  }
}

/** Returns for example `Import chats, 42%`. */
export function workText({ title, share }: LongWork): string {
  return `${title}, ${share.toLocaleString(text.locale, { style: 'percent' })}`;
}
