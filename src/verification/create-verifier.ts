import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { preparePassages } from './prepared-passages';
import { verifyPrepared } from './verify-prepared';
import { whereToLook, type WhereToLook } from './where-to-look';

export interface VerifierSource {
  sourceId: string;
  content: string;
  /** Authors, date and title: a claim may name them. */
  attribution: readonly string[];
}

export interface VerifierOptions {
  sources: readonly VerifierSource[];
  /** Texts in which the claims' abbreviations are introduced, such as the report that they are of. */
  definitions?: readonly string[];
}

export interface Verifier {
  /** The claim against the sources that it cites; ids that are not among the sources count as not there. */
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
  /** What of these sources to show to whoever is asked about the claim, and which others may hold what they lack. */
  look(claim: string, sourceIds: readonly string[]): WhereToLook;
}

/** Reads the sources once; each claim is then held against whole sources, and against those that it does not cite. */
export function createVerifier({ sources, definitions }: VerifierOptions): Verifier {
  const prepared = preparePassages(
    sources.map(({ sourceId, content }) => ({ sourceId, text: content, start: 0 })),
    definitions,
  );
  const places = new Map(sources.map(({ sourceId }, at) => [sourceId, at]));
  const placesOf = (sourceIds: readonly string[]): number[] =>
    [...new Set(sourceIds)].flatMap((id) => places.get(id) ?? []);
  return {
    look: (claim, sourceIds) => whereToLook(claim, prepared, placesOf(sourceIds)),
    verify(claim, sourceIds) {
      const cited = placesOf(sourceIds);
      const attribution = cited.flatMap((at) => sources[at]?.attribution ?? []);
      return verifyPrepared(claim, prepared, { cited, attribution });
    },
  };
}
