import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** Such as `http://127.0.0.1:9464`. */
  url: string;
  /** Ends what is under way as well. */
  close: () => Promise<void>;
}

/** Has a server listen; port 0 is any that is free. Rejects with the system's error where the port cannot be had. */
export async function listenHttp(
  server: Server,
  { host, port: wanted }: { host: string; port: number },
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
