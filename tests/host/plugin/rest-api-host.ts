/*
 * A stand-in for the plugin "Local REST API" with the part of its public API that plugins use for
 * MCP: `getPublicApi` returns one handle per plugin until that is unregistered, tools are added by
 * parts (extension API 2) or by a definition (3) with schemas of zod 3, a taken name throws, and an
 * event reports that it has loaded. The MCP SDK 1.x serves the tools, as in that plugin. Bundled by
 * the tests, and loaded into the app as a plugin.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer, type RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Plugin, type PluginManifest } from 'obsidian';
import { z, type ZodRawShape } from 'zod/v3';

declare const API_VERSION: number;

interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ZodRawShape;
  readonly annotations?: object;
  readonly callback: (args: Record<string, unknown>) => Promise<unknown>;
}

type Added = ToolDefinition & { readonly isWhole: boolean };

class PublicApi {
  readonly apiVersion = API_VERSION;
  private added: RegisteredTool[] = [];
  private isUnregistered = false;

  constructor(
    private readonly host: LocalRestApi,
    private readonly pluginId: string,
  ) {}

  addMcpTool(
    ...given: [ToolDefinition] | [string, string, ZodRawShape, ToolDefinition['callback'], object?]
  ): void {
    if (this.isUnregistered)
      throw new Error('Routes cannot be added after API extension has been unregistered.');
    const [first, description = '', inputSchema, callback, annotations] = given;
    if (typeof first !== 'string') this.added.push(this.host.addTool({ ...first, isWhole: true }));
    else if (inputSchema && callback)
      this.added.push(
        this.host.addTool({
          name: first,
          description,
          inputSchema,
          callback,
          ...(annotations && { annotations }),
          isWhole: false,
        }),
      );
  }

  unregister(): void {
    for (const tool of this.added) tool.remove();
    this.host.forget(this.pluginId);
    this.isUnregistered = true;
  }
}

export default class LocalRestApi extends Plugin {
  private readonly server = new McpServer({ name: 'obsidian-local-rest-api', version: '1.0.0' });
  private readonly handles = new Map<string, PublicApi>();

  override onload(): void {
    this.addTool({
      name: 'vault_list',
      description: 'List',
      inputSchema: {},
      callback: () => Promise.resolve([]),
      isWhole: false,
    });
    this.app.workspace.trigger('obsidian-local-rest-api:loaded');
  }

  getPublicApi({ id }: PluginManifest): PublicApi {
    const handle = this.handles.get(id) ?? new PublicApi(this, id);
    this.handles.set(id, handle);
    return handle;
  }

  forget(pluginId: string): void {
    this.handles.delete(pluginId);
  }

  addTool({
    name,
    title,
    description,
    inputSchema,
    annotations,
    callback,
    isWhole,
  }: Added): RegisteredTool {
    z.object(inputSchema).safeParse({}); // throws unless these are schemas of zod 3
    const answer = async (args: Record<string, unknown>) => {
      const answered = await callback(args);
      return (
        isWhole
          ? answered
          : { content: [{ type: 'text', text: JSON.stringify(answered, null, 2) }] }
      ) as never;
    };
    const config = {
      title: title ?? name,
      description,
      inputSchema,
      ...(annotations && { annotations }),
    };
    return this.server.registerTool(name, config, answer);
  }

  /** Runs a task with a connected MCP client. */
  async asClient<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ name: 'some-client', version: '1' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([this.server.connect(one), client.connect(other)]);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }
}
