/** The arrows of the architecture: who may know whom. A folder that is not named here may be used by nobody. */

/** What Node and the operating system leave to be said once; everybody outside the sandbox may use it. */
const platform = '^src/platform/';

/** A rule that lets `from` import only what matches one of `allowed`, besides packages and Node itself. */
const mayOnlyUse = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: [from, ...allowed] },
});

const contracts = '^src/contracts/';
/** What is said around evidence, in each language. */
const texts = '^src/texts/';
/** What is true for everybody, with the shapes that it is told of and the words that it is told in. */
const core = '^src/(core|contracts|texts)/';
const language = '^src/language/';
const reading = '^src/reading/';
/** What it is to be near in meaning; who makes vectors is opened by threads. */
const encoder = '^src/encoder/';
const encoderPort = '^src/encoder/(encoder|late-interaction)\\.ts$';
const retrieval = '^src/retrieval/';
const verification = '^src/verification/';
/** What needs no server and no store: faces use it as it is. */
const verifiedReports = '^src/verification/report/';
const citedText = '^src/cited-text/';
const subtopics = '^src/subtopics/';
/** How a brief's text is put together. */
const briefs = '^src/briefs/';
/** What is reckoned for an answer, and how its text is put together. */
const answers = '^src/answers/';
const diff = '^src/diff/';
/** What a run left, as a tree, and its renderings. */
const documents = '^src/document/';
const steps = '^src/steps/';
/** What a run is expected to cost. */
const estimates = '^src/estimate/';
const engines = '^src/engines/';
/** How the composition root makes an engine; the one file of an engine's folder that reads settings. */
const engineModules = '^src/engines/[^/]+/module\\.ts$|^src/engines/engine-module\\.ts$';
const stores = '^src/stores/';
/** Interfaces and what works with any store; the adapters have folders of their own, and one registry chooses among them. */
const storePorts = '^src/stores/((?!open-stores)[^/]+\\.ts$|errors/)';
const storeFactory = '^src/stores/open-stores\\.ts$';
const storeKinds = '^src/stores/store-kinds\\.ts$';
const storeAdapters = '^src/stores/(?!errors/)[^/]+/';
const sources = '^src/sources/';
const threads = '^src/threads/';
/** The one way to what somebody names by an address. */
const fetching = '^src/fetch/';
/** Indexes that are asked, and what they name. */
const search = '^src/search/';
const webhooks = '^src/webhooks/';
/** The texts of templates that ship, read from the package. */
const templates = '^src/templates/';
/** Prompts that are kept elsewhere, and those to whom runs are told; others know them by their ports. */
const prompts = '^src/prompts/';
const promptPort = '^src/prompts/prompt-source\\.ts$';
const tracing = '^src/tracing/';
const metrics = '^src/metrics/';
const tracePort = '^src/tracing/traces\\.ts$';
const temporal = '^src/temporal/';
const client = '^src/client/';
const app = '^src/app/';
/** The face over HTTP. */
const http = '^src/http/';
/** What it shows to people. */
const servedPages = '^src/pages/';
/** What users of the package import; within it the files that they name are imported. */
const face = '^src/client\\.ts$';
const contractsFace = '^src/contracts/index\\.ts$';
const config = '^src/config/';
const messages = '^src/workflows/run/messages\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nobody uses, and that uses nobody, is left over.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'A checkout need not be built.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
    {
      name: 'only-declared-packages',
      comment:
        'What src needs at run time is among the dependencies; the encoder does without what it runs on.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/encoder/onnx-encoder\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'npm-peer'],
        dependencyTypesNot: ['type-only', 'npm'],
      },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: core },
      to: { dependencyTypes: ['core'] },
    },
    mayOnlyUse(
      'language-is-a-leaf',
      'What English is depends on nothing; a passage is a contract.',
      language,
      [contracts],
    ),
    mayOnlyUse('contracts-use-contracts', 'The shared shapes know only each other.', contracts, []),
    mayOnlyUse('texts-use-contracts', 'What is said is said of shapes.', texts, [contracts]),
    mayOnlyUse('core-uses-language', 'contracts, texts, language ← core ← everything', '^src/core/', [
      contracts,
      texts,
      language,
    ]),
    mayOnlyUse('the-encoder-knows-nobody', 'It turns texts into vectors, whatever for.', encoder, []),
    mayOnlyUse('reading-uses-language', 'core, language, encoder ← reading', reading, [
      language,
      core,
      encoderPort,
    ]),
    mayOnlyUse(
      'retrieval-uses-reading',
      'language, core, reading ← retrieval; what is found is what was read.',
      retrieval,
      [language, core, reading, encoderPort],
    ),
    mayOnlyUse(
      'verification-uses-reading',
      'language, core, reading, cited-text ← verification; a report is read before it is verified.',
      verification,
      [language, core, reading, citedText, encoderPort],
    ),
    mayOnlyUse(
      'subtopics-use-verification',
      'language, core, reading, cited-text, verification ← subtopics; what summaries say is read as reports are.',
      subtopics,
      [language, core, reading, citedText, verification],
    ),
    mayOnlyUse('diff-uses-language', 'language, core ← diff', diff, [language, core]),
    mayOnlyUse('documents-use-core', 'core, answers, platform, what a result tells ← document', documents, [
      core,
      answers,
      platform,
      '^src/reading/statements/statement-figures\\.ts$',
    ]),
    mayOnlyUse('cited-text-uses-language', 'language, core ← cited-text', citedText, [language, core]),
    mayOnlyUse('steps-use-core', 'core, answers ← steps', steps, [core, answers]),
    mayOnlyUse('estimates-use-steps', 'core, steps ← estimate: what steps are expected to cost.', estimates, [
      core,
      steps,
    ]),
    mayOnlyUse(
      'engines-use-steps',
      'core ← steps ← engines; what is paid for is kept behind one port.',
      engines,
      [
        core,
        citedText,
        language,
        encoderPort,
        reading,
        retrieval,
        verification,
        steps,
        threads,
        '^src/stores/(response-cache|shared-limits)\\.ts$',
        config,
        platform,
      ],
    ),
    {
      name: 'only-engine-modules-read-settings',
      comment: 'An engine is told what it needs; its module takes that from the settings.',
      severity: 'error',
      from: { path: engines, pathNot: engineModules },
      to: { path: config },
    },
    {
      name: 'a-wire-uses-the-port',
      comment: 'A folder beside model/ has of it the port alone; its module puts it and the engine together.',
      severity: 'error',
      from: { path: '^src/engines/[^/]+/', pathNot: ['^src/engines/model/', engineModules] },
      to: { path: '^src/engines/model/', pathNot: '^src/engines/model/port/' },
    },
    {
      name: 'extractive-asks-nobody',
      severity: 'error',
      from: { path: '^src/engines/extractive/' },
      to: { path: '^src/engines/(?!extractive/)[^/]+/' },
    },
    {
      name: 'only-the-composition-knows-engines',
      comment:
        'Others have engines by their interface and their traits; threads carry out what one is made of.',
      severity: 'error',
      from: { path: '^src/', pathNot: [engines, '^src/(app|threads)/'] },
      to: { path: '^src/engines/(?!model/)[^/]+/' },
    },
    {
      name: 'engines-are-apart',
      comment:
        'One engine does not know another, and model/ no wire; what engines share is in engines/ and in model/.',
      severity: 'error',
      from: { path: '^src/engines/([^/]+)/' },
      to: { path: '^src/engines/[^/]+/', pathNot: ['^src/engines/$1/', '^src/engines/model/'] },
    },
    mayOnlyUse('stores-use-core', 'core ← stores', stores, [core, platform]),
    mayOnlyUse('the-fetcher-uses-core', 'core ← the fetcher', fetching, [core, platform]),
    mayOnlyUse('webhooks-use-the-fetcher', 'contracts ← the fetcher ← webhooks', webhooks, [
      contracts,
      fetching,
    ]),
    mayOnlyUse(
      'search-uses-the-fetcher',
      'core ← the fetcher ← search; XML is read as in documents.',
      search,
      [core, fetching, '^src/sources/formats/(archive/xml-tree|parsing/parsed-document)\\.ts$'],
    ),
    mayOnlyUse(
      'sources-use-store-interfaces',
      'core ← language, stores, the fetcher ← sources; the processes that parse verify texts, too.',
      sources,
      [core, language, fetching, storePorts, platform, verifiedReports],
    ),
    mayOnlyUse('threads-compute', 'What a thread is told to do: reading, steps and engines.', threads, [
      core,
      language,
      encoder,
      reading,
      verification,
      retrieval,
      subtopics,
      steps,
      engines,
      platform,
    ]),
    mayOnlyUse(
      'activities-use-ports',
      'Activities have stores, engines and threads by their interfaces; what a run was given they read as files are read.',
      '^src/activities/',
      [
        core,
        language,
        reading,
        retrieval,
        verification,
        subtopics,
        briefs,
        answers,
        diff,
        steps,
        stores,
        sources,
        search,
        webhooks,
        engines,
        threads,
        templates,
        promptPort,
        tracePort,
        platform,
      ],
    ),
    mayOnlyUse('briefs-use-core', 'language, core, cited-text ← briefs; a text by a model is read.', briefs, [
      language,
      core,
      citedText,
    ]),
    mayOnlyUse('answers-use-core', 'core ← answers', answers, [core]),
    mayOnlyUse('templates-are-read', 'briefs ← templates; how one is read is said there.', templates, [
      core,
      briefs,
    ]),
    mayOnlyUse('prompts-use-steps', 'core ← steps ← prompts, by the settings.', prompts, [
      core,
      steps,
      config,
      platform,
    ]),
    mayOnlyUse('tracing-uses-ports', 'What happened, as ports tell it, to whom the settings name.', tracing, [
      core,
      '^src/engines/engine\\.ts$',
      '^src/stores/event-log\\.ts$',
      config,
      platform,
    ]),
    mayOnlyUse('metrics-use-ports', 'What is counted, as ports tell it.', metrics, [
      tracePort,
      storePorts,
      '^src/engines/(engine|model/paid/shared-pace)\\.ts$',
    ]),
    {
      name: 'only-metrics-know-prometheus',
      severity: 'error',
      from: { path: '^src/', pathNot: metrics },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'only-tracing-knows-opentelemetry',
      comment: 'Nothing of it is registered, and nothing of it reaches a workflow.',
      severity: 'error',
      from: { path: '^src/', pathNot: tracing },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'only-prompts-know-langfuse',
      severity: 'error',
      from: { path: '^src/', pathNot: prompts },
      to: { path: 'node_modules/@langfuse/' },
    },
    {
      name: 'activities-have-no-adapters',
      comment: 'The composition root chooses the adapters.',
      severity: 'error',
      from: { path: '^src/activities/' },
      to: {
        path: [storeFactory, '^src/engines/[^/]+/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'kinds-share-activities',
      comment: 'Activities of every kind know no kind; kinds do not know those of each other.',
      severity: 'error',
      from: { path: '^src/activities/([^/]+)/' },
      to: { path: '^src/activities/[^/]+/', pathNot: '^src/activities/(shared|$1)/' },
    },
    mayOnlyUse('workflows-use-core', 'core + types of activities ← workflows', '^src/workflows/', [
      core,
      answers,
      '^src/activities/',
      '^src/temporal/search-attributes\\.ts$',
    ]),
    {
      name: 'what-every-run-does-knows-no-kind',
      comment:
        'A kind of run uses workflows/run, and says of itself what is asked there; kinds do not know each other.',
      severity: 'error',
      from: { path: '^src/workflows/([^/]+)/' },
      to: { path: '^src/workflows/[^/]+/', pathNot: '^src/workflows/(run|$1)/' },
    },
    {
      name: 'workflows-see-only-types-of-activities',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-stay-out-of-node',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'workflow-code-is-known-by-path-only',
      comment: 'Its messages are for everybody; its code is for the sandbox, and measured.',
      severity: 'error',
      from: { pathNot: ['^src/workflows/', '^tests/', '^scripts/eval/product\\.ts$'] },
      to: { path: '^src/workflows/', pathNot: messages, dependencyTypesNot: ['type-only'] },
    },
    mayOnlyUse(
      'temporal-uses-configuration',
      'Finding and starting a server knows nothing of runs.',
      temporal,
      [config, platform],
    ),
    mayOnlyUse(
      'client-uses-contracts',
      'The client sees contracts, messages, store interfaces, and what reads sources.',
      client,
      [
        core,
        diff,
        documents,
        steps,
        estimates,
        messages,
        '^src/workflows/index\\.ts$',
        '^src/temporal/(search-attributes|payloads/payload-key-error)\\.ts$',
        storePorts,
        sources,
        briefs,
        answers,
        templates,
        platform,
      ],
    ),
    mayOnlyUse(
      'the-face-only-names',
      'The face of the package: the client, who opens one, the errors that either rejects with, and the check of reports.',
      face,
      [
        client,
        app,
        core,
        answers,
        diff,
        '^src/document/formats/export-formats\\.ts$',
        stores,
        sources,
        temporal,
        config,
        verifiedReports,
      ],
    ),
    {
      name: 'contracts-are-imported-by-file',
      comment: 'Their face is for users of the package.',
      severity: 'error',
      from: { path: '^(src|scripts|training)/' },
      to: { path: contractsFace },
    },
    mayOnlyUse(
      'configuration-uses-contracts',
      'core ← configuration; the registry says which stores there are.',
      config,
      [core, platform, storeKinds],
    ),
    mayOnlyUse(
      'app-uses-everything-but-faces',
      'Composition for every face: it tells what happens, and has no words, flags or exit codes.',
      '^src/app/',
      [
        core,
        config,
        temporal,
        storePorts,
        storeFactory,
        sources,
        fetching,
        search,
        webhooks,
        steps,
        verifiedReports,
        engines,
        threads,
        prompts,
        tracing,
        metrics,
        client,
        briefs,
        platform,
        '^src/activities/',
      ],
    ),
    mayOnlyUse(
      'command-line-uses-composition',
      'Words, flags and exit codes; what is opened and what is asked of an endpoint is composed in app.',
      '^src/cli/',
      [
        core,
        '^src/document/formats/export-formats\\.ts$',
        config,
        temporal,
        storePorts,
        storeFactory,
        sources,
        answers,
        encoder,
        templates,
        client,
        diff,
        platform,
        '^src/app/',
        http,
        verifiedReports,
      ],
    ),
    mayOnlyUse(
      'http-uses-the-client',
      "Routes, who may come in and how refusals are told; what is done is the client's, what is opened is composed in app.",
      http,
      [
        core,
        platform,
        '^src/document/formats/export-formats\\.ts$',
        storePorts,
        client,
        config,
        app,
        servedPages,
        '^src/metrics/http-metrics\\.ts$',
      ],
    ),
    mayOnlyUse(
      'pages-show-what-they-are-given',
      'core, documents ← pages: what is asked of whom is the routes’.',
      servedPages,
      [core, documents],
    ),
    mayOnlyUse(
      'worker-is-a-name',
      'The public face of what app composes; run by itself it is a command.',
      '^src/worker\\.ts$',
      ['^src/app/', config, '^src/cli/run-as-process\\.ts$'],
    ),
    {
      name: 'adapters-of-stores-are-chosen-by-the-registry',
      comment: 'Everybody else opens stores by configuration; the tests of an adapter are its own.',
      severity: 'error',
      from: { pathNot: [storeFactory, storeAdapters, '^tests/stores/'] },
      to: { path: storeAdapters },
    },
    {
      name: 'adapters-of-stores-know-no-other',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/' },
      to: { path: '^src/stores/[^/]+/', pathNot: ['^src/stores/$1/', '^src/stores/errors/'] },
    },
    {
      name: 'only-the-command-line-knows-the-command-line',
      comment: 'Another face has no terminal and no commander.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules/(commander|picocolors)/' },
    },
    {
      name: 'only-http-knows-its-server',
      severity: 'error',
      from: { path: '^src/', pathNot: http },
      to: { path: 'node_modules/(fastify|@fastify/|@modelcontextprotocol/)' },
    },
    {
      name: 'nobody-uses-the-command-line',
      comment: 'But the worker where it is run by itself, which is the command of that name.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/|worker\\.ts$)' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'product-code-uses-no-tests',
      severity: 'error',
      from: { path: '^(src|scripts|training)/' },
      to: { path: '^tests/' },
    },
    {
      name: 'product-code-uses-no-training',
      comment:
        'Weights are committed; what makes them is for those who make them anew, and for those who measure.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^training/' },
    },
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
