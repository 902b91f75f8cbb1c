import type { TurnEvent } from '../chat/turn.js';
import { isJsonObject, type JsonObject } from '../model/event.js';
import type { MessageEnd } from '../model/message.js';
import { visibleText } from '../model/text/visible-text.js';
import { DeclinedRequest } from '../platform/rpc/json-rpc.js';
import { ChatAgentFailure } from './chat-agent-failure.js';
import { ChatAgentConnection } from './connection.js';
import { findKnownChatAgent } from './known-chat-agents.js';
import { loginHint } from './login-hint.js';
import { CANCELLED } from './permission.js';
import { RunningTurn } from './running-turn.js';
import type { ChatAgentSessionOptions, PromptOptions } from './session-options.js';
import {
  commandsOf,
  MODE_ID,
  settingsOf,
  updatedSettings,
  type ChatAgentCommand,
  type SessionSetting,
} from './session-settings.js';

const PROTOCOL_VERSION = 1;
/** Some agents take long to start on a slow disk. */
const START_TIMEOUT_MS = 60_000;
const SETTING_TIMEOUT_MS = 10_000;
/** An agent that does not stop within this time is ended. */
const CANCEL_TIMEOUT_MS = 5000;

const ENDS: Readonly<Record<string, MessageEnd>> = {
  end_turn: 'done',
  max_tokens: 'length',
  max_turn_requests: 'steps',
};

/** A session with an agent, for one conversation. */
export class ChatAgentSession {
  readonly #options: ChatAgentSessionOptions;
  readonly #connection: ChatAgentConnection;
  #id = '';
  #isResumed = false;
  #isReplaying = false;
  #takesImages = false;
  #settings: readonly SessionSetting[] = [];
  #commands: readonly ChatAgentCommand[] = [];
  #contextLimit: number | undefined;
  #login = '';
  #running: RunningTurn | undefined;

  constructor(options: ChatAgentSessionOptions) {
    const { process, clock, scheduler, report } = options;
    this.#options = options;
    this.#connection = new ChatAgentConnection({
      process,
      clock,
      scheduler,
      report,
      handlers: {
        request: (method, params) => this.#onRequest(method, params),
        notification: (method, params) => this.#onNotification(method, params),
      },
    });
  }

  /** The agent's own id of the session. */
  get id(): string {
    return this.#id;
  }

  /** True if the agent knows the earlier messages of the conversation. */
  get isResumed(): boolean {
    return this.#isResumed;
  }

  get takesImages(): boolean {
    return this.#takesImages;
  }

  get isOpen(): boolean {
    return this.#id !== '' && !this.#connection.failure;
  }

  get settings(): readonly SessionSetting[] {
    return this.#settings;
  }

  get commands(): readonly ChatAgentCommand[] {
    return this.#commands;
  }

  /** Size of the model's context window in tokens, if reported. */
  get contextLimit(): number | undefined {
    return this.#contextLimit;
  }

  /** Continues the previous session or starts a new one. Throws a `ChatAgentFailure`. */
  async open(): Promise<void> {
    try {
      const { protocolVersion, agentCapabilities, authMethods } = await this.#connection.request(
        'initialize',
        {
          protocolVersion: PROTOCOL_VERSION,
          clientInfo: { name: 'savepoint', title: 'Savepoint', version: this.#options.version },
          // Write without read: one agent cannot create a file while the client serves reads.
          clientCapabilities: {
            fs: { readTextFile: false, writeTextFile: true },
            terminal: false,
            auth: { terminal: true },
          },
        },
        START_TIMEOUT_MS,
      );
      if (protocolVersion !== PROTOCOL_VERSION)
        throw new ChatAgentFailure('version', JSON.stringify(protocolVersion ?? null));
      this.#login = loginHint(this.#options.agent, authMethods);
      const capabilities = isJsonObject(agentCapabilities) ? agentCapabilities : {};
      const { promptCapabilities: prompts } = capabilities;
      this.#takesImages = isJsonObject(prompts) && prompts['image'] === true;
      const answer = (await this.#continue(capabilities)) ?? (await this.#start());
      this.#settings = settingsOf(answer);
      await this.#askBeforeWrites();
      this.#options.onChange();
    } catch (error) {
      throw this.#withLogin(error);
    }
  }

  /** Yields the agent's turn. Never throws: a failure ends the last step. */
  async *prompt({ signal, approve, describe, ...sent }: PromptOptions): AsyncGenerator<TurnEvent> {
    const running = new RunningTurn(this.#options, approve, signal);
    const { events } = running;
    this.#running = running;
    const cancel = () => this.#cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    void this.#request(sent)
      .finally(() => running.settle())
      .then(
        (end) => events.push(running.turn.end(end)),
        (error: unknown) => {
          if (signal.aborted) return events.push(running.turn.end('stopped'));
          const failure = this.#withLogin(error);
          const end = failure.kind === 'cancelled' ? 'stopped' : 'failed';
          events.push(running.turn.end(end, { message: describe(failure) }));
        },
      )
      .finally(() => events.close());
    try {
      yield* events.read();
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#running = undefined;
    }
  }

  /** Throws a `ChatAgentFailure`. */
  async change(id: string, value: string): Promise<void> {
    const setting = this.#settings.find((each) => each.id === id);
    if (!setting) return;
    const method = setting.isMode ? 'session/set_mode' : 'session/set_config_option';
    const choice = setting.isMode ? { modeId: value } : { configId: id, value };
    const params = { sessionId: this.#id, ...choice };
    const answer = await this.#connection.request(method, params, SETTING_TIMEOUT_MS);
    const isListed = Array.isArray(answer['configOptions']);
    this.#settings = isListed
      ? updatedSettings(this.#settings, { ...answer, sessionUpdate: 'config_option_update' })
      : this.#settings.map((each) => (each.id === id ? { ...each, value } : each));
    this.#options.onChange();
  }

  /** Resolves when none of the agent's processes is left. */
  close(): Promise<void> {
    this.#connection.fail(new ChatAgentFailure('ended'));
    return this.#options.process.end();
  }

  /** Returns undefined if the agent cannot continue, or no longer knows the session. */
  async #continue(capabilities: JsonObject): Promise<JsonObject | undefined> {
    const { previousId: sessionId } = this.#options;
    if (sessionId === undefined) return undefined;
    const { sessionCapabilities, loadSession } = capabilities;
    const canResume =
      isJsonObject(sessionCapabilities) && isJsonObject(sessionCapabilities['resume']);
    if (!canResume && loadSession !== true) return undefined;
    const method = canResume ? 'session/resume' : 'session/load';
    const params = { sessionId, ...this.#sessionParams() };
    this.#isReplaying = true;
    try {
      const answer = await this.#connection.request(method, params, START_TIMEOUT_MS);
      this.#id = sessionId;
      this.#isResumed = true;
      return answer;
    } catch (error) {
      if (error instanceof ChatAgentFailure && error.kind === 'error') return undefined;
      throw error;
    } finally {
      this.#isReplaying = false;
    }
  }

  async #start(): Promise<JsonObject> {
    const answer = await this.#connection.request(
      'session/new',
      this.#sessionParams(),
      START_TIMEOUT_MS,
    );
    const { sessionId } = answer;
    if (typeof sessionId !== 'string' || sessionId === '')
      throw new ChatAgentFailure('error', 'session/new: no sessionId');
    this.#id = sessionId;
    return answer;
  }

  #sessionParams(): JsonObject {
    const { vault, agent, paths, memoryServer } = this.#options;
    const { command, args } = memoryServer;
    const meta = findKnownChatAgent(agent.id)?.meta?.(paths.protectedFolders);
    return {
      cwd: vault,
      mcpServers: [{ name: 'savepoint', command, args: [...args], env: [] }],
      ...(meta && { _meta: meta }),
    };
  }

  /** Selects the mode in which the agent asks. The user can select another one afterwards. */
  async #askBeforeWrites(): Promise<void> {
    const mode = findKnownChatAgent(this.#options.agent.id)?.askingMode;
    const setting = this.#settings.find(({ id }) => id === MODE_ID);
    if (mode === undefined || !setting || this.#isResumed || setting.value === mode) return;
    if (setting.options.some(({ value }) => value === mode)) await this.change(MODE_ID, mode);
  }

  async #request({ text, images }: Pick<PromptOptions, 'text' | 'images'>): Promise<MessageEnd> {
    const shown = images.map((image) => ({ type: 'image', ...image }));
    const { stopReason } = await this.#connection.request('session/prompt', {
      sessionId: this.#id,
      prompt: [{ type: 'text', text: visibleText(text) }, ...shown],
    });
    if (stopReason === 'cancelled') throw new ChatAgentFailure('cancelled');
    const end = typeof stopReason === 'string' ? ENDS[stopReason] : undefined;
    if (end === undefined)
      throw new ChatAgentFailure('error', `stopReason: ${JSON.stringify(stopReason ?? null)}`);
    return end;
  }

  #cancel(): void {
    this.#connection.notify('session/cancel', { sessionId: this.#id });
    const running = this.#running;
    this.#options.clock.after(CANCEL_TIMEOUT_MS, () => {
      if (running && this.#running === running)
        this.#connection.fail(new ChatAgentFailure('stuck'));
    });
  }

  #onNotification(method: string, { sessionId, update }: JsonObject): void {
    if (method !== 'session/update' || !isJsonObject(update)) return;
    if (this.#id !== '' && sessionId !== this.#id) return;
    switch (update['sessionUpdate']) {
      case 'available_commands_update':
        this.#commands = commandsOf(update['availableCommands']);
        return this.#options.onChange();
      case 'current_mode_update':
      case 'config_option_update':
        this.#settings = updatedSettings(this.#settings, update);
        return this.#options.onChange();
      case 'usage_update':
        if (typeof update['size'] === 'number') this.#contextLimit = update['size'];
        this.#options.onChange();
    }
    if (this.#isReplaying || !this.#running) return; // the conversation has these messages
    this.#running.apply(update);
  }

  #onRequest(method: string, params: JsonObject): Promise<JsonObject> | undefined {
    switch (method) {
      case 'session/request_permission':
        return this.#running?.requestPermission(params) ?? Promise.resolve(CANCELLED);
      case 'fs/write_text_file':
        return (
          this.#running?.writeFile(params) ??
          Promise.reject(new DeclinedRequest('No turn is running.'))
        );
      default:
        return undefined;
    }
  }

  #withLogin(error: unknown): ChatAgentFailure {
    if (!(error instanceof ChatAgentFailure)) throw error;
    if (error.kind !== 'login' || this.#login === '') return error;
    return new ChatAgentFailure('login', `${error.details} ${this.#login}`.trim(), error.code);
  }
}
