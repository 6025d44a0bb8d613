import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { createVerifier } from '../create-verifier';
import { type ComparableText, comparableText } from '../quotes/comparable-text';
import type { GivenSource } from './given-source';

/** A source that is cited, made ready for being quoted and named. */
export interface HeldSource {
  id: string;
  content: string;
  /** What it says of itself, which a claim may name: author, date, title, site. */
  attribution: readonly string[];
  comparable: ComparableText;
}

/** Sources that claims are held against. */
export interface HeldSources {
  cited(sourceIds: readonly string[]): HeldSource[];
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
}

/** Those that are never cited are not made ready for it. */
export function holdSources(sources: readonly GivenSource[]): HeldSources {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const ready = new Map<string, HeldSource>();
  const verifier = createVerifier({
    sources: sources.map((source) => ({
      sourceId: source.id,
      content: source.content,
      attribution: attributionOf(source),
    })),
  });
  return {
    cited: (ids) =>
      ids.flatMap((id) => {
        const source = byId.get(id);
        if (source === undefined) return [];
        const held = ready.get(id) ?? readied(source);
        ready.set(id, held);
        return [held];
      }),
    verify: verifier.verify,
  };
}

function readied(source: GivenSource): HeldSource {
  const { id, content } = source;
  return { id, content, attribution: attributionOf(source), comparable: comparableText(content) };
}

function attributionOf({ author, publishedAt, title, site }: GivenSource): string[] {
  return [author, publishedAt, title, site].filter((told) => told !== undefined);
}
