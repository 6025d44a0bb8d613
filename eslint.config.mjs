import js from '@eslint/js';
import { builtinModules } from 'node:module';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const errors = (...names) => Object.fromEntries(names.map((name) => [`@typescript-eslint/${name}`, 'error']));
const named = (names, message) => names.map((name) => ({ name, message }));

/** Node's modules, with and without their prefix. */
const nodeModules = `^(node:.*|${builtinModules.join('|')})$`;

const environment = {
  object: 'process',
  property: 'env',
  message: 'src/app/config.ts reads the environment and hands on settings.',
};

/** Syntax that is used nowhere. */
const unwanted = [
  {
    selector: 'ImportExpression[source.value=/^((node:)?(http|https|http2|net|tls|dgram)|undici)$/]',
    message: 'Import it at the top, where the rules of imports see it.',
  },
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write its properties into the object itself.',
  },
];

const inTests = {
  selector:
    'CallExpression[callee.name=/^(it|test|(before|after)(All|Each))$/] > Literal.arguments:last-child[raw=/^\\d/]',
  message: 'vitest.config.mts has the time limit of every test.',
};

const inProduct = [
  ...unwanted,
  {
    selector: 'Literal[regex.pattern=/.{121,}/]',
    message: 'Split it into parts with names, or let it be data.',
  },
];

/** A call takes about a hundred thousand arguments; lists of sources or statements may be longer. */
const noSpreadLists = [
  {
    selector: 'CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement',
    message: 'Use append of lib/iterables.ts.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'] > SpreadElement",
    message: 'Use greatest and least of lib/iterables.ts.',
  },
];

/** Time, chance and the locale of the machine: two evaluations of the same input differ by them. */
const impure = [
  "MemberExpression[object.name='Date'][property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='Date']",
  "MemberExpression[object.name='performance']",
  "MemberExpression[object.name='Math'][property.name='random']",
  "MemberExpression[object.name='crypto'][property.name=/^(random|get)/]",
  'MemberExpression[property.name=/^(localeCompare|toLocale(String|LowerCase|UpperCase|DateString|TimeString))$/]',
].map((selector) => ({ selector, message: 'Take the time, the number or the words as an argument.' }));

/** Functions that read a file. */
const readsFiles = ['node:fs', 'fs', 'node:fs/promises', 'fs/promises'].map((name) => ({
  name,
  importNames:
    'default promises createReadStream open openAsBlob openSync read readFile readFileSync readSync readv'.split(
      ' ',
    ),
  message: 'lib/files.ts reads files that somebody names: with a limit, no devices, in one encoding.',
}));

const FETCHER = 'sources/fetcher.ts fetches addresses that somebody names: public ones alone, within limits.';

/** Functions that reach another machine; to listen is another matter. */
const reachesOut = Object.entries({
  http: ['default', 'Agent', 'ClientRequest', 'get', 'request'],
  https: ['default', 'Agent', 'ClientRequest', 'get', 'request'],
  http2: ['default', 'connect'],
  net: ['default', 'connect', 'createConnection', 'Socket', 'Stream'],
  tls: ['default', 'connect', 'TLSSocket'],
  dgram: ['default', 'createSocket', 'Socket'],
}).flatMap(([module, importNames]) =>
  [`node:${module}`, module].map((name) => ({ name, importNames, allowTypeImports: true, message: FETCHER })),
);

const sandbox = [
  { regex: nodeModules, message: 'Node’s modules crash the sandbox.' },
  {
    regex: String.raw`^(?!@temporalio/(workflow|common)$|\.{1,2}/)`,
    allowTypeImports: true,
    message:
      'Of packages, workflows import the workflow API, and types. Anything else belongs into an activity.',
  },
];

export default defineConfig(
  globalIgnores(['dist/', 'dist.*/', 'node_modules/', 'coverage/', 'reports/', '.colligate/']),
  js.configs.recommended,
  { rules: { 'no-restricted-syntax': ['error', ...unwanted] } },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict],
    languageOptions: {
      // One program for all files takes a third less time than a service that opens them one by one.
      parserOptions: {
        project: 'tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
        jsDocParsingMode: 'none',
      },
    },
    rules: {
      ...errors(
        'await-thenable',
        'no-floating-promises',
        'no-misused-promises',
        'explicit-module-boundary-types',
      ),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // The compiler finds unused names, and knip unused exports.
      '@typescript-eslint/no-unused-vars': 'off',
      // A schema and its type share a name.
      'no-redeclare': 'off',
      'no-restricted-properties': ['error', environment],
      // Some expressions look for invisible and control characters.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      'no-console': 'error',
      eqeqeq: 'error',
      'object-shorthand': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      ...errors(
        'no-unsafe-argument',
        'no-unsafe-assignment',
        'no-unsafe-call',
        'no-unsafe-member-access',
        'no-unsafe-return',
        'use-unknown-in-catch-callback-variable',
        'only-throw-error',
        'prefer-promise-reject-errors',
        'no-array-delete',
        'no-base-to-string',
        'no-for-in-array',
        'no-misused-spread',
        'no-unnecessary-type-assertion',
        'restrict-plus-operands',
        'unbound-method',
      ),
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      'no-restricted-syntax': ['error', ...inProduct],
      'max-lines': ['warn', { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/{app,cli,sources}/**/*.ts', 'src/report/{brief,cited-markdown}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...inProduct, ...noSpreadLists] },
  },
  {
    // An address that somebody names may lead to this machine, to its network, or to nowhere.
    files: ['src/**/*.ts'],
    ignores: [
      'src/sources/{fetcher,fetch-request}.ts',
      // Addresses of the settings: the model's endpoint, servers of models on this machine, Langfuse, the collector of traces.
      'src/engines/openai/{connection,local-servers}.ts',
      'src/app/{model-endpoint,otlp-traces}.ts',
      // Zotero on this machine, at the address of the settings.
      'src/sources/zotero-api.ts',
      // The release of Temporal's server, whose sum is known, and the server at the address of the settings.
      'src/app/temporal/{server-binary,spawn-server}.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: reachesOut, patterns: [{ group: ['undici', 'undici/*'], message: FETCHER }] },
      ],
      'no-restricted-globals': [
        'error',
        ...named(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'], FETCHER),
      ],
      'no-restricted-properties': [
        'error',
        environment,
        ...['fetch', 'WebSocket', 'EventSource'].map((property) => ({
          object: 'globalThis',
          property,
          message: FETCHER,
        })),
      ],
    },
  },
  {
    files: ['src/app/config.ts', 'scripts/**/*.ts', 'training/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['scripts/**/*.ts'],
    rules: errors('no-unsafe-assignment', 'no-unsafe-call', 'no-unsafe-member-access', 'no-unsafe-return'),
  },
  {
    // The same input gives the same output, in the replay of a workflow too.
    files: ['src/{contracts,evidence}/**/*.ts'],
    // A default of the settings is the number of processors.
    ignores: ['src/contracts/settings.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: nodeModules, message: 'Here is no input and output.' }] },
      ],
      'no-restricted-globals': [
        'error',
        ...named(
          'process Buffer fetch setTimeout setInterval setImmediate console crypto performance'.split(' '),
          'Here is no input and output, no clock, no chance.',
        ),
      ],
      'no-restricted-syntax': ['error', ...inProduct, ...impure],
    },
  },
  {
    // The sandbox of workflows: bundled, deterministic, without Node. It has its own clock and chance, which replay.
    files: ['src/workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: sandbox }],
      'no-restricted-globals': [
        'error',
        ...named(['process', 'Buffer', 'fetch', 'console', 'performance'], 'The sandbox does not have it.'),
      ],
    },
  },
  {
    // A path that somebody names can be a device, or without end.
    files: ['src/**/*.ts'],
    ignores: [
      'src/lib/files.ts',
      // Files of the product itself: its stores, its servers, its package, its templates.
      'src/stores/**',
      'src/app/temporal/**',
      'src/app/{package-version,session-server,worker-life}.ts',
      'src/report/template-file.ts',
      'src/text/onnx-encoder.ts',
      // Written, and not read.
      'src/cli/run-files.ts',
      'src/{contracts,evidence,workflows}/**',
    ],
    rules: { 'no-restricted-imports': ['error', { paths: readsFiles }] },
  },
  { files: ['tests/**/*.test.ts'], rules: { 'no-restricted-syntax': ['error', ...unwanted, inTests] } },
  {
    // A test says where its data lies, and gives its children an environment.
    files: ['tests/**/*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        (
          'process console Buffer URL setTimeout clearTimeout setInterval clearInterval fetch AbortController ' +
          'AbortSignal performance structuredClone TextDecoder'
        )
          .split(' ')
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', require: 'readonly', __dirname: 'readonly' },
    },
  },
);
