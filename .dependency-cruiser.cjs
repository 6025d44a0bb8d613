/** The rooms of src. A room imports only rooms that stand before it. */
const rooms =
  'lib contracts text evidence report stores sources steps engines activities workflows client app http cli'.split(
    ' ',
  );
const inRoom = (...names) => `^src/(${names.join('|')})/`;
const forbid = (name, from, to, comment) => ({
  name,
  severity: 'error',
  from,
  to,
  ...(comment && { comment }),
});

const oneWay = rooms
  .slice(0, -1)
  .map((room, at) =>
    forbid(
      `${room}-imports-rooms-before-it`,
      { path: inRoom(room) },
      { path: inRoom(...rooms.slice(at + 1)) },
    ),
  );

module.exports = {
  forbidden: [
    ...oneWay,
    forbid('no-cycles', {}, { circular: true }),
    forbid('no-orphans', { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' }, {}),
    forbid(
      'no-unresolved',
      {},
      { couldNotResolve: true, pathNot: '/dist/' },
      'A checkout need not be built.',
    ),
    forbid(
      'only-declared-packages',
      { path: '^src/', pathNot: '^src/text/onnx-encoder\\.ts$' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'npm-peer'],
        dependencyTypesNot: ['type-only', 'npm'],
      },
      'The encoder works without onnxruntime, which is optional.',
    ),
    forbid(
      'only-types-of-activities',
      { path: inRoom('workflows', 'client', 'http', 'cli') },
      { path: inRoom('activities'), dependencyTypesNot: ['type-only'] },
    ),
    forbid('workflows-without-node', { path: inRoom('workflows') }, { dependencyTypes: ['core'] }),
    forbid(
      'workflows-without-engines',
      { path: inRoom('workflows') },
      { path: inRoom('text', 'stores', 'sources', 'steps', 'engines'), dependencyTypesNot: ['type-only'] },
      'The bundle of workflows is loaded once a run. scripts/workflow-bundle.mjs checks the bundle itself.',
    ),
    forbid(
      'workflow-code-stays-in-the-sandbox',
      { path: inRoom('client', 'app', 'http', 'cli') },
      {
        path: inRoom('workflows'),
        pathNot: '^src/workflows/(messages|search-attributes)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'engines-are-apart',
      { path: '^src/engines/(extractive|model|openai)/', pathNot: '/module\\.ts$' },
      { path: '^src/engines/[^/]+/', pathNot: ['^src/engines/$1/', '^src/engines/model/port\\.ts$'] },
    ),
    forbid('contracts-by-file', { path: '^(src|scripts|training)/' }, { path: '^src/contracts/index\\.ts$' }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'types', 'default'],
    },
  },
};
