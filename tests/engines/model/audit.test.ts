import { audit } from '../../../src/steps/audit/audit';
import type { AuditInput } from '../../../src/steps/audit/contract';
import { answersEach } from '../../model-server/behaviours';
import { materialIn, sentencesIn } from '../../model-server/prompt-material';
import { closeEngines, messagesOf, runAgainst } from './engine-under-test';
import { findings } from './material';

afterEach(() => closeEngines());

const EVIDENCE = findings().flatMap((finding) => finding.evidence);
const INPUT: AuditInput = {
  sentences: [
    { id: 'a', text: 'Bone density became higher in women.', sourceIds: ['study-a'] },
    { id: 'b', text: 'Bone density became lower in men.', sourceIds: ['study-d'] },
    { id: 'c', text: 'Falls became more with high doses.', sourceIds: ['study-c'] },
  ],
  evidence: EVIDENCE,
  sources: [],
  control: { id: 'control', text: EVIDENCE[1]?.quote ?? '', sourceIds: ['study-b'] },
};

const said = (sentence: string, verdict: string, changes: object = {}): object => ({
  sentence,
  verdict,
  source: '',
  quote: '',
  reason: '',
  ...changes,
});

test('the control stands among the sentences as one of them', async () => {
  const answer = { verdicts: [said('T2', 'supported')], gaps: [] };
  const { output, server } = await runAgainst(audit, INPUT, answersEach(answer));
  const prompt = messagesOf(server.asked[0]).at(-1)?.content ?? '';
  const asked = sentencesIn(materialIn(prompt).get('sentences') ?? '');
  const [first, ...others] = INPUT.sentences;
  expect(asked.map(({ text }) => text)).toEqual([first, INPUT.control, ...others].map((one) => one?.text));
  expect(output).toEqual({ verdicts: [], logicalGaps: [], controlStood: true });
});

test('a verdict keeps a quote only where it stands in what the sentence cites', async () => {
  const verdicts = [
    said('T1', 'Supported', { source: 'S1', quote: 'bone mineral density rose by 2.1%' }),
    said('T3', 'contradicted', { source: 'S1', quote: 'bone mineral density rose by 2.1%' }),
    said('T4', 'partial', { source: 'S3', quote: 'more falls' }),
    said('T2', 'unsupported'),
    said('T9', 'unsupported'),
  ];
  const { output } = await runAgainst(audit, INPUT, answersEach({ verdicts, gaps: [] }));
  expect(output.controlStood).toBe(false);
  const told = output.verdicts.map(({ sentenceId, verdict }) => `${sentenceId}: ${verdict}`);
  expect(told).toEqual(['a: supported', 'b: contradicted', 'c: partial']);
  const quoted = output.verdicts.map(({ quotes }) => quotes[0]?.quote ?? null);
  expect(quoted).toEqual(['bone mineral density rose by 2.1%', null, null]);
});

test('its remarks bring nothing in that neither sentences nor quotes have, and at most three gaps', async () => {
  const verdicts = [
    said('T1', 'unsupported', { reason: 'The quotes do not tell of higher density in women 4711 times.' }),
    said('T3', 'unsupported', { reason: 'The quotes tell of no lower bone density in men.' }),
  ];
  const gap = 'Falls and bone density do not follow from the doses, for all of the men ';
  const gaps = [1, 2, 3, 4].map((women) => `${gap}${'and women '.repeat(women)}.`);
  const { output } = await runAgainst(audit, INPUT, answersEach({ verdicts, gaps }));
  const reasons = output.verdicts.map(({ reason }) => reason);
  expect(reasons).toEqual(['', 'The quotes tell of no lower bone density in men.']);
  expect(output.logicalGaps).toHaveLength(3);
});
