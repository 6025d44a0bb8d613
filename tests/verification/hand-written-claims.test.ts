import { verifyClaim } from '../../src/verification/verify-claim';
import data from './data/hand-written-claims.json';

/** Of forty; measured, not aimed at by rules for single ones. */
const MOST_CALLED_WRONG = 2;

function verdictOf(claim: string, passage: string): string {
  const cited = [{ sourceId: 'source', text: passage, start: 0 }];
  return verifyClaim(claim, { cited, attribution: [] }).verdict;
}

const claims = data.topics.flatMap(({ passage, inventions, paraphrases }) => [
  ...inventions.map((claim) => ({ claim, passage, isTrue: false })),
  ...paraphrases.map((claim) => ({ claim, passage, isTrue: true })),
]);

test.each(claims.filter(({ isTrue }) => !isTrue))('never supported: $claim', ({ claim, passage }) => {
  expect(verdictOf(claim, passage)).not.toBe('supported');
});

test('hardly any honest paraphrase is called wrong', () => {
  const wrong = claims
    .filter(({ isTrue }) => isTrue)
    .filter(({ claim, passage }) => !['supported', 'unchecked'].includes(verdictOf(claim, passage)))
    .map(({ claim }) => claim);
  expect(wrong.length).toBeLessThanOrEqual(MOST_CALLED_WRONG);
});
