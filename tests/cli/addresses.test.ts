import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { Report } from '../../src/contracts/report/report';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { useProject } from './project-under-test';

const project = useProject();
const server = forAllTests(startLoggingServer);

const SAYS = 'Total sleep time increased by 38 minutes in the exercise group (p = 0.01).';
const PAGE = `# Evening walking and sleep\n\nIn a trial 64 older adults walked for 12 weeks. ${SAYS}\n`;

beforeAll(() => {
  server.serve = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/markdown' }).end(PAGE);
});

const page = (query = ''): string => `http://127.0.0.1:${server.port}/walking${query}`;
const allowing = (): { env: Record<string, string> } => ({
  env: { COLLIGATE_FETCH_ALLOW: `wiki.intranet:443, 127.0.0.1:${server.port}` },
});

test('what lies on this machine is fetched where it is allowed by name and port, and nowhere else', async () => {
  for (const command of ['import', 'verify report.md --sources']) {
    await project.write(
      'report.md',
      `${SAYS} [1]\n\n## Sources\n\n1. Evening walking and sleep, ${page()}\n`,
    );
    const refused = await project.colligate(`${command} ${page()}`);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('it leads to 127.0.0.1, which is no public address');
    expect(refused.stderr).toContain(`allow 127.0.0.1:${server.port} by fetch.allow`);
  }
  expect(server.connections).toEqual([]);
  const { code, stdout } = await project.colligate(`import ${page()}`, allowing());
  expect(code).toBe(0);
  expect(stdout).toContain('sourceCount  1');
  const verified = await project.colligate(`verify report.md --sources ${page()}`, allowing());
  expect(verified.stdout).toContain('1 claim: 1 supported');
});

test('a report is verified against the pages that it cites; what did not come leaves its claims open', async () => {
  server.serve = ({ url = '' }, response) => {
    if (url === '/gone') response.writeHead(404).end();
    else if (url === '/moved') response.writeHead(302, { location: '/walking' }).end();
    else response.writeHead(200, { 'content-type': 'text/markdown' }).end(PAGE);
  };
  const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
  const [yes, no] = [SAYS, 'Swimming raised the blood pressure of 12 swimmers in Norway by a half.'];
  await project.write(
    'cited.md',
    `${yes} [1]\n\n${no} [2]\n\n${no} [1][2]\n\n${yes} [1][2]\n\n## Sources\n\n1. Walking, ${at('/moved')}\n2. Gone, ${at('/gone')}\n3. Not cited, ${at('/uncited')}\n`,
  );
  await project.write(
    'cited.html',
    `<!doctype html><html><body><p>${yes.slice(0, -1)} (<a href="${at('/moved')}">Walking</a>).</p><p>${no.slice(0, -1)} (<a href="${at('/gone')}">Gone</a>).</p></body></html>`,
  );
  const { code, stdout } = await project.colligate('verify cited.md --fetch --json', allowing());
  expect(code).toBe(0);
  const { claims, problems } = VerifiedReport.parse(JSON.parse(stdout));
  expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'unchecked', 'unchecked', 'supported']);
  expect(problems.filter(({ kind }) => kind === 'source-not-fetched')).toMatchObject([
    { line: 12, message: expect.stringContaining('there is no such page (404)') as string },
  ]);
  expect(server.requests.map(({ path: asked }) => asked)).not.toContain('/uncited');
  const page = await project.colligate('verify cited.html --fetch', allowing());
  expect(page.stdout).toContain('2 claims: 1 supported; 1 cites what was not given.');
  expect(page.stdout).toContain('Entries whose page could not be fetched: 1');
  const refused = await project.colligate('verify cited.md --fetch');
  expect(refused.stdout).toContain('which is no public address');
});

test('whoever fetches says who they are, where they want to', async () => {
  for (const [contact, told] of [
    ['library@example.org', '(+mailto:library@example.org)'],
    ['https://example.org/about', '(+https://example.org/about)'],
  ]) {
    const { env } = allowing();
    await project.colligate(`import ${page('?contact')}`, {
      env: { ...env, COLLIGATE_FETCH_CONTACT: `${contact}` },
    });
    expect(server.requests.at(-1)?.headers['user-agent']).toMatch(/^Colligate\/\d/);
    expect(server.requests.at(-1)?.headers['user-agent']).toContain(told);
  }
  const wrong = await project.colligate(`import ${page()}`, { env: { COLLIGATE_FETCH_CONTACT: 'a) (b' } });
  expect(wrong).toMatchObject({ code: 2 });
});

test('a stored list is read again without its files, by what import printed', async () => {
  await project.write(
    'papers/page.html',
    `<!doctype html><html><body><h1>Walking</h1><p>${SAYS}</p></body></html>`,
  );
  const first = await project.colligate('import papers --json');
  const { manifestRef } = JSON.parse(first.stdout) as { manifestRef: string };
  await rm(path.join(project.folder, 'papers'), { recursive: true });
  const again = await project.colligate(`import --reread ${manifestRef} --json`);
  expect(JSON.parse(again.stdout)).toMatchObject({ manifestRef, sourceCount: 1 });
  const unknown = await project.colligate(`import --reread ${'0'.repeat(64)}`);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toContain('this store has no list of sources under it');
  expect((await project.colligate('import')).stderr).toContain('PATHS is missing');
});

test('what is no address of the web is refused before anything is started', async () => {
  const given =
    'report "Does walking improve sleep?" --sources file:///etc/passwd http://user:s3cr3t@one.example/';
  const { code, stderr } = await project.colligate(given);
  expect(code).toBe(2);
  expect(stderr).toContain('2 problems with the sources; nothing was started.');
  expect(stderr).toContain('file:///etc/passwd: only http and https addresses are fetched');
  expect(stderr).not.toContain('s3cr3t');
});

test('attack 10: a key in an address is in no report, no history, no store and no line of a command', async () => {
  const asked = `report "Does walking improve sleep?" --id walking --sources ${page('?token=s3cr3t')}`;
  const { code, stdout, stderr } = await project.colligate(asked, allowing());
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const report = Report.parse(JSON.parse(await project.read('reports/walking/report.json')));
  expect(report.citations.map(({ url }) => url)).toEqual([page()]);
  expect(report.markdown).toContain('38 minutes');
  const files = readdirSync(project.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => readFileSync(file).includes('s3cr3t'))).toEqual([]);
  expect(stdout + stderr).not.toContain('s3cr3t');
});

test('attack 3: nothing leads from https to http', async () => {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(project.folder, name));
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, '-keyout', `${key}`, '-out', `${certificate}`, ...names], {
    stdio: 'ignore',
  });
  const secure = await listening(
    createServer(
      { key: readFileSync(`${key}`), cert: readFileSync(`${certificate}`) },
      ({ url }, response) => {
        if (url === '/robots.txt') response.writeHead(404).end();
        else if (url === '/down') response.writeHead(302, { location: page() }).end();
        else response.writeHead(200, { 'content-type': 'text/plain' }).end(PAGE);
      },
    ),
  );
  const { port } = secure.address() as AddressInfo; // a TCP server's address is an object
  const allow = [server.port, port].map((one) => `127.0.0.1:${one}`).join(',');
  const trusting = { env: { COLLIGATE_FETCH_ALLOW: allow, NODE_EXTRA_CA_CERTS: `${certificate}` } };
  const before = server.requests.length;
  const { code, stderr } = await project.spawn(`import https://127.0.0.1:${port}/down`, trusting).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('it redirects from https to http, where others can read along');
  expect(server.requests.length).toBe(before);
  expect((await project.spawn(`import https://127.0.0.1:${port}/page`, trusting).ended).code).toBe(0);
  const untrusted = await project.colligate(`import https://127.0.0.1:${port}/page`, {
    env: { COLLIGATE_FETCH_ALLOW: allow },
  });
  expect(untrusted.stderr).toMatch(/its certificate is not trusted/);
  secure.close();
});

async function listening(secure: Server): Promise<Server> {
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  return secure;
}
