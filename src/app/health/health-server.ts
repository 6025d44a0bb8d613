import { createServer, type ServerResponse } from 'node:http';
import { environmentNames } from '../../config/setting-names';
import { listenHttp, type Listening } from '../../platform/listen-http';
import { PortError } from '../../platform/port-error';

export interface HealthPages {
  /** Why the process should be ended and begun anew, as sentences; empty where it lives. */
  healthz(): string[];
  /** Why it takes no work now; empty where it does. */
  readyz(): Promise<string[]>;
  metrics(): Promise<{ body: string; contentType: string }>;
}

const NAMED = {
  port: environmentNames['worker.httpPort'],
  host: environmentNames['worker.httpHost'],
};

/** Serves `/healthz`, `/readyz` and `/metrics`. Throws `PortError` where the port cannot be had. */
export async function openHealthServer(
  at: { host: string; port: number },
  pages: HealthPages,
): Promise<Listening> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { methods: ['GET', 'HEAD'] });
      return;
    }
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    void answer(path, pages, response).catch((error: unknown) => {
      if (!response.headersSent)
        sendJson(response, 500, { error: error instanceof Error ? error.name : 'unknown' });
    });
  });
  return listenHttp(server, at).catch((error: unknown) => {
    throw new PortError('Health and metrics', at, NAMED, error);
  });
}

async function answer(path: string, pages: HealthPages, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/healthz':
      sendState(response, pages.healthz());
      break;
    case '/readyz':
      sendState(response, await pages.readyz());
      break;
    case '/metrics':
      sendText(response, await pages.metrics());
      break;
    default:
      sendJson(response, 404, { pages: ['/healthz', '/readyz', '/metrics'] });
  }
}

function sendText(
  response: ServerResponse,
  { body, contentType }: Awaited<ReturnType<HealthPages['metrics']>>,
): void {
  response.writeHead(200, { 'content-type': contentType });
  response.end(body);
}

function sendState(response: ServerResponse, reasons: readonly string[]): void {
  if (reasons.length === 0) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable', reasons });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
