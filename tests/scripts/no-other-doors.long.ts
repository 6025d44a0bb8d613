import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const WORKFLOW_API = '@temporalio/workflow';

/** What a file may not import of the workflow API, by the rules that lint has for it. */
function forbidden(file: string): string[] {
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
  const { stdout } = spawnSync(process.execPath, [eslint, '--print-config', file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const { rules } = JSON.parse(stdout) as {
    rules: Record<string, [severity: number, { paths?: { name: string; importNames: string[] }[] }]>;
  };
  const [severity, { paths = [] }] = rules['@typescript-eslint/no-restricted-imports'] ?? [0, {}];
  expect(severity).toBe(2);
  return paths.flatMap(({ name, importNames }) => (name === WORKFLOW_API ? importNames : []));
}

it.each(['src/workflows/report/report.ts', 'src/workflows/run/open-run.ts', 'src/workflows/any/new-kind.ts'])(
  'no workflow lets messages in by itself: %s',
  (file) => {
    expect(forbidden(file)).toEqual(
      expect.arrayContaining([
        'setHandler',
        'setDefaultSignalHandler',
        'setDefaultUpdateHandler',
        'setDefaultQueryHandler',
      ]),
    );
  },
);

it('the one file that checks what is sent does', () => {
  expect(forbidden('src/workflows/run/handlers.ts')).toEqual([]);
});
