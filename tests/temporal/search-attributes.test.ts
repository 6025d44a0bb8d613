import type { Client, Connection } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { loadConfig } from '../../src/config/config';
import { connectClient } from '../../src/temporal/connect';
import { registerSearchAttributes } from '../../src/temporal/register-search-attributes';
import {
  ColligateCitations,
  ColligateKind,
  ColligatePass,
  ColligateScore,
  ColligateStatus,
  searchAttributeKeys,
} from '../../src/temporal/search-attributes';
import { startTestServer, type TestServer } from '../support/temporal-server';

const namespace = 'default';
let server: TestServer;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  ({ connection, client } = await connectClient({ ...loadConfig().temporal, address: server.address }));
});

afterAll(async () => {
  await connection.close();
  await server.stop();
});

async function startWithAttributes(workflowId: string): Promise<void> {
  await client.workflow.start('anything', {
    workflowId,
    taskQueue: 'nobody',
    typedSearchAttributes: [
      { key: ColligateKind, value: 'report' },
      { key: ColligateStatus, value: 'running' },
      { key: ColligatePass, value: 2 },
      { key: ColligateCitations, value: 57 },
      { key: ColligateScore, value: 0.8 },
    ],
  });
}

async function forgetAll(): Promise<void> {
  await connection.operatorService.removeSearchAttributes({
    namespace,
    searchAttributes: searchAttributeKeys.map(({ name }) => name),
  });
}

test('a server that we start knows the attributes from its first moment', async () => {
  expect(await registerSearchAttributes(connection, namespace)).toEqual({ available: true, reason: null });
  await startWithAttributes('first');
  const description = await client.workflow.getHandle('first').describe();
  expect(description.typedSearchAttributes.get(ColligateCitations)).toBe(57);
  expect(description.typedSearchAttributes.get(ColligateScore)).toBe(0.8);
});

test('missing attributes are registered, and a run can start with them at once', async () => {
  await forgetAll();
  expect(await registerSearchAttributes(connection, namespace)).toEqual({ available: true, reason: null });
  await startWithAttributes('second');
  await expect(client.workflow.getHandle('second').describe()).resolves.toMatchObject({
    workflowId: 'second',
  });
});

test('an attribute of another type means running without', async () => {
  await connection.operatorService.removeSearchAttributes({
    namespace,
    searchAttributes: [ColligatePass.name],
  });
  // 1 is the protocol's number for text.
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: { [ColligatePass.name]: 1 },
  });
  expect(await registerSearchAttributes(connection, namespace)).toEqual({
    available: false,
    reason: 'the server knows ColligatePass as an attribute of another type',
  });
});

test('a server that refuses means running without, and says why', async () => {
  const result = await registerSearchAttributes(connection, 'no-such-namespace');
  expect(result.available).toBe(false);
  expect(result.reason).toContain('no-such-namespace');
});

test('a killed server comes back on its file and address with what it had', async () => {
  await client.workflow.start('anything', { workflowId: 'survivor', taskQueue: 'nobody' });
  const { address } = server;
  await server.kill();
  await server.restart();
  expect(server.address).toBe(address);
  const again = await connectClient({ ...loadConfig().temporal, address });
  const description = await again.client.workflow.getHandle('survivor').describe();
  expect(description.status.name).toBe('RUNNING');
  await expect(again.client.workflow.getHandle('nobody').describe()).rejects.toThrow(WorkflowNotFoundError);
  await again.connection.close();
});
