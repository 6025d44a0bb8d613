import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { withoutOwnRemarks } from '../../core/report/own-remarks';
import { framedQuotations } from '../quotes/framed-quotations';
import type { HeldSources } from './held-sources';

const TOPIC = /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_\n]{1,120}[.:])(?:\*\*|__)\s/;

/**
 * A statement against all sources that it cites, together. Where it only frames quotations, each of which stands there word
 * for word, it is supported. What a report of this program remarks on its own claims is no part of them.
 */
export function verifyStatement(
  { plain, markdown }: { plain: string; markdown: string },
  sourceIds: readonly string[],
  held: HeldSources,
): ClaimVerdict {
  if (sourceIds.length === 0) {
    return {
      verdict: 'unchecked',
      code: 'no-passage',
      reason: 'What it cites is not among the given sources.',
      evidence: null,
      probability: null,
    };
  }
  const claim = withoutOwnRemarks(plain);
  const quoted = framedQuotations(withoutTopic(claim, markdown), held.cited(sourceIds));
  return quoted === null ? held.verify(claim, sourceIds) : supportedBy(quoted);
}

/** `**Bone density.** Doe reports: …`: what a statement begins with in bold is a heading of its own, where it states no number. */
function withoutTopic(claim: string, markdown: string): string {
  const topic = TOPIC.exec(markdown)?.[1] ?? '';
  return topic !== '' && claim.startsWith(topic) && !/\p{N}/u.test(topic) ? claim.slice(topic.length) : claim;
}

function supportedBy(places: readonly Evidence[]): ClaimVerdict {
  return {
    verdict: 'supported',
    code: 'same-words',
    reason:
      places.length === 1 ? 'It quotes its source word for word.' : 'It quotes its sources word for word.',
    evidence: places[0] ?? null,
    probability: 1,
  };
}
