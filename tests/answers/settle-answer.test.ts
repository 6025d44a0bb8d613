import { ENGLISH } from '../../src/texts/texts';
import type { AnswerDraft, AnswerSentence } from '../../src/contracts/answer/answer-draft';
import type { ClaimVerdict } from '../../src/contracts/verification/claim-verdict';
import { asideBySources } from '../../src/answers/critique/aside-by-sources';
import { betterAnswer } from '../../src/answers/better-answer';
import { settleAnswer } from '../../src/answers/settle-answer';
import { draft, passage } from './passages';

const verdict = (given: ClaimVerdict['verdict']): ClaimVerdict => ({
  verdict: given,
  code: given === 'supported' ? 'same-words' : 'unlikely',
  reason: 'Because.',
  evidence: { sourceId: 'P2', quote: 'told', start: 3, end: 7 },
  probability: 0.1,
});
const claim = (plain: string, id: string): AnswerSentence => ({
  text: `${plain} [@${id}].`,
  plain: `${plain}.`,
  passageIds: [id],
  isClaim: true,
});
const draftOf = (markdown: string, sentences: AnswerSentence[]): AnswerDraft =>
  draft(sentences, { markdown });
const [tea, milk] = [claim('Tea helps', 'P1'), claim('Milk harms', 'P2')];
/** What is left of a draft whose claims have these verdicts, in their order. */
const settled = (of: AnswerDraft, ...verdicts: ClaimVerdict['verdict'][]): AnswerDraft =>
  settleAnswer(of, new Map(verdicts.map((given, at) => [at, verdict(given)])), ENGLISH);

it('takes out what is not supported, and lists it', () => {
  const left = settled(draftOf(`- ${tea.text}\n- ${milk.text}`, [tea, milk]), 'supported', 'partial');
  expect(left.markdown).toBe(`- ${tea.text}`);
  expect(left.sentences).toEqual([{ ...tea, verdict: verdict('supported') }]);
  expect(left.setAside).toMatchObject([
    { text: 'Milk harms.', sourceIds: ['P2'], verdict: 'partial', action: 'left-out' },
  ]);
});

it('leaves no heading over nothing, and no text where nothing stands', () => {
  expect(settled(draftOf(`### Milk\n\n${milk.text}`, [milk]), 'unsupported').markdown).toBe('');
});

it('finds that text better of which more is supported, then that of which less was set aside', () => {
  const both = draftOf(`${tea.text} ${milk.text}`, [tea, milk]);
  const oneOfTwo = settled(both, 'supported', 'partial');
  const one = settled(draftOf(tea.text, [tea]), 'supported');
  const two = settled(both, 'supported', 'supported');
  expect(betterAnswer(oneOfTwo, one)).toBe(one);
  expect(betterAnswer(one, oneOfTwo)).toBe(one);
  expect(betterAnswer(one, two)).toBe(two);
  // As good as the one before it, and written with more than that had.
  const again = { ...one };
  expect(betterAnswer(one, again)).toBe(again);
});

it('tells what was set aside by sources, with offsets into them', () => {
  const passages = [passage(2, 'milk', { start: 100 })];
  const milkHarms = { text: 'Milk harms.', sourceIds: ['P2'], action: 'left-out' as const };
  const aside = { ...verdict('partial'), ...milkHarms };
  expect(asideBySources(aside, passages)).toEqual({
    ...aside,
    sourceIds: ['milk'],
    evidence: { sourceId: 'milk', quote: 'told', start: 103, end: 107 },
  });
});
