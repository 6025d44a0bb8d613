import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoggingServer, startLoggingServer } from './logging-server';

/** A work as OpenAlex tells it. */
export interface SiteWork {
  title: string;
  /** The path of its page on the site; absent where the index knows no page that anybody may read. */
  page?: string;
  doi?: string;
  abstract?: string;
  author?: string;
  isRetracted?: boolean;
}

/** A site on loopback that is OpenAlex and SearXNG to whoever asks, and has pages; it logs every request. */
export interface SearchSite {
  server: LoggingServer;
  url: string;
  openalex: SiteWork[];
  searxng: SiteWork[];
  /** What pages say, by their path; a number is the status of one that cannot be read. */
  pages: Map<string, string | number>;
  /** Where SearXNG says that a title lies, in the place of its page. */
  elsewhere: Map<string, string>;
  /** Called before an answer is sent. */
  before: (path: string) => Promise<void>;
  /** What was asked of indexes: index and query. */
  queries(): string[];
  /** The paths of pages that were asked for. */
  fetched(): string[];
  /** Whatever somebody was there to have, with its query, in that order. */
  served(): string[];
  /** The settings of a worker that may ask it. */
  env: Record<string, string>;
}

export async function startSearchSite(): Promise<SearchSite> {
  const server = await startLoggingServer();
  const url = `http://127.0.0.1:${server.port}`;
  const served: string[] = [];
  const site: SearchSite = {
    server,
    url,
    openalex: [],
    searxng: [],
    pages: new Map(),
    elsewhere: new Map(),
    before: async () => undefined,
    queries: () =>
      server.requests.flatMap(({ path }) => {
        const { pathname, searchParams } = new URL(path, url);
        if (pathname === '/openalex/works') return [`openalex ${searchParams.get('search')}`];
        return pathname === '/searxng/search' ? [`searxng ${searchParams.get('q')}`] : [];
      }),
    fetched: () => server.requests.map(({ path }) => path).filter((path) => path.startsWith('/pages/')),
    served: () => [...served],
    env: {
      COLLIGATE_OPENALEX_URL: `${url}/openalex`,
      COLLIGATE_SEARXNG_URL: `${url}/searxng`,
      COLLIGATE_FETCH_ALLOW: `127.0.0.1:${server.port}`,
      COLLIGATE_FETCH_PACE_MS: '0',
      COLLIGATE_READER_ENCODER: 'off',
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '', url);
    await site.before(pathname);
    // Who was killed meanwhile has nothing of it.
    if (request.socket.destroyed) return;
    served.push(request.url ?? '');
    const json = (value: unknown): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/openalex/works')
      return json({ results: site.openalex.map((work) => openalexWork(work, url)) });
    if (pathname === '/searxng/search')
      return json({
        results: site.searxng.map((work) => ({
          ...searxngResult(work, url),
          ...(site.elsewhere.has(work.title) ? { url: site.elsewhere.get(work.title) } : {}),
        })),
      });
    const page = site.pages.get(pathname) ?? 404;
    if (typeof page === 'number') return void response.writeHead(page).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  };
  server.serve = (request, response) => void serve(request, response);
  return site;
}

/** A page of an article, with so much text that it is told from what stands around it. */
export function articlePage(title: string, sentences: readonly string[]): string {
  const paragraphs = sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>\n${paragraphs}</article></body></html>`;
}

function openalexWork(
  { title, page, doi, abstract, author, isRetracted = false }: SiteWork,
  url: string,
): object {
  const words = (abstract ?? '').split(' ').filter((word) => word !== '');
  const inverted: Record<string, number[]> = {};
  words.forEach((word, at) => (inverted[word] ??= []).push(at));
  const location = page === undefined ? null : { landing_page_url: `${url}${page}` };
  return {
    title,
    doi: doi === undefined ? null : `https://doi.org/${doi}`,
    is_retracted: isRetracted,
    authorships: author === undefined ? [] : [{ author: { display_name: author } }],
    primary_location: location,
    best_oa_location: location,
    abstract_inverted_index: words.length === 0 ? null : inverted,
  };
}

function searxngResult({ title, page, doi, abstract, author }: SiteWork, url: string): object {
  return { title, url: page === undefined ? null : `${url}${page}`, content: abstract, doi, author };
}
