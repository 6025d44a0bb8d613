import { confidenceWord } from '../../core/evidence/confidence';
import { conflictReason } from '../../core/evidence/conflict-reason';
import type { Conflict, Finding } from '../../contracts/report/finding';
import type { ShortIds } from './short-ids';
import { promptLine } from './material-block';

/**
 * Findings with their quotes, as a writer gets them: `F1 (High confidence; as reported by Doe; about small airports): …`. What is
 * claimed in the words that are quoted is said once.
 */
export function findingsText(findings: readonly Finding[], sources: ShortIds, ids: ShortIds): string {
  return findings
    .map(({ id, confidence, claim, evidence, attributedTo, about }) => {
      const said = promptLine(claim);
      const quotes = evidence.map(
        ({ sourceId, quote }) => `${sources.shortOf(sourceId)}: “${promptLine(quote)}”`,
      );
      const isQuote = said === promptLine(evidence[0]?.quote ?? '');
      const [first, ...others] = isQuote ? quotes : [said, ...quotes];
      const facts = [
        `${confidenceWord(confidence)} confidence`,
        ...(attributedTo === undefined ? [] : [`as reported by ${promptLine(attributedTo)}`]),
        ...(about === undefined ? [] : [`about ${promptLine(about)}`]),
      ].join('; ');
      const opening = `${ids.shortOf(id)} (${facts}): ${first ?? said}`;
      return [opening, ...others.map((quote) => `  ${quote}`)].join('\n');
    })
    .join('\n');
}

export function conflictsText(conflicts: readonly Conflict[], sources: ShortIds): string {
  if (conflicts.length === 0) return 'none';
  return conflicts
    .map((conflict) => {
      const views = conflict.viewpoints.map((viewpoint, index) => {
        const quotes = viewpoint.evidence.map(
          (evidence) => `${sources.shortOf(evidence.sourceId)}: “${promptLine(evidence.quote)}”`,
        );
        return `  view ${index + 1}: ${quotes.join('; ')}`;
      });
      return [`- ${promptLine(conflict.topic)} (${promptLine(conflictReason(conflict))})`, ...views].join(
        '\n',
      );
    })
    .join('\n');
}
