import { ENGLISH } from '../../../src/texts/texts';
import type { WrittenSentence } from '../../../src/contracts/report/draft';
import type { ClaimVerdict } from '../../../src/contracts/verification/claim-verdict';
import { sentenceWording } from '../../../src/core/settled-text/sentence-wording';
import { draftOf, settleText, type AuditedSentence } from '../../../src/core/settled-text/settle-text';
import { finding, quoteOf } from '../report/report-fixture';

const FINDINGS = [
  finding('f1', 's', [quoteOf('alpha', 'Walking lowered blood pressure by 4 mmHg.')]),
  finding('f2', 's', [quoteOf('beta', 'Swimming raised aerobic capacity by 11%.')]),
];
const WORDING = sentenceWording(FINDINGS, new Map(), ENGLISH);

function sentence(
  text: string,
  findingIds: string[],
  changes: Partial<WrittenSentence> = {},
): WrittenSentence {
  const plain = text.replace(/ \[@[^\]]*\]/g, '');
  return { text, plain, findingIds, isClaim: true, standing: 'undecided', ...changes };
}

function found(verdict: ClaimVerdict['verdict'], code: ClaimVerdict['code']): AuditedSentence {
  return {
    verdict: { verdict, code, reason: 'As found.', evidence: null, probability: null },
    findingIds: ['f1'],
    sourceIds: ['alpha'],
  };
}

const INVENTED = sentence('Walking cures all [@alpha].', ['f1']);
const TRUE = sentence('Who walks has a lower pressure [@alpha].', ['f1']);

function settled(
  sentences: readonly WrittenSentence[],
  audited: readonly (AuditedSentence | null)[],
  how: 'mark' | 'remove' = 'mark',
): ReturnType<typeof draftOf> {
  const markdown = sentences.map(({ text }) => text).join(' ');
  const places = new Map(audited.flatMap((one, at) => (one === null ? [] : [[at, one] as const])));
  return draftOf(settleText({ markdown, checked: { sentences: [...sentences] } }, places, WORDING, how));
}

const OWN = '“Walking lowered blood pressure by 4 mmHg” [@alpha].';

test('a claim that is supported stands with its verdict, one that is not is replaced by its finding, marked and listed', () => {
  const { markdown, claims, checked } = settled([INVENTED], [found('unsupported', 'critic')]);
  expect(markdown).toBe(`${OWN} [@aside 0]`);
  expect(claims).toEqual([expect.objectContaining({ text: OWN, standing: 'own-words' })]);
  expect(claims[0]?.verdict).toMatchObject({ verdict: 'supported', code: 'same-words' });
  expect(checked?.setAside).toEqual([
    expect.objectContaining({
      text: 'Walking cures all.',
      sourceIds: ['alpha'],
      verdict: 'unsupported',
      action: 'replaced',
    }),
  ]);
});

test('it is left out, with its mark, where its finding is told already', () => {
  const { markdown, checked } = settled(
    [TRUE, INVENTED],
    [found('supported', 'critic'), found('contradicted', 'critic')],
  );
  expect(markdown).toBe('Who walks has a lower pressure [@alpha]. [@aside 0]');
  expect(checked?.setAside?.map(({ action }) => action)).toEqual(['left-out']);
});

test('no source that it cites is lost, though its nearest finding is told already', () => {
  const both = sentence('Walking and swimming cure all [@alpha; @beta].', ['f1']);
  const { markdown } = settled([TRUE, both], [found('supported', 'critic'), found('unchecked', 'open')]);
  expect(markdown).toContain('“Swimming raised aerobic capacity by 11%” [@beta]');
  expect(markdown.endsWith('[@aside 0]')).toBe(true);
});

test.each([
  ['unsupported', 'critic', ''],
  ['contradicted', 'number-exchanged', ''],
  // A low score alone, and what nobody could decide, remove nothing.
  ['unsupported', 'unlikely', `${OWN} [@aside 0]`],
  ['unchecked', 'open', `${OWN} [@aside 0]`],
  ['partial', 'name-absent', `${OWN} [@aside 0]`],
] as const)('where it is to be removed, what is %s (%s) leaves “%s”', (verdict, code, left) => {
  const { markdown, checked } = settled([INVENTED], [found(verdict, code)], 'remove');
  expect(markdown).toBe(left);
  expect(checked?.setAside).toHaveLength(1);
});

test('of a text that nobody audited only what keeps to the words of its sources stands', () => {
  const close = sentence('Swimming raised aerobic capacity by 11% [@beta].', ['f2'], { standing: 'close' });
  const { markdown, checked } = settled([close, TRUE], []);
  expect(markdown).toBe(`${close.text} ${OWN} [@aside 0]`);
  expect(checked?.setAside).toEqual([expect.objectContaining({ verdict: 'unchecked', code: 'open' })]);
});

test('a sentence that only connects goes with the last claim that it connects', () => {
  const connects = sentence('The two differ.', ['f1'], { isClaim: false, standing: 'close' });
  const { markdown } = settled([connects, INVENTED], [null, found('unsupported', 'critic')], 'remove');
  expect(markdown).toBe('');
});

test('a text that is settled stays as it is', () => {
  const once = settled([TRUE, INVENTED], [found('supported', 'critic'), found('partial', 'critic')]);
  const { markdown, checked } = once;
  if (checked === undefined) throw new Error('it was checked');
  expect(draftOf(settleText({ markdown, checked }, new Map(), WORDING))).toEqual(once);
});
