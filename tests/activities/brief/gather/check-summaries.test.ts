import type { GivenSubtopic } from '../../../../src/contracts/brief/subtopic';
import type { Stores } from '../../../../src/stores/stores';
import type { ThreadPool } from '../../../../src/threads/pool';
import { prepareLmdb } from '../../../stores/lmdb-under-test';
import { expectSound } from '../../../subtopics/material-invariants';
import { createScriptedEngine } from '../../../support/scripted-engine';
import { portsOver } from '../../answer/corpus-under-test';
import { createTestThreads } from '../../../support/test-threads';
import { gather, RUN, settled } from './brief-under-test';

const TRIAL = {
  url: 'https://a.example/trial',
  title: 'A trial of walking in adults',
  content: [
    'We asked 120 adults with hypertension to walk for thirty minutes a day.',
    'After twelve weeks walking had lowered systolic blood pressure by 4.5 mmHg on average.',
    'Nine participants left the trial before its end because they had moved away.',
  ].join(' '),
};
const REVIEW = 'https://b.example/review';
const WRONG = 'After twelve weeks walking had lowered systolic blood pressure by 8.5 mmHg on average.';
const RIGHT = 'Nine participants left the trial before its end because they had moved away.';
const FREE = 'Hardly any of the participants dropped out of the trial.';

const cite = (sentence: string, mark: string): string => sentence.replace(/\.$/, ` ${mark}.`);
const subtopic = (summary: string, citations = [TRIAL.url, REVIEW]): GivenSubtopic => ({
  title: 'Walking',
  summary,
  citations,
  sources: [TRIAL],
});

let threads: ThreadPool;
let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
let stores: Stores;
beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));
afterAll(() => threads.close());
beforeEach(async () => {
  fixture = await prepareLmdb();
  stores = await fixture.connect();
});
afterEach(() => fixture.dispose());

it('sets a statement aside whose number its source contradicts, with the place that does', async () => {
  const summary = `${cite(RIGHT, '[1]')} ${cite(WRONG, '[1]')} Others found the same [2].`;
  const material = await settled(portsOver(stores, threads), [subtopic(summary)]);
  expect(material.setAside).toMatchObject([
    {
      subtopicId: 'subtopic-1',
      text: WRONG,
      verdict: 'contradicted',
      code: 'number-exchanged',
      action: 'left-out',
      reason: expect.stringMatching(/8\.5/),
    },
  ]);
  const { evidence, sourceIds } = material.setAside[0] ?? {};
  expect(TRIAL.content.slice(evidence?.start, evidence?.end)).toBe(evidence?.quote);
  expect(evidence?.quote).toMatch(/4\.5 mmHg/);
  expect(sourceIds).toEqual([material.sources[0]?.id]);
  const findings = material.subtopics.flatMap((one) => one.findings);
  expect(findings.map(({ claim }) => claim)).toEqual([RIGHT, 'Others found the same.']);
  expect(Object.values(material.held).join('\n')).not.toContain('8.5');
  expect(material.checks).toMatchObject({ 'subtopic-1-finding-1': { verdict: 'supported' } });
  expect(Object.keys(material.checks)).toEqual(['subtopic-1-finding-1']);
  expectSound(material, () => summary);
});

it('ends a conflict whose one side is set aside, and the other is as sure as before', async () => {
  const other = 'After twelve weeks walking had lowered systolic blood pressure by 4.5 mmHg on average.';
  const given = [subtopic(cite(WRONG, '[1]')), subtopic(cite(other, '[2]'))];
  const ports = portsOver(stores, threads);
  expect(await gather(ports, given)).toMatchObject({ conflicts: 1 });
  const material = await settled(ports, given);
  expect(material.setAside).toHaveLength(1);
  expect(material.conflicts).toEqual([]);
  expect(material.subtopics.map(({ findings }) => findings.map(({ confidence }) => confidence))).toEqual([
    [],
    [0.65],
  ]);
});

it('knows no more than what is there where other sources are cited of which the text is not', async () => {
  const elsewhere = 'The review counted 57 trials of walking in nineteen countries.';
  const { setAside, checks } = await settled(portsOver(stores, threads), [
    subtopic(cite(elsewhere, '[1][2]')),
  ]);
  expect(setAside).toEqual([]);
  expect(Object.values(checks)).toMatchObject([{ verdict: 'unchecked', code: 'open' }]);
  const alone = await settled(portsOver(stores, threads), [subtopic(cite(elsewhere, '[1]'))]);
  expect(alone.setAside).toMatchObject([{ verdict: 'unsupported', code: 'number-absent' }]);
});

it('cites the source that bears a sentence without a mark, where that is not its neighbours’', async () => {
  const other = {
    url: REVIEW,
    title: 'A review of trials',
    content: 'The review counted 57 trials of walking in nineteen countries.',
  };
  const summary = `${other.content} ${cite(RIGHT, '[1]')} The review was published in spring [2].`;
  const given = { ...subtopic(summary), sources: [TRIAL, other] };
  const material = await settled(portsOver(stores, threads), [given]);
  const [first] = material.subtopics[0]?.findings ?? [];
  const [cited] = material.sources.filter(({ id }) => first?.citations.includes(id));
  expect([first?.claim, first?.citations.length, cited?.url]).toEqual([other.content, 1, REVIEW]);
  expect(material.checks[first?.id ?? '']).toMatchObject({ verdict: 'supported' });
  expectSound(material, () => summary);
});

it('keeps what words cannot tell, with its verdict', async () => {
  const { setAside, checks } = await settled(portsOver(stores, threads), [subtopic(cite(FREE, '[1]'))]);
  expect(setAside).toEqual([]);
  expect(Object.values(checks)).toMatchObject([{ code: expect.stringMatching(/^(?:open|unlikely)$/) }]);
});

it('checks nothing where only addresses were given', async () => {
  const { setAside, checks } = await settled(portsOver(stores, threads), [
    { ...subtopic(cite(WRONG, '[1]')), sources: [] },
  ]);
  expect([setAside, checks]).toEqual([[], {}]);
});

describe('with a model', () => {
  const run = { ...RUN, engine: 'openai' as const };
  type Asked = {
    sentences: { id: string; text: string }[];
    evidence: { sourceId: string; quote: string; start: number; end: number }[];
    control: { id: string };
  };
  const critic = (verdict: string): ReturnType<typeof createScriptedEngine> =>
    createScriptedEngine(
      {
        audit: ({ sentences, evidence, control }: Asked) => ({
          verdicts: sentences.map(({ id }) => ({
            sentenceId: id,
            verdict,
            quotes: evidence.slice(0, 1),
            notBorneBy: [],
            reason: 'So.',
          })),
          logicalGaps: [],
          controlStood: control.id !== '',
        }),
      },
      { name: 'openai' },
    );

  it('asks the critic of what words leave open, with the places that were looked at', async () => {
    const engine = critic('supported');
    const ports = { ...portsOver(stores, threads), engines: { openai: engine } };
    const summary = `${cite(FREE, '[1]')} ${cite(RIGHT, '[1]')}`;
    const { checks } = await settled(ports, [subtopic(summary)], run);
    expect(Object.values(checks)).toMatchObject([
      { verdict: 'supported', code: 'critic' },
      { verdict: 'supported', code: 'same-words' },
    ]);
    const [{ input } = { input: null }, ...more] = engine.calls;
    const { sentences, evidence } = input as Asked; // what the step is asked, by its schema
    expect(more).toEqual([]);
    expect(sentences.map(({ text }) => text)).toEqual([FREE]);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { quote, start, end } of evidence) expect(TRIAL.content.slice(start, end)).toBe(quote);
  });

  it('does not take it from the critic that nothing bears what also cites a text that is not there', async () => {
    const ports = { ...portsOver(stores, threads), engines: { openai: critic('unsupported') } };
    const { setAside } = await settled(ports, [subtopic(cite(FREE, '[1][2]'))], run);
    expect(setAside).toEqual([]);
  });

  it.each(['contradicted', 'unsupported'])('sets aside what the critic finds %s', async (verdict) => {
    const ports = { ...portsOver(stores, threads), engines: { openai: critic(verdict) } };
    const { setAside } = await settled(ports, [subtopic(cite(FREE, '[1]'))], run);
    expect(setAside).toMatchObject([{ text: FREE, verdict, code: 'critic', reason: 'So.' }]);
  });
});
