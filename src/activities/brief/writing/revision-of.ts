import type { z } from 'zod';
import { SectionDraft } from '../../../contracts/report/draft';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Critique } from '../../../contracts/verification/critique';
import type { PartRevision } from '../../../steps/write-brief-part/contract';
import { readIfAny, readShared } from '../../shared/artifacts';
import { readProblems } from '../../shared/judge/read-problems';
import type { ActivityPorts } from '../../shared/ports';

/** The text of a part that is written anew, and where it says what is to be mended. */
export interface RevisedPart {
  draftRef: ArtifactRef;
  critiqueRef: ArtifactRef | null;
  judgementRef: ArtifactRef | null;
  /** Of which version the new text is, from 2. */
  version: number;
}

/** What an audit and a judge said of a part; of a judge only what it said of that part. */
export async function revisionOf(
  { content }: Pick<ActivityPorts, 'content'>,
  partId: string,
  { draftRef, critiqueRef, judgementRef }: RevisedPart,
): Promise<z.infer<typeof PartRevision>> {
  const { markdown, checked } = await readShared(content, draftRef, SectionDraft);
  const critique = await readIfAny(content, critiqueRef, Critique);
  const areClaimsNamed = critique !== null && wrongClaims(critique) > 0;
  const problems = await readProblems(content, judgementRef ?? undefined, partId, { areClaimsNamed });
  return { markdown, setAside: checked?.setAside ?? [], critique, problems: problems ?? [] };
}

/** Why a part is written anew, for the log. */
export function reasonOf({ critique, problems }: z.infer<typeof PartRevision>): string {
  const wrong = critique === null ? 0 : wrongClaims(critique);
  const refused =
    wrong === 0 ? [] : [`What it cites does not support ${wrong === 1 ? 'one claim' : `${wrong} claims`}.`];
  const named = [...new Set(problems.map(({ reason }) => reason))];
  return [...refused, ...named].join(' ') || 'It is to be mended.';
}

function wrongClaims({ unsupportedClaims, conflictingEvidence }: Critique): number {
  return unsupportedClaims.length + conflictingEvidence.length;
}
