import { answerTexts } from '../../texts/answer';
import type { AnswerHandle } from '../../client/answer/answer-request';
import { RunWithoutAnswerError } from '../../client/run-errors';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { belowAnswer } from './answer-lines';
import { claimsText } from './claims-text';
import { printAnswer } from './print-answer';
import type { Answer } from '../../contracts/answer/answer';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { countVerdicts } from '../../core/settled-text/count-verdicts';
import { listedClaim, type ClaimsListing, type ListedClaim } from './claims-listing';
import { WORST_FIRST } from './worst-first';

export async function showAnswer(
  { terminal }: CommandContext,
  request: AnswerHandle,
  { json, claims, shown = '' }: { json: boolean; claims: boolean; shown?: string },
): Promise<ExitCode> {
  const answer = await request.reply();
  if (answer === null) {
    const { status } = await request.progress({ fromRecords: true });
    throw new RunWithoutAnswerError(request.runId, status, undefined);
  }
  if (claims) {
    const listing = listAnswerClaims(answer);
    if (json) terminal.printJson(listing);
    else
      claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(
        terminal.print,
      );
  } else if (json) terminal.printJson(answer);
  else printAnswer(terminal, answer, { shown, below: belowAnswer(answer) });
  return ExitCode.ok;
}

/** All claims of an answer, the worst first, those that do not stand behind those of the same verdict that do. */
function listAnswerClaims({ requestId, claims, setAside, citations }: Answer): ClaimsListing {
  const section = { id: ANSWER_TEXT, title: answerTexts.title };
  const numberOf = new Map(citations.map(({ n, sourceId }) => [sourceId, n]));
  const sourceOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const better = (sourceId: string | undefined): Pick<ListedClaim, 'better'> =>
    sourceId === undefined ? {} : { better: { n: numberOf.get(sourceId) ?? null, sourceId } };
  const standing = claims.map((claim) =>
    listedClaim(claim, {
      section,
      evidence: claim.evidence.map((place) => ({
        ...place,
        sourceId: sourceOf.get(place.n) ?? place.sourceId,
      })),
      ...better(claim.betterSourceId),
      setAside: null,
    }),
  );
  const aside = setAside.map((claim, at) => {
    const { evidence } = claim;
    return listedClaim(
      { ...claim, id: `A${at + 1}`, citations: [] },
      {
        section,
        evidence: evidence === null ? [] : [{ n: numberOf.get(evidence.sourceId) ?? null, ...evidence }],
        ...better(claim.betterSourceId),
        setAside: claim.action,
      },
    );
  });
  const all = [...standing, ...aside];
  return {
    kind: 'claims',
    id: requestId,
    audit: countVerdicts(all),
    claims: WORST_FIRST.flatMap((verdict) => all.filter((claim) => claim.verdict === verdict)),
  };
}
