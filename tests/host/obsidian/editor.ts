import type {
  EditorChange,
  EditorPosition,
  EditorRange,
  EditorSelection,
  EditorSelectionOrCaret,
  EditorTransaction,
} from 'obsidian';
import { refuse } from './refuse';

/**
 * The editor of the simulated Obsidian: a plain text area. Features of CodeMirror (several cursors,
 * folding, redoing) throw.
 * Positions are lines and UTF-16 columns from 0.
 */
export class Editor {
  readonly #area: HTMLTextAreaElement;
  readonly #onChange: () => void;
  /** Texts before each change through this interface, oldest first. */
  readonly #past: string[] = [];

  constructor(area: HTMLTextAreaElement, onChange: () => void) {
    this.#area = area;
    this.#onChange = onChange;
  }

  getDoc(): this {
    return this;
  }

  setLine(n: number, text: string): void {
    this.replaceRange(text, { line: n, ch: 0 }, { line: n, ch: this.getLine(n).length });
  }

  somethingSelected(): boolean {
    return this.getSelection() !== '';
  }

  setCursor(pos: EditorPosition | number, ch = 0): void {
    this.setSelection(typeof pos === 'number' ? { line: pos, ch } : pos);
  }

  processLines<T>(
    read: (line: number, lineText: string) => T | null,
    write: (line: number, lineText: string, value: T | null) => EditorChange | void,
    ignoreEmpty = true,
  ): void {
    const lines = Array.from({ length: this.lineCount() }, (_, line) => ({
      line,
      text: this.getLine(line),
    }));
    const wanted = lines.filter(({ text }) => !ignoreEmpty || text.trim() !== '');
    const values = wanted.map(({ line, text }) => ({ line, text, value: read(line, text) }));
    const changes = values
      .map(({ line, text, value }) => write(line, text, value))
      .filter((change) => change !== undefined);
    for (const { text, from, to } of changes.reverse()) this.replaceRange(text, from, to);
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#area.value = before;
    this.#onChange();
  }

  redo(): void {
    refuse('Editor.redo');
  }

  exec(command: string): void {
    refuse(`Editor.exec('${command}')`);
  }

  refresh(): void {}

  getValue(): string {
    return this.#area.value;
  }

  setValue(content: string): void {
    this.#area.value = content;
    this.#onChange();
  }

  getLine(line: number): string {
    return this.#lines()[line] ?? '';
  }

  lineCount(): number {
    return this.#lines().length;
  }

  lastLine(): number {
    return this.lineCount() - 1;
  }

  getSelection(): string {
    return this.getValue().slice(this.#area.selectionStart, this.#area.selectionEnd);
  }

  getRange(from: EditorPosition, to: EditorPosition): string {
    return this.getValue().slice(this.posToOffset(from), this.posToOffset(to));
  }

  replaceSelection(replacement: string): void {
    this.#splice(replacement, this.#area.selectionStart, this.#area.selectionEnd);
  }

  replaceRange(replacement: string, from: EditorPosition, to: EditorPosition = from): void {
    this.#splice(replacement, this.posToOffset(from), this.posToOffset(to));
  }

  getCursor(side: 'from' | 'to' | 'head' | 'anchor' = 'head'): EditorPosition {
    const { selectionStart, selectionEnd, selectionDirection } = this.#area;
    const isBackwards = selectionDirection === 'backward';
    const atEnd = side === 'to' || side === (isBackwards ? 'anchor' : 'head');
    return this.offsetToPos(atEnd ? selectionEnd : selectionStart);
  }

  listSelections(): EditorSelection[] {
    return [{ anchor: this.getCursor('anchor'), head: this.getCursor('head') }];
  }

  setSelection(anchor: EditorPosition, head: EditorPosition = anchor): void {
    const [from, to] = [this.posToOffset(anchor), this.posToOffset(head)];
    this.#area.setSelectionRange(
      Math.min(from, to),
      Math.max(from, to),
      to < from ? 'backward' : 'forward',
    );
  }

  /** A text area has only one selection, so the main one is used. */
  setSelections(ranges: EditorSelectionOrCaret[], main = 0): void {
    const range = ranges[main];
    if (range) this.setSelection(range.anchor, range.head);
  }

  focus(): void {
    this.#area.focus();
  }

  blur(): void {
    this.#area.blur();
  }

  hasFocus(): boolean {
    return this.#area.isActiveElement();
  }

  getScrollInfo(): { top: number; left: number } {
    return { top: this.#area.scrollTop, left: this.#area.scrollLeft };
  }

  scrollTo(x?: number | null, y?: number | null): void {
    if (typeof x === 'number') this.#area.scrollLeft = x;
    if (typeof y === 'number') this.#area.scrollTop = y;
  }

  scrollIntoView({ from }: EditorRange): void {
    const lineHeight = this.#area.scrollHeight / Math.max(this.lineCount(), 1);
    this.#area.scrollTop = from.line * lineHeight;
  }

  /**
   * Applies changes as CodeMirror does: all positions are those before the transaction, changes
   * must not overlap, the selection moves with the text around it, and one undo reverts all.
   */
  transaction({ changes = [], replaceSelection, selection, selections }: EditorTransaction): void {
    const spans = changes
      .map(({ from, to = from, text }) => ({
        text,
        from: this.posToOffset(from),
        to: this.posToOffset(to),
      }))
      .sort((a, b) => a.from - b.from || a.to - b.to);
    if (spans.some(({ from }, at) => at > 0 && from < spans[at - 1]!.to))
      throw new RangeError('Overlapping changes');
    if (spans.length > 0) this.#applySpans(spans);
    if (replaceSelection !== undefined) this.replaceSelection(replaceSelection);
    const wanted = selection ?? selections?.[0];
    if (wanted) this.setSelection(wanted.from, wanted.to);
  }

  #applySpans(spans: readonly { from: number; to: number; text: string }[]): void {
    const { selectionStart, selectionEnd, selectionDirection } = this.#area;
    /** Returns a position before what is inserted there, or at the start of removed text. */
    const moved = (position: number) => {
      let by = 0;
      for (const { from, to, text } of spans) {
        if (from >= position) break;
        if (to > position) return from + by;
        by += text.length - (to - from);
      }
      return position + by;
    };
    const before = this.getValue();
    this.#past.push(before);
    let [text, end] = ['', 0];
    for (const span of spans) {
      text += before.slice(end, span.from) + span.text;
      end = span.to;
    }
    this.#area.value = text + before.slice(end);
    this.#area.setSelectionRange(moved(selectionStart), moved(selectionEnd), selectionDirection);
    this.#onChange();
  }

  wordAt(pos: EditorPosition): EditorRange | null {
    const line = this.getLine(pos.line);
    const word = [...line.matchAll(/[\p{L}\p{N}_]+/gu)].find(
      ({ 0: text, index }) => index <= pos.ch && pos.ch <= index + text.length,
    );
    if (!word) return null;
    return {
      from: { line: pos.line, ch: word.index },
      to: { line: pos.line, ch: word.index + word[0].length },
    };
  }

  posToOffset({ line, ch }: EditorPosition): number {
    const lines = this.#lines();
    const before = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
    return Math.min(before + Math.min(ch, lines[line]?.length ?? 0), this.getValue().length);
  }

  offsetToPos(offset: number): EditorPosition {
    const before = this.getValue().slice(0, offset).split('\n');
    return { line: before.length - 1, ch: before.at(-1)?.length ?? 0 };
  }

  #lines(): string[] {
    return this.getValue().split('\n');
  }

  #splice(replacement: string, from: number, to: number): void {
    const text = this.getValue();
    this.#past.push(text);
    this.#area.value = text.slice(0, from) + replacement + text.slice(to);
    this.#area.setSelectionRange(from + replacement.length, from + replacement.length);
    this.#onChange();
  }
}
