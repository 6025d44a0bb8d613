import type { AskedQuestion } from './answering';
import { countOf } from './figures';
import { folded, holdsMarked } from './texts';

/** So many sources are as many as a reader would want. */
const MOST_WANTED = 10;

interface Written {
  claims: readonly { citations: readonly number[]; evidence: readonly { quote: string }[] }[];
  citations: readonly { n: number; sourceId: string }[];
}

export interface JudgedReport {
  isAnswerable: boolean;
  /** Whether it is known which sources answer. */
  isKnown: boolean;
  isAnswered: boolean;
  citations: number;
  relevantCitations: number;
  relevantFound: number;
  relevantWanted: number;
  /** Of the known answers how many stand in quotes, where there are any. */
  answers: { found: number; of: number } | null;
  /** Whether a marked sentence is quoted first, where one is marked. */
  isEvidenceFirst: boolean | null;
}

/** What a report is worth as an answer to a question of which the relevant sources are known. */
export function judgeReport(
  { answerable, relevant, answers, evidence }: AskedQuestion,
  { claims, citations }: Written,
): JudgedReport {
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const wanted = new Set(relevant ?? []);
  const cited = claims.flatMap((claim) => claim.citations.map((n) => sourceOf.get(n) ?? ''));
  const relevantCited = cited.filter((id) => wanted.has(id));
  const quotes = claims.map((claim) => claim.evidence.map(({ quote }) => folded(quote)));
  const isQuoted = (answer: string): boolean => quotes.flat().some((quote) => quote.includes(folded(answer)));
  return {
    isAnswerable: answerable,
    isKnown: relevant !== null,
    isAnswered: claims.length > 0,
    citations: cited.length,
    relevantCitations: relevantCited.length,
    relevantFound: new Set(relevantCited).size,
    relevantWanted: Math.min(MOST_WANTED, wanted.size),
    answers: answers === undefined ? null : { found: countOf(answers, isQuoted), of: answers.length },
    isEvidenceFirst: evidence === undefined ? null : holdsMarked(evidence, quotes[0] ?? []),
  };
}
