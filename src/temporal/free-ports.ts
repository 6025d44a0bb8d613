import { createServer, type Server } from 'node:net';

export async function chooseFreePorts(
  preferred: readonly [number, number],
): Promise<readonly [number, number]> {
  return (await arePortsFree(preferred)) ? preferred : findFreePorts();
}

/**
 * Two loopback ports that nobody listens on, from below the range that systems give to outgoing connections: one from
 * that range could be taken by any of these while a server restarts.
 */
export async function findFreePorts(): Promise<readonly [number, number]> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = [first, first + 1] as const;
    if (await arePortsFree(ports)) return ports;
  }
}

export async function arePortsFree(ports: readonly number[]): Promise<boolean> {
  const results = await Promise.allSettled(ports.map(listen));
  await Promise.all(
    results.flatMap((result) => (result.status === 'fulfilled' ? [close(result.value)] : [])),
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
