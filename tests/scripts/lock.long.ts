import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

interface Lock {
  packages: Record<string, { dependencies?: Record<string, string> } | undefined>;
}

/** What the check says of the project's own lock file after a change to it. */
function checked(change: (lock: Lock) => void): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lock-test-'));
  try {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    change(lock);
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(join(folder, 'package.json'), readFileSync(join(ROOT, 'package.json')));
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/lock.mjs'), folder], {
      encoding: 'utf8',
    });
    return { status, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the lock file is whole', () => {
  expect(checked(() => undefined)).toEqual({ status: 0, stdout: '' });
});

test.each(['@swc/core-darwin-arm64', '@unrs/resolver-binding-win32-x64-msvc'])(
  'a lock file without the package of another system is refused: %s',
  (name) => {
    const { status, stdout } = checked(({ packages }) => {
      packages[`node_modules/${name}`] = undefined;
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^package-lock\\.json lacks ${name} [\\d.]+, which \\S+ asks for: run .*\\n$`),
    );
  },
);

test('a package that another one has for itself does not count', () => {
  const { status, stdout } = checked(({ packages }) => {
    packages['node_modules/openai/node_modules/zod'] = packages['node_modules/zod'];
    packages['node_modules/zod'] = undefined;
  });
  expect(status).toBe(1);
  expect(stdout).toContain('lacks zod');
});

test('a lock file that has fallen behind package.json is refused', () => {
  const { status, stdout } = checked(({ packages: { '': project } }) => {
    Object.assign(project?.dependencies ?? {}, { zod: '4.0.0' });
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^package-lock\.json has other dependencies than package\.json: /);
});
