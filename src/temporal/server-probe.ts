import { connect } from 'node:net';
import { Connection } from '@temporalio/client';

/**
 * Whether a Temporal server answers a real request at the address, and has the namespace where one is given. Never
 * throws.
 */
export async function serverAnswers(
  address: string,
  options: { namespace?: string; timeoutMs?: number } = {},
): Promise<boolean> {
  const { namespace, timeoutMs = 2_000 } = options;
  // A refused connection is known at once; gRPC would try again until its deadline.
  if (!(await accepts(address, timeoutMs))) return false;
  let connection: Connection;
  try {
    connection = await Connection.connect({ address, connectTimeout: timeoutMs });
  } catch {
    return false;
  }
  try {
    if (namespace !== undefined) {
      await connection.withDeadline(Date.now() + timeoutMs, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    }
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function accepts(address: string, timeoutMs: number): Promise<boolean> {
  const separator = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect({ host: address.slice(0, separator), port: Number(address.slice(separator + 1)) });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => {
      finish(false);
    });
    socket.once('connect', () => {
      finish(true);
    });
    socket.once('error', () => {
      finish(false);
    });
  });
}
