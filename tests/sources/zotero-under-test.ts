import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

/** What Zotero answers, by the path below `/api/users/0`: lists of objects, and addresses of files by key. */
export interface ZoteroUnderTest {
  url: string;
  lists: Record<string, object[]>;
  files: Record<string, string>;
  /** 403 as if other applications were not allowed. */
  isClosed: boolean;
  /** Only the redirect tells where a file is. */
  redirects: boolean;
  requests: { path: string; version: string | undefined }[];
  close(): Promise<void>;
}

export async function startZotero(): Promise<ZoteroUnderTest> {
  const zotero: ZoteroUnderTest = {
    url: '',
    lists: {},
    files: {},
    isClosed: false,
    redirects: false,
    requests: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const path = pathname.replace('/api/users/0', '');
    const version = request.headers['zotero-api-version'];
    zotero.requests.push({ path, version: typeof version === 'string' ? version : undefined });
    const [, key = '', view] = /^\/items\/([^/]+)\/file(\/view\/url)?$/.exec(path) ?? [];
    if (zotero.isClosed) response.writeHead(403).end('Local API is not enabled');
    else if (key !== '') {
      const file = zotero.files[key];
      if (file === undefined || (view !== undefined && zotero.redirects))
        response.writeHead(404).end('Not found');
      else if (view === undefined) response.writeHead(302, { location: file }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(file);
    } else {
      const all = zotero.lists[path];
      if (all === undefined) return response.writeHead(404).end('Not found');
      const start = Number(searchParams.get('start') ?? 0);
      const limit = Number(searchParams.get('limit') ?? all.length);
      response
        .writeHead(200, { 'content-type': 'application/json', 'total-results': `${all.length}` })
        .end(JSON.stringify(all.slice(start, start + limit)));
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  zotero.url = `http://127.0.0.1:${port}`;
  return zotero;
}

export const collection = (key: string, name: string, parent: string | false = false): object => ({
  key,
  version: 1,
  library: { type: 'user', id: 1 },
  meta: { numItems: 1 },
  data: { key, version: 1, name, parentCollection: parent },
});

export const item = (key: string, data: object, meta: object = {}): object => ({
  key,
  version: 1,
  meta,
  data: { key, version: 1, tags: [], ...data },
});

export const fileAddress = (path: string): string => pathToFileURL(path).href;
