import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoggingServer {
  readonly port: number;
  readonly connections: readonly string[];
  /** All but those for robots.txt. */
  readonly requests: readonly { path: string; host: string; headers: IncomingHttpHeaders }[];
  readonly robotsAsked: number;
  /** Null for a server that has none. */
  robots: string | null;
  /** What it answers where it has one. */
  robotsStatus: number;
  /** Where it sends those who ask for its robots.txt. */
  robotsAt: string | null;
  serve: Serve;
  close(): Promise<void>;
}

export async function startLoggingServer(): Promise<LoggingServer> {
  const connections: string[] = [];
  const requests: LoggingServer['requests'][number][] = [];
  const log = {
    port: 0,
    connections,
    requests,
    robotsAsked: 0,
    robots: null as string | null,
    robotsStatus: 200,
    robotsAt: null as string | null,
    serve: ((_request, response) => response.end('a page')) as Serve,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/robots.txt') {
      log.robotsAsked += 1;
      if (log.robotsAt !== null) return void response.writeHead(302, { location: log.robotsAt }).end();
      response.writeHead(log.robots === null ? 404 : log.robotsStatus).end(log.robots ?? '');
      return;
    }
    requests.push({ path, host: request.headers.host ?? '', headers: request.headers });
    log.serve(request, response);
  });
  server.on('connection', ({ localAddress = '' }) => connections.push(localAddress));
  // On every address of this machine, so that none is reached unseen.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  // A TCP server's address is an object.
  return Object.assign(log, { port: (server.address() as AddressInfo).port });
}
