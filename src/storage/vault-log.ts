import { CALL_KEY, type Draft, type LogEvent } from '../model/event.js';
import { effectOf, type Memory } from '../model/memory.js';
import type { Message } from '../model/message.js';
import type { Trace } from '../model/trace.js';
import type { LogChange } from './change-feed.js';
import type { ForgetControl } from './forget/forgetting.js';
import { LogParts } from './log-parts.js';
import { troubleOf } from './log-trouble.js';
import type { Decide, Log, LogOptions, LogTrouble, TraceEntry, TraceList } from './log.js';

export function createLog(options: LogOptions): Log {
  return new VaultLog(options);
}

class VaultLog implements Log {
  readonly #parts: LogParts;
  readonly #warn: (message: string) => void;
  readonly forgetting: ForgetControl;

  constructor(options: LogOptions) {
    this.#parts = new LogParts(options);
    this.#warn = options.warn;
    this.forgetting = this.#parts.forgetting;
  }

  async memory(): Promise<Memory> {
    await this.#parts.core.catchUp();
    return this.#parts.core.memory;
  }

  async write<T>(decide: Decide<T>, call?: string): Promise<T | undefined> {
    await this.#parts.readCore();
    let answer: T | undefined;
    await this.#parts.core.append((memory) => {
      answer = undefined;
      if (effectOf(memory, call) !== undefined) return [];
      const decided = decide(memory);
      answer = decided.answer;
      return call === undefined
        ? decided.drafts
        : decided.drafts.map((draft) => ({ ...draft, d: { [CALL_KEY]: call, ...draft.d } }));
    });
    return answer;
  }

  async writeTrace(draft: Draft, when?: 'soon'): Promise<void> {
    await this.#parts.trace.append(() => [draft], when);
  }

  traceEntries(workspaceId: string): Promise<readonly TraceEntry[]> {
    return this.#parts.reads.traceEntries(workspaceId);
  }

  traceList(workspaceId: string): Promise<TraceList> {
    return this.#parts.reads.traceList(workspaceId);
  }

  async readTraces(entries: readonly TraceEntry[]): Promise<Trace[]> {
    return (await this.tracesAt(entries)).filter((trace) => trace !== undefined);
  }

  tracesAt(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]> {
    return this.#parts.reads.tracesAt(entries);
  }

  recentTraces(workspaceId: string, limit: number): Promise<Trace[]> {
    return this.#parts.reads.recentTraces(workspaceId, limit);
  }

  recentCheckpoints(limit: number): Promise<Trace[]> {
    return this.#parts.reads.recentCheckpoints(limit);
  }

  async conversations(): Promise<Memory> {
    await this.#parts.readCore();
    await this.#parts.chat.catchUp();
    return this.#parts.chat.memory;
  }

  messages(conversationId: string): Promise<Message[]> {
    return this.#parts.reads.messages(conversationId);
  }

  async writeChat(draft: Draft): Promise<LogEvent> {
    const written = await this.#parts.chat.append(() => [draft]);
    return written.find(({ event }) => event.e === draft.e && event.t === draft.t)!.event;
  }

  async heal(memoryId?: string): Promise<number> {
    await this.#parts.core.catchUp();
    const healed = (await this.#parts.healer?.healNow(memoryId)) ?? 0;
    if (healed > 0) await this.#parts.core.catchUp();
    return healed;
  }

  trouble(): LogTrouble {
    const { healer, core, watermarks, writers } = this.#parts;
    return troubleOf(healer, core.waiting, watermarks, writers);
  }

  onChange(listener: (change: LogChange) => void): () => void {
    return this.#parts.feed.subscribe(listener);
  }

  async releaseWriters(): Promise<void> {
    await Promise.all(this.#parts.lanes.map((lane) => lane.drain()));
    await this.#parts.watermarks.announce();
    await Promise.all(this.#parts.lanes.map((lane) => lane.release())).catch((error: unknown) =>
      this.#warn(`A writer could not be stored for next time: ${String(error)}`),
    );
  }

  async close(): Promise<void> {
    this.#parts.feed.stop();
    await this.#parts.retention?.stop();
    await this.releaseWriters();
    this.#parts.watermarks.stop();
    await this.#parts.forgetting.close();
    await this.#parts.healer?.close();
    await Promise.all(this.#parts.lanes.map((lane) => lane.closeCache()));
  }
}
