/**
 * Receives what the lines of a transcript tell. Receiving a line twice changes nothing. `call` is
 * the app's id of a tool call.
 */
export interface SessionRecorder {
  /** Receives a message of the user. */
  setTask(text: string): void;
  setAnswer(text: string): void;
  touchFile(path: unknown, isWritten: boolean, call: string): void;
  startCommand(call: string, command: unknown): void;
  /** Receives how a tool call ended. */
  endCall(call: string, isSuccess: boolean): void;
  /** Replaces the to-do list. */
  setTodos(todos: readonly { id?: string; text: string; isDone: boolean }[]): void;
  /** Adds an entry of the to-do list, or changes one. */
  setTodo(id: string, todo: { text?: string; isDone?: boolean }): void;
}
