import type { Critique, SetAsideClaim } from '../../../../src/contracts/verification/critique';
import type { PartRevision } from '../../../../src/steps/write-brief-part/contract';
import { writeBriefPart } from '../../../../src/steps/write-brief-part/write-brief-part';
import { answers } from '../../../model-server/behaviours';
import { closeEngines, codesOf, promptText, streamAgainst } from '../engine-under-test';
import { partInput, SAID } from './brief-material';

afterEach(closeEngines);

const cited = (sentence: string, mark: string): string => `${sentence.slice(0, -1)} ${mark}.`;
/** What an earlier version has: the second sentence with a wrong number. */
const WRONG = SAID.older.replace('1.9 %', '1.6 %');
const STANDING = [
  cited(SAID.women, '[@study-a]'),
  `${cited(WRONG, '[@study-b]')}\n\n${cited(SAID.men, '[@study-d]')}`,
].join(' ');
const WOMEN = cited(SAID.women, '[S1]');
const OLDER = cited(SAID.older, '[S2]');
const MEN = cited(SAID.men, '[S4]');

function named(quote: string | null, reason = 'The number is not that of the summary.'): PartRevision {
  return { markdown: STANDING, critique: null, problems: [{ reason, quote }] };
}

const revised = (answer: string, revision = named(`${WRONG.slice(0, -1)} [2].`)) =>
  streamAgainst(writeBriefPart, partInput({ revision }), () => answers(answer));

test('what was named changes; what was not stands word for word, however the model words it now', async () => {
  const reworded =
    'In women, 800 IU of vitamin D daily for 12 months meant a rise of bone mineral density [S1].';
  const { output } = await revised(`${reworded} ${OLDER}\n\n${MEN}`);
  expect(output.markdown).toBe(STANDING.replace('1.6 %', '1.9 %'));
  expect(output.claims.map(({ findingIds }) => findingIds)).toEqual([['b1'], ['b2'], ['b3']]);
});

test('what the model leaves out that was not named stays, and what it adds elsewhere goes', async () => {
  const added = 'Women and men were 310 and 410 adults with placebo [S2][S4].';
  const { output } = await revised(`${OLDER}\n\n${MEN} ${added}`);
  expect(output.markdown).toBe(STANDING.replace('1.6 %', '1.9 %'));
});

test('where the whole part was named, the new text stands', async () => {
  const { output } = await revised(`${MEN}\n\n${WOMEN} ${OLDER}`, named(null, 'Its order confuses.'));
  expect(output.claims.map(({ findingIds }) => findingIds)).toEqual([['b3'], ['b1'], ['b2']]);
});

const ASIDE = {
  text: WRONG,
  sourceIds: ['study-b'],
  verdict: 'unsupported',
  code: 'critic',
  reason: 'The summary has another number.',
  evidence: null,
  probability: null,
} as const;
const setAside = (action: 'replaced' | 'left-out'): SetAsideClaim => ({
  ...ASIDE,
  sourceIds: ['study-b'],
  action,
});

test('a claim that an audit set aside is written anew in the place of what stands for it', async () => {
  const replacement = `${cited(SAID.older, '[@study-b]')} [@aside 0]`;
  const markdown = STANDING.replace(/Among .*? \[@study-b\]\./, replacement);
  const critique: Critique = {
    needsRetry: true,
    hallucinationDetected: false,
    logicalGaps: [],
    conflictingEvidence: [],
    missingCitations: [],
    unsupportedClaims: [{ ...ASIDE, sourceIds: ['study-b'] }],
  };
  const better = 'Adults aged over 70 had 1.9 % more bone mineral density with daily vitamin D [S2].';
  const text = `${WOMEN} ${better}\n\n${MEN}`;
  const { output, server } = await revised(text, { markdown, critique, problems: [] });
  const [women, men] = [cited(SAID.women, '[@study-a]'), cited(SAID.men, '[@study-d]')];
  expect(output.markdown).toBe(`${women} ${better.replace('[S2]', '[@study-b]')}\n\n${men}`);
  const prompt = promptText(server.asked[0]);
  expect(prompt).toContain('The summary has another number.');
  expect(prompt).not.toContain('@aside');
});

/** The men's sentence is the statement itself, in the place of one that was set aside; it is like nothing that was. */
const LEFT_OUT = `${cited(SAID.women, '[@study-a]')} [@aside 0]\n\n${cited(SAID.men, '[@study-d]')}`;
const REPLACED = LEFT_OUT.replace(' [@aside 0]', '').concat(' [@aside 0]');

test.each([
  ['left-out', LEFT_OUT],
  ['replaced', REPLACED],
] as const)('a revision that changes nothing keeps what was %s, with its mark', async (action, markdown) => {
  for (const problems of [[], [{ reason: 'Its order confuses.', quote: null }]]) {
    const revision = { markdown, setAside: [setAside(action)], critique: null, problems };
    const { output } = await revised(`${WOMEN}\n\n${MEN}`, revision);
    expect(output.markdown).toBe(markdown);
    expect(output.checked?.setAside).toEqual(revision.setAside);
  }
});

test('what was set aside goes where a new sentence answers it', async () => {
  const revision = { ...named(null), markdown: LEFT_OUT, setAside: [setAside('left-out')] };
  const { output } = await revised(`${WOMEN} ${OLDER}\n\n${MEN}`, revision);
  expect(output.markdown).toBe(STANDING.replace('1.6 %', '1.9 %'));
  expect(output.checked?.setAside).toBeUndefined();
});

test('the statement that stands in the place of a claim may change, however little it is like it', async () => {
  const better = 'In 410 men vitamin D and placebo did not differ in bone mineral density [S4].';
  const revision = { markdown: REPLACED, setAside: [setAside('replaced')], critique: null, problems: [] };
  const { output } = await revised(`${WOMEN}\n\n${better}`, revision);
  expect(output.markdown).toContain(better.replace('[S4]', '[@study-d]'));
  expect(output.checked?.setAside).toBeUndefined();
});

test('where nothing comes of the revision, the text stays as it was', async () => {
  const { output, warnings } = await revised('I have revised the text as you wished. It is much better now.');
  expect(output.markdown).toBe(STANDING);
  expect(codesOf(warnings)).toContain('revision-unusable');
});

test('the model is given the text that stands, with its citations as the prompt has them, and what was named', async () => {
  const { server } = await revised(`${WOMEN} ${OLDER} ${MEN}`);
  const prompt = promptText(server.asked[0]);
  expect(prompt).toContain(cited(WRONG, '[S2]'));
  expect(prompt).toContain('The number is not that of the summary.');
});
