import { Platform } from 'obsidian';
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { faultText } from '../../actions.js';
import { isSameAttachment, readAttachment, type Attachment } from '../attachments.js';
import { talkTools } from '../talk.js';
import { report } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import { Icon, IconButton } from '../../ui/components.js';
import { useStore } from '../../ui/use-store.js';
import { emptyDraft, loadDraft, saveDraft, type Draft } from './drafts.js';
import { useSelected } from './hooks.js';
import type { TalkHost } from './host.js';
import { findOffers, type Offer } from './offers.js';
import { droppedLinks, triggerAt, withoutTrigger, type Trigger } from './triggers.js';

interface ComposerProps {
  readonly host: TalkHost;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

const DRAFT_PAUSE = 300;
const MOST_HEIGHT = 240;
/** What is longer is not laid out to learn its height. */
const MEASURED = 5000;

/** Where the person writes. What is typed stays, on this device, until it is sent. */
export function Composer({ host, area }: ComposerProps) {
  const { talk, savepoint } = host;
  const { app } = savepoint;
  const id = useStore(talk.id);
  const phase = useSelected(talk.panel, (panel) => panel.phase);
  const pending = useStore(talk.pending);
  const [draft, setDraft] = useState<Draft>(() => loadDraft(app, id));
  const [problem, setProblem] = useState('');
  const [isDropping, setDropping] = useState(false);
  const picking = usePicking(host, area, choose);
  const listId = useId();
  const labelId = useId();
  const isBusy = phase !== 'idle' || pending !== undefined;
  useKeptDraft(host, draft);

  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    if (draft.text.length > MEASURED) return box.setCssStyles({ blockSize: `${MOST_HEIGHT}px` });
    box.setCssStyles({ blockSize: 'auto' });
    box.setCssStyles({ blockSize: `${Math.min(MOST_HEIGHT, box.scrollHeight)}px` });
  }, [draft.text]);

  function type(typed: string): void {
    setProblem('');
    setDraft((now) => ({ ...now, text: typed }));
  }

  function attach(added: readonly Attachment[]): void {
    const isNew = (each: Attachment, now: Draft) =>
      !now.attachments.some((other) => isSameAttachment(each, other));
    setDraft((now) => ({
      ...now,
      attachments: [...now.attachments, ...added.filter((each) => isNew(each, now))],
    }));
  }

  function choose(offer: Offer, trigger: Trigger): void {
    const box = area.current;
    if (!box) return;
    const left = withoutTrigger(box.value, box.selectionStart, trigger);
    type(left.text);
    box.value = left.text;
    box.setSelectionRange(left.caret, left.caret);
    if ('attach' in offer.pick) {
      attach([offer.pick.attach]);
      box.focus();
    } else host.openTool(offer.pick.tool);
  }

  function submit(): void {
    const typed = draft.text.trim();
    if (isBusy || (typed === '' && draft.attachments.length === 0)) return;
    const [, tool] = /^\/(\w+)$/u.exec(typed) ?? [];
    if (tool !== undefined && talkTools(savepoint).some(({ name }) => name === tool)) {
      type('');
      return host.openTool(tool);
    }
    const sent = draft;
    setDraft(emptyDraft);
    send(sent).catch((error: unknown) => {
      setDraft((now) => ({
        text: [sent.text, now.text].filter((each) => each !== '').join('\n'),
        attachments: sent.attachments,
      }));
      setProblem(text.chat.composer.notSent(faultText(error)));
    });
  }

  async function send({ text: typed, attachments }: Draft): Promise<void> {
    const data = await Promise.all(
      attachments.map((attachment) => readAttachment(savepoint, attachment)),
    );
    const words = typed.trim();
    await talk.send([...(words === '' ? [] : [{ type: 'text' as const, text: words }]), ...data]);
  }

  function stop(): void {
    talk.stop();
    area.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || picking.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) submit();
    else if (event.key === 'Escape' && isBusy) talk.stop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    event.stopPropagation();
    setDropping(false);
    const links = droppedLinks(event.dataTransfer?.getData('text/plain') ?? '');
    const files = links.flatMap((link) => {
      const file =
        app.vault.getFileByPath(link) ?? app.metadataCache.getFirstLinkpathDest(link, '');
      return file ? [{ kind: 'note' as const, path: file.path }] : [];
    });
    attach(files);
    if (files.length === 0 && links.length > 0)
      type([draft.text, links.join('\n')].filter((each) => each !== '').join('\n'));
    area.current?.focus();
  }

  const labels = text.chat.composer;
  return (
    <div
      class={`savepoint-composer${isDropping ? ' is-dropping' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={onDrop}
    >
      {picking.offers && (
        <Offers
          id={listId}
          offers={picking.offers}
          current={picking.current}
          onPick={picking.pick}
          kind={picking.kind}
        />
      )}
      {problem !== '' && (
        <p class="savepoint-composer-problem" role="alert">
          {problem}
        </p>
      )}
      {draft.attachments.length > 0 && (
        <ul class="savepoint-chips">
          {draft.attachments.map((attachment) => {
            const name = attachment.kind === 'note' ? attachment.path : attachment.name;
            return (
              <li class="savepoint-chip">
                <Icon name={attachment.kind === 'note' ? 'file-text' : 'bookmark'} />
                <bdi class="savepoint-cut">{name}</bdi>
                <IconButton
                  icon="x"
                  label={labels.remove(name)}
                  onClick={() => {
                    setProblem('');
                    setDraft((now) => ({
                      ...now,
                      attachments: now.attachments.filter((other) => other !== attachment),
                    }));
                    area.current?.focus();
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
      <div class="savepoint-composer-row">
        <span class="savepoint-unseen" id={labelId}>
          {labels.label}
        </span>
        <textarea
          ref={area}
          rows={1}
          dir="auto"
          aria-labelledby={labelId}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={picking.offers && listId}
          aria-activedescendant={
            picking.offers && picking.offers.length > 0 ? `${listId}-${picking.current}` : undefined
          }
          enterkeyhint={Platform.isMobile ? 'enter' : 'send'}
          placeholder={labels.placeholder}
          value={draft.text}
          onInput={(event) => {
            type(event.currentTarget.value);
            picking.look();
          }}
          onClick={picking.look}
          onKeyUp={(event) => {
            if (event.key.startsWith('Arrow') && !picking.offers) picking.look();
          }}
          onBlur={picking.close}
          onKeyDown={onKeyDown}
        />
        {isBusy ? (
          <button type="button" class="savepoint-send" aria-label={labels.stop} onClick={stop}>
            <Icon name="square" />
          </button>
        ) : (
          <button
            type="button"
            class="mod-cta savepoint-send"
            aria-label={labels.send}
            disabled={draft.text.trim() === '' && draft.attachments.length === 0}
            onClick={() => {
              submit();
              area.current?.focus();
            }}
          >
            <Icon name="arrow-up" />
          </button>
        )}
      </div>
    </div>
  );
}

/** Keeps the draft a moment after it has changed, and at once when the panel goes. */
function useKeptDraft({ talk, savepoint: { app, clock } }: TalkHost, draft: Draft): void {
  const id = useStore(talk.id);
  const latest = useRef({ id, draft });
  const saved = useRef({ id, draft });
  latest.current = { id, draft };
  const save = () => {
    const { id: now, draft: held } = latest.current;
    if (saved.current.id === now && saved.current.draft === held) return;
    if (saved.current.id !== now) saveDraft(app, saved.current.id, emptyDraft); // it went with the conversation that has begun
    saveDraft(app, now, held);
    saved.current = latest.current;
  };
  useEffect(() => clock.after(DRAFT_PAUSE, save), [draft, id]);
  useEffect(() => save, []);
}

interface Picking {
  /** Undefined where nothing is being picked. */
  readonly offers: readonly Offer[] | undefined;
  readonly kind: Trigger['kind'];
  readonly current: number;
  readonly look: () => void;
  readonly close: () => void;
  readonly pick: (offer: Offer) => void;
  /** Answers whether the key was for the list. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

function usePicking(
  { savepoint }: TalkHost,
  area: ComposerProps['area'],
  choose: (offer: Offer, trigger: Trigger) => void,
): Picking {
  const [found, setFound] = useState<{ trigger: Trigger; offers: readonly Offer[] } | undefined>(
    undefined,
  );
  const [current, setCurrent] = useState(0);
  const dismissed = useRef<number | undefined>(undefined);

  function look(): void {
    const box = area.current;
    const trigger = box ? triggerAt(box.value, box.selectionStart) : undefined;
    if (!trigger || dismissed.current === trigger.from) {
      if (!trigger) dismissed.current = undefined;
      return setFound(undefined);
    }
    findOffers(savepoint, trigger)
      .then((offers) => {
        const now = box ? triggerAt(box.value, box.selectionStart) : undefined;
        if (now?.kind !== trigger.kind || now.query !== trigger.query) return;
        setFound({ trigger, offers });
        setCurrent(0);
      })
      .catch(report);
  }

  function pick(offer: Offer): void {
    if (!found) return;
    setFound(undefined);
    choose(offer, found.trigger);
  }

  function onKeyDown(event: KeyboardEvent): boolean {
    if (!found) return false;
    const { offers, trigger } = found;
    const count = offers.length;
    if (event.key === 'Escape') {
      dismissed.current = trigger.from;
      setFound(undefined);
    } else if (count === 0) return false;
    else if (event.key === 'ArrowDown') setCurrent((current + 1) % count);
    else if (event.key === 'ArrowUp') setCurrent((current + count - 1) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') pick(offers[current]!);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    offers: found?.offers,
    kind: found?.trigger.kind ?? 'note',
    current,
    look,
    pick,
    onKeyDown,
    close: () => setFound(undefined),
  };
}

interface OffersProps {
  readonly id: string;
  readonly offers: readonly Offer[];
  readonly current: number;
  readonly kind: Trigger['kind'];
  readonly onPick: (offer: Offer) => void;
}

function Offers({ id, offers, current, kind, onPick }: OffersProps) {
  const { notes, states, tools, nothing } = text.chat.composer;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('.is-selected')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div
      class="savepoint-offers"
      id={id}
      ref={list}
      role="listbox"
      tabIndex={0} // it scrolls
      aria-labelledby={`${id}-label`}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span class="savepoint-unseen" id={`${id}-label`}>
        {{ note: notes, state: states, tool: tools }[kind]}
      </span>
      {offers.length === 0 && (
        <div class="suggestion-empty" role="option" aria-disabled="true" aria-selected="false">
          {nothing}
        </div>
      )}
      {offers.map((offer, at) => (
        <div
          key={offer.key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === current}
          class={`suggestion-item savepoint-offer${at === current ? ' is-selected' : ''}`}
          onMouseDown={(event) => {
            event.preventDefault(); // the focus stays where somebody types
            onPick(offer);
          }}
        >
          <Icon name={offer.icon} />
          <bdi class="savepoint-cut">{offer.title}</bdi>
          <span class="savepoint-offer-note savepoint-cut">{offer.note}</span>
        </div>
      ))}
    </div>
  );
}
