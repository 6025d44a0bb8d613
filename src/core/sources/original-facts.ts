import type { OriginalFacts } from '../../contracts/source/source';

export function originalFacts({ license, language, mediaType, sha256 }: OriginalFacts): OriginalFacts {
  return Object.fromEntries(
    Object.entries({ license, language, mediaType, sha256 }).filter(([, fact]) => fact !== undefined),
  );
}
