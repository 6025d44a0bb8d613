import type { GivenSubtopic } from '../../../../src/contracts/brief/subtopic';
import { expectSound } from '../../../subtopics/material-invariants';
import { createScriptedEngine } from '../../../support/scripted-engine';
import { gather, RUN, settled } from './brief-under-test';
import { storesUnderTest } from '../../stores-under-test';

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

const under = storesUnderTest();
const settledFrom = (...given: GivenSubtopic[]) => settled(under.ports, given);

it('sets a statement aside whose number its source contradicts, with the place that does', async () => {
  const summary = `${cite(RIGHT, '[1]')} ${cite(WRONG, '[1]')} Others found the same [2].`;
  const material = await settledFrom(subtopic(summary));
  const refuted = { verdict: 'contradicted', code: 'number-exchanged', action: 'left-out' };
  expect(material.setAside).toMatchObject([{ subtopicId: 'subtopic-1', text: WRONG, ...refuted }]);
  expect(material.setAside[0]?.reason).toMatch(/8\.5/);
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
  const ports = under.ports;
  expect(await gather(ports, given)).toMatchObject({ conflicts: 1 });
  const material = await settled(ports, given);
  expect(material.setAside).toHaveLength(1);
  expect(material.conflicts).toEqual([]);
  const confidences = material.subtopics.map(({ findings }) => findings.map(({ confidence }) => confidence));
  expect(confidences).toEqual([[], [0.65]]);
});

it('knows no more than what is there where other sources are cited of which the text is not', async () => {
  const elsewhere = 'The review counted 57 trials of walking in nineteen countries.';
  const { setAside, checks } = await settledFrom(subtopic(cite(elsewhere, '[1][2]')));
  expect(setAside).toEqual([]);
  expect(Object.values(checks)).toMatchObject([{ verdict: 'unchecked', code: 'open' }]);
  const alone = await settledFrom(subtopic(cite(elsewhere, '[1]')));
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
  const material = await settledFrom(given);
  const [first] = material.subtopics[0]?.findings ?? [];
  const [cited] = material.sources.filter(({ id }) => first?.citations.includes(id));
  expect([first?.claim, first?.citations.length, cited?.url]).toEqual([other.content, 1, REVIEW]);
  expect(material.checks[first?.id ?? '']).toMatchObject({ verdict: 'supported' });
  expectSound(material, () => summary);
});

it('keeps what words cannot tell, with its verdict', async () => {
  const { setAside, checks } = await settledFrom(subtopic(cite(FREE, '[1]')));
  expect(setAside).toEqual([]);
  expect(Object.values(checks)).toMatchObject([{ code: expect.stringMatching(/^(?:open|unlikely)$/) }]);
});

it('checks nothing where only addresses were given', async () => {
  const { setAside, checks } = await settledFrom({ ...subtopic(cite(WRONG, '[1]')), sources: [] });
  expect([setAside, checks]).toEqual([[], {}]);
});

describe('with a model', () => {
  const run = { ...RUN, engine: 'openai' as const };
  type Asked = {
    sentences: { id: string; text: string }[];
    evidence: { sourceId: string; quote: string; start: number; end: number }[];
    control: { id: string };
  };
  const critic = (verdict: string) => {
    const told = { verdict, notBorneBy: [], reason: 'So.' };
    const audit = ({ sentences, evidence, control }: Asked) => ({
      verdicts: sentences.map(({ id }) => ({ sentenceId: id, quotes: evidence.slice(0, 1), ...told })),
      logicalGaps: [],
      controlStood: control.id !== '',
    });
    return createScriptedEngine({ audit }, { name: 'openai' });
  };
  const settledBy = (engine: ReturnType<typeof critic>, summary: string) =>
    settled({ ...under.ports, engines: { openai: engine } }, [subtopic(summary)], run);

  it('asks the critic of what words leave open, with the places that were looked at', async () => {
    const engine = critic('supported');
    const { checks } = await settledBy(engine, `${cite(FREE, '[1]')} ${cite(RIGHT, '[1]')}`);
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
    const { setAside } = await settledBy(critic('unsupported'), cite(FREE, '[1][2]'));
    expect(setAside).toEqual([]);
  });

  it.each(['contradicted', 'unsupported'])('sets aside what the critic finds %s', async (verdict) => {
    const { setAside } = await settledBy(critic(verdict), cite(FREE, '[1]'));
    expect(setAside).toMatchObject([{ text: FREE, verdict, code: 'critic', reason: 'So.' }]);
  });
});
