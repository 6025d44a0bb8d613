import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { createVerifier, type Verifier, type VerifierSource } from '../create-verifier';
import { comparableText } from '../quotes/comparable-text';
import type { QuotableSource } from '../quotes/framed-quotations';
import type { WhereToLook } from '../where-to-look';
import type { GivenSource } from './given-source';

export interface HeldSources {
  cited(sourceIds: readonly string[]): QuotableSource[];
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
  look(claim: string, sourceIds: readonly string[]): WhereToLook;
}

/**
 * Each is made ready when it is first needed; for claims that only frame quotations nothing but what they cite is read.
 * `definitions` are texts in which the claims' abbreviations are introduced, such as the report.
 */
export function holdSources(sources: readonly GivenSource[], definitions: readonly string[]): HeldSources {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const ready = new Map<string, QuotableSource>();
  let verifier: Verifier | undefined;
  const ofAll = (): Verifier => {
    verifier ??= createVerifier({ sources: sources.map(verifierSource), definitions });
    return verifier;
  };
  return {
    cited: (ids) =>
      ids.flatMap((id) => {
        const source = byId.get(id);
        if (source === undefined) return [];
        const held = ready.get(id) ?? readied(source);
        ready.set(id, held);
        return [held];
      }),
    verify: (claim, ids) => ofAll().verify(claim, ids),
    look: (claim, ids) => ofAll().look(claim, ids),
  };
}

function verifierSource(source: GivenSource): VerifierSource {
  return { sourceId: source.id, content: source.content, attribution: attributionOf(source) };
}

function readied(source: GivenSource): QuotableSource {
  const { id, content } = source;
  return { id, content, attribution: attributionOf(source), comparable: comparableText(content) };
}

function attributionOf({ author, publishedAt, title, site }: GivenSource): string[] {
  return [author, publishedAt, title, site].filter((told) => told !== undefined);
}
