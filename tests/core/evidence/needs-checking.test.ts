import { needsChecking } from '../../../src/core/evidence/needs-checking';

const SURE = { confidence: 0.85, claim: 'Walking improved sleep.' };
const SURE_WITH_NUMBERS = { confidence: 0.85, claim: 'Walking improved sleep by 12 minutes.' };
const UNSURE = { confidence: 0.79, claim: 'Walking improved sleep.' };

test.each([
  ['findings below 0.8, and those with numbers', { factChecking: true }, [false, true, true]],
  ['findings below 0.8 alone, without fact checking', { factChecking: false }, [false, false, true]],
  ['all, where support is sought', { factChecking: false, checkAll: true }, [true, true, true]],
])('held against further sources are %s', (_which, settings, wanted) => {
  expect([SURE, SURE_WITH_NUMBERS, UNSURE].map((finding) => needsChecking(finding, settings))).toEqual(
    wanted,
  );
});
