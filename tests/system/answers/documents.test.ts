import type { Answer } from '../../../src/contracts/answer/answer';
import type { AnswerDraft } from '../../../src/contracts/answer/answer-draft';
import { citationMark, citedIds } from '../../../src/core/text/citation-marks';
import { agentStateQuery, replyQuery } from '../../../src/workflows/answer/messages';
import { confidenceLine } from '../../../src/answers/confidence-meaning';
import type { AgentState } from '../../../src/answers/to-agent-state';
import type { AnswerInput } from '../../../src/steps/answer/contract';
import { BY_MODEL, idOf, says } from '../../support/answer-script';
import type { Question } from '../../support/ask-answer';
import { asked } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { openAnswerBench } from './answer-bench';

const bench = forAllTests(openAnswerBench);

/** What the workflow leaves: the state of document 001's graph, and the reply it was made of. */
async function execute(id: string, given: Question): Promise<{ state: AgentState; reply: Answer }> {
  const run = await bench.start(id, given);
  await run.result();
  const [state, reply] = [await run.query(agentStateQuery), await run.query(replyQuery)];
  if (state === null || reply === null) throw new Error('The workflow ended without a reply.');
  return { state, reply };
}

const ended = { last_agent: 'synthesis', next_agent: 'END' };
const asks = (content: string): Pick<Question, 'messages'> => ({ messages: [{ role: 'human', content }] });

describe('document 001', () => {
  test('test_synthesis_with_observations', async () => {
    const { state } = await execute('with-observations', {
      ...asks('What is DAIL-SQL?'),
      observations: ['Used tool: pdf_retrieval'],
      finalOutput: 'DAIL-SQL is a text-to-SQL approach...',
    });
    expect(state).toMatchObject({ ...ended, confidence_score: 0.6 });
    expect(state.final_answer).not.toBe('');
    expect(state.messages).toEqual([
      { role: 'human', content: 'What is DAIL-SQL?' },
      { role: 'ai', content: state.final_answer },
    ]);
  });

  test('test_synthesis_no_observations', async () => {
    const { state } = await execute('no-observations', { ...asks('What is X?'), observations: [] });
    expect(state).toMatchObject({ ...ended, confidence_score: 0 });
    expect(state.final_answer.toLowerCase()).toMatch(/couldn't find|error/);
  });

  test('test_synthesis_multi_observations', async () => {
    const { state } = await execute('multi-observations', {
      ...asks('Query'),
      observations: ['Used tool: pdf_retrieval', 'Used tool: web_search'],
      finalOutput: 'Combined results...',
    });
    expect(state).toMatchObject({ ...ended, confidence_score: 0.8 });
  });

  test('test_full_workflow_with_synthesis', async () => {
    const { state } = await execute('full-workflow', {
      ...asks('What is DAIL-SQL?'),
      documents: [
        { title: 'DAIL-SQL', content: 'DAIL-SQL is a text-to-SQL approach that selects its examples.' },
        { title: 'A survey', content: 'Among text-to-SQL approaches, DAIL-SQL is one of the most accurate.' },
      ],
    });
    expect(state).toMatchObject(ended);
    expect(state.confidence_score).toBeGreaterThan(0);
    expect(state.final_answer.toLowerCase()).toMatch(/dail|sql/);
  });

  test('example 1: a single PDF, cited by its file and page', async () => {
    const { reply, state } = await execute('example-1', {
      ...asks('What is DAIL-SQL?'),
      observations: ['Used tool: pdf_retrieval'],
      finalOutput:
        'DAIL-SQL is an example-based text-to-SQL approach that achieves state-of-the-art results on the Spider benchmark with 89.2% execution accuracy. (Source: DAIL-SQL_paper.pdf, Page 3)',
      answers: { citations: 'inline' },
    });
    expect(reply.citations).toMatchObject([{ document: 'DAIL-SQL_paper.pdf', pages: { from: 3, to: 3 } }]);
    expect(reply.answer).toContain('89.2% execution accuracy” (DAIL-SQL_paper.pdf, Page 3).');
    expect(reply.answer).not.toMatch(/Source:|Final output/);
    expect(reply.claims.map(({ verdict }) => verdict)).toEqual(['supported']);
    expect(state.confidence_score).toBe(0.6);
    expect(confidenceLine(reply)).toBe('Confidence: 0.6 (single source)');
  });

  test('example 2: observations of two tools', async () => {
    const { reply, state } = await execute('example-2', {
      ...asks('What is DAIL-SQL?'),
      observations: ['Used tool: pdf_retrieval', 'Used tool: web_search'],
      finalOutput:
        'DAIL-SQL is a text-to-SQL approach that was developed by researchers (DAIL-SQL_paper.pdf). DAIL-SQL has new benchmarks and applications [Source: https://example.org/dail-sql].',
      answers: { citations: 'inline' },
    });
    expect(reply.answer).toContain('(DAIL-SQL_paper.pdf)');
    expect(reply.answer).toContain('[Source: https://example.org/dail-sql]');
    expect(state.confidence_score).toBe(0.8);
    expect(confidenceLine(reply)).toMatch(/^Confidence: 0\.\d+ \(multiple sources\)$/);
  });

  test('example 3: nothing was found', async () => {
    const { reply, state } = await execute('example-3', {
      ...asks('What is quantum computing used for in finance?'),
      observations: [],
      finalOutput: '',
    });
    expect(reply.answer).toContain("I couldn't find");
    expect(reply.answer).toMatch(/rephras/i);
    expect(state.confidence_score).toBe(0);
    expect(confidenceLine(reply)).toBe('Confidence: 0.0 (no sources)');
  });
});

const ANTENNA = [
  ['GPS_Module_Datasheet.pdf (Page 5)', 'Antenna frequency: 1575.42 MHz (L1 band).'],
  ['GPS_Module_Datasheet.pdf (Page 6)', 'Gain: 3 dBi typical, VSWR < 2.0.'],
  ['GPS_Module_Datasheet.pdf (Page 7)', 'Impedance: 50 ohms.'],
  ['System_Integration_Guide.pdf (Page 12)', 'Mount antenna at least 10cm from metal surfaces.'],
  ['System_Integration_Guide.pdf (Page 13)', 'Use RG-174 coax cable, max length 5m.'],
] as const;

/** The response of document 003's example: in brackets, words of the passage that is cited. */
const RESPONSE = [
  'Multiple sources mention the antenna operates at 1575.42 MHz (L1 band) [1575.42] with 50 ohm impedance [50 ohms] and typical gain of 3 dBi with VSWR < 2.0 [3 dBi].',
  'The antenna must be mounted at least 10cm from metal surfaces [10cm] and connected using RG-174 coax cable with maximum length of 5m [RG-174].',
];

/** As a model writes it from the passages that it was given. */
function response(input: AnswerInput): AnswerDraft {
  const sentences = RESPONSE.map((words) => {
    const text = words.replace(/\[([^\]]+)\]/g, (_mark, said: string) => citationMark([idOf(input, said)]));
    return { text, plain: words.replace(/ \[[^\]]+\]/g, ''), passageIds: citedIds(text), isClaim: true };
  });
  const [electrical, mounting] = sentences.map(({ text }) => text);
  const markdown = `**Electrical Characteristics:** ${electrical}\n\n**Mounting Requirements:** ${mounting}`;
  return { markdown, sentences, uncited: [], missing: null, setAside: [] };
}

describe('an answer whose sources contradict each other', () => {
  const opened = 'The Tessin bridge was opened in';
  const notes: Question = {
    question: 'When was the Tessin bridge opened?',
    documents: [
      { title: 'The Tessin bridge, a guide', content: `${opened} 1932.` },
      { title: 'The Tessin bridge, a chronicle', content: `${opened} 1934.` },
    ],
  };
  const bothSides = (input: AnswerInput): AnswerDraft => {
    const [one, other] = [idOf(input, '1932'), idOf(input, '1934')];
    const plain = `Some say that it was opened in 1932, others that ${opened} 1934.`;
    const text = `${plain.slice(0, -1)} ${citationMark([one, other])}.`;
    const sentences = [{ text, plain, passageIds: [one, other], isClaim: true }];
    return { markdown: text, sentences, uncited: [], missing: null, setAside: [] };
  };

  test.each([
    ['extractive', {}],
    ['model, with both sides in one sentence', BY_MODEL],
  ])('is no surer than 0.6, as reply, state and line: %s', async (engine, by) => {
    bench.play(says(bothSides));
    const { reply, state } = await execute(`disputed-${engine.slice(0, 5)}`, { ...by, ...notes });
    expect(reply.answer).toMatch(/1932.*1934|1934.*1932/s);
    expect(reply.confidence).toBeLessThanOrEqual(0.6);
    expect(reply.confidence).toBeGreaterThan(0);
    expect(reply.evidenceConfidence).toBe(0.6);
    expect(state.confidence_score).toBe(0.6);
    expect(confidenceLine(reply)).toMatch(
      /^Confidence: 0\.\d+ \(multiple sources; sources contradict each other on \d of \d claims?\)$/,
    );
  });
});

describe('document 003', () => {
  test('its example: mode, documents, flags, event', async () => {
    bench.play(says(response));
    const { reply } = await execute('gps', {
      ...BY_MODEL,
      ...asks('What are the GPS antenna specifications?'),
      observations: ANTENNA.map(([source, content]) => `Source: ${source}\nContent: ${content}`),
    });
    expect(reply).toMatchObject({ synthesisMode: true, sourceDocumentCount: 2 });
    expect(reply.answer).toContain('**Electrical Characteristics:**');
    expect(reply.citations.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
    expect(reply.citations.map(({ multiSource }) => multiSource)).toEqual([true, true, true, false, false]);
    const told = (await bench.eventsOf('gps')).find(({ type }) => type === 'synthesis_mode_activated');
    expect(told?.payload).toEqual({ source_doc_count: 2, passages: 5 });
  });

  test('what several documents say is one claim, marked as of several sources, without a model', async () => {
    const shared = 'The paper is published twice weekly by the Reids, who moved to the valley in 1992.';
    const { reply } = await execute('several', {
      question: 'Who publishes the paper twice weekly?',
      documents: [
        { title: 'Register', content: `The town has a paper. ${shared}` },
        { title: 'Gazette', content: `Many people live in the valley. ${shared}` },
      ],
    });
    expect(reply.claims[0]?.citations).toEqual([1, 2]);
    expect(reply.citations.map(({ multiSource }) => multiSource)).toEqual([true, true]);
    expect(reply.evidenceConfidence).toBe(0.8);
  });
});

const PAGES = Array.from({ length: 12 }, (_, at) => ({
  title: `Tea ${at + 1}`,
  content: Array.from(
    { length: 12 },
    (_one, line) => `In trial ${at + 1}.${line + 1}, tea was given to ${100 + at + line} adults who slept.`,
  ).join(' '),
}));

test('document 004: beyond 6,000 characters the three best passages are written from whole, the others in 200 each', async () => {
  bench.play(
    says(({ passages: [first] }) => {
      const [plain = ''] = first?.text.split(/(?<=\.) /) ?? [];
      const text = `${plain} [@${first?.id}]`;
      const sentence = { text, plain, passageIds: [`${first?.id}`], isClaim: true };
      return { markdown: text, sentences: [sentence], uncited: [], missing: null, setAside: [] };
    }),
  );
  const { reply } = await execute('compressed', {
    ...BY_MODEL,
    ...asks('How many adults were given tea in the trials?'),
    documents: PAGES,
    answers: { compressAboveChars: 6_000, overCompressionBelow: 0 },
  });
  const [given] = asked<AnswerInput>(bench, 'answer');
  const passages = given?.passages ?? [];
  expect(passages.slice(0, 3).filter(({ compressed }) => compressed !== undefined)).toEqual([]);
  const others = passages.slice(3).map(({ compressed }) => compressed?.length ?? Infinity);
  expect(Math.max(...others)).toBeLessThanOrEqual(200);
  const telemetry = reply.trace.find(({ node }) => node === 'synthesizer');
  expect(telemetry).toMatchObject({ context_compressed: true, over_compression_flag: false });
  expect(reply.diagnostics.metrics?.originalContextChars).toBeGreaterThan(6_000);
});
