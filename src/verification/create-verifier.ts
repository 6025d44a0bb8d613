import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { splitPassages } from '../language/passages';
import type { Passage } from './claim-material';
import { verifyClaim } from './verify-claim';

/** A source that claims may cite. */
export interface VerifierSource {
  sourceId: string;
  content: string;
  /** Authors, date and title: a claim may name them. */
  attribution: readonly string[];
}

/** Verifies many claims on the same sources. */
export interface Verifier {
  /** The claim against the sources that it cites; ids that are not among the sources count as not there. */
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
}

/** Reads the sources once; each claim is then held against whole sources, and against those that it does not cite. */
export function createVerifier({ sources }: { sources: readonly VerifierSource[] }): Verifier {
  const held = new Map(
    sources.map((source) => [source.sourceId, { ...source, passages: passagesOf(source) }]),
  );
  return {
    verify(claim, sourceIds) {
      const cited = sourceIds.flatMap((id) => held.get(id) ?? []);
      return verifyClaim(claim, {
        cited: cited.flatMap(({ passages }) => passages),
        attribution: cited.flatMap(({ attribution }) => attribution),
      });
    },
  };
}

function passagesOf({ sourceId, content }: VerifierSource): Passage[] {
  return splitPassages(content).map(({ text, start }) => ({ sourceId, text, start }));
}
