import type { Answer } from '../../../src/contracts/answer/answer';
import type { AnswerInput } from '../../../src/steps/answer/contract';
import type { RewriteQuestionInput } from '../../../src/steps/rewrite-question/contract';
import { createScriptedEngine } from '../../support/scripted-engine';
import { openAnswerBench, type AnswerBench } from './answer-bench';
import {
  BY_MODEL,
  OBSERVATIONS,
  idOf,
  INVENTED_CLAIM,
  says,
  textOf,
  TRUE_CLAIM,
} from '../../support/answer-script';

const QUESTION = 'What does DAIL-SQL use, and how accurate is it?';

let bench: AnswerBench;
beforeAll(async () => {
  bench = await openAnswerBench();
});
afterAll(() => bench.close());

const claimOf = (input: AnswerInput): [string, string] => [TRUE_CLAIM, idOf(input, 'example-based')];
const inventedOf = (input: AnswerInput): [string, string] => [INVENTED_CLAIM, idOf(input, 'Spider')];

function decisionsOf({ trace }: Answer): string[] {
  return trace.flatMap((entry) => (entry.node === 'supervisor' ? [entry.decision] : []));
}

function retrievalsOf({ trace }: Answer): boolean[] {
  return trace.flatMap((entry) => (entry.node === 'retriever' ? [entry.broader] : []));
}

describe('a model that invents', () => {
  it('is told so, and obeys: nothing invented stands, and nothing is set aside', async () => {
    bench.model = createScriptedEngine(
      says((input) => textOf([claimOf(input), ...(input.critique === undefined ? [inventedOf(input)] : [])])),
    );
    const reply = await bench.ask('obeys', { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS });
    expect(reply).toMatchObject({ outcome: 'answered', setAside: [], diagnostics: { attempts: 2 } });
    expect(reply.answer).not.toContain('99.1');
    expect(decisionsOf(reply)).toEqual(['rewrite', 'end']);
    const second = bench.model.calls.filter(({ step }) => step === 'answer')[1]?.input as AnswerInput;
    expect(second.critique).toMatchObject({ hallucinationDetected: true });
    expect(JSON.stringify(second.critique)).toContain('99.1 percent');
    const attempts = (await bench.eventsOf('obeys')).filter(({ type }) => type === 'attempt');
    expect(attempts.map(({ payload }) => payload)).toMatchObject([
      { attempt: 1, decision: 'rewrite' },
      { attempt: 2, decision: 'end' },
    ]);
  });

  it('and never obeys: after three attempts the reply says what is unsupported', async () => {
    bench.model = createScriptedEngine(says((input) => textOf([claimOf(input), inventedOf(input)])));
    const reply = await bench.ask('never', { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS });
    expect(decisionsOf(reply)).toEqual(['rewrite', 'rewrite', 'end']);
    expect(reply.claims.map(({ verdict }) => verdict)).toEqual(['supported']);
    expect(reply.answer).not.toContain('99.1');
    expect(reply.answer).toContain('left out');
    expect(reply.setAside).toMatchObject([{ text: INVENTED_CLAIM, action: 'left-out' }]);
    const [aside] = reply.setAside;
    const cited = reply.citations.concat().map(({ sourceId }) => sourceId);
    expect(aside?.sourceIds.every((id) => /^observation-|^P\d/.test(id) || cited.includes(id))).toBe(true);
    expect(aside?.sourceIds.some((id) => /^P\d+$/.test(id))).toBe(false);
    expect(reply.diagnostics.critique?.needsRetry).toBe(true);
  });

  it('and has invented more each time is answered by its best text, not its last', async () => {
    let attempt = 0;
    bench.model = createScriptedEngine(
      says((input) => {
        attempt += 1;
        return textOf(attempt === 1 ? [claimOf(input), inventedOf(input)] : [inventedOf(input)]);
      }),
    );
    const reply = await bench.ask('best', { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS });
    expect(reply.diagnostics.attempts).toBe(3);
    expect(reply.outcome).toBe('answered');
    expect(reply.answer).toContain(TRUE_CLAIM);
  });
});

/** Documents of which each says something of tea in many characters. */
const ON_TEA = Array.from({ length: 20 }, (_, at) => ({
  title: `Tea ${at + 1}`,
  content: Array.from(
    { length: 12 },
    (_, line) =>
      `In trial ${at + 1}.${line + 1}, tea was given to ${100 + at * 7 + line} adults and their sleep was studied.`,
  ).join(' '),
}));

describe('a context that is compressed to less than it bears', () => {
  it('is looked for more broadly exactly once, before the critic; then the flag stays set', async () => {
    bench.model = createScriptedEngine(
      says((input) => textOf([[input.passages[0]?.text.split('. ')[0] ?? '', input.passages[0]?.id ?? '']])),
    );
    const reply = await bench.ask('compressed', {
      ...BY_MODEL,
      question: 'How many adults were given tea in the trials?',
      documents: ON_TEA,
      answers: { compressAboveChars: 6_000, keptWhole: 1 },
    });
    expect(retrievalsOf(reply)).toEqual([false, true]);
    expect(decisionsOf(reply)).toEqual(['broaden', 'end']);
    expect(bench.model.calls.filter(({ step }) => step === 'answer')).toHaveLength(1);
    expect(reply.diagnostics).toMatchObject({ overCompression: true, attempts: 2 });
    expect(reply.diagnostics.critique?.logicalGaps).toContain(
      'Evidence was over-compressed; critical context may have been lost.',
    );
    const telemetry = reply.trace.filter(({ node }) => node === 'synthesizer');
    const flags = { context_compressed: true, over_compression_flag: true };
    // The first was given up before anything was written, and is measured all the same.
    expect(telemetry).toMatchObject([
      { retry_count: 0, answer_length: 0, citations: 0, ...flags },
      { retry_count: 1, answer_length: expect.any(Number) as number, ...flags },
    ]);
    expect(reply.diagnostics.metrics?.answerLength).toBeGreaterThan(0);
  });

  it('goes on with the flag set where no attempt is left for it', async () => {
    bench.model = createScriptedEngine(
      says((input) => textOf([[input.passages[0]?.text.split('. ')[0] ?? '', input.passages[0]?.id ?? '']])),
    );
    const reply = await bench.ask('compressed-once', {
      ...BY_MODEL,
      question: 'How many adults were given tea in the trials?',
      documents: ON_TEA,
      answers: { compressAboveChars: 6_000, keptWhole: 1, maxAttempts: 1 },
    });
    expect(retrievalsOf(reply)).toEqual([false]);
    expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { overCompression: true, attempts: 1 } });
  });
});

it('a context that the writer’s window takes is read as it is', async () => {
  bench.model = createScriptedEngine(
    says((input) => textOf([[input.passages[0]?.text.split('. ')[0] ?? '', input.passages[0]?.id ?? '']])),
  );
  const reply = await bench.ask('whole', {
    ...BY_MODEL,
    question: 'How many adults were given tea in the trials?',
    documents: ON_TEA,
  });
  expect(reply).toMatchObject({ outcome: 'answered', diagnostics: { overCompression: false, attempts: 1 } });
  expect(bench.model.calls.filter(({ step }) => step === 'compress')).toEqual([]);
});

it('what was decided on a passage is not believed of another one that has its number', async () => {
  const claim = 'Tea was given to 100 adults in Leeds.';
  const cited: string[] = [];
  bench.model = createScriptedEngine({
    ...says(({ passages }) => {
      cited.push(passages[0]?.text ?? '');
      const missing = cited.length === 1 ? 'The passages tell of Leeds alone.' : null;
      return { ...textOf([[claim, 'P1']]), missing };
    }),
    'rewrite-question': () => ({
      queries: ['infusions handed to volunteers', 'volunteers in Kobe', 'infusions in Kobe'],
    }),
  });
  const reply = await bench.ask('renumbered', {
    ...BY_MODEL,
    question: 'How many adults were given tea?',
    answers: { maxAttempts: 2 },
    documents: [
      { title: 'Leeds', content: claim },
      { title: 'Kobe', content: 'Infusions were handed to 250 volunteers in Kobe.' },
    ],
  });
  expect(retrievalsOf(reply)).toEqual([false, true]);
  expect(cited).toEqual([claim, 'Infusions were handed to 250 volunteers in Kobe.']);
  const told = (await bench.eventsOf('renumbered')).filter(({ type }) => type === 'audit');
  expect(told.map(({ payload }) => payload)).toMatchObject([
    { audit: { claims: 1, supported: 1 } },
    { audit: { claims: 1, supported: 0 } },
  ]);
});

describe('several documents with several passages each', () => {
  it('are brought together, which an event tells', async () => {
    bench.model = createScriptedEngine(says((input) => textOf([[`${input.passages[0]?.text}`, 'P1']])));
    const reply = await bench.ask('together', {
      ...BY_MODEL,
      question: 'How many adults were given tea in the trials?',
      observations: OBSERVATIONS.flatMap((text, at) => [
        `Source: ${at}.pdf (Page 1)\nContent: ${text}\nSimilarity: 0.9`,
        `Source: ${at}.pdf (Page 2)\nContent: Page two says that ${at + 3} queries were left out.\nSimilarity: 0.8`,
      ]),
    });
    expect(reply.synthesisMode).toBe(true);
    const told = (await bench.eventsOf('together')).find(({ type }) => type === 'synthesis_mode_activated');
    expect(told?.payload).toEqual({ source_doc_count: 2, passages: 4 });
  });
});

describe('a conversation', () => {
  it('is kept by its id: its second question knows the first, and takes none of it for evidence', async () => {
    const inputs: RewriteQuestionInput[] = [];
    bench.model = createScriptedEngine({
      ...says((input) => textOf([claimOf(input)])),
      'rewrite-question': (input: RewriteQuestionInput) => {
        inputs.push(input);
        return { queries: ['How does DAIL-SQL select demonstrations?'] };
      },
    });
    const told = { ...BY_MODEL, observations: OBSERVATIONS, conversationId: 'about-sql' };
    const first = await bench.ask('turn-1', { ...told, question: 'What does DAIL-SQL use?' });
    const second = await bench.ask('turn-2', { ...told, question: 'And how does it select them?' });
    expect(inputs.map(({ history }) => history)).toEqual([
      [
        { role: 'human', content: 'What does DAIL-SQL use?' },
        { role: 'ai', content: first.answer },
      ],
    ]);
    const asked = bench.model.calls.filter(({ step }) => step === 'answer').at(-1)?.input as AnswerInput;
    expect(asked.history.map(({ content }) => content)).toContain('What does DAIL-SQL use?');
    expect(asked.passages.map(({ text }) => text)).not.toContain(first.answer);
    expect(second.trace[0]).toMatchObject({
      queries: ['And how does it select them?', 'How does DAIL-SQL select demonstrations?'],
    });
    expect(second.conversationId).toBe('about-sql');
  });

  it('is read as far as the settings say', async () => {
    bench.model = createScriptedEngine(says((input) => textOf([claimOf(input)])));
    const history = Array.from({ length: 14 }, (_, at) => ({
      role: 'human' as const,
      content: `Turn ${at}`,
    }));
    const asked = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS, history };
    await bench.ask('long-history', asked);
    await bench.ask('no-history', { ...asked, answers: { maxHistory: 0 } });
    const histories = bench.model.calls.flatMap(({ step, input }) =>
      step === 'answer' ? [(input as AnswerInput).history.map(({ content }) => content)] : [],
    );
    expect(histories).toEqual([history.slice(-10).map(({ content }) => content), []]);
  });
});
