/**
 * What workflow code reaches when it runs, whichever way it goes. Cruised after compilation, because a chain of imports
 * that has a type in it ends there; the other rules count types too.
 */
module.exports = {
  forbidden: [
    {
      name: 'workflows-do-not-read',
      comment:
        'What knows a language, and what was learned, is too much for every sandbox; an activity has it.',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/(text|sources|engines)/', reachable: true },
    },
  ],
  options: {
    ...require('./.dependency-cruiser.cjs').options,
    tsPreCompilationDeps: false,
  },
};
