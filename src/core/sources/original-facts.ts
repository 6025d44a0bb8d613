import type { OriginalFacts } from '../../contracts/source/source';

/** What a source says of the document that it was read from, and nothing else of it. */
export function originalFacts({ license, language, mediaType, sha256 }: OriginalFacts): OriginalFacts {
  return Object.fromEntries(
    Object.entries({ license, language, mediaType, sha256 }).filter(([, fact]) => fact !== undefined),
  );
}
