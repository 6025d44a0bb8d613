import type { Answer } from '../contracts/answer/answer';
import type { Brief } from '../contracts/brief/brief';
import type { Report } from '../contracts/report/report';
import { answerDocument } from './kinds/answer-document';
import { briefDocument } from './kinds/brief-document';
import type { DisputedPlace, DocumentClaim, DocumentEvidence, DocumentTree } from './document';
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
  const disputed = tree.conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ places }) => places));
  return { ...tree, claims: tree.claims.map((claim) => withDisputes(claim, disputed)) };
}

function treeOf(result: Report | Answer | Brief, textOf: (sourceId: string) => string | null): DocumentTree {
  if (!('kind' in result)) return answerDocument(result, textOf);
  return result.kind === 'report' ? reportDocument(result, textOf) : briefDocument(result, textOf);
}

function withDisputes(claim: DocumentClaim, disputed: readonly DisputedPlace[]): DocumentClaim {
  const evidence = claim.evidence.map(({ place, ...quoted }): DocumentEvidence => {
    const isDisputed = disputed.some(
      ({ source, start, end }) => source === quoted.source && start < quoted.end && quoted.start < end,
    );
    return {
      ...quoted,
      ...(place === undefined ? {} : { place }),
      ...(isDisputed ? { isDisputed } : {}),
    };
  });
  return { ...claim, evidence };
}
