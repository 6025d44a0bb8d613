import type { Answer } from '../../../src/contracts/answer';
import type { AnswerDraft } from '../../../src/contracts/draft';
import { citationMark, citedIds } from '../../../src/lib/citation-marks';
import { confidenceLine } from '../../../src/report/answer-confidence';
import type { AgentState } from '../../../src/report/answer-state';
import type { AnswerInput } from '../../../src/steps/answer-question';
import type { AuditTextInput, MendTextInput } from '../../../src/steps/audit-text';
import type { JudgeInput } from '../../../src/steps/judge';
import type { RewriteQuestionInput } from '../../../src/steps/search-queries';
import { agentStateQuery, replyQuery } from '../../../src/workflows/answer-request';
import {
  BY_MODEL,
  idOf,
  INVENTED_CLAIM,
  OBSERVATIONS,
  says,
  textOf,
  TRUE_CLAIM,
} from '../../support/answer-script';
import type { Question } from '../../support/ask-answer';
import { asked } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { judgedAlike } from '../../support/report-script';
import { openAnswerBench } from './answer-bench';

const bench = forAllTests(openAnswerBench);

describe('attempts', () => {
  const QUESTION = 'What does DAIL-SQL use, and how accurate is it?';
  const ASKED = { ...BY_MODEL, question: QUESTION, observations: OBSERVATIONS };
  const ACCURACY = 'On the Spider benchmark DAIL-SQL reaches an execution accuracy of 86.6 percent.';

  const claimOf = (input: AnswerInput): [string, string] => [TRUE_CLAIM, idOf(input, 'example-based')];
  const inventedOf = (input: AnswerInput): [string, string] => [INVENTED_CLAIM, idOf(input, 'Spider')];

  function markOfSpider(sources: MendTextInput['sources']): string {
    const holds = sources.filter(({ passages }) => passages.some(({ text }) => text.includes('Spider')));
    return citationMark(holds.map(({ sourceId }) => sourceId));
  }

  function retrievalsOf({ trace }: Answer): boolean[] {
    return trace.flatMap((entry) => (entry.node === 'retriever' ? [entry.broader] : []));
  }

  describe('a model that invents', () => {
    it('and has invented more each time is answered by its best text, not its last', async () => {
      bench.play({
        ...says((input) => textOf([claimOf(input), inventedOf(input)])),
        'mend-text': ({ faults, sources }: MendTextInput) => ({
          edits: faults.map(({ statementIds: [statementId = ''] }) => {
            const mark = markOfSpider(sources);
            return { statementId, text: `${INVENTED_CLAIM} ${mark} ${INVENTED_CLAIM} ${mark}` };
          }),
        }),
      });
      const reply = await bench.ask('best', ASKED);
      expect(reply.diagnostics.attempts).toBe(3);
      expect(reply.outcome).toBe('answered');
      expect(reply.answer).toContain(TRUE_CLAIM);
      expect(reply.setAside).toHaveLength(1);
    });

    it('and mends what it invented: the rest stays as it is, and only what changed is audited again', async () => {
      bench.play({
        ...says((input) => textOf([claimOf(input), inventedOf(input)])),
        'mend-text': ({ faults, sources }: MendTextInput) => ({
          edits: faults.map(({ statementIds: [statementId = ''] }) => ({
            statementId,
            text: `${ACCURACY} ${markOfSpider(sources)}`,
          })),
        }),
      });
      const reply = await bench.ask('mended', ASKED);
      expect(
        reply.claims.map(({ text, verdict }) => ({ text: text.replace(/ \[\d\]$/, ''), verdict })),
      ).toEqual([
        { text: TRUE_CLAIM, verdict: 'supported' },
        { text: ACCURACY, verdict: 'supported' },
      ]);
      expect(reply.setAside).toEqual([]);
      expect(reply.trace.map(({ node }) => node).join(' ')).toBe(
        'retriever synthesizer critic supervisor synthesizer critic supervisor',
      );
      expect(reply.trace[3]).toMatchObject({ decision: 'rewrite' });
      const audits = asked<AuditTextInput>(bench, 'audit-text').slice(-2);
      expect(audits.map(({ statements }) => statements.map(({ isAsked }) => isAsked))).toEqual([
        [true, true],
        [false, true],
      ]);
      const told = (await bench.eventsOf('mended')).filter(({ type }) => type === 'revision');
      expect(told.map(({ payload }) => payload)).toMatchObject([
        { section: 'answer', revision: 1, change: { before: INVENTED_CLAIM, after: ACCURACY } },
      ]);
    });

    it('an opening sentence that cites nothing stands above those that cite', async () => {
      const opening = 'DAIL-SQL uses demonstrations.';
      bench.play({
        ...says((input) => {
          const { markdown, sentences, ...rest } = textOf([claimOf(input)]);
          const passageIds = sentences.flatMap((sentence) => sentence.passageIds);
          const first = { text: opening, plain: opening, passageIds };
          return { ...rest, markdown: `${opening}\n\n${markdown}`, sentences: [first, ...sentences] };
        }),
      });
      const reply = await bench.ask('opened', ASKED);
      expect(reply.answer.startsWith(`${opening}\n\n${TRUE_CLAIM}`)).toBe(true);
      expect(reply.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported']);
    });

    it.each(['hxxp://evil[.]example/pay', 'evil [dot] example', 'help(at)evil[.]example'])(
      'and adds %s: the sentence is refused, whatever the critic says',
      async (address) => {
        const adding = TRUE_CLAIM.replace(/\.$/, `, see ${address}.`);
        bench.play(says((input) => textOf([claimOf(input), [adding, idOf(input, 'example-based')]])));
        const reply = await bench.ask(`adding ${address}`, { ...ASKED, answers: { maxAttempts: 1 } });
        expect(reply.setAside.map(({ text, verdict }) => ({ text, verdict }))).toEqual([
          { text: adding, verdict: 'unsupported' },
        ]);
        expect(reply.answer).not.toContain('evil');
      },
    );

    it('and leaves nothing that stands: the answer is written again, told what was wrong', async () => {
      bench.play(
        says((input) => textOf([input.critique === undefined ? inventedOf(input) : claimOf(input)])),
      );
      const reply = await bench.ask('written-again', ASKED);
      expect(reply.diagnostics.attempts).toBe(2);
      expect(reply.claims.map(({ verdict }) => verdict)).toEqual(['supported']);
    });
  });

  it('what was decided on a passage is not believed of another one that has its number', async () => {
    const claim = 'Tea was given to 100 adults in Leeds.';
    const cited: string[] = [];
    bench.play({
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
      answers: { maxAttempts: 2, compressAboveChars: 0 },
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

  describe('a pile that does not fit into half of the model’s window', () => {
    const tea = (note: number): string =>
      Array.from(
        { length: 12 },
        (_, line) => `In trial ${note}.${line} tea was given to ${100 + note} adults.`,
      ).join(' ');
    const documents = Array.from({ length: 60 }, (_, note) => ({ title: `Tea ${note}`, content: tea(note) }));

    it('is compressed by default; the retry after over-compression keeps so much that the ratio rises', async () => {
      bench.play(says((input) => textOf([[input.passages[0]?.text.split('. ')[0] ?? '', 'P1']])));
      const reply = await bench.ask('compressed', {
        ...BY_MODEL,
        question: 'How many adults were given tea?',
        documents,
      });
      const written = reply.trace.flatMap((entry) => (entry.node === 'synthesizer' ? [entry] : []));
      expect(written.slice(0, 2)).toMatchObject([
        { context_compressed: true, over_compression_flag: true, answer_length: 0 },
        { context_compressed: true, over_compression_flag: false },
      ]);
      expect(retrievalsOf(reply)).toEqual([false, true]);
      expect(reply.diagnostics).toMatchObject({ overCompression: false });
      expect(reply.diagnostics.metrics?.compressionRatio).toBeGreaterThan(0.35);
      expect(reply.diagnostics.metrics?.originalContextChars).toBeGreaterThan(6_000);
      expect(reply.confidenceMeaning).not.toContain('shortened');
    });

    it('is read whole, and not compressed, where it fits', async () => {
      bench.play(says((input) => textOf([[input.passages[0]?.text.split('. ')[0] ?? '', 'P1']])));
      await bench.ask('whole', {
        ...BY_MODEL,
        question: 'How many adults were given tea?',
        documents: documents.slice(0, 20),
      });
      const input = asked<AnswerInput>(bench, 'answer').at(-1);
      expect(input?.passages.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(10_000);
      expect(input?.passages.every(({ compressed }) => compressed === undefined)).toBe(true);
      expect(new Set(input?.passages.map(({ sourceId }) => sourceId)).size).toBe(20);
    });
  });

  describe('a conversation', () => {
    it('comes as history: a question knows those before, and takes none of it for evidence', async () => {
      const inputs: RewriteQuestionInput[] = [];
      bench.play({
        ...says((input) => textOf([claimOf(input)])),
        'rewrite-question': (input: RewriteQuestionInput) => {
          inputs.push(input);
          return { queries: ['How does DAIL-SQL select demonstrations?'] };
        },
      });
      const told = { ...BY_MODEL, observations: OBSERVATIONS };
      const first = await bench.ask('turn-1', { ...told, question: 'What does DAIL-SQL use?' });
      const history = [
        { role: 'human' as const, content: 'What does DAIL-SQL use?' },
        { role: 'ai' as const, content: first.answer },
      ];
      const second = await bench.ask('turn-2', {
        ...told,
        question: 'And how does it select them?',
        history,
      });
      expect(inputs.map((input) => input.history)).toEqual([history]);
      const last = asked<AnswerInput>(bench, 'answer').at(-1);
      expect(last?.history.map(({ content }) => content)).toContain('What does DAIL-SQL use?');
      expect(last?.passages.map(({ text }) => text)).not.toContain(first.answer);
      expect(second.trace[0]).toMatchObject({
        queries: ['And how does it select them?', 'How does DAIL-SQL select demonstrations?'],
      });
    });

    it('is read as far as the settings say', async () => {
      bench.play(says((input) => textOf([claimOf(input)])));
      const history = Array.from({ length: 14 }, (_, at) => ({
        role: 'human' as const,
        content: `Turn ${at}`,
      }));
      await bench.ask('long-history', { ...ASKED, history });
      await bench.ask('no-history', { ...ASKED, history, answers: { maxHistory: 0 } });
      const histories = asked<AnswerInput>(bench, 'answer').map((given) =>
        given.history.map(({ content }) => content),
      );
      expect(histories).toEqual([history.slice(-10).map(({ content }) => content), []]);
    });
  });

  describe('an answer that is judged', () => {
    const JUDGED = { ...ASKED, judge: {} };

    const saysTrue = (input: AnswerInput) => textOf([claimOf(input)]);
    const playJudged = (score: (input: JudgeInput) => number, answer = saysTrue) =>
      bench.play({ ...says(answer), judge: (input: JudgeInput) => judgedAlike(score(input), ['answer']) });

    it('is mended for the reasons of a judge that does not pass it', async () => {
      bench.play({
        ...says(saysTrue),
        'mend-text': ({ statements, sources }: MendTextInput) => ({
          edits: statements.slice(-1).map(({ id, text }) => ({
            statementId: id,
            text: `${text} ${ACCURACY} ${markOfSpider(sources)}`,
          })),
        }),
        judge: ({ document: { parts } }: JudgeInput) =>
          parts[0]?.markdown.includes('86.6') === true ? judgedAlike(5, []) : judgedAlike(2, ['answer']),
      });
      const reply = await bench.ask('judged', JUDGED);
      // What the claims rest on, and no whole passage.
      const told = asked<JudgeInput>(bench, 'judge').at(-1)?.document.topics[0]?.statements ?? [];
      const quotes = reply.claims.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
      expect(told.map(({ text }) => text)).toEqual([...new Set(quotes)]);
      expect(reply.judge).toMatchObject({ version: 2, passed: true });
      expect(reply.judge?.versions).toHaveLength(2);
      expect(reply.answer).toContain('86.6');
      expect(reply.diagnostics.attempts).toBe(2);
    });

    it('says behind its text that no version passed, and its versions are those of any run that wrote the same', async () => {
      playJudged(() => 2);
      const versions = [];
      for (const runId of ['unpassed-1', 'unpassed-2']) {
        const reply = await bench.ask(runId, { ...ASKED, judge: { maxRevisions: 0 } });
        expect(reply.judge).toMatchObject({ version: 1, passed: false });
        expect(reply.answer).toMatch(
          /\n\nThe judge did not pass this text: 2\.0 of 5, where 3\.5 would pass\.[^\n]*$/,
        );
        for (const { text, start, end } of reply.claims) expect(reply.answer.slice(start, end)).toBe(text);
        versions.push(reply.judge?.versions);
      }
      expect(versions[0]).toEqual(versions[1]);
    });
  });
});

describe('documents 001, 003 and 004', () => {
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
        ...asks('What is DAIL-SQL?'),
        observations: [
          'Source: DAIL-SQL_paper.pdf (Page 3)\nContent: DAIL-SQL is a text-to-SQL approach that selects its examples.\nSimilarity: 0.89',
          'Title: A survey\nURL: https://example.org/survey\nContent: Among text-to-SQL approaches, DAIL-SQL is one of the most accurate.',
        ],
        finalOutput: 'Combined results...',
      });
      expect(state).toMatchObject({ ...ended, confidence_score: 0.8 });
    });

    test('observations without content leave nothing to answer from: confidence 0, printed and in the state', async () => {
      const { state } = await execute('no-content', {
        ...asks('Query'),
        observations: ['Used tool: pdf_retrieval', 'Used tool: web_search'],
      });
      expect(state).toMatchObject({ ...ended, confidence_score: 0 });
    });

    test('test_full_workflow_with_synthesis', async () => {
      const { state } = await execute('full-workflow', {
        ...asks('What is DAIL-SQL?'),
        documents: [
          { title: 'DAIL-SQL', content: 'DAIL-SQL is a text-to-SQL approach that selects its examples.' },
          {
            title: 'A survey',
            content: 'Among text-to-SQL approaches, DAIL-SQL is one of the most accurate.',
          },
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
      return { text, plain: words.replace(/ \[[^\]]+\]/g, ''), passageIds: citedIds(text) };
    });
    const [electrical, mounting] = sentences.map(({ text }) => text);
    const markdown = `**Electrical Characteristics:** ${electrical}\n\n**Mounting Requirements:** ${mounting}`;
    return { markdown, sentences, missing: null, setAside: [] };
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
      const sentences = [{ text, plain, passageIds: [one, other] }];
      return { markdown: text, sentences, missing: null, setAside: [] };
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
  });
});
