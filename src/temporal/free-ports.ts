import { createServer, type Server } from 'node:net';

/** The given loopback ports where both are free, else two free ones. */
export async function chooseFreePorts(
  preferred: readonly [number, number],
): Promise<readonly [number, number]> {
  return (await areFree(preferred)) ? preferred : findFreePorts();
}

/** Two loopback ports that nobody listens on. */
export async function findFreePorts(): Promise<readonly [number, number]> {
  // Both are held until both are known, so that they differ.
  const [first, second] = [await listen(0), await listen(0)];
  const ports = [portOf(first), portOf(second)] as const;
  await Promise.all([close(first), close(second)]);
  return ports;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening TCP server has no port');
  return address.port;
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  const results = await Promise.allSettled(ports.map(listen));
  await Promise.all(
    results.map((result) => (result.status === 'fulfilled' ? close(result.value) : undefined)),
  );
  return results.every((result) => result.status === 'fulfilled');
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
