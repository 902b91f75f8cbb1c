import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';

type SavingCall = Pick<Trace, 'tool' | 'input' | 'isSuccess'>;

/** Returns a filter that omits the calls that saved one of the states, which are listed already. */
export function createSavingCallFilter(
  states: readonly Named<State>[],
): <C extends SavingCall>(calls: readonly C[]) => C[] {
  let names: ReadonlySet<string> | undefined;
  const namesOf = () => new Set(states.map(({ item }) => JSON.stringify(item.name)));
  return (calls) =>
    calls.filter(({ tool, input, isSuccess }) => {
      if (tool !== 'createState' || !isSuccess) return true;
      const [, name] = /"name":("(?:[^"\\]|\\.)*")/u.exec(input) ?? [];
      return name === undefined || !(names ??= namesOf()).has(name);
    });
}
