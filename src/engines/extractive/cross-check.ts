import { corroboratedConfidence } from '../../core/agreement/corroborated-confidence';
import { evidenceRoot, type SourcesById } from '../../core/agreement/distinct-evidence';
import { indexResults, type ResultSentences } from '../../core/agreement/result-sentences';
import type { Assertion } from '../../core/assertions/assertion';
import { isClash } from '../../core/conflicts/comparison';
import type { Clash } from '../../core/conflicts/clash';
import { clashesAmong, conflictsOf } from '../../core/conflicts/find-conflicts';
import { compareAssertions } from '../../core/conflicts/compare-assertions';
import { quotedAssertions, type QuotedAssertion } from '../../core/conflicts/quoted-assertions';
import type { Evidence, Finding } from '../../core/contracts/finding';
import { needsChecking } from '../../core/needs-checking';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../steps/cross-check';
import { closeClashes } from './close-clashes';
import { evidenceOf, type ResultReader, resultReader } from './read-results';

/** How many sentences of further sources each quote is held against, best match first. */
const SENTENCES_A_QUOTE = 25;

interface CheckedFinding {
  check: FindingCheck;
  clashes: Clash[];
}

/** Holds findings against each other and against the sentences of further sources. Gaps are found for all sections together, later. */
export function crossCheckExtractively(input: CrossCheckInput): CrossCheckOutput {
  const { findings, sources: windows, detectConflicts } = input;
  const sources: SourcesById = new Map(windows.map((window) => [window.sourceId, window]));
  const results = indexResults(windows);
  const quoted = quotedAssertions(findings, sources, results.acronyms);
  const among = detectConflicts ? clashesAmong(quoted) : [];
  const reader = resultReader(results.acronyms);
  const checked = findings.map((finding) => {
    const own = quoted.filter(({ findingId }) => findingId === finding.id);
    const rivals = among.filter(({ a, b }) => a.findingId === finding.id || b.findingId === finding.id);
    return check(finding, own, rivals, { sources, results, reader, input });
  });
  const clashes = [
    ...among,
    ...checked.flatMap((one) => one.clashes),
    ...(detectConflicts ? closeClashes(findings, { sources, results, reader }) : []),
  ];
  return {
    checks: checked.map(({ check: result }) => result),
    conflicts: conflictsOf(clashes, sources),
    gaps: [],
  };
}

interface Surroundings {
  sources: SourcesById;
  results: ResultSentences;
  reader: ResultReader;
  input: CrossCheckInput;
}

function check(
  finding: Finding,
  own: readonly QuotedAssertion[],
  rivals: readonly Clash[],
  { sources, results, reader, input }: Surroundings,
): CheckedFinding {
  const supporting = new Map<string, Evidence>();
  const contradicting = new Map<string, { evidence: Evidence; clash: Clash }>();
  const isChecked = needsChecking(finding, input);
  if (isChecked) {
    const roots = new Set(finding.citations.map((id) => evidenceRoot(id, sources)));
    const except = new Set([...sources.keys()].filter((id) => roots.has(evidenceRoot(id, sources))));
    for (const quote of own) {
      for (const result of results.search(wantedTerms(quote.assertion), except, SENTENCES_A_QUOTE)) {
        const seen = reader.read(result);
        if (seen === null) continue;
        const first = compareAssertions(quote.assertion, seen);
        const assertion = isClash(first) ? (reader.readClosely(result) ?? seen) : seen;
        const comparison = isClash(first) ? compareAssertions(quote.assertion, assertion) : first;
        const { sourceId } = result.source;
        const evidence = evidenceOf(result);
        if (comparison.relation === 'agree' && !supporting.has(sourceId)) supporting.set(sourceId, evidence);
        if (input.detectConflicts && isClash(comparison) && !contradicting.has(sourceId)) {
          const other: QuotedAssertion = {
            evidence,
            assertion,
            root: evidenceRoot(sourceId, sources),
            confidence: 0,
          };
          contradicting.set(sourceId, { evidence, clash: { a: quote, b: other, comparison } });
        }
      }
    }
  }
  // A source that says both speaks of conditions that were not seen, and counts for neither side.
  const torn = [...supporting.keys()].filter((id) => contradicting.has(id));
  const support = [...supporting].filter(([id]) => !torn.includes(id)).map(([, evidence]) => evidence);
  const against = [...contradicting].filter(([id]) => !torn.includes(id)).map(([, found]) => found);
  return {
    check: {
      findingId: finding.id,
      supporting: support,
      contradicting: unlike([...against.map(({ evidence }) => evidence), ...rivalEvidence(finding, rivals)]),
      confidence: confidenceAfter(finding, support, {
        isChecked,
        conflicting: against.length + rivals.length > 0,
        sources,
      }),
    },
    clashes: against.map(({ clash }) => clash),
  };
}

function confidenceAfter(
  finding: Finding,
  support: readonly Evidence[],
  { isChecked, conflicting, sources }: { isChecked: boolean; conflicting: boolean; sources: SourcesById },
): number {
  if (!isChecked && !conflicting) return finding.confidence;
  return corroboratedConfidence(finding, [...finding.evidence, ...support], { sources, conflicting });
}

/** What the other finding of each contradiction quotes. */
function rivalEvidence(finding: Finding, rivals: readonly Clash[]): Evidence[] {
  return rivals.map(({ a, b }) => (a.findingId === finding.id ? b : a).evidence);
}

function unlike(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((item) => [`${item.sourceId}@${item.start}`, item])).values()];
}

/** What a sentence must speak of: one of the outcomes, or nearly all that the quote says. */
function wantedTerms(assertion: Assertion): (readonly string[])[] {
  return [
    ...assertion.effects.flatMap((effect) => effect.outcomes.map((outcome) => outcome.terms)),
    [...new Set(assertion.frame.terms)],
  ];
}
