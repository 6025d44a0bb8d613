import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { preparePassages } from './prepared-passages';
import { verifyPrepared } from './verify-prepared';

/** A source that claims may cite. */
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

/** Verifies many claims on the same sources. */
export interface Verifier {
  /** The claim against the sources that it cites; ids that are not among the sources count as not there. */
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
}

/** Reads the sources once; each claim is then held against whole sources, and against those that it does not cite. */
export function createVerifier({ sources, definitions }: VerifierOptions): Verifier {
  const prepared = preparePassages(
    sources.map(({ sourceId, content }) => ({ sourceId, text: content, start: 0 })),
    definitions,
  );
  const places = new Map(sources.map(({ sourceId }, at) => [sourceId, at]));
  return {
    verify(claim, sourceIds) {
      const cited = [...new Set(sourceIds)].flatMap((id) => places.get(id) ?? []);
      const attribution = cited.flatMap((at) => sources[at]?.attribution ?? []);
      return verifyPrepared(claim, prepared, { cited, attribution });
    },
  };
}
