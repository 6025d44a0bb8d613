import { built } from '../built.mjs';
import { meanOf, rounded, share } from '../shares.mjs';

const BINS = 10;

/** F1 of both classes and their mean, of records with `isBorne` and `isSaid`; each class with how many there are. */
export function classFigures(records) {
  const borne = classF1(records, true);
  const notBorne = classF1(records, false);
  return {
    macroF1: meanOf([borne.f1, notBorne.f1].filter((f1) => f1 !== null)),
    classes: { attributable: borne, notAttributable: notBorne },
  };
}

/** Null where there is none of the class, and none is said to be. */
function classF1(records, isBorne) {
  const there = records.filter((record) => record.isBorne === isBorne);
  const said = records.filter((record) => record.isSaid === isBorne);
  const right = there.filter((record) => record.isSaid === isBorne).length;
  const both = there.length + said.length;
  return { f1: both === 0 ? null : rounded((2 * right) / both), n: there.length, said: said.length, right };
}

/** How far, on average, the score of a tenth of its range is from the share in it that is borne. */
export function calibrationError(records) {
  const { groupedBy } = built('core/values/grouped-by.js');
  const bins = groupedBy(records, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)));
  const distances = [...bins.values()].map((bin) => {
    const mean = bin.reduce((sum, { score }) => sum + score, 0);
    const borne = bin.filter(({ isBorne }) => isBorne).length;
    return Math.abs(mean - borne);
  });
  return share(
    distances.reduce((sum, distance) => sum + distance, 0),
    records.length,
  );
}

/** Of the records that are chosen, how many there are and the share that is borne, or that is not. */
export function precisionAmong(records, isChosen, isBorne) {
  const chosen = records.filter(isChosen);
  return {
    n: chosen.length,
    share: share(chosen.filter((record) => record.isBorne === isBorne).length, chosen.length),
  };
}
