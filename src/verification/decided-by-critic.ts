import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { Evidence } from '../contracts/report/finding';

export interface WeighedSentence {
  plain: string;
  byWords: ClaimVerdict;
  /** The sources that it cites; absent: nothing is taken from it. */
  sourceIds?: readonly string[];
  /** Whether it has a number that stands nowhere in what it cites, nor in what is known of who says it. */
  hasForeignNumber?: boolean;
}

/** What a critic says of a sentence, with places that were looked up. */
export interface CriticsWord {
  verdict: Exclude<ClaimVerdict['verdict'], 'unchecked'>;
  quotes: readonly Evidence[];
  notBorneBy: readonly string[];
  reason: string;
}

const CONFIRMED = {
  supported: 'A critic confirmed the claim with a quote of what it cites.',
  inference: 'No source says it; it follows from what is cited.',
};
const REFUSED = {
  partial: 'A critic found only a part of it in what it cites.',
  contradicted: 'A critic found that what it cites says otherwise.',
  unsupported: 'A critic found that nothing it cites says this.',
};

/**
 * The verdict on a sentence that words do not find supported: the critic's, where its quotes were found, else that of words. Of a
 * confirmed sentence `notBorneBy` names the sources that do not say it. Pure.
 */
export function decidedByCritic(sentence: WeighedSentence, said: CriticsWord | undefined): ClaimVerdict {
  const { byWords, hasForeignNumber = false } = sentence;
  const { probability } = byWords;
  if (said === undefined) return byWords;
  const { verdict, notBorneBy } = said;
  const quotes = [...said.quotes];
  const [evidence = null] = quotes;
  if (verdict === 'supported' || verdict === 'inference') {
    const isInvented = verdict === 'inference' && isForeign(byWords, hasForeignNumber);
    if (evidence === null || isInvented) return byWords;
    const confirmed = {
      verdict,
      code: 'critic',
      reason: CONFIRMED[verdict],
      evidence,
      quotes,
      probability,
    } as const;
    return lacking(confirmed, sentence, notBorneBy);
  }
  if (evidence === null && verdict !== 'unsupported') return byWords;
  const reason = said.reason === '' ? REFUSED[verdict] : said.reason;
  return { verdict, code: 'critic', reason, evidence: evidence ?? byWords.evidence, quotes, probability };
}

/** What follows from others brings in no number and no name of its own. */
function isForeign({ code }: ClaimVerdict, hasForeignNumber: boolean): boolean {
  return hasForeignNumber || code === 'name-absent';
}

/** A verdict with the sources that do not bear the sentence, as long as one is left that does. */
function lacking(
  verdict: ClaimVerdict,
  { sourceIds = [] }: WeighedSentence,
  refused: readonly string[],
): ClaimVerdict {
  const notBorneBy = sourceIds.filter((id) => refused.includes(id));
  return notBorneBy.length === 0 || notBorneBy.length === sourceIds.length
    ? verdict
    : { ...verdict, notBorneBy };
}
