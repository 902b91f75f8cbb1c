import type { FileDiff } from '../../../model/message.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { text } from '../../i18n/index.js';

export function DiffLines({ diff }: { diff: FileDiff }) {
  const { diffCut, diffTooLarge } = text.chatAgents;
  const shown = diff.lines.map((line) => visibleText(line)).join('\n');
  return (
    <div class="savepoint-diff">
      <h4>
        <bdi>{visibleText(diff.path)}</bdi>
      </h4>
      {diff.lines.length > 0 && (
        <pre class="savepoint-code" tabIndex={0}>
          {shown}
        </pre>
      )}
      {diff.isCut && (
        <p class="savepoint-quiet">{diff.lines.length > 0 ? diffCut : diffTooLarge}</p>
      )}
    </div>
  );
}
