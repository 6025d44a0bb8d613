import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { withoutOwnRemarks } from '../../core/report/own-remarks';
import { isReporting } from '../../language/word-weight';
import { keyOf } from '../closeness';
import { findQuotation, isTelling } from '../quotes/find-quotation';
import { comparableText, withoutEndMarks } from '../quotes/comparable-text';
import { quotationsIn } from '../quotes/quotations';
import { statementTokens } from '../statement-tokens';
import type { HeldSource, HeldSources } from './held-sources';

const TOPIC = /^\s*(?:[-*+]\s+)?(?:\*\*|__)([^*_\n]{1,120}[.:])(?:\*\*|__)\s/;

/**
 * A statement against all sources that it cites, together. Where it only frames quotations, each of which stands there word
 * for word, it is supported; what a report of this program remarks on its own claims is no part of them.
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
  const quoted = quotedPlaces(withoutTopic(claim, markdown), held.cited(sourceIds));
  return quoted === null ? held.verify(claim, sourceIds) : supportedBy(quoted);
}

/** Where the quotations of a claim stand; null where it has none, says more than they do, or one of them stands nowhere. */
function quotedPlaces(claim: string, sources: readonly HeldSource[]): Evidence[] | null {
  const attribution = sources.flatMap((source) => source.attribution);
  const names = attribution.map((text) => comparableText(text).text);
  const telling = quotationsIn(claim).filter(({ text }) => isTelling(text));
  // The title of what is cited is no quotation from it.
  const quotations = telling.filter(({ text }) => !names.some((name) => name.includes(titleKey(text))));
  if (quotations.length === 0 || !onlyFrames(without(claim, telling), attribution)) return null;
  const places = quotations.map(({ text }) => {
    for (const source of sources) {
      const place = findQuotation(text, source);
      if (place !== null) return place;
    }
    return null;
  });
  const found = places.filter((place) => place !== null);
  return found.length === places.length ? found : null;
}

function titleKey(quoted: string): string {
  return withoutEndMarks(comparableText(quoted).text);
}

/** `**Bone density.** Doe reports: …`: what a statement begins with in bold is a heading of its own, where it states no number. */
function withoutTopic(claim: string, markdown: string): string {
  const topic = TOPIC.exec(markdown)?.[1] ?? '';
  return topic !== '' && claim.startsWith(topic) && !/\p{N}/u.test(topic) ? claim.slice(topic.length) : claim;
}

/** Whether a text says no more than who says something, and when and where. */
function onlyFrames(text: string, attribution: readonly string[]): boolean {
  const known = new Set(attribution.flatMap((told) => statementTokens(told).map(keyOf)));
  return statementTokens(text).every(
    (token) => token.kind !== 'negator' && (known.has(keyOf(token)) || isReporting(token.stem)),
  );
}

function without(text: string, stretches: readonly { start: number; end: number }[]): string {
  return stretches.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
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
