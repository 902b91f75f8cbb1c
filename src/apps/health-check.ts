/** The result of one check of a vault or of this device. */
export interface HealthCheck {
  readonly name: string;
  readonly isOk: boolean;
  readonly text: string;
  /** How to fix it; empty if nothing is wrong. */
  readonly fix: string;
}

/** One step of the check of an app's connection. `text` is the result or the problem. */
export interface ConnectionStep extends Omit<HealthCheck, 'name'> {
  readonly step:
    | 'node'
    | 'program'
    | 'vault'
    | 'initialize'
    | 'version'
    | 'tools/list'
    | 'tools/call'
    | 'enabled'
    | 'trust'
    | 'mcp list';
  readonly ms: number;
}

export function passed(name: string, text: string): HealthCheck {
  return { name, isOk: true, text, fix: '' };
}

export function failed(name: string, text: string, fix: string): HealthCheck {
  return { name, isOk: false, text, fix };
}
