import { translatedPlace } from '../texts/stored';
import type { Answer } from '../contracts/answer/answer';
import type { Brief } from '../contracts/brief/brief';
import type { Report } from '../contracts/report/report';
import { answerDocument } from './kinds/answer-document';
import { briefDocument } from './kinds/brief-document';
import { directionTold } from '../reading/statements/effect-told';
import type { DocumentClaim, DocumentEvidence, DocumentTree } from './document';
import { reportDocument } from './kinds/report-document';

/**
 * The tree of what a run left. `textOf` gives the text of a source where it is known; quotes are shown with what stands around
 * them there. Pure.
 */
export function documentOf(
  result: Report | Answer | Brief,
  textOf: (sourceId: string) => string | null,
): DocumentTree {
  const tree = treeOf(result, textOf);
  return { ...tree, claims: tree.claims.map((claim) => withToldPlaces(claim, tree.language)) };
}

function treeOf(result: Report | Answer | Brief, textOf: (sourceId: string) => string | null): DocumentTree {
  if (!('kind' in result)) return answerDocument(result, textOf);
  return result.kind === 'report' ? reportDocument(result, textOf) : briefDocument(result, textOf);
}

/** What result each quote tells, and where it stands in the words of the document's language. */
function withToldPlaces(claim: DocumentClaim, language: DocumentTree['language']): DocumentClaim {
  const evidence = claim.evidence.map(({ place, ...quoted }): DocumentEvidence => {
    const tells = directionTold(quoted.quote);
    return {
      ...quoted,
      ...(place === undefined ? {} : { place: translatedPlace(place, language) }),
      ...(tells === null ? {} : { tells }),
    };
  });
  return { ...claim, evidence };
}
