import { useState } from 'preact/hooks';
import type { Thread } from '../../../chat/thread.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import { Announcement } from '../../memory/page-parts.js';
import type { TalkHost } from './host.js';
import { shortCount, useContext } from './use-context.js';

/** Who has put the offer off hears of it again when so much more of the context is taken up. */
const AGAIN_AFTER = 0.1;

/** Offers to go on elsewhere where the model can soon read no more, or has not read all of it. Nothing is left out by itself. */
export function ContextOffer({ host, thread }: { host: TalkHost; thread: Thread }) {
  const { tokens, limit, isNear, unread } = useContext(host, thread);
  const [putOffAt, setPutOff] = useState(0);
  const share = limit === undefined ? 0 : tokens / limit;
  const { nearLimit, overLimit, cutByServer } = text.chat.context;
  const words =
    unread > 0
      ? cutByServer(shortCount(unread))
      : share >= 1
        ? overLimit
        : isNear
          ? nearLimit(share)
          : '';
  const isShown = words !== '' && (putOffAt === 0 || share >= putOffAt + AGAIN_AFTER);
  const putOff = () => {
    setPutOff(Math.max(share, Number.MIN_VALUE));
    host.focusComposer();
  };
  return (
    <>
      <Announcement>{isShown ? words : ''}</Announcement>
      {isShown && (
        <div class="savepoint-banner savepoint-context-offer">
          <Icon name="gauge" />
          <div>
            <p>{words}</p>
            <div class="savepoint-call-buttons">
              <button type="button" class="mod-cta" onClick={() => host.saveState(true)}>
                {text.chat.goOn}
              </button>
              <button type="button" onClick={putOff}>
                {text.chat.context.later}
              </button>
            </div>
          </div>
        </div>
      )}
    </>
  );
}
