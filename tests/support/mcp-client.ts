import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What a tool answered: the mark that comes first, and what it is about. */
export interface Told {
  isError: boolean;
  mark: string;
  text: string;
}

/** An agent's side of the protocol; `auto` speaks the newest revision that both know, `legacy` that of 2025. */
export function newMcpClient(mode: 'auto' | 'legacy'): Client {
  return new Client({ name: 'a-test', version: '0' }, { versionNegotiation: { mode } });
}

export async function connectMcp(
  url: string,
  { token, mode = 'auto' }: { token: string; mode?: 'auto' | 'legacy' },
): Promise<Client> {
  const client = newMcpClient(mode);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

export async function callTool(client: Client, name: string, given: Record<string, unknown>): Promise<Told> {
  const { content, isError = false }: CallToolResult = await client.callTool({ name, arguments: given });
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  const [mark = '', text = ''] = texts.length > 1 ? texts : ['', ...texts];
  return { isError, mark, text };
}

export async function jsonFrom<Value>(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<Value> {
  const { isError, text } = await callTool(client, name, given);
  if (isError) throw new Error(text);
  return JSON.parse(text) as Value;
}
