import { share } from '../shares.mjs';

const KINDS = ['number', 'name', 'negation', 'direction'];
const MOVED = ['citationNear', 'citationFar'];

/** The shares by closeness: of the true claims how many are called wrong, of the others how many are named. */
export function tally(judged) {
  return {
    n: judged.filter(({ kind }) => kind === 'true').length,
    close: tallied(judged.filter(({ isClose }) => isClose)),
    free: tallied(judged.filter(({ isClose }) => !isClose)),
  };
}

function tallied(judged) {
  const of = (kinds) => judged.filter(({ kind }) => kinds.includes(kind));
  const named = (kinds) =>
    share(of(kinds).filter(({ isCalledWrong }) => isCalledWrong).length, of(kinds).length);
  const misattributed = (kinds) =>
    share(of(kinds).filter(({ code }) => code === 'misattributed').length, of(kinds).length);
  const withFigures = of(['true']).filter(({ hasFigures }) => hasFigures);
  const counts = {
    ...Object.fromEntries(['true', ...KINDS, ...MOVED].map((kind) => [kind, of([kind]).length])),
    trueWithItsFigures: withFigures.length,
  };
  return {
    trueCalledWrong: named(['true']),
    /** Of those whose every figure the passage holds: what stands only in a table's picture or in the abstract, it does not bear. */
    trueWithItsFiguresCalledWrong: share(
      withFigures.filter(({ isCalledWrong }) => isCalledWrong).length,
      withFigures.length,
    ),
    trueSupported: share(of(['true']).filter(({ verdict }) => verdict === 'supported').length, counts.true),
    ...Object.fromEntries(KINDS.map((kind) => [kind, named([kind])])),
    citation: named(MOVED),
    misattributed: misattributed(MOVED),
    trueMisattributed: misattributed(['true']),
    corruptedSupported: share(
      of([...KINDS, ...MOVED]).filter(({ verdict }) => verdict === 'supported').length,
      of([...KINDS, ...MOVED]).length,
    ),
    counts,
  };
}
