import { built } from '../built.mjs';
import { share } from '../shares.mjs';
import { precisionAmong } from './score-figures.mjs';

/** What the verdicts without a model are worth: how many claims get one, and how often the label agrees. */
export function verdictFigures(records) {
  const { verifyClaim } = built('verification/verify-claim.js');
  const { splitSentences } = built('language/sentences.js');
  const { groupedBy } = built('core/values/grouped-by.js');
  const { absentNumbers, numberedTexts } = built('verification/absent-numbers.js');
  const judged = records.map(({ claim, passages, isBorne }) => {
    const cited = passages.map((text, at) => ({ sourceId: `source-${at}`, text, start: 0 }));
    const { verdict, code } = verifyClaim(claim, { cited, attribution: [] });
    const held = numberedTexts(passages.flatMap((text) => splitSentences(text).map((one) => one.text)));
    return { isBorne, verdict, code, lacksNumber: absentNumbers(claim, held).length > 0 };
  });
  const decided = judged.filter(({ verdict }) => verdict !== 'unchecked').length;
  const notBorneOf = (isChosen) => precisionAmong(judged, isChosen, false);
  const supported = precisionAmong(judged, ({ verdict }) => verdict === 'supported', true);
  const unsupported = notBorneOf(({ verdict }) => verdict === 'unsupported');
  const contradicted = notBorneOf(({ verdict }) => verdict === 'contradicted');
  const either = notBorneOf(({ verdict }) => ['unsupported', 'contradicted'].includes(verdict));
  const lacking = notBorneOf(({ lacksNumber }) => lacksNumber);
  return {
    decidedByWords: share(decided, judged.length),
    supportedAttributable: supported.share,
    unsupportedNotAttributable: unsupported.share,
    contradictedNotAttributable: contradicted.share,
    unsupportedOrContradictedNotAttributable: either.share,
    numberAbsentNotAttributable: lacking.share,
    codes: Object.fromEntries(
      [...groupedBy(judged, ({ code }) => code)].map(([code, part]) => [
        code,
        { n: part.length, attributable: part.filter(({ isBorne }) => isBorne).length },
      ]),
    ),
    counts: {
      decidedByWords: decided,
      supported: supported.n,
      unsupported: unsupported.n,
      contradicted: contradicted.n,
      unsupportedOrContradicted: either.n,
      numberAbsent: lacking.n,
    },
  };
}
