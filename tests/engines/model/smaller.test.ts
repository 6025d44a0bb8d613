import { StepFailedError } from '../../../src/engines/step-failed-error';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { outline } from '../../../src/steps/outline/outline';
import { summarise } from '../../../src/steps/summarise/summarise';
import { answers, answersJson, refuses } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { closeEngines, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import { CONTENT, extractInput, outlineInput, QUESTION, QUOTES, sourceWindow } from './material';

afterEach(closeEngines);

const KEYS = ['a', 'b', 'c', 'd'] as const;

/** One finding for each source that the prompt has, on its first quote. */
function findingsFor(request: RecordedRequest): unknown {
  const text = promptText(request);
  const claims = {
    a: 'Bone mineral density rose by 2.1% in women.',
    b: 'Bone mineral density increased by 1.9 % in adults.',
    c: 'Vitamin D led to 15% more falls than placebo.',
    d: 'Bone mineral density did not differ in 410 men.',
  };
  const present = KEYS.filter((key) => text.includes(QUOTES[key])).sort(
    (one, other) => text.indexOf(QUOTES[one]) - text.indexOf(QUOTES[other]),
  );
  return {
    findings: present.map((key, index) => ({
      claim: claims[key],
      evidence: [{ source: `S${index + 1}`, quote: QUOTES[key] }],
      confidence: 0.6,
    })),
  };
}

const answersForPrompt: Behaviour = (request, response) =>
  answersJson(findingsFor(request))(request, response);

function sourcesIn(request: RecordedRequest | undefined): number {
  return promptText(request).match(/=== [0-9a-f]{16} S\d+ ===/g)?.length ?? 0;
}

test('an answer that is cut off is asked for again in halves, whose findings are numbered as one', async () => {
  const { output, server } = await runAgainst(extractFindings, extractInput(), (request) =>
    sourcesIn(request) > 2
      ? answers('{"findings": [{"claim": "Bone mi', { finishReason: 'length' })
      : answersForPrompt,
  );
  expect(server.asked.map(sourcesIn)).toEqual([4, 2, 2]);
  expect(output.findings.map(({ id, citations }) => [id, ...citations])).toEqual([
    ['section-1-finding-1', 'study-a'],
    ['section-1-finding-2', 'study-b'],
    ['section-1-finding-3', 'study-c'],
    ['section-1-finding-4', 'study-d'],
  ]);
});

test('what cannot be halved any more gives what was whole of its answer', async () => {
  const text = `{"findings": [{"claim": "Vitamin D led to 15% more falls.", "evidence": [{"source": "S1", "quote": "${QUOTES.c}"}], "confidence": 0.6}, {"claim": "Vitamin D was st`;
  const input = extractInput(['study-c']);
  const [window] = input.sources;
  const passages = (window?.passages ?? []).slice(0, 1).map((passage) => ({
    ...passage,
    text: QUOTES.c.replaceAll(' ', '\u00a0'),
    end: passage.start + QUOTES.c.length,
  }));
  const { output, warnings } = await runAgainst(
    extractFindings,
    { ...input, sources: [{ ...sourceWindow('study-c'), passages }] },
    () => answers(text, { finishReason: 'length' }),
  );
  expect(output.findings.map(({ claim }) => claim)).toEqual(['Vitamin D led to 15% more falls.']);
  expect(warnings.map(({ code }) => code)).toEqual(['answer-cut-off']);
});

test('a window that is too small is learned: later steps are asked in parts at once', async () => {
  const tooLong = refuses(400, {
    code: 'context_length_exceeded',
    message: "This model's maximum context length is 2048 tokens.",
  });
  const { engine, server } = await engineAgainst((request) =>
    promptText(request).length > 4_500 ? tooLong : answersForPrompt,
  );
  const long = Object.keys(CONTENT).map((id) => {
    const window = sourceWindow(id);
    const filler = `Nothing else of note came of it in any of the groups. `.repeat(15).trim();
    const start = 5_000;
    return {
      ...window,
      passages: [...window.passages, { start, end: start + filler.length, text: filler, headings: [] }],
    };
  });
  const { output } = await engine.run(extractFindings, { ...extractInput(), sources: long }, context());
  expect(output.findings).toHaveLength(4);
  const refused = server.asked.filter((request) => promptText(request).length > 4_500);
  expect(refused.length).toBeGreaterThan(0);
  await engine.run(extractFindings, { ...extractInput(), sources: [...long].reverse() }, context());
  expect(server.asked.filter((request) => promptText(request).length > 4_500)).toHaveLength(refused.length);
});

test('a configured window is kept from the first call on', async () => {
  const { engine, server } = await engineAgainst(() => answersForPrompt, { contextTokens: { large: 1_400 } });
  await engine.run(extractFindings, extractInput(), context());
  expect(server.asked.length).toBeGreaterThan(1);
  expect(server.asked[0]?.body).toMatchObject({ max_tokens: 350 });
});

test('a source that the endpoint’s content filter refuses is found and left out, and the rest is used', async () => {
  const filtered = refuses(400, { code: 'content_filter', message: 'The prompt was filtered.' });
  const { output, warnings, server } = await runAgainst(extractFindings, extractInput(), (request) =>
    promptText(request).includes(QUOTES.c) ? filtered : answersForPrompt,
  );
  expect(output.findings.flatMap(({ citations }) => citations)).toEqual(['study-a', 'study-b', 'study-d']);
  expect(warnings.map(({ code }) => code)).toEqual(['source-refused']);
  expect(server.asked.map(sourcesIn)).toEqual([4, 2, 2, 1, 1]);
});

test('where everything is refused the step fails by name, after a bounded number of calls', async () => {
  const { engine, server } = await engineAgainst(() => answers('', { finishReason: 'content_filter' }));
  const many = Array.from({ length: 60 }, (_, index) =>
    sourceWindow('study-a', { sourceId: `copy-${index}` }),
  );
  const failure: unknown = await engine
    .run(extractFindings, { ...extractInput(), sources: many }, context())
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModelFailure);
  expect(failure).toMatchObject({ kind: 'content-filter' });
  expect(server.asked.length).toBeLessThan(25);
  await expect(engine.run(extractFindings, extractInput(['study-a']), context())).rejects.toThrow(
    StepFailedError,
  );
});

test('summaries of a batch that does not fit come in parts, every source with one, in the order asked', async () => {
  const sources = Object.keys(CONTENT).map((id) => sourceWindow(id));
  const { output } = await runAgainst(summarise, { question: QUESTION, sources }, (request) => {
    const count = sourcesIn(request);
    if (count > 2) return answers('', { finishReason: 'length' });
    return answersJson({
      summaries: Array.from({ length: count }, (_, index) => ({
        source: `S${index + 1}`,
        summary: `Vitamin ${'D'.repeat(index + 1)}.`,
      })),
    });
  });
  expect(output.summaries).toEqual([
    { sourceId: 'study-a', summary: 'Vitamin D.' },
    { sourceId: 'study-b', summary: 'Vitamin DD.' },
    { sourceId: 'study-c', summary: 'Vitamin D.' },
    { sourceId: 'study-d', summary: 'Vitamin DD.' },
  ]);
});

test('outlines of parts are merged: the same title once, at most eight sections, no source lost', async () => {
  const ids = Array.from({ length: 16 }, (_, index) => `source-${index}`);
  const { output } = await runAgainst(outline, outlineInput(ids), (request) => {
    const count = sourcesIn(request);
    if (count > 8) return answers('', { finishReason: 'length' });
    const own = /What (source-\d+) says/.exec(promptText(request))?.[1] === 'source-0' ? 'young' : 'old';
    return answersJson({
      overallTheme: 'What the sources say on bone density.',
      sections: Array.from({ length: 6 }, (_, index) => ({
        title:
          index < 2
            ? `Bone density ${index === 0 ? 'in sources' : 'and adults'}`
            : `Bone density of ${own} ${['help', 'vitamin', 'title', 'bone'][index - 2]}`,
        description: 'What it says on bone density.',
        subsections: [],
        sources: [1, 2].map((place) => ({ source: `S${((index + place) % count) + 1}`, relevance: 0.8 })),
      })),
    });
  });
  expect(output.sections.length).toBeLessThanOrEqual(8);
  expect(output.sections.map(({ id }) => id)).toEqual(
    output.sections.map((_, index) => `section-${index + 1}`),
  );
  expect(new Set(output.sections.map(({ title }) => title)).size).toBe(output.sections.length);
  const mapped = new Set(
    output.sections.flatMap(({ relevantSources }) => relevantSources.map(({ sourceId }) => sourceId)),
  );
  expect(mapped.size).toBe(14);
});
