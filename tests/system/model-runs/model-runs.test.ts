import { comparable, problemsOfLog } from '../../support/kills/run-record';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest, Script } from '../../model-server/model-server';
import { openModelBench } from './model-bench';
import { forAllTests } from '../../support/for-all-tests';
import { problemsOfReport, sourcesOfRun } from './report-problems';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promptCosts } from '../../model-server/prompt-costs';
import { findingsIn, materialIn, stepOfPrompt } from '../../model-server/prompt-material';
import { splitSentences } from '../../../src/language/sentences';
import { ValidatedFindings } from '../../../src/contracts/report/finding';
import { answersJson, refuses } from '../../model-server/behaviours';
import { showProgress } from '../../../src/cli/progress/progress-display';
import type { OutageSettings } from '../../../src/contracts/run/outages';
import { until } from '../../support/until';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

describe('the whole report', () => {
  test('a report over real notes is complete, true to its sources and paid for once', async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const first = await served.report('first');
    const { report, markdown } = first;
    const sources = await sourcesOfRun(bench, 'first');

    expect(report.status).toBe('completed');
    expect(report.warnings).toEqual([]);
    expect(problemsOfReport(report, sources)).toEqual([]);
    expect(problemsOfLog(first)).toEqual([]);
    expect(report.sections.length).toBeGreaterThanOrEqual(5);
    expect(report.claims.length).toBeGreaterThan(20);
    expect(report.citations.length).toBeGreaterThan(10);
    expect(report.followUpQuestions.length).toBeGreaterThanOrEqual(3);
    expect(report.provenance).toMatchObject({
      engine: 'openai',
      models: { fast: 'small', strong: 'large', critic: 'large' },
    });
    const { calls, inputTokens, outputTokens } = model.bill;
    expect(calls).toBe(served.server.asked.length);
    expect(report.usage).toMatchObject({ calls, cachedCalls: 0, inputTokens, outputTokens });

    const asked = served.server.asked.length;
    const second = await served.report('second');
    expect(served.server.asked).toHaveLength(asked);
    expect(second.markdown).toBe(markdown);
    expect(comparable(second)).toEqual(comparable(first));
    expect(second.report.usage).toMatchObject({ calls: 0, cachedCalls: calls, inputTokens: 0, costUsd: 0 });
  });

  test('three runs of the same question at once ask each thing once, and are the same report', async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const ids = Array.from({ length: 3 }, (_, index) => `twin-${index}`);
    const records = await Promise.all(ids.map((id) => served.report(id)));
    const questions = served.server.asked.map(wordsOf);
    expect(questions.length).toBeGreaterThan(8);
    expect(new Set(questions).size).toBe(questions.length);
    for (const record of records) expect(comparable(record)).toEqual(comparable(records[0] ?? record));
    const spent = records.map(({ report }) => report.usage);
    const total = (key: 'calls' | 'inputTokens' | 'outputTokens'): number =>
      spent.reduce((sum, usage) => sum + usage[key], 0);
    expect([total('calls'), total('inputTokens'), total('outputTokens')]).toEqual([
      model.bill.calls,
      model.bill.inputTokens,
      model.bill.outputTokens,
    ]);
  });

  function wordsOf(request: RecordedRequest): string {
    return messagesOf(request).join('\n');
  }
});

describe('its cost', () => {
  const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
  const CHARS_PER_TOKEN = 4;

  const promptOf = (request: RecordedRequest): string => messagesOf(request).join('\n');
  const stepOf = (request: RecordedRequest): string => stepOfPrompt(...messagesOf(request));

  test('a run over the notes sends each source once in pass 2 and once in pass 3, and one changed number costs five calls and a judgement', async () => {
    const model = createGoodModel();
    const served = await bench.serve((request) => model.answer(request));
    const { report } = await served.report('whole');
    expect(report.status).toBe('completed');
    const asked = [...served.server.asked];

    const prompts = asked.map(promptOf);
    expect(new Set(prompts).size).toBe(prompts.length);
    const costs = promptCosts(prompts);
    expect(costs.reduce((sum, { chars }) => sum + chars, 0) / CHARS_PER_TOKEN).toBeLessThan(34_000);
    const copies = (step: string): number =>
      costs.reduce(
        (sum, { sources }, at) => sum + (asked[at] && stepOf(asked[at]) === step ? sources : 0),
        0,
      );
    expect([copies('extract-findings'), copies('cross-check')]).toEqual([16, 16]);

    // What is read again stands where an endpoint has it already: at the beginning, under the same mark. A critic and a judge are
    // given no source, but the quotes that sentences cite, and the text.
    const reading = asked.filter((request) => !['audit', 'judge'].includes(stepOf(request))).map(promptOf);
    const marks = reading.flatMap((prompt) => /^=== ([0-9a-f]{16}) /m.exec(prompt)?.[1] ?? []);
    expect(new Set(marks).size).toBe(1);
    const checked = asked.findIndex((request) => stepOf(request) === 'cross-check');
    const sources = [...materialIn(prompts[checked] ?? '')].filter(([name]) => /^S\d+$/.test(name));
    const sourceChars = sources.reduce((sum, [, text]) => sum + text.length, 0);
    expect(costs[checked]?.sharedChars).toBeGreaterThan(sourceChars);

    const changed = join(mkdtempSync(join(tmpdir(), 'colligate-cost-')), 'notes');
    cpSync(NOTES, changed, { recursive: true });
    const note = join(changed, 'zheng-2018-dialysis.md');
    const text = readFileSync(note, 'utf8');
    writeFileSync(note, text.replace('Nearly 40%', 'Nearly 45%'));
    await served.report('changed', { sources: { paths: [changed] } });
    const again = served.server.asked.slice(asked.length).map(stepOf);
    expect(again.length).toBeGreaterThan(0);
    // A judge reads the whole text, so that whatever has changed of it is asked of that too.
    expect(again.filter((step) => step === 'judge').length).toBeLessThanOrEqual(1);
    expect(again.filter((step) => step !== 'judge').length).toBeLessThanOrEqual(5);
    expect(again).not.toContain('outline');
  });
});

describe('named agreement', () => {
  /** A good model, but that it names for each finding the first sentence of some other source as saying the same. */
  function naming(names: boolean): Script {
    const model = createGoodModel();
    return (request) => {
      const [system = '', user = ''] = messagesOf(request);
      if (stepOfPrompt(system, user) !== 'cross-check') return model.answer(request);
      const material = materialIn(user);
      const sources = [...material].filter(([name]) => /^S\d+$/.test(name));
      const checks = findingsIn(material.get('findings') ?? '').map(({ id, evidence }, at) => {
        const own = new Set(evidence.map(({ source }) => source));
        const others = sources.filter(([source]) => !own.has(source));
        const [source = '', text = ''] = others[at % Math.max(1, others.length)] ?? [];
        const quote = splitSentences(text).find(({ text: said }) => /^\p{Lu}.*\w\.$/u.test(said))?.text;
        const supporting = names && quote !== undefined ? [{ source, quote }] : [];
        return { finding: id, supporting, contradicting: [] };
      });
      return answersJson({ checks, conflicts: [], gaps: [] });
    };
  }

  async function findingsOf(
    runId: string,
    names: boolean,
  ): Promise<[claim: string, confidence: number, sources: string[]][]> {
    const served = await bench.serve(naming(names));
    await served.report(runId, {
      question: `Does vitamin D supplementation improve health outcomes in adults?`,
    });
    const validated = ValidatedFindings.parse(await bench.colligate.run(runId).passResult('cross-reference'));
    return validated.sections
      .flatMap(({ findings }) => findings)
      .map(({ claim, confidence, citations }): [string, number, string[]] => [
        claim,
        confidence,
        [...citations].sort(),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1));
  }

  test('sentences of other sources that a model names without a reason raise no confidence and stand beside nothing', async () => {
    const plain = await findingsOf('names-nothing', false);
    const named = await findingsOf('names-anything', true);
    expect(plain.length).toBeGreaterThan(20);
    expect(named).toEqual(plain);
  });
});

describe('an endpoint that is away', () => {
  const PATIENT: OutageSettings = {
    patienceMs: 3_600_000,
    afterwards: 'park',
    firstWaitMs: 200,
    attempts: 2,
  };

  test('a run whose endpoint is away tells what it waits for and why', async () => {
    const served = await bench.serve(() => refuses(503, { message: 'The server is restarting' }));
    await served.start('away-told', { outages: PATIENT });
    const run = bench.colligate.run('away-told');
    const progress = await until(
      () => run.progress(),
      ({ waiting }) => waiting !== null,
    );
    let drawn = '';
    const display = showProgress({ isTTY: true, columns: 500, write: (text) => (drawn += text) });
    display.update(progress);
    display.end();
    expect(drawn).toMatch(/for the model endpoint since [\d: -]+UTC/);
    expect(drawn).toContain('The server is restarting');
    await run.cancel();
    await run.waitUntilClosed();
  });
});
