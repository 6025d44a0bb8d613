import { connectClient } from '../../src/temporal/connect';
import { startTestServer } from '../support/temporal-server';

test('what waits for its next try when the connection is closed ends as cancelled, and throws nowhere else', async () => {
  const server = await startTestServer();
  const { namespace, address } = server;
  const { connection } = await connectClient({ namespace, address, apiKey: null, tls: false });
  await server.stop();
  const asked = connection.workflowService.getSystemInfo({});
  await connection.close();
  await expect(asked).rejects.toMatchObject({ details: 'Channel has been shut down' });
  await expect(
    (async () => {
      await connection.workflowService.getSystemInfo({});
    })(),
  ).rejects.toThrow('Channel has been shut down');
});
