import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { RunStatus } from '../../src/contracts/run/run';
import { CLOSED_STATUSES } from '../../src/core/run/closed-statuses';
import { callTool, jsonFrom, newMcpClient } from '../support/mcp-client';
import { until } from '../support/until';
import { COMMAND_LINE } from './command-line-under-test';
import { useDevProject } from './project-under-test';

const project = useDevProject();
const SOURCES = [{ title: 'A note', content: 'Walking improved sleep by 12 % in 40 adults.' }];

test('an agent that starts the command has a report written, and reads it', async () => {
  const client = newMcpClient('auto');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND_LINE, 'mcp'],
      cwd: project.folder,
      env: { ...getDefaultEnvironment(), ...project.env },
      stderr: 'ignore',
    }),
  );
  try {
    const asked = { question: 'Does walking improve sleep?', sources: SOURCES, key: 'one' };
    const { runId } = await jsonFrom<{ runId: string }>(client, 'start_report', asked);
    await until(
      () => jsonFrom<{ status: RunStatus }>(client, 'status', { runId }),
      ({ status }) => CLOSED_STATUSES.has(status),
    );
    expect((await callTool(client, 'result', { runId })).text).toContain('Walking improved sleep by 12 %');
    expect((await project.colligate('list')).stdout).toContain(runId);
  } finally {
    await client.close();
  }
});

test('on standard output there is the protocol alone, also for bytes that are none, and it ends with its input', async () => {
  const command = project.start('mcp --set logLevel=debug', {
    input: [
      'no JSON at all',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"0"}}}',
      '{"jsonrpc":"2.0","id":2,"method":"nothing/known"}',
      '',
    ].join('\n'),
  });
  const { code, stdout } = await command.ended;
  expect(code).toBe(0);
  for (const line of stdout.split('\n').filter((text) => text !== ''))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});
