import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = resolve(__dirname, '../..');
const RULES = [
  'no-restricted-globals',
  'no-restricted-properties',
  'no-restricted-syntax',
  '@typescript-eslint/no-restricted-imports',
];

/** The rules of imports, globals and syntax that lint has for a file. */
function rulesFor(file: string): Linter.RulesRecord {
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
  const { stdout } = spawnSync(process.execPath, [eslint, '--print-config', file], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const { rules } = JSON.parse(stdout) as { rules: Linter.RulesRecord };
  return Object.fromEntries(
    RULES.flatMap((name) => (rules[name] === undefined ? [] : [[name, rules[name]]])),
  );
}

const REACHING = [
  "await fetch('https://example.org');",
  "await globalThis.fetch('https://example.org');",
  "export const socket = new WebSocket('wss://example.org');",
  "import { request } from 'undici'; export { request };",
  "import { fetch } from 'undici'; export { fetch };",
  "import { get } from 'node:http'; export { get };",
  "import http from 'http'; export { http };",
  "import * as https from 'node:https'; export { https };",
  "import { request } from 'node:https'; export { request };",
  "import { connect } from 'node:http2'; export { connect };",
  "import { connect } from 'node:net'; export { connect };",
  "import { Socket } from 'node:net'; export const socket = new Socket();",
  "import { connect } from 'node:tls'; export { connect };",
  "import { createSocket } from 'node:dgram'; export { createSocket };",
  "export const { request } = await import('node:http');",
];
const LISTENING = [
  "import { createServer } from 'node:http'; export { createServer };",
  "import { isIP } from 'node:net'; export { isIP };",
  "import type { Socket } from 'node:net'; export type One = Socket;",
];

function refused(rules: Linter.RulesRecord, code: string): boolean {
  const config = {
    files: ['**/*.ts'],
    rules,
    // Its types are those of another version of the linter's own.
    plugins: { '@typescript-eslint': tseslint.plugin as NonNullable<Linter.Config['plugins']>[string] },
    languageOptions: {
      parser: tseslint.parser,
      globals: { fetch: 'readonly', WebSocket: 'readonly' },
    } as const,
  };
  const messages = new Linter().verify(code, [config], 'any.ts');
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.length > 0;
}

it.each(['src/sources/read-sources.ts', 'src/activities/any/new-activity.ts', 'src/cli/commands/import.ts'])(
  'nobody reaches another machine but by the fetcher: %s',
  (file) => {
    const rules = rulesFor(file);
    expect(REACHING.filter((code) => !refused(rules, code))).toEqual([]);
    expect(LISTENING.filter((code) => refused(rules, code))).toEqual([]);
  },
);

it('the fetcher does, and what settings alone lead to', () => {
  for (const file of ['src/fetch/request-answer.ts', 'src/engines/openai/endpoint/endpoint-fetch.ts']) {
    expect(refused(rulesFor(file), "import { request } from 'node:https'; export { request };")).toBe(false);
  }
});
