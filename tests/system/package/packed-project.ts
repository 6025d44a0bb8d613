import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type SpawnedCommand, spawnProgram } from '../../cli/command-line-under-test';

const ROOT = path.resolve(__dirname, '../../..');
/** What a user's own project has besides the package: the compiler is only run, and so is not among them. */
const DEVELOPMENT = ['@types/node'];

/** Another project that has the package out of its tarball, and nothing else of the checkout than dependencies. */
export interface PackedProject {
  folder: string;
  /** Paths of the tarball's files, as the package has them. */
  files: string[];
  /** Compiles files of the folder as a user would, with all checks; rejects with what the compiler says. */
  compile(...files: string[]): Promise<void>;
  /** Runs a script of the folder with its arguments and resolves with what it prints; rejects where it fails. */
  run(...script: string[]): Promise<string>;
  /** The package's own command. */
  command(...args: string[]): SpawnedCommand;
}

/** Packs the checkout, which builds it where it has changed, and unpacks it as `npm install` would. */
export async function createPackedProject(): Promise<PackedProject> {
  const folder = await mkdtemp(path.join(tmpdir(), 'colligate-packed-'));
  const installed = path.join(folder, 'node_modules', 'colligate');
  await mkdir(installed, { recursive: true });
  const call = promisify(execFile);
  await call('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await call('tar', ['-xzf', path.join(folder, tarball), '-C', installed, '--strip-components=1']);

  const { dependencies, bin } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    bin: { colligate: string };
  };
  for (const name of [...Object.keys(dependencies), ...DEVELOPMENT]) {
    const link = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules', name), link, 'junction');
  }
  await cp(path.join(installed, 'examples', 'vitamin-d'), path.join(folder, 'notes'), { recursive: true });

  const start = (...script: string[]): SpawnedCommand => spawnProgram(script, { cwd: folder });
  const run = async (...script: string[]): Promise<string> => {
    const { code, stdout, stderr } = await start(...script).ended;
    if (code !== 0) throw new Error(`${script.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  return {
    folder,
    files: (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name))),
    async compile(...files) {
      const checks = ['--strict', '--noUncheckedIndexedAccess'];
      const target = ['--module', 'node16', '--target', 'es2022', '--types', 'node'];
      await run(require.resolve('typescript/bin/tsc'), ...checks, ...target, ...files);
    },
    run,
    command: (...args) => start(path.join(installed, bin.colligate), ...args),
  };
}
