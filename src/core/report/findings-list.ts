import type { SectionDraft } from '../../contracts/report/draft';
import type { Finding } from '../../contracts/report/finding';
import type { Attributable } from '../writing/attribution';
import { claimSentence } from '../writing/claim-sentence';

/** A section that was not written, as the list of what was found for it. */
export function findingsAsList(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
  { endedEarly }: { endedEarly: boolean },
): SectionDraft {
  if (findings.length === 0) {
    const when = endedEarly ? ' before the run ended' : '';
    return { markdown: `Nothing was found for this section${when}.`, claims: [] };
  }
  const claims = findings.map((finding) => ({
    text: claimSentence(finding, sources, { turn: 0, introduced: false, contrast: false }),
    findingIds: [finding.id],
  }));
  return { markdown: claims.map((claim) => `- ${claim.text}`).join('\n'), claims };
}
