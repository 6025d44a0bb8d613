import { notesOn } from '../../../src/engines/failure-notes';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { crossCheck } from '../../../src/steps/cross-check/cross-check';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { outline } from '../../../src/steps/outline/outline';
import { scoreRelevance } from '../../../src/steps/score-relevance/score-relevance';
import { summarise } from '../../../src/steps/summarise/summarise';
import {
  answersJson,
  delta,
  echoesExample,
  goesSilent,
  hangs,
  refuses,
  repeats,
  tears,
  trickles,
  withoutStreams,
} from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { untilTrue } from '../../support/until';
import { closeEngines, codesOf, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import {
  extractInput,
  FALLS_ANSWER,
  FALLS_INPUT,
  findings,
  outlineInput,
  QUESTION,
  QUOTES,
  sourceWindow,
} from './material';

afterEach(() => void vi.useRealTimers());
afterEach(closeEngines);

const SUMMARISED = {
  question: QUESTION,
  sources: ['study-a', 'study-b', 'study-c'].map((id) => sourceWindow(id)),
};
const OF_A = `{"source": "S1", "summary": "${QUOTES.a}"}`;
const OF_B = `{"source": "S2", "summary": "${QUOTES.b}"}`;

function sourcesIn(request: RecordedRequest | undefined): number {
  return promptText(request).match(/=== [0-9a-f]{16} S\d+ ===/g)?.length ?? 0;
}

/** Summaries of as many sources as the prompt has, with words of each. */
const summariesForPrompt: Behaviour = (request, response) => {
  const text = promptText(request);
  const present = [QUOTES.a, QUOTES.b, QUOTES.c].filter((quote) => text.includes(quote));
  const summaries = present.map((summary, index) => ({ source: `S${index + 1}`, summary }));
  return answersJson({ summaries })(request, response);
};

/** Only the limits of a client are on the clock that the test moves. */
const ONLY_TIMERS: Parameters<typeof vi.useFakeTimers>[0] = { toFake: ['setTimeout', 'clearTimeout'] };
const FIRST_BYTE_MS = 3_600_000;
const saysNothingInTime: Behaviour = () => {
  vi.advanceTimersByTime(FIRST_BYTE_MS);
};

async function failureOf(run: Promise<unknown>): Promise<ModelFailure> {
  const failure: unknown = await run.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModelFailure);
  // As the line before says.
  return failure as ModelFailure;
}

test('a model that says no first word is given up before its time is over, and then asked for less', async () => {
  vi.useFakeTimers(ONLY_TIMERS);
  const { engine, another, server } = await engineAgainst(
    (request) => (sourcesIn(request) > 2 ? saysNothingInTime : summariesForPrompt),
    { firstByteMs: FIRST_BYTE_MS, timeoutMs: 2 * FIRST_BYTE_MS },
  );
  const failure = await failureOf(engine.run(summarise, SUMMARISED, context()));
  expect(failure).toMatchObject({ kind: 'timeout', retryable: true });
  const { output } = await engine.run(summarise, SUMMARISED, context());
  expect(output.summaries.map(({ summary }) => summary)).toEqual([QUOTES.a, QUOTES.b, QUOTES.c]);
  expect(server.asked.map(sourcesIn)).toEqual([3, 3, 2, 1]);
  // Another process knows the size by then, for every step.
  const again = another({ firstByteMs: FIRST_BYTE_MS });
  await again.run(summarise, { ...SUMMARISED, question: 'Who falls?' }, context({ runId: 'run-2' }));
  expect(Math.max(...server.asked.slice(4).map(sourcesIn))).toBeLessThan(3);
});

test('of an answer that falls silent twice what is whole is used, and only the rest is asked for', async () => {
  const half = delta(`{"summaries": [${OF_A}, {"source": "S2", "summ`);
  const { engine, another, server } = await engineAgainst(
    (request) => (sourcesIn(request) === 3 ? goesSilent([half]) : summariesForPrompt),
    { inactivityMs: 2_000 },
  );
  expect(await failureOf(engine.run(summarise, SUMMARISED, context()))).toMatchObject({ kind: 'timeout' });
  const { output } = await engine.run(summarise, SUMMARISED, context());
  expect(output.summaries.map(({ summary }) => summary)).toEqual([QUOTES.a, QUOTES.b, QUOTES.c]);
  expect(server.asked.map(sourcesIn)).toEqual([3, 3, 2]);
  // Paid once: whoever does the step after a crash has the salvaged part too.
  const { usage } = await another().run(summarise, SUMMARISED, context({ runId: 'run-2' }));
  expect(usage).toMatchObject({ calls: 0, cachedCalls: 2 });
});

test('an answer whose connection is torn is asked for once more before it is taken for what it is', async () => {
  const torn = tears([delta(`{"summaries": [${OF_A}, `)]);
  const { engine, server } = await engineAgainst([torn, summariesForPrompt]);
  expect(await failureOf(engine.run(summarise, SUMMARISED, context()))).toMatchObject({ retryable: true });
  await engine.run(summarise, SUMMARISED, context());
  expect(server.asked.map(sourcesIn)).toEqual([3, 3]);
});

test('a slow answer ends with its time: what came of it counts, and so much is not asked at once again', async () => {
  const slow = trickles([`{"summaries": [${OF_A}`, `, ${OF_B}`, ', {"source": "S3", "su'], 20);
  const { output, usage, another, server } = await runAgainst(
    summarise,
    SUMMARISED,
    (request) => (sourcesIn(request) === 3 ? slow : summariesForPrompt),
    { timeoutMs: 3_000 },
  );
  expect(output.summaries.map(({ summary }) => summary)).toEqual([QUOTES.a, QUOTES.b, QUOTES.c]);
  expect(server.asked.map(sourcesIn)).toEqual([3, 1]);
  expect(usage.inputTokens).toBeGreaterThan(100);
  const others = { ...SUMMARISED, question: 'Who falls?' };
  await another().run(summarise, others, context({ runId: 'run-2' }));
  expect(Math.max(...server.asked.slice(2).map(sourcesIn))).toBeLessThan(3);
});

test.each([
  ['', `${JSON.stringify({ claim: 'Falls rose.', evidence: [], confidence: 1 })}, `],
  ['white space and ', '\n   \n'],
])(
  'an answer that repeats %sitself is stopped, and what was whole before is used',
  async (_what, stretch) => {
    const [good] = FALLS_ANSWER.findings;
    const begun = `{"findings": [${JSON.stringify(good)}, `;
    const { output, warnings, server } = await runAgainst(extractFindings, FALLS_INPUT, [
      repeats(begun, stretch),
    ]);
    expect(output.findings.map(({ claim }) => claim)).toEqual(['Vitamin D led to 15% more falls.']);
    expect(codesOf(warnings)).toContain('answer-repeats');
    // The server is told that nobody listens any more.
    await server.asked[0]?.closed;
    expect(server.asked).toHaveLength(1);
  },
);

test('the example in a prompt is no answer', async () => {
  const { engine } = await engineAgainst(() => echoesExample());
  const section = { title: 'One', description: 'One', subsections: [], relevantSources: [] };
  const sections = ['section-1', 'section-2'].map((id) => ({ id, ...section }));
  const crossChecked = { ...extractInput(), findings: findings(), factChecking: true, detectConflicts: true };
  for (const run of [
    () => engine.run(summarise, SUMMARISED, context()),
    () => engine.run(outline, outlineInput(), context()),
    () => engine.run(scoreRelevance, { ...outlineInput(), sections }, context()),
    () => engine.run(extractFindings, extractInput(), context()),
    () => engine.run(crossCheck, crossChecked, context()),
  ])
    await expect(run()).rejects.toMatchObject({ name: 'StepFailedError' });
});

test('another turn asks for less, or says what was wrong: no question is asked twice', async () => {
  const { engine, server } = await engineAgainst(() => answersJson({ findings: [{ claim: 'x' }] }));
  for (const turn of [0, 1]) {
    const run = engine.run(extractFindings, extractInput(['study-a', 'study-c']), context({ turn }));
    await expect(run).rejects.toMatchObject({ name: 'StepFailedError' });
    const single = engine.run(extractFindings, FALLS_INPUT, context({ turn, runId: 'single' }));
    await expect(single).rejects.toMatchObject({ name: 'StepFailedError' });
  }
  const questions = server.asked.map(promptText);
  expect(new Set(questions).size).toBe(questions.length);
  expect(server.asked.some((request) => promptText(request).includes('could not be used'))).toBe(true);
});

test('another turn takes what was answered well, and asks for the rest alone', async () => {
  const long = sourceWindow('study-a', {
    passages: [{ start: 0, end: 9_000, text: `${QUOTES.a} `.repeat(90), headings: [] }],
  });
  const input = { ...extractInput(), sources: [long, sourceWindow('study-c')] };
  const filtered = refuses(400, { code: 'content_filter' });
  const { engine, server } = await engineAgainst(
    (request) => (promptText(request).includes(QUOTES.c) ? answersJson(FALLS_ANSWER) : filtered),
    { contextTokens: { large: 4_000 } },
  );
  const first = await engine.run(extractFindings, input, context());
  const asked = server.asked.length;
  const second = await engine.run(extractFindings, input, context({ turn: 1 }));
  expect(second.output).toEqual(first.output);
  expect(server.asked.slice(asked).some((request) => promptText(request).includes(QUOTES.c))).toBe(false);
});

test('an endpoint that cannot stream is asked whole, in every process from then on', async () => {
  const { engine, another, server } = await engineAgainst(() => withoutStreams(answersJson(FALLS_ANSWER)));
  await engine.run(extractFindings, FALLS_INPUT, context());
  await another().run(extractFindings, FALLS_INPUT, context({ revision: 1 }));
  expect(server.asked.map(({ body }) => body?.['stream'])).toEqual([true, false, false]);
});

test('a window and a rung that were found out are known to the next process', async () => {
  const noSchema = refuses(400, { message: "'response_format' is not supported", param: 'response_format' });
  const tooLong = refuses(400, { message: "This model's maximum context length is 3000 tokens." });
  const { engine, another, server } = await engineAgainst((request) => {
    if (request.body?.['response_format'] !== undefined) return noSchema;
    return promptText(request).length > 9_000 ? tooLong : answersJson(FALLS_ANSWER);
  });
  const text = `${QUOTES.c} `.repeat(120).trim();
  const passages = [0, 9_000].map((start) => ({ start, end: start + text.length, text, headings: [] }));
  const input = { ...FALLS_INPUT, sources: [sourceWindow('study-c', { passages })] };
  await engine.run(extractFindings, input, context());
  const asked = server.asked.length;
  await another().run(extractFindings, { ...input, question: 'Who falls?' }, context({ runId: 'run-2' }));
  for (const request of server.asked.slice(asked)) {
    expect(request.body).not.toHaveProperty('response_format');
    expect(promptText(request).length).toBeLessThan(9_000);
  }
});

test('what was answered is not asked again in parts, whatever was learned since', async () => {
  vi.useFakeTimers(ONLY_TIMERS);
  const isSlow = (request: RecordedRequest): boolean =>
    promptText(request).includes('Who falls?') && sourcesIn(request) > 1;
  const { engine, another, server } = await engineAgainst(
    (request) => (isSlow(request) ? saysNothingInTime : summariesForPrompt),
    { firstByteMs: FIRST_BYTE_MS, timeoutMs: 2 * FIRST_BYTE_MS },
  );
  await engine.run(summarise, SUMMARISED, context());
  const slow = { question: 'Who falls?', sources: SUMMARISED.sources.slice(0, 2) };
  await failureOf(engine.run(summarise, slow, context()));
  await engine.run(summarise, slow, context());
  const asked = server.asked.length;
  await another().run(summarise, SUMMARISED, context());
  expect(server.asked).toHaveLength(asked);
});

test('a cancelled step has used what it asked, and no more', async () => {
  const { engine, server } = await engineAgainst(() => hangs());
  const cancelling = new AbortController();
  const reason = new Error('cancelled by hand');
  const running = engine.run(extractFindings, FALLS_INPUT, context({ signal: cancelling.signal }));
  await untilTrue(() => server.asked.length === 1);
  cancelling.abort(reason);
  await expect(running).rejects.toBe(reason);
  const spent = notesOn(reason)?.spent;
  expect(spent).toMatchObject({ calls: 1, outputTokens: 0 });
  expect(spent?.inputTokens).toBeLessThan(promptText(server.asked[0]).length);
});
