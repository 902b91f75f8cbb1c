import type { ComponentChildren } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { Empty } from '../ui/components.js';
import { compareStates, inOrder, type FieldChange, type Piece } from './compare-states.js';
import type { PageHost } from './host.js';
import { useNow } from './hooks.js';
import { Ago, Article, Header, Part } from './page-parts.js';

/** Shows what was added, removed and changed between two states, field by field. */
export function ComparisonPage({
  host,
  states,
}: {
  host: PageHost;
  states: readonly [Named<State>, Named<State>];
}) {
  const [earlier, later] = inOrder(...states);
  const labels = { ...text.commands.saveState.labels, ...text.memoryView };
  const titleId = useId();
  const now = useNow(host.savepoint);
  const fields = useMemo(
    () => compareStates(earlier.item, later.item),
    [earlier.item.id, later.item.id],
  );
  const unchanged = fields.filter(({ isChanged }) => !isChanged).map(({ field }) => labels[field]);
  const changed = fields.filter(({ isChanged }) => isChanged);

  return (
    <>
      <Header title={labels.comparison} titleId={titleId} onBack={host.back} />
      <Article labelledBy={titleId} takesFocus={host.takesFocus}>
        <ul class="savepoint-compared">
          <Compared icon="−" state={earlier} now={now} />
          <Compared icon="+" state={later} now={now} />
        </ul>
        {changed.map((change) => (
          <Part title={labels[change.field]}>
            <FieldPieces change={change} />
          </Part>
        ))}
        {changed.length === 0 ? (
          <Empty icon="equal" title={labels.noDifference}>
            {labels.noDifferenceHelp}
          </Empty>
        ) : (
          unchanged.length > 0 && (
            <p class="savepoint-quiet">{labels.unchanged(unchanged.join(', '))}</p>
          )
        )}
      </Article>
    </>
  );
}

function Compared({ icon, state, now }: { icon: '−' | '+'; state: Named<State>; now: number }) {
  return (
    <li class={icon === '+' ? 'mod-added' : 'mod-removed'}>
      <span aria-hidden="true">{icon}</span>
      <span>
        <bdi>{state.displayName}</bdi>
        <span class="savepoint-quiet">
          <Ago then={state.item.createdAt} now={now} />
        </span>
      </span>
    </li>
  );
}

function FieldPieces({ change }: { change: FieldChange }) {
  if (change.kind === 'list') return <ListChanges parts={change.parts} />;
  const isReplaced = change.parts.every(({ change: kind }) => kind !== 'none');
  return isReplaced ? (
    <>
      {change.parts.map((piece) => (
        <Group change={piece.change}>
          <p class="savepoint-plain" dir="auto">
            <Changed change={piece.change}>{piece.value}</Changed>
          </p>
        </Group>
      ))}
    </>
  ) : (
    <p class="savepoint-plain" dir="auto">
      {change.parts.map((piece) => (
        <Changed change={piece.change}>{piece.value}</Changed>
      ))}
    </p>
  );
}

/** The removed elements of a list, then the added ones; unchanged elements are left out. */
function ListChanges({ parts }: { parts: readonly Piece<readonly string[]>[] }) {
  return (
    <>
      {(['removed', 'added'] as const).map((kind) => {
        const elements = parts
          .filter(({ change }) => change === kind)
          .flatMap(({ value }) => value);
        return (
          <Group change={kind} isEmpty={elements.length === 0}>
            <ul class="savepoint-changes">
              {elements.map((element) => (
                <li class="savepoint-plain" dir="auto">
                  <Changed change={kind}>{element}</Changed>
                </li>
              ))}
            </ul>
          </Group>
        );
      })}
    </>
  );
}

interface GroupProps {
  change: Piece<unknown>['change'];
  isEmpty?: boolean;
  children: ComponentChildren;
}

/** Changes of one kind, with a heading. */
function Group({ change, isEmpty = false, children }: GroupProps) {
  if (isEmpty) return null;
  const { addedHeading, removedHeading } = text.memoryView;
  return (
    <>
      {change !== 'none' && (
        <h4 class="savepoint-change-heading">
          {change === 'added' ? addedHeading : removedHeading}
        </h4>
      )}
      {children}
    </>
  );
}

/** Marks a change without relying on colour: with a strike-through and text for screen readers. */
function Changed({ change, children }: { change: Piece<unknown>['change']; children: string }) {
  const shown = visibleText(children);
  if (change === 'none') return <>{shown}</>;
  const said = <span class="savepoint-unseen">{` (${text.memoryView[change]}) `}</span>;
  return change === 'added' ? (
    <ins class="savepoint-added">
      {said}
      {shown}
    </ins>
  ) : (
    <del class="savepoint-removed">
      {said}
      {shown}
    </del>
  );
}
