import { distinctBy } from '../../core/values/distinct-by';
import type { Conflict, Finding } from '../../contracts/report/finding';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { indexStatements } from '../statements/statement-index';
import { statementMatter } from '../statements/statement';
import type { WeightOf } from '../statements/compare-statements';
import { answerConflicts } from './answer-conflicts';
import { besideKey, furtherEvidence, opposedQuotes, type ClaimBesideQuote } from './bearing';
import { clashesAmong, besideEachOther } from './find-conflicts';
import { groupAgreeing } from './group-agreeing';
import { quoteOnce } from './quote-once';
import type { ToldOfFinding } from './bearing';

export interface NamingInput {
  question: string;
  detectConflicts: boolean;
  findings: readonly Finding[];
  checks: readonly ToldOfFinding[];
  conflicts: readonly Conflict[];
  /** The findings with all that supports them, and those that they stand beside: words look for conflicts among them. */
  together: readonly Finding[];
  sources: SourcesById;
}

/**
 * All that is named as agreeing or contradicting, each claim with its quote once: quotes of further sources that a finding came
 * with, that a check gave, that stand on the sides of a conflict, and those that words find to contradict each other.
 */
export function namedAgreement(input: NamingInput): ClaimBesideQuote[] {
  const { question, detectConflicts, findings, checks, conflicts, together, sources } = input;
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const distinct = quoteOnce(groupAgreeing(together, sources)).findings;
  const found = detectConflicts ? answerConflicts(question, distinct) : [];
  const named = [
    ...findings.flatMap((finding) => furtherEvidence(finding).map((evidence) => beside(finding, evidence))),
    ...checks.flatMap(({ findingId, supporting, contradicting = [] }) => {
      const finding = byId.get(findingId);
      // What stands in a conflict is asked of the conflict.
      const quotes = [...supporting, ...(disputed.has(findingId) ? [] : contradicting)];
      return finding === undefined ? [] : quotes.map((evidence) => beside(finding, evidence));
    }),
    ...[...conflicts, ...found].flatMap((conflict) => opposedQuotes(conflict, findings).flat()),
    ...(detectConflicts ? clashesAmong(distinct, sources, question).clashes.map(besideEachOther) : []),
  ];
  return distinctBy(named, besideKey);
}

function beside({ claim, evidence: own }: Finding, evidence: ClaimBesideQuote['evidence']): ClaimBesideQuote {
  return { claim, claimedBy: own[0]?.sourceId ?? '', evidence };
}

export function rarityAmong(findings: readonly Finding[], named: readonly ClaimBesideQuote[]): WeightOf {
  const texts = new Set([
    ...findings.flatMap(({ claim, evidence }) => [claim, ...evidence.map(({ quote }) => quote)]),
    ...named.map(({ evidence }) => evidence.quote),
  ]);
  return indexStatements([...texts].map(statementMatter)).weightOf;
}
