import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { ConfigSchema } from '../../src/config/schema';
import { settingPaths } from '../../src/config/setting-names';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, toldProblems } = useConfigFolder();

test('without any configuration everything has its default', () => {
  const config = load();
  expect(config).toMatchObject({
    engine: 'extractive',
    dataDir: join(path(), '.colligate'),
    outDir: join(path(), 'reports'),
    logLevel: 'info',
    temporal: { address: null, namespace: 'default', taskQueue: 'colligate', tls: false, apiKey: null },
    openai: {
      baseUrl: null,
      apiKey: null,
      apiKeyFile: null,
      models: { fast: null, strong: null, critic: null },
      prices: {},
      contextTokens: {},
      timeoutMs: 300_000,
      firstByteMs: 180_000,
      inactivityMs: 60_000,
      maxConcurrentCalls: 8,
      requestsPerSecond: null,
      cacheTtlMs: 2_592_000_000,
    },
    budget: {},
    outages: { patienceMs: 86_400_000 },
    worker: {
      maxConcurrentActivities: 8,
      threads: Math.min(64, availableParallelism()),
      shutdownGraceMs: 10_000,
    },
  });
  expect(config.synthesis).toEqual({
    enableMultiPass: true,
    pass1SummaryCount: -1,
    temperature: 0,
    pass2FullContentCount: 50,
    pass3CrossRefCount: 30,
    maxTotalChars: 400_000,
    maxCharsPerSource: 30_000,
    minCharsPerSource: 5_000,
    minCitationsPerSection: 3,
    minTotalCitations: 50,
    targetReportLength: 7_500,
    enableCrossReference: true,
    enableFactChecking: true,
    enableConflictDetection: true,
    confidenceThreshold: 0.7,
    overviewModel: null,
    deepdiveModel: null,
    citationStyle: 'numbered',
    unsupportedClaims: 'mark',
    sourceQualityRules: [],
  });
});

test('flags win over the environment, the environment over the file, the file over defaults', () => {
  writeConfigFile({
    synthesis: { targetReportLength: 1000, minTotalCitations: 11, confidenceThreshold: 0.5 },
    worker: { threads: 1 },
  });
  const config = load(
    {
      COLLIGATE_TARGET_REPORT_LENGTH: '2000',
      COLLIGATE_MIN_TOTAL_CITATIONS: '22',
      COLLIGATE_MAX_COST_USD: '0.25',
    },
    { 'synthesis.targetReportLength': '3000' },
  );
  expect(config.synthesis.targetReportLength).toBe(3000);
  expect(config.synthesis.minTotalCitations).toBe(22);
  expect(config.synthesis.confidenceThreshold).toBe(0.5);
  expect(config.worker.threads).toBe(1);
  expect(config.budget).toEqual({ maxCostUsd: 0.25 });
});

test('an empty variable counts as absent', () => {
  expect(load({ TEMPORAL_ADDRESS: '', COLLIGATE_THREADS: '' }).temporal.address).toBeNull();
});

test('folders are absolute, and the cache is the user’s', () => {
  const config = load(
    { PATH: ['/one', '/two'].join(delimiter), COLLIGATE_DATA_DIR: 'state' },
    { outDir: '/elsewhere' },
  );
  expect(config.dataDir).toBe(join(path(), 'state'));
  expect(config.outDir).toBe('/elsewhere');
  expect(config.searchPath).toEqual(['/one', '/two']);
  expect(load({ COLLIGATE_CACHE_DIR: '/cache' }).cacheDir).toBe('/cache');
  const userCache = process.platform === 'linux' ? '/xdg/colligate' : config.cacheDir;
  expect(load({ XDG_CACHE_HOME: '/xdg' }).cacheDir).toBe(userCache);
});

interface Node {
  properties?: Record<string, Node>;
}

function leaves(node: Node, prefix: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
    child.properties === undefined || settingPaths.some((path) => path === `${prefix}${key}`)
      ? [`${prefix}${key}`]
      : leaves(child, `${prefix}${key}.`),
  );
}

test('every setting of the schema has a name in the environment', () => {
  const schema = z.toJSONSchema(ConfigSchema, { io: 'input' }) as Node;
  expect(leaves(schema, '').sort()).toEqual([...settingPaths].sort());
});

test('document 002’s names are read from the environment', () => {
  const { synthesis } = load({
    COLLIGATE_ENABLE_MULTI_PASS: 'false',
    COLLIGATE_PASS_1_SUMMARY_COUNT: '200',
    COLLIGATE_ENABLE_CROSS_REFERENCE: 'false',
    COLLIGATE_ENABLE_FACT_CHECKING: '0',
    COLLIGATE_ENABLE_CONFLICT_DETECTION: 'false',
    COLLIGATE_OVERVIEW_MODEL: 'small',
    COLLIGATE_DEEPDIVE_MODEL: 'large',
    COLLIGATE_CITATION_STYLE: 'url',
    COLLIGATE_UNSUPPORTED_CLAIMS: 'remove',
  });
  expect(synthesis).toMatchObject({
    enableMultiPass: false,
    pass1SummaryCount: 200,
    enableCrossReference: false,
    enableFactChecking: false,
    enableConflictDetection: false,
    overviewModel: 'small',
    deepdiveModel: 'large',
    citationStyle: 'url',
    unsupportedClaims: 'remove',
  });
  expect(toldProblems({ COLLIGATE_PASS_1_SUMMARY_COUNT: '0' })).toEqual([
    'COLLIGATE_PASS_1_SUMMARY_COUNT (environment) 0: -1 for all, or a whole number of at least 1',
  ]);
});

test('a brief’s length, template and judge are settings, in the document’s names', () => {
  expect(load()).toMatchObject({
    report: { maxLength: 10_000, template: 'brief' },
    brief: { oneCallWords: 2_000, unsupportedClaims: 'mark' },
    judge: { enabled: true, threshold: 3.5, maxRevisions: 2, rubric: { bias: { weight: 0.1 } } },
  });
  writeConfigFile({
    report: { maxLength: 5000, template: 'decision-memo', outputDir: 'elsewhere' },
    judge: { rubric: { bias: { weight: 0.3 } } },
  });
  const config = load(
    {
      COLLIGATE_REPORT_MAX_LENGTH: '6000',
      COLLIGATE_BRIEF_ONE_CALL_WORDS: '0',
      COLLIGATE_BRIEF_UNSUPPORTED_CLAIMS: 'remove',
      COLLIGATE_JUDGE_ENABLED: 'false',
      COLLIGATE_JUDGE_MAX_REVISIONS: '1',
    },
    { 'judge.threshold': '4.5' },
  );
  expect(config).toMatchObject({
    outDir: join(path(), 'elsewhere'),
    report: { maxLength: 6000, template: 'decision-memo' },
    brief: { oneCallWords: 0, unsupportedClaims: 'remove' },
    judge: { enabled: false, threshold: 4.5, maxRevisions: 1 },
  });
  expect(config.judge.rubric.bias.weight).toBe(0.3);
  expect(config.judge.rubric.coverage.weight).toBe(0.2);
});

test('report.outputDir is the file’s other name for outDir: flags and variables win over it, and both must agree', () => {
  writeConfigFile({ report: { outputDir: 'there' } });
  expect(load({ COLLIGATE_OUT_DIR: 'here' }).outDir).toBe(join(path(), 'here'));
  writeConfigFile({ report: { outputDir: 'there' }, outDir: 'there' });
  expect(load().outDir).toBe(join(path(), 'there'));
  writeConfigFile({ report: { outputDir: 'there' }, outDir: 'here' });
  expect(toldProblems()).toEqual([
    'report.outputDir (file) "there": one of the two names: outDir is "here" in the same file',
  ]);
});

test('what is wrong with the judge is told with the place in its rubric', () => {
  writeConfigFile({ judge: { threshold: 6, rubric: { bias: { weight: 2 } } }, report: { outputDir: 7 } });
  expect(toldProblems()).toEqual([
    'report.outputDir (file) 7: text that is not empty',
    'judge.threshold (file) 6: a number from 1 to 5',
    expect.stringMatching(
      /^judge\.rubric \(file\) \{"weight":2\}: for each dimension .*; wrong is bias, weight: /,
    ) as string,
  ]);
});
