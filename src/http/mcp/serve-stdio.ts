import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Caller, faceOf, type FaceParts } from '../face';
import { createMcpServer, type McpFace } from './mcp-server';

/** Serves the tools on standard input and output, to whoever started this process. */
export function serveMcpOnStdio(
  parts: FaceParts & Pick<McpFace, 'version' | 'report'>,
  caller: Caller,
): { close(): Promise<void> } {
  const face = faceOf(parts);
  return serveStdio(() => createMcpServer(face, caller), { maxSubscriptions: 0, onerror: face.report });
}
