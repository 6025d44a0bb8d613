import type { Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { LIMITS } from '../access/limits';
import { type Caller, faceOf, type FaceParts } from '../face';
import { newRequestId } from '../observe';
import { createMcpServer, type McpFace } from './mcp-server';

export function serveMcpOnStdio(
  parts: FaceParts & Pick<McpFace, 'version' | 'report'>,
  caller: Caller,
  { stdin, stdout }: { stdin: Readable; stdout: Writable },
): { close(): Promise<void> } {
  const face = faceOf(parts, { ...LIMITS, runs: parts.config.http.maxRunsPerOwner });
  return serveStdio(() => createMcpServer(face, caller), {
    transport: new StdioServerTransport(stdin, stdout),
    maxSubscriptions: 0,
    onerror: (error) => face.report(error, newRequestId()),
  });
}
