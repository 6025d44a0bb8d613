/** The rooms of src. A room imports only rooms that stand before it. */
const order =
  'lib contracts text evidence report stores sources steps engines activities workflows client app http cli';
const rooms = order.split(' ');
const inRoom = (...names) => `^src/(${names.join('|')})/`;
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
const values = { dependencyTypesNot: ['type-only'] };

const oneWay = rooms.slice(0, -1).map((room, at) => {
  const later = rooms.slice(at + 1);
  return forbid(`${room}-before-${later.join('-')}`, { path: inRoom(room) }, { path: inRoom(...later) });
});

module.exports = {
  forbidden: [
    ...oneWay,
    forbid('no-cycles', {}, { circular: true }),
    forbid('no-orphans', { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' }, {}),
    // The encoder works without onnxruntime, which is optional.
    forbid(
      'only-declared-packages',
      { path: '^src/', pathNot: '^src/text/onnx-encoder\\.ts$' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'npm-peer'],
        dependencyTypesNot: ['type-only', 'npm'],
      },
    ),
    forbid(
      'only-types-of-activities',
      { path: inRoom('workflows', 'client', 'http', 'cli') },
      { path: inRoom('activities'), ...values },
    ),
    // scripts/workflow-bundle.mjs checks what is in the bundle of workflows.
    forbid(
      'workflow-code-stays-in-the-sandbox',
      { path: inRoom('client', 'app', 'http', 'cli') },
      { path: inRoom('workflows'), pathNot: '^src/workflows/(messages|search-attributes)\\.ts$', ...values },
    ),
    forbid(
      'engines-are-apart',
      { path: '^src/engines/(extractive|model|openai)/', pathNot: '/module\\.ts$' },
      { path: '^src/engines/[^/]+/', pathNot: ['^src/engines/$1/', '^src/engines/model/port\\.ts$'] },
    ),
    forbid('contracts-by-file', { path: '^(src|scripts|training)/' }, { path: '^src/contracts/index\\.ts$' }),
    forbid('no-tests-in-the-product', { path: '^src/' }, { path: '^(tests|training|scripts)/' }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      conditionNames: ['require', 'node', 'import', 'types', 'default'],
    },
  },
};
