import { type ExecFileOptions, execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../../src/config/config';
import { useDevProject } from '../../cli/project-under-test';
import { describeWhere } from '../../support/services/describe-where';

const ROOT = join(__dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/python');
const INSTALL_MS = 300_000;

/** The packages of the example in an environment of their own, which is kept; null where there is no Python or no registry. */
function openPython(): string | null {
  const requirements = join(EXAMPLE, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(loadConfig().cacheDir, `python-example-${digest}`);
  const bin = join(folder, 'bin');
  if (existsSync(join(folder, 'installed'))) return bin;
  rmSync(folder, { recursive: true, force: true });
  const isDone = [
    ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
    ['python3', '-m', 'venv', folder],
    [join(bin, 'pip'), 'install', '--quiet', '--requirement', requirements],
    ['touch', join(folder, 'installed')],
  ].every(
    ([program = '', ...args]) =>
      spawnSync(program, args, { stdio: 'ignore', timeout: INSTALL_MS }).status === 0,
  );
  return isDone ? bin : null;
}

/** The notebook as somebody runs it: each cell after the one before. */
const CELLS = `
import json
cells = json.load(open('evidence.ipynb'))['cells']
told = {}
for cell in cells:
    if cell['cell_type'] == 'code':
        exec(''.join(cell['source']), told)
print(json.dumps({'status': told['progress'].status, 'quotes': len(told['rows'])}))
`;

const bin = openPython();
describeWhere(bin !== null, 'Python 3.10, and a registry of its packages', 'somebody who uses Python', () => {
  const project = useDevProject(({ folder }) => {
    for (const name of ['python', 'vitamin-d'])
      cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true });
    return Promise.resolve();
  });

  test('generates a client from the document, starts a report in the notebook and draws its evidence', async () => {
    const folder = join(project.folder, 'python');
    const serve = project.start('serve --set http.port=0');
    await serve.said('Ctrl-C stops it');
    const url = /Pages and HTTP +(\S+)/.exec(serve.saying().stdout)?.[1] ?? '';
    const env = {
      ...process.env,
      PATH: `${bin ?? ''}:${process.env['PATH'] ?? ''}`,
      COLLIGATE_URL: url,
      MPLBACKEND: 'Agg',
    };
    const run = (program: string, args: string[], options: ExecFileOptions = {}) =>
      promisify(execFile)(join(bin ?? '', program), args, { cwd: folder, env, ...options });
    const generated = await run('openapi-python-client', [
      ...['generate', '--path', join(ROOT, 'docs/openapi.json'), '--output-path', 'colligate_client'],
      ...['--meta', 'none'],
    ]);
    expect(`${String(generated.stdout)}${String(generated.stderr)}`).not.toContain('Unable to');
    const { stdout } = await run('python', ['-c', CELLS]);
    const told = JSON.parse(String(stdout).trim().split('\n').at(-1) ?? '') as {
      status: string;
      quotes: number;
    };
    expect(told.status).toBe('completed');
    expect(told.quotes).toBeGreaterThan(20);
    expect(existsSync(join(folder, 'evidence.png'))).toBe(true);
  });
});
