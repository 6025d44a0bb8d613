import { StepFailedError } from '../../../src/engines/step-failed-error';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { outline } from '../../../src/steps/outline/outline';
import { summarise } from '../../../src/steps/summarise/summarise';
import { answers, answersJson, refuses } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { closeEngines, codesOf, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import {
  CONTENT,
  extractInput,
  FALLS_ANSWER,
  FALLS_INPUT,
  outlineInput,
  QUESTION,
  QUOTES,
  sourceWindow,
} from './material';

afterEach(closeEngines);

const KEYS = ['a', 'b', 'c', 'd'] as const;

const CLAIMS = {
  a: 'Bone mineral density rose by 2.1% in women.',
  b: 'Bone mineral density increased by 1.9 % in adults.',
  c: 'Vitamin D led to 15% more falls than placebo.',
  d: 'Bone mineral density did not differ in 410 men.',
};

/** One finding for each source that the prompt has, on its first quote. */
function findingsFor(request: RecordedRequest): unknown {
  const placeOf = (key: (typeof KEYS)[number]): number => promptText(request).indexOf(QUOTES[key]);
  const present = KEYS.filter((key) => placeOf(key) >= 0).sort((one, other) => placeOf(one) - placeOf(other));
  const findings = present.map((key, at) => ({
    claim: CLAIMS[key],
    evidence: [{ source: `S${at + 1}`, quote: QUOTES[key] }],
    confidence: 0.6,
  }));
  return { findings };
}

const answersForPrompt: Behaviour = (request, response) =>
  answersJson(findingsFor(request))(request, response);

function sourcesIn(request: RecordedRequest | undefined): number {
  return promptText(request).match(/=== [0-9a-f]{16} S\d+ ===/g)?.length ?? 0;
}

test('an answer that is cut off is asked for again in halves, whose findings are numbered as one', async () => {
  const cutOff = answers('{"findings": [{"claim": "Bone mi', { finishReason: 'length' });
  const { output, server } = await runAgainst(extractFindings, extractInput(), (request) =>
    sourcesIn(request) > 2 ? cutOff : answersForPrompt,
  );
  expect(server.asked.map(sourcesIn)).toEqual([4, 2, 2]);
  expect(output.findings.map(({ id, citations }) => [id, ...citations])).toEqual(
    KEYS.map((key, at) => [`section-1-finding-${at + 1}`, `study-${key}`]),
  );
});

test('what cannot be halved any more gives what was whole of its answer', async () => {
  const whole = JSON.stringify(FALLS_ANSWER).slice(0, -2);
  const text = QUOTES.c.replaceAll(' ', '\u00a0');
  const passages = [{ start: 0, end: text.length, text, headings: [] }];
  const input = { ...FALLS_INPUT, sources: [sourceWindow('study-c', { passages })] };
  const { output, warnings } = await runAgainst(extractFindings, input, () =>
    answers(`${whole}, {"claim": "Vitamin D was st`, { finishReason: 'length' }),
  );
  expect(output.findings.map(({ claim }) => claim)).toEqual(['Vitamin D led to 15% more falls.']);
  expect(codesOf(warnings)).toEqual(['answer-cut-off']);
});

test('a window that is too small is learned: later steps are asked in parts at once', async () => {
  const message = "This model's maximum context length is 2048 tokens.";
  const tooLong = refuses(400, { code: 'context_length_exceeded', message });
  const isLong = (request: RecordedRequest): boolean => promptText(request).length > 4_500;
  const { engine, server } = await engineAgainst((request) => (isLong(request) ? tooLong : answersForPrompt));
  const text = `Nothing else of note came of it in any of the groups. `.repeat(15).trim();
  const filler = { start: 5_000, end: 5_000 + text.length, text, headings: [] };
  const long = Object.keys(CONTENT).map((id) =>
    sourceWindow(id, { passages: [...sourceWindow(id).passages, filler] }),
  );
  const { output } = await engine.run(extractFindings, { ...extractInput(), sources: long }, context());
  expect(output.findings).toHaveLength(4);
  const refused = server.asked.filter(isLong);
  expect(refused.length).toBeGreaterThan(0);
  await engine.run(extractFindings, { ...extractInput(), sources: [...long].reverse() }, context());
  expect(server.asked.filter(isLong)).toHaveLength(refused.length);
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
  expect(codesOf(warnings)).toEqual(['source-refused']);
  expect(server.asked.map(sourcesIn)).toEqual([4, 2, 2, 1, 1]);
});

test('where everything is refused the step fails by name, after a bounded number of calls', async () => {
  const { engine, server } = await engineAgainst(() => answers('', { finishReason: 'content_filter' }));
  const sources = Array.from({ length: 60 }, (_, at) => sourceWindow('study-a', { sourceId: `copy-${at}` }));
  const run = engine.run(extractFindings, { ...extractInput(), sources }, context());
  await expect(run).rejects.toMatchObject({ name: 'ModelFailure', kind: 'content-filter' });
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
    const summaries = ['Vitamin D.', 'Vitamin DD.'].map((summary, at) => ({ source: `S${at + 1}`, summary }));
    return answersJson({ summaries: summaries.slice(0, count) });
  });
  expect(output.summaries.map(({ sourceId }) => sourceId)).toEqual(Object.keys(CONTENT));
  const two = ['Vitamin D.', 'Vitamin DD.'];
  expect(output.summaries.map(({ summary }) => summary)).toEqual([...two, ...two]);
});

test('outlines of parts are merged: the same title once, at most eight sections, no source lost', async () => {
  const ids = Array.from({ length: 16 }, (_, index) => `source-${index}`);
  const { output } = await runAgainst(outline, outlineInput(ids), (request) => {
    const count = sourcesIn(request);
    if (count > 8) return answers('', { finishReason: 'length' });
    const own = /What (source-\d+) says/.exec(promptText(request))?.[1] === 'source-0' ? 'young' : 'old';
    const endings = [
      ' in sources',
      ' and adults',
      ...['help', 'vitamin', 'title', 'bone'].map((word) => ` of ${own} ${word}`),
    ];
    const sections = endings.map((ending, at) => ({
      title: `Bone density${ending}`,
      description: 'What it says on bone density.',
      subsections: [],
      sources: [1, 2].map((place) => ({ source: `S${((at + place) % count) + 1}`, relevance: 0.8 })),
    }));
    return answersJson({ overallTheme: 'What the sources say on bone density.', sections });
  });
  expect(output.sections.length).toBeLessThanOrEqual(8);
  expect(output.sections.map(({ id }) => id)).toEqual(output.sections.map((_, at) => `section-${at + 1}`));
  expect(new Set(output.sections.map(({ title }) => title)).size).toBe(output.sections.length);
  const mapped = output.sections.flatMap(({ relevantSources }) => relevantSources);
  expect(new Set(mapped.map(({ sourceId }) => sourceId)).size).toBe(14);
});
