import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnswerRequest, toAgentState } from '../../src/client';
import type { RunEventBody } from '../../src/contracts/event';
import { CLOSED_STATUSES } from '../../src/contracts/run-status';
import { answers, answersJson } from '../model-server/behaviours';
import { briefModel } from '../model-server/brief-model';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { materialIn, sentencesIn } from '../model-server/prompt-material';
import { forAllTests } from '../support/for-all-tests';
import { callTool, connectMcp, type Told } from '../support/mcp-client';
import { SOURCES } from '../support/report-script';
import { until } from '../support/until';
import { ASKED as INVITES_INVENTION, inventingModel, isWriting } from '../system/answers/inventing-model';
import { QUESTION as BRIEF_QUESTION, SUBTOPICS } from '../system/briefs/brief-bench';
import { expectGolden } from './golden';
import { openGoldenBench, VITAMIN_D } from './golden-bench';

const golden = forAllTests(() =>
  openGoldenBench([
    ...['answer-from-observations', 'answer-from-documents', 'answer-compressed', 'answer-second-attempt'],
    ...['brief-in-one-call', 'brief-by-sections'],
  ]),
);
/** It plans one section. */
const onQuestion = createGoodModel({ onQuestion: true });

afterEach(() => golden.respond());

async function expectAnswer(name: string, request: AnswerRequest): Promise<void> {
  const reply = await golden.bench.colligate.answer({ ...golden.byModel(name), requestId: name, ...request });
  expectGolden(name, {
    'answer.md': reply.answer,
    'answer.json': reply,
    'state.json': toAgentState(reply, request.messages),
  });
}

/** An audit that finds each sentence in all that it cites. */
function allSupported(prompt: string): unknown {
  const material = materialIn(prompt);
  return {
    verdicts: sentencesIn(material.get('sentences') ?? '').map(({ id, sources }) => ({
      sentence: id,
      verdict: 'supported',
      severity: 'wording',
      quotes: sources.map((source) => ({ source, quote: material.get(source)?.split('\n\n')[1] ?? '' })),
      calculation: '',
      reason: '',
    })),
    notes: [],
  };
}

describe('an answer', () => {
  test('from observations (document 001)', () =>
    expectAnswer('answer-from-observations', {
      messages: [{ role: 'human', content: 'What is DAIL-SQL?' }],
      observations: [
        'Used tool: pdf_retrieval\nDAIL-SQL is a text-to-SQL approach that selects its examples.',
        'Used tool: web_search\nDAIL-SQL reaches an execution accuracy of 86.6 percent on the Spider benchmark.',
      ],
      finalOutput: 'DAIL-SQL is a text-to-SQL approach (Source: DAIL-SQL_paper.pdf, Page 3)',
    }));

  test('from several documents, with claims that cite more than one of them (document 003)', async () => {
    golden.respond((request) => {
      if (!isWriting(request)) return answersJson(allSupported(messagesOf(request)[1] ?? ''));
      const passages = (materialIn(messagesOf(request)[1] ?? '').get('passages') ?? '').split(/^(?=\[\d)/m);
      const cite = (words: string): string =>
        `[${/\d+/.exec(passages.find((passage) => passage.includes(words)) ?? '')?.[0]}]`;
      return answers(
        `**Electrical Characteristics:** Multiple sources mention that the antenna operates at 1575.42 MHz (L1 band) ${cite('1575.42')} ` +
          `with 50 ohm impedance ${cite('50 ohms')} and typical gain of 3 dBi with VSWR < 2.0 ${cite('3 dBi')}.\n\n` +
          `**Mounting Requirements:** The antenna must be mounted at least 10cm from metal surfaces ${cite('10cm')} and connected ` +
          `using RG-174 coax cable with maximum length of 5m ${cite('RG-174')}.`,
      );
    });
    const passages = [
      ['GPS_Module_Datasheet.pdf (Page 5)', 'Antenna frequency: 1575.42 MHz (L1 band).'],
      ['GPS_Module_Datasheet.pdf (Page 6)', 'Gain: 3 dBi typical, VSWR < 2.0.'],
      ['GPS_Module_Datasheet.pdf (Page 7)', 'Impedance: 50 ohms.'],
      ['System_Integration_Guide.pdf (Page 12)', 'Mount antenna at least 10cm from metal surfaces.'],
      ['System_Integration_Guide.pdf (Page 13)', 'Use RG-174 coax cable, max length 5m.'],
    ];
    await expectAnswer('answer-from-documents', {
      question: 'What are the GPS antenna specifications?',
      observations: passages.map(([source, content]) => `Source: ${source}\nContent: ${content}`),
    });
  });

  test('from more than its context takes, so that it searches more broadly (document 004)', () => {
    const trial = (page: number, line: number): string =>
      `In trial ${page}.${line}, tea was given to ${100 + page * 7 + line} adults and their sleep was studied.`;
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
    return expectAnswer('answer-compressed', {
      question: 'How many adults were given tea in the trials?',
      documents: numbers(20).map((page) => ({
        title: `Tea ${page}`,
        content: numbers(12)
          .map((line) => trial(page, line))
          .join(' '),
      })),
      answers: { compressAboveChars: 6_000, keptWhole: 1 },
    });
  });

  test('in a second attempt, which mends what is wrong in the first', async () => {
    golden.respond(inventingModel());
    const { question, observations } = INVITES_INVENTION;
    await expectAnswer('answer-second-attempt', { question, observations });
  });
});

describe('a brief with a wrong figure', () => {
  const wrong = (text: string): string => text.replace('41 minutes', '77 minutes');
  const right = (text: string): string => text.replace('77 minutes', '41 minutes');
  const DECAF = 'Decaffeinated coffee has no such effect [S2].';

  async function expectBrief(name: string, settings: object): Promise<void> {
    const brief = await golden.bench.colligate.brief({
      ...golden.byModel(name),
      runId: name,
      question: BRIEF_QUESTION,
      subtopics: SUBTOPICS,
      brief: settings,
    });
    expectGolden(name, { 'brief.md': brief.markdown, 'brief.json': brief });
  }

  test('in one call: the sentence is mended', async () => {
    golden.respond(briefModel({ text: wrong, mend: right }));
    await expectBrief('brief-in-one-call', {});
  });

  test('section by section: the sentence is taken out, and the judge has the section mended', async () => {
    const forgetful = (text: string): string => wrong(text).replace(/ Decaffeinated[^.]*\./, '');
    golden.respond(
      briefModel({
        text: (text, [title]) => (title === 'Caffeine' ? forgetful(text) : text),
        mend: (sentence) => (sentence.includes('77 minutes') ? right(sentence) : `${sentence} ${DECAF}`),
        judge: (text) =>
          text.includes('Decaffeinated') ? { score: 5, parts: [] } : { score: 2, parts: ['subtopic-2'] },
      }),
    );
    await expectBrief('brief-by-sections', { oneCallWords: 0 });
  });
});

test('the verification of a cited report, by words and by a model', async () => {
  const notes = [
    'jorde-2010-bone',
    'mathur-2017-ulcerative-colitis',
    'moosavi-2015-copd',
    'napoli-2013-bone-turnover',
  ];
  await golden.sources('cited', async (path) => {
    for (const note of notes) await cp(join(VITAMIN_D, `${note}.md`), join(path, `${note}.md`));
  });
  const report = [
    '# Vitamin D',
    'After one year, high doses of vitamin D had no significant effect on bone mineral density at the lumbar spine or the hip compared with placebo [1]. ' +
      'Quality of life improved significantly with 4,000 IU of vitamin D a day, by 3.0 ± 1.0 points on the Short IBD Questionnaire [2].',
    '## Lungs',
    'Vitamin D supplementation changed forced expiratory volume in one second (FEV1) in patients with COPD [3]. ' +
      'Vitamin D cures every disease of the lungs [3][9].',
    'This sentence cites nothing. Quality of life improved with 4,000 IU of vitamin D a day [1].',
    '## Sources',
    '- [1] “No significant effect on bone mineral density by high doses of vitamin D3.” <https://www.ncbi.nlm.nih.gov/pmc/articles/PMC2818614/>\n' +
      '- [2] <https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5545112/>\n' +
      '- [3] <https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5548257/>\n' +
      '- [4] “A book that nobody gave.” <https://example.com/book>\n',
  ].join('\n\n');
  await writeFile(join(golden.folder, 'cited.md'), report);
  const verify = async (engine: string): Promise<Record<string, unknown>> => {
    const options = ['--sources', 'cited', '--annotate', 'annotated.md', '--out', 'verified.json'];
    return {
      [`${engine}.txt`]: await golden.print(
        ['verify', 'cited.md', '--engine', engine, ...options],
        golden.endpoint,
      ),
      [`${engine}.md`]: await golden.read('annotated.md'),
      [`${engine}.json`]: JSON.parse(await golden.read('verified.json')) as unknown,
    };
  };
  expectGolden('verify', { ...(await verify('extractive')), ...(await verify('openai')) });
});

test('HTTP: a run from its start to its result', async () => {
  golden.respond((request) => onQuestion.answer(request));
  const token = await golden.tokenOf('ann', 'run');
  const body = { kind: 'report', question: 'Do walks and tea change sleep or attention?', sources: SOURCES };
  const started = await golden.ask('/v1/runs', {
    method: 'POST',
    token,
    body: { ...body, engine: 'openai' },
  });
  const { runId, ...rest } = (await started.json()) as { runId: string };
  const get = (path: string): Promise<Response> => golden.ask(`/v1/runs/${runId}${path}`, { token });
  const events = eventsOf(await (await get('/events')).text());
  // Which section was told last is a matter of time.
  const { section: _section, ...progress } = (await (await get('')).json()) as Record<string, unknown>;
  const files = {
    'started.json': { status: started.status, body: { runId, ...rest } },
    'events.json': events,
    'progress.json': progress,
    'result.md': await (await get('/result?format=md')).text(),
    'result.json': await (await get('/result?format=json')).json(),
  };
  expectGolden('http', files, { [runId]: 'the-run' });
});

/** Events of a stream. How a section's text is cut into pieces is a matter of time: they are put together. */
function eventsOf(stream: string): Pick<RunEventBody, 'type' | 'payload'>[] {
  const events: RunEventBody[] = [];
  for (const [, data = ''] of stream.matchAll(/^data: (.*)$/gm)) {
    const { type, payload } = JSON.parse(data) as RunEventBody;
    const last = events.at(-1);
    if (type === 'content-chunk' && last?.type === type && last.payload.section === payload.section)
      last.payload.text += payload.text;
    else events.push({ type, payload } as RunEventBody); // the type has this payload
  }
  return events;
}

test('MCP: the tools, and a run from its start to the evidence of a claim', async () => {
  golden.respond((request) => onQuestion.answer(request));
  const client = await connectMcp(golden.url, { token: await golden.tokenOf('bob', 'run') });
  const { tools } = await client.listTools();
  const calls: object[] = [];
  const call = async (name: string, given: Record<string, unknown>): Promise<Told> => {
    const told = await callTool(client, name, given);
    const { text } = told;
    calls.push({ name, ...told, text: text.startsWith('{') ? (JSON.parse(text) as unknown) : text });
    return told;
  };
  const question = 'Does tea change attention?';
  const started = await call('start_report', { question, sources: SOURCES, engine: 'openai' });
  const { runId } = JSON.parse(started.text) as { runId: string };
  await until(
    () => golden.bench.colligate.run(runId).progress(),
    ({ status }) => CLOSED_STATUSES.has(status),
  );
  await call('status', { runId });
  await call('result', { runId });
  await call('evidence', { runId, claimId: 'claim-1' });
  const report =
    'Black tea raised attention scores by 9 percent in 30 drivers [1].\n\n## Sources\n\n[1] Black tea\n';
  await call('verify', { report, sources: SOURCES });
  await client.close();
  expectGolden('mcp', { 'tools.json': tools, 'calls.json': calls }, { [runId]: 'the-run' });
});
