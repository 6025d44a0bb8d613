import type { ClaimEvidence } from '../../contracts/verification/claim-evidence';
import type { TextsShown } from '../../contracts/source/texts-shown';
import type { DocumentEvidence, DocumentTree } from '../../document/document';
import { describeRun, type StartRecords } from '../described-run';
import { UnknownClaimError } from '../run-errors';
import { refuseUnlessShown, type RunDocument, runDocument, withoutDocument } from './run-document';

type Passage = ClaimEvidence['passages'][number];

export async function claimEvidence(
  records: StartRecords & { texts?: TextsShown },
  runId: string,
  claimId: string,
  { texts: shown = records.texts ?? 'open' }: { texts?: TextsShown } = {},
): Promise<ClaimEvidence> {
  refuseUnlessShown(shown);
  const run = await describeRun(records, runId);
  const left = await runDocument(records, run, shown);
  if (left === null) throw withoutDocument(run);
  const found = standing(left.tree, claimId) ?? setAside(left, claimId);
  if (found === null) {
    const { claims, setAside: aside } = left.tree;
    throw new UnknownClaimError(
      runId,
      claimId,
      [...claims, ...aside].map(({ id }) => id),
    );
  }
  return { runId, kind: run.kind, ...found };
}

type Found = Pick<ClaimEvidence, 'claim' | 'passages'>;

function standing(tree: DocumentTree, claimId: string): Found | null {
  const claim = tree.claims.find(({ id }) => id === claimId);
  if (claim === undefined) return null;
  const { id, text, verdict, reason, confidence, sources, partId } = claim;
  const part = partOf(tree, partId);
  return {
    claim: { id, text, part, stands: true, verdict, reason, confidence, citations: sources },
    passages: claim.evidence.flatMap((evidence) => {
      const source = tree.sources.find(({ n }) => n === evidence.source);
      return source === undefined ? [] : [passageOf(source, evidence)];
    }),
  };
}

/** The tree has them in the order of the result, which knows their verdicts. */
function setAside({ tree, result }: RunDocument, claimId: string): Found | null {
  const at = tree.setAside.findIndex(({ id }) => id === claimId);
  const [told, kept] = [tree.setAside[at], result.setAside[at]];
  if (told === undefined || kept === undefined) return null;
  const { id, text, reason, partId, sources: citations } = told;
  const { verdict, evidence } = kept;
  const part = partOf(tree, partId);
  const claim = { id, text, part, stands: false, verdict, reason, confidence: null, citations };
  if (evidence === null) return { claim, passages: [] };
  const { sourceId, quote, start, end } = evidence;
  const listed = tree.sources.find((source) => source.sourceId === sourceId);
  const source = listed ?? { n: null, sourceId, title: '', author: null, publishedAt: null, url: null };
  const { page = null, place } = evidence;
  const named = place === undefined ? {} : { place };
  return {
    claim,
    passages: [passageOf(source, { quote, start, end, page, ...named, before: '', after: '' })],
  };
}

function partOf({ parts }: DocumentTree, partId: string | null): ClaimEvidence['claim']['part'] {
  const part = parts.find(({ id }) => id === partId);
  return part === undefined ? null : { id: part.id, title: part.title };
}

function passageOf(
  { n, sourceId, title, author, publishedAt, url }: Passage['source'],
  evidence: Omit<DocumentEvidence, 'source'>,
): Passage {
  const { before, quote, after, start, end, page, place = null, withheld } = evidence;
  return {
    source: { n, sourceId, title, author, publishedAt, url },
    text: `${before}${quote}${after}`,
    quote: { start: before.length, end: before.length + quote.length },
    at: { start, end },
    page,
    place,
    disputed: evidence.isDisputed === true,
    ofSummary: evidence.ofSummary === true,
    withheld: withheld?.by ?? null,
  };
}
