import { decideBeforeCritic, decideNext, type AttemptFacts } from '../../src/answers/decide-next';

const AUDITED = { claims: 3, supported: 3, needsRetry: false, isSufficient: true };
const FACTS: AttemptFacts = {
  attempt: 1,
  maxAttempts: 3,
  isBroadened: false,
  canBroaden: true,
  canRewrite: true,
  isOverCompressed: false,
  audited: AUDITED,
};
const WRONG = { ...AUDITED, supported: 2, needsRetry: true };
const BOTH = { ...WRONG, isSufficient: false };
const LACKING = { ...AUDITED, isSufficient: false };

it.each<[string, Partial<AttemptFacts>, string, RegExp]>([
  ['everything is supported', {}, 'end', /supported/],
  ['a claim is wrong', { audited: WRONG }, 'rewrite', /not supported/],
  ['a claim is wrong and much is missing', { audited: BOTH }, 'rewrite', /not supported/],
  ['a claim is wrong in the last attempt', { audited: WRONG, attempt: 3 }, 'end', /no attempt/],
  [
    'a claim is wrong and the same would be written',
    { audited: WRONG, canRewrite: false },
    'end',
    /same again/,
  ],
  ['something is missing', { audited: LACKING }, 'broaden', /not say enough/],
  ['something is missing after a broader look', { audited: LACKING, isBroadened: true }, 'end', /no more/],
  ['something is missing, and there is no more', { audited: LACKING, canBroaden: false }, 'end', /no more/],
  ['something is missing in the last attempt', { audited: LACKING, attempt: 3 }, 'end', /no attempt/],
  ['no claim stands', { audited: { ...AUDITED, claims: 1, supported: 0 } }, 'broaden', /not say enough/],
  ['nothing was found to write from', { audited: null }, 'broaden', /not say enough/],
])('where %s', (_name, given, decision, reason) => {
  const next = decideNext({ ...FACTS, ...given });
  expect(next).toEqual({ decision, reason: expect.stringMatching(reason) as string });
});

describe('a context that was compressed too much', () => {
  const facts = { ...FACTS, isOverCompressed: true, audited: null };

  it('asks for a broader retrieval before anything is written', () => {
    const reason = 'the evidence was over-compressed';
    expect(decideBeforeCritic(facts)).toEqual({ decision: 'broaden', reason });
  });

  it.each<[string, Partial<AttemptFacts>]>([
    ['it was asked for before', { isBroadened: true }],
    ['no attempt is left for it', { attempt: 3 }],
    ['there is no more to look through', { canBroaden: false }],
    ['it was not compressed too much', { isOverCompressed: false }],
  ])('goes on where %s', (_name, given) => {
    expect(decideBeforeCritic({ ...facts, ...given })).toBeNull();
  });
});
