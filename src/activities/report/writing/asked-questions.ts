import { stands } from '../../../core/settled-text/stands';
import type { WrittenSentence } from '../../../contracts/report/draft';
import type { Finding, Gap } from '../../../contracts/report/finding';
import type { AuditedSentence } from '../../../core/settled-text/settle-text';
import { citationMark } from '../../../core/text/citation-marks';
import { terms } from '../../../language/words';
import { judgeSentence } from '../../../verification/judge-sentence';

/** What a question takes for granted is looked for in the findings that have most of its words; more are of something else. */
const MOST_FINDINGS = 2;

/**
 * Questions as sentences that can be audited beside others: what each takes for granted, with the sources of the findings that it
 * is on. “Which dose cures it?” says that some dose does, and a report says no more by its questions than by its text.
 */
export function questionSentences(
  questions: readonly string[],
  findings: readonly Finding[],
): WrittenSentence[] {
  return questions.map((question) => {
    const on = findingsOn(question, findings);
    const plain = `What this question takes for granted stands in the sources: “${question}”`;
    const sources = [...new Set(on.flatMap(({ citations }) => citations))];
    return {
      text: sources.length === 0 ? plain : `${plain} ${citationMark(sources)}`,
      plain,
      findingIds: on.map(({ id }) => id),
      isClaim: true,
      standing: 'undecided',
    };
  });
}

/** Whether a question may be asked: what it takes for granted was found to stand, or the report tells it as a gap already. */
export function mayBeAsked(
  question: string,
  found: AuditedSentence | undefined,
  gaps: readonly Gap[],
): boolean {
  if (found !== undefined && stands(found.verdict)) return true;
  const told = { passages: gaps.map((gap) => gap.question), attribution: [], numbersFrom: [] };
  return judgeSentence(question, told).verdict === 'close';
}

/** Those that say most of what it asks; what every finding says tells none of them from the others. */
function findingsOn(question: string, findings: readonly Finding[]): Finding[] {
  const asked = [...new Set(terms(question))];
  const said = findings.map(
    ({ claim, evidence }) => new Set(terms([claim, ...evidence.map(({ quote }) => quote)].join(' '))),
  );
  const weights = asked.map((term) => 1 / said.filter((own) => own.has(term)).length);
  return findings
    .map((finding, place) => ({
      finding,
      weight: asked.reduce(
        (sum, term, at) => sum + (said[place]?.has(term) === true ? (weights[at] ?? 0) : 0),
        0,
      ),
    }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_FINDINGS)
    .map(({ finding }) => finding);
}
