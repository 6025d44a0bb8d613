import type { Conflict, Evidence, Finding, Viewpoint } from '../../src/contracts/finding';

// Findings and what they rest on, as tests need them: in the sources' own words, with all that a test is not about filled in.

export const GENERAL = { level: 'general', reason: 'a web page' } as const;
export const AUTHORITATIVE = { level: 'authoritative', reason: 'a journal' } as const;

export function quoted(sourceId: string, quote: string, start = 0): Evidence {
  return { sourceId, quote, start, end: start + quote.length };
}

/** The quote where it stands in the text of its source. */
export function quotedFrom(text: string, sourceId: string, quote: string): Evidence {
  const start = text.indexOf(quote);
  if (start < 0) throw new Error(`${sourceId} does not say: ${quote}`);
  return quoted(sourceId, quote, start);
}

export function findingOf(
  id: string,
  claim: string,
  sources: string | readonly string[],
  changes: Partial<Finding> = {},
): Finding {
  const citations = [sources].flat();
  const evidence = citations.map((sourceId) => quoted(sourceId, claim));
  return { id, sectionId: 'section-1', claim, citations, evidence, confidence: 0.7, ...changes };
}

export function viewpointOf({ claim, citations, evidence }: Finding): Viewpoint {
  return { statement: claim, citations, evidence };
}

/** The findings against each other, each a view of its own. */
export function conflictOf(sides: readonly Finding[], changes: Partial<Conflict> = {}): Conflict {
  return {
    id: 'conflict-1',
    topic: 'what they are about',
    kind: 'direction',
    viewpoints: sides.map(viewpointOf),
    resolution: 'present_both',
    reason: 'They differ.',
    findingIds: sides.map(({ id }) => id),
    ...changes,
  };
}
