// Pages of a site on loopback, imported by the command: fetched whole, and asked for again when none has changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inFolder, MAIN, ownEnvironment, watchProcess, type Usage } from './processes';

export const PAGE_COUNTS = [1_000, 5_000];

/** An import of all pages by a command of its own, from its start to its end. */
export interface PagesImport {
  ms: number;
  /** Of the command and the process in which it parses, together. */
  usage: Usage | null;
  whole: number;
  unchanged: number;
}

export interface PagesRound {
  first: PagesImport;
  again: PagesImport;
}

export interface PagesFigures {
  count: number;
  pageBytes: number;
  rounds: PagesRound[];
}

/** Each round is an empty folder, in which the pages are imported twice, once behind the other. */
export async function measurePages(count: number, runs: number): Promise<PagesFigures> {
  const site = await startSite();
  try {
    const rounds: PagesRound[] = [];
    while (rounds.length < runs)
      rounds.push(await inFolder('pages', (folder) => importTwice(site, folder, count)));
    return { count, pageBytes: Buffer.byteLength(pageOf(1)), rounds };
  } finally {
    site.server.close();
    site.server.closeAllConnections();
  }
}

async function importTwice(site: Site, folder: string, count: number): Promise<PagesRound> {
  const links = Array.from({ length: count }, (_, at) => `http://${site.host}/${at + 1}`);
  writeFileSync(join(folder, 'links.txt'), `${links.join('\n')}\n`);
  const first = await importPages(site, folder, 'first');
  const again = await importPages(site, folder, 'again');
  const { whole, unchanged } = again;
  if (first.whole !== count || whole !== 0 || unchanged !== count)
    throw new Error(
      `Of ${count} pages ${first.whole} were fetched at first, then ${whole}, ${unchanged} as unchanged`,
    );
  return { first, again };
}

async function importPages(site: Site, folder: string, id: string): Promise<PagesImport> {
  [site.whole, site.unchanged] = [0, 0];
  const env = { ...ownEnvironment(), COLLIGATE_FETCH_ALLOW: site.host, COLLIGATE_FETCH_PACE_MS: '0' };
  const startedAt = performance.now();
  const args = [MAIN, 'import', 'links.txt', '--id', id, '--json'];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const watched = watchProcess(child.pid, { withChildren: true });
  const [said, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  const ms = performance.now() - startedAt;
  const usage = watched.stop();
  if (code !== 0) throw new Error(`The import ended with ${String(code)}: ${said}`);
  return { ms, usage, whole: site.whole, unchanged: site.unchanged };
}

interface Site {
  server: Server;
  host: string;
  whole: number;
  unchanged: number;
}

async function startSite(): Promise<Site> {
  const server = createServer(({ url = '', headers }, response) => {
    const page = Number(url.slice(1));
    if (!Number.isInteger(page) || page < 1) return void response.writeHead(404).end();
    const etag = `"${page}"`;
    const isKnown = headers['if-none-match'] === etag;
    site[isKnown ? 'unchanged' : 'whole'] += 1;
    if (isKnown) return void response.writeHead(304, { etag }).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(pageOf(page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a server that listens to a port
  const site: Site = { server, host: `127.0.0.1:${port}`, whole: 0, unchanged: 0 };
  return site;
}

const PARAGRAPHS = 24;
const LINKS = 60;
const GROUPS = ['older adults', 'nurses on night shifts', 'students', 'people with insomnia', 'runners'];
const ACTIONS = [
  'walked in the evening',
  'took magnesium',
  'practised yoga',
  'read before bed',
  'swam twice a week',
];
const RESULTS = [
  'slept longer',
  'woke less often',
  'fell asleep sooner',
  'felt no difference',
  'were less tired',
];

/** An article as sites have them: with what it says of itself, what stands around it, and a table. */
function pageOf(page: number): string {
  const of = (list: readonly string[], at: number): string => list[at % list.length] ?? '';
  const sentence = (at: number): string =>
    `In study ${page}.${at} ${30 + ((page * 7 + at) % 400)} ${of(GROUPS, page + at)} who ${of(ACTIONS, page * 3 + at)} for ${2 + (at % 20)} weeks ${of(RESULTS, page * 5 + at)}, by ${(page * 11 + at * 3) % 60} minutes on average.`;
  const paragraphs = Array.from(
    { length: PARAGRAPHS },
    (_, at) => `<p>${[0, 1, 2, 3].map((nth) => sentence(at * 4 + nth)).join(' ')}</p>`,
  );
  const links = Array.from(
    { length: LINKS },
    (_, at) => `<li><a href="/${at + 1}">Another article, number ${at + 1}</a></li>`,
  ).join('');
  const rows = Array.from(
    { length: 10 },
    (_, at) => `<tr><td>${of(GROUPS, at)}</td><td>${page + at}</td></tr>`,
  ).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sleep and habits, part ${page}</title>
<meta name="author" content="Ada Ng"><meta property="article:published_time" content="2024-03-01"></head>
<body><header><nav><ul>${links}</ul></nav></header><main><article><h1>Sleep and habits, part ${page}</h1>
${paragraphs.join('\n')}
<table><thead><tr><th>Group</th><th>Adults</th></tr></thead><tbody>${rows}</tbody></table></article></main>
<footer><ul>${links}</ul></footer></body></html>`;
}
