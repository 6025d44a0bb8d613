import js from '@eslint/js';
import { builtinModules } from 'node:module';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const typescriptFiles = ['**/*.ts'];

/** Node's modules, with and without their prefix. */
const nodeModules = ['node:*', ...builtinModules.filter((name) => !name.startsWith('_'))];

const environment = {
  object: 'process',
  property: 'env',
  message: 'src/config/config.ts reads the environment, and everything else is told.',
};

/** What is nowhere written. */
const unwanted = [
  {
    selector: 'ImportExpression[source.value=/^((node:)?(http|https|http2|net|tls|dgram)|undici)$/]',
    message: 'Import it at the top, where the rules of imports see it.',
  },
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write its properties into the object itself; nobody counts the lines.',
  },
];

/** The limit of all tests is for what never ends: a shorter one of its own fails on a machine that is slow. */
const ownLimits = {
  selector:
    'CallExpression[callee.name=/^(it|test|(before|after)(All|Each))$/] > Literal.arguments:last-child[raw=/^\\d/]',
  message: 'Leave the limit to vitest.config.mts.',
};

/** A longer expression is a list of words, or several expressions in one. */
const shortExpressions = {
  selector: 'Literal[regex.pattern=/.{121,}/]',
  message: 'Split it into parts with names, or let it be data.',
};

/** A call has room for about a hundred thousand arguments; lists of somebody else may be longer. */
const spreadLists = [
  {
    selector: 'CallExpression[callee.property.name=/^(push|unshift)$/] > SpreadElement',
    message: 'Use append of core/values/append.ts.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'] > SpreadElement",
    message: 'Use greatest and least of core/values/extremes.ts.',
  },
];

/** What reads a file, in Node's modules of that name. */
const reading = [
  ['node:fs', 'fs'],
  ['node:fs/promises', 'fs/promises'],
].flatMap((names) =>
  names.map((name) => ({
    name,
    importNames: [
      'default',
      'promises',
      ...[
        'createReadStream',
        'open',
        'openAsBlob',
        'openSync',
        'read',
        'readFile',
        'readFileSync',
        'readSync',
        'readv',
      ],
    ],
    message:
      'platform/given-file.ts and given-text.ts read what somebody names: with a limit, no devices, in one encoding.',
  })),
);

/** What reaches another machine, in Node's modules of that name; what listens is another matter. */
const reaching = [
  ...['http', 'https'].map((name) => [name, ['default', 'Agent', 'ClientRequest', 'get', 'request']]),
  ['http2', ['default', 'connect']],
  ['net', ['default', 'connect', 'createConnection', 'Socket', 'Stream']],
  ['tls', ['default', 'connect', 'TLSSocket']],
  ['dgram', ['default', 'createSocket', 'Socket']],
].flatMap(([name, importNames]) =>
  [`node:${name}`, name].map((module) => ({ name: module, importNames, allowTypeImports: true })),
);
const THE_FETCHER =
  'fetch/fetcher.ts fetches what somebody names: from public addresses alone, within limits. Who else reaches another machine stands in eslint.config.mjs, with why.';

/** Whoever reaches another machine without the fetcher: only where the settings, and nobody else, say which. */
const REACHING_FILES = [
  // The fetcher itself.
  'src/fetch/**',
  // The model's endpoint, of the settings: often on loopback, and slower than any page may be. It follows no redirect.
  'src/engines/openai/connection.ts',
  // Servers of models on this machine and in its network: what they say of themselves.
  'src/engines/openai/local-servers.ts',
  // Whether Langfuse and the collector of traces, of the settings, answer; and what is sent to that collector.
  'src/app/endpoint/check-outside.ts',
  'src/tracing/otlp-exporter.ts',
  // Temporal's server: its release, whose sum is known, and whether one listens at the address of the settings.
  'src/temporal/download-server-binary.ts',
  'src/temporal/server-probe.ts',
];

/** What makes two evaluations of the same input differ. */
const impurities = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Take the time as an argument.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time as an argument.',
  },
  { selector: "CallExpression[callee.name='Date']", message: 'Take the time as an argument.' },
  { selector: "MemberExpression[object.name='performance']", message: 'Take the time as an argument.' },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take chance as an argument.',
  },
  {
    selector: "MemberExpression[object.name='crypto'][property.name=/^(random|get)/]",
    message: 'Take chance as an argument.',
  },
  {
    selector:
      'MemberExpression[property.name=/^(localeCompare|toLocale(String|LowerCase|UpperCase|DateString|TimeString))$/]',
    message: 'The result depends on the machine. Compare with < and >, and format with fixed rules.',
  },
];

/** What workflows import besides their own. */
const sandboxImports = [
  { group: nodeModules, message: 'Node’s modules crash the sandbox.' },
  {
    // Which of our own folders may be used, the rules of dependencies say.
    regex: String.raw`^(?!@temporalio/(workflow|common)$|\.{1,2}/)`,
    allowTypeImports: true,
    message:
      'Of packages, workflows import the workflow API, and types. Anything else belongs into an activity.',
  },
];

/** Whatever comes from outside is checked where it is let in. */
const noDoors = {
  name: '@temporalio/workflow',
  importNames: ['setHandler', 'setDefaultSignalHandler', 'setDefaultUpdateHandler', 'setDefaultQueryHandler'],
  message: 'Let messages in by run/handlers.ts, which checks the whole of what is sent.',
};

const errors = (...names) => Object.fromEntries(names.map((name) => [`@typescript-eslint/${name}`, 'error']));

/** Rules that need types take most of lint's time. Everywhere: a promise that nobody awaits loses its failure, a test's too. */
const forPromises = errors('await-thenable', 'no-floating-promises', 'no-misused-promises');

/** In the product alone: what the compiler lets pass, and users meet. */
const forTheProduct = {
  ...errors(
    // An `any` that came in unchecked.
    'no-unsafe-argument',
    'no-unsafe-assignment',
    'no-unsafe-call',
    'no-unsafe-member-access',
    'no-unsafe-return',
    'use-unknown-in-catch-callback-variable',
    // A failure that is no error, or is not caught where it seems to be.
    'only-throw-error',
    'prefer-promise-reject-errors',
    // A value that is taken as what it is not.
    'no-array-delete',
    'no-base-to-string',
    'no-for-in-array',
    'no-misused-spread',
    'no-unnecessary-type-assertion',
    'restrict-plus-operands',
    'unbound-method',
  ),
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  // Numbers are what a message is mostly about.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  // A case that is missing, and one that cannot be.
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
};

export default defineConfig(
  globalIgnores(['dist/', 'dist.*/', 'node_modules/', 'coverage/', 'reports/', '.colligate/']),
  js.configs.recommended,
  { rules: { 'no-restricted-syntax': ['error', ...unwanted] } },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: typescriptFiles,
    extends: [tseslint.configs.strict],
    languageOptions: {
      // One program for all files: the service that editors use opens them one by one, which takes a third longer.
      parserOptions: {
        project: 'tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
        jsDocParsingMode: 'none',
      },
    },
    rules: {
      ...forPromises,
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // The compiler finds what is unused, and knip what is used nowhere else.
      '@typescript-eslint/no-unused-vars': 'off',
      // A schema and its type share a name, which TypeScript keeps apart.
      'no-redeclare': 'off',
      'no-restricted-properties': ['error', environment],
      // Invisible and control characters are what some expressions look for.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { ...forTheProduct, 'no-restricted-syntax': ['error', ...unwanted, shortExpressions] },
  },
  {
    files: ['app', 'briefs', 'cited-text', 'cli', 'config', 'sources', 'subtopics', 'verification'].map(
      (room) => `src/${room}/**/*.ts`,
    ),
    rules: { 'no-restricted-syntax': ['error', ...unwanted, shortExpressions, ...spreadLists] },
  },
  {
    // An address that somebody names may lead to this machine, to its network, or to nowhere.
    files: ['src/**/*.ts'],
    ignores: REACHING_FILES,
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: reaching.map((path) => ({ ...path, message: THE_FETCHER })),
          patterns: [{ group: ['undici', 'undici/*'], message: THE_FETCHER }],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
          name,
          message: THE_FETCHER,
        })),
      ],
      'no-restricted-properties': [
        'error',
        environment,
        ...['fetch', 'WebSocket', 'EventSource'].map((property) => ({
          object: 'globalThis',
          property,
          message: THE_FETCHER,
        })),
      ],
    },
  },
  {
    files: ['src/config/config.ts', 'scripts/**/*.ts', 'training/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Data of others comes in unchecked by JSON.parse alone: here it is checked, as in the product.
    files: ['scripts/**/*.ts'],
    rules: errors('no-unsafe-assignment', 'no-unsafe-call', 'no-unsafe-member-access', 'no-unsafe-return'),
  },
  {
    // Pure: the same input gives the same output, in a workflow's replay too.
    files: ['src/core/**/*.ts', 'src/contracts/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: nodeModules, message: 'core is pure: no I/O.' }] },
      ],
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'Buffer',
          'fetch',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'console',
          'crypto',
          'performance',
        ].map((name) => ({ name, message: 'core is pure: no I/O, no clock, no chance.' })),
      ],
      'no-restricted-syntax': ['error', ...unwanted, shortExpressions, ...impurities],
    },
  },
  {
    // The sandbox: what is imported here is bundled, and has to be deterministic and without Node. Time and chance are
    // the sandbox's own here, and replay.
    files: ['src/workflows/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: sandboxImports, paths: [noDoors] }],
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'fetch', 'console', 'performance'].map((name) => ({
          name,
          message: 'It is not there in the sandbox.',
        })),
      ],
    },
  },
  {
    // A file that is forgotten here can be a device, or without end.
    files: ['src/**/*.ts'],
    ignores: [
      'src/platform/given-file.ts',
      // What this product keeps for itself: its stores, its servers, its package. Nobody names these files.
      'src/stores/**',
      'src/temporal/**',
      'src/templates/**',
      'src/app/package-version.ts',
      'src/app/session/take-server-along.ts',
      'src/app/worker/workflow-code.ts',
      'src/encoder/onnx-encoder.ts',
      // Written, and not read.
      'src/platform/private-files.ts',
      'src/cli/results/run-files.ts',
      // Pure, and in the sandbox: these have no files at all, by their own rules.
      'src/core/**',
      'src/contracts/**',
      'src/workflows/**',
    ],
    rules: { 'no-restricted-imports': ['error', { paths: reading }] },
  },
  {
    files: ['src/workflows/run/handlers.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: sandboxImports }] },
  },
  {
    files: ['tests/**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...unwanted, ownLimits] },
  },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // A test says where its data lies, and gives its children an environment.
      'no-restricted-properties': 'off',
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'fetch',
          'AbortController',
          'AbortSignal',
          'performance',
          'structuredClone',
          'TextDecoder',
        ].map((name) => [name, 'readonly']),
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
