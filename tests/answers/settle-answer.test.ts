import type { AnswerDraft, AnswerSentence } from '../../src/contracts/answer/answer-draft';
import type { ClaimVerdict } from '../../src/contracts/verification/claim-verdict';
import { asideBySources } from '../../src/answers/critique/aside-by-sources';
import { betterAnswer } from '../../src/answers/better-answer';
import { settleAnswer } from '../../src/answers/settle-answer';
import { passage } from './passages';

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
const draftOf = (markdown: string, sentences: AnswerSentence[]): AnswerDraft => ({
  markdown,
  sentences,
  uncited: [],
  missing: null,
  setAside: [],
});
const [tea, milk] = [claim('Tea helps', 'P1'), claim('Milk harms', 'P2')];

it('takes out what is not supported, and lists it', () => {
  const draft = draftOf(`- ${tea.text}\n- ${milk.text}`, [tea, milk]);
  const settled = settleAnswer(
    draft,
    new Map([
      [0, verdict('supported')],
      [1, verdict('partial')],
    ]),
  );
  expect(settled.markdown).toBe(`- ${tea.text}`);
  expect(settled.sentences).toEqual([{ ...tea, verdict: verdict('supported') }]);
  expect(settled.setAside).toMatchObject([
    { text: 'Milk harms.', sourceIds: ['P2'], verdict: 'partial', action: 'left-out' },
  ]);
});

it('leaves no heading over nothing, and no text where nothing stands', () => {
  const draft = draftOf(`### Milk\n\n${milk.text}`, [milk]);
  expect(settleAnswer(draft, new Map([[0, verdict('unsupported')]])).markdown).toBe('');
});

it('finds that text better of which more is supported, then that of which less was set aside', () => {
  const both = draftOf(`${tea.text} ${milk.text}`, [tea, milk]);
  const oneOfTwo = settleAnswer(
    both,
    new Map([
      [0, verdict('supported')],
      [1, verdict('partial')],
    ]),
  );
  const one = settleAnswer(draftOf(tea.text, [tea]), new Map([[0, verdict('supported')]]));
  const two = settleAnswer(
    both,
    new Map([
      [0, verdict('supported')],
      [1, verdict('supported')],
    ]),
  );
  expect(betterAnswer(oneOfTwo, one)).toBe(one);
  expect(betterAnswer(one, oneOfTwo)).toBe(one);
  expect(betterAnswer(one, two)).toBe(two);
  // As good as the one before it, and written with more than that had.
  const again = { ...one };
  expect(betterAnswer(one, again)).toBe(again);
});

it('tells what was set aside by sources, with offsets into them', () => {
  const passages = [passage(2, 'milk', { start: 100 })];
  const aside = {
    ...verdict('partial'),
    text: 'Milk harms.',
    sourceIds: ['P2'],
    action: 'left-out' as const,
  };
  expect(asideBySources(aside, passages)).toEqual({
    ...aside,
    sourceIds: ['milk'],
    evidence: { sourceId: 'milk', quote: 'told', start: 103, end: 107 },
  });
});
