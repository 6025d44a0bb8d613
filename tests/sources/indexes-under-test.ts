import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { SearchIndexName } from '../../src/contracts/run-input';
import type { FetchLimits } from '../../src/sources/fetch-request';
import type { SearchHit } from '../../src/sources/search-query';
import { searchProvider } from '../../src/sources/search-service';
import type { LoggingServer } from '../support/logging-server';
import { createTestWeb, type TestWeb } from './web-under-test';

/** An answer of an index as its documentation shows it (`tests/support/recorded-answers/`, which says where from). */
export function recorded(file: string): string {
  return readFileSync(join(__dirname, '..', 'support', 'recorded-answers', file), 'utf8');
}

export const KEY = 'k3y-that-nobody-sees';

/** What came in: method, path, parameters, the headers that matter, what was posted. */
interface AskedOnce {
  method: string;
  path: string;
  params: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}

/** An index on loopback, which answers each question with the next of its answers. */
interface AskedIndexes extends TestWeb {
  asked: AskedOnce[];
  ask(
    name: SearchIndexName,
    query: string,
    options?: { limit?: number; key?: string | null },
  ): Promise<SearchHit[]>;
}

const HEADERS = ['authorization', 'x-api-key', 'x-subscription-token'];

export function openIndexes(
  server: LoggingServer,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Partial<FetchLimits> = {},
): AskedIndexes {
  const asked: AskedOnce[] = [];
  const url = `http://127.0.0.1:${server.port}`;
  const web = createTestWeb({ allow: [`127.0.0.1:${server.port}`], limits });
  const take = (request: IncomingMessage, parts: Buffer[]): void => {
    const sent = Buffer.concat(parts).toString();
    const at = new URL(request.url ?? '', url);
    asked.push({
      method: request.method ?? '',
      path: at.pathname,
      params: Object.fromEntries(at.searchParams),
      headers: Object.fromEntries(
        HEADERS.flatMap((name) =>
          request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
        ),
      ),
      body: sent === '' ? null : JSON.parse(sent),
    });
  };
  server.serve = (request, response) =>
    void request.toArray().then((parts: Buffer[]) => {
      take(request, parts);
      answer(request, response);
    });
  return {
    ...web,
    asked,
    ask: (name, query, { limit = 2, key = KEY } = {}) => {
      const settings = { url: `${url}/`, contact: 'somebody@example.org' };
      return searchProvider(name).search(query, settings, { fetcher: web.fetcher, limit, key });
    },
  };
}
