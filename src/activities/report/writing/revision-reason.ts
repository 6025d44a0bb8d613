import type { Critique } from '../../../contracts/verification/critique';
import { count } from '../../../core/writing/count';
import type { NamedProblem } from '../../../steps/material/named-problem';

/** Why a text is written anew, in a sentence for each reason; empty where nothing asks for it. */
export function revisionReason({
  critique,
  citesOnly = null,
  problems,
}: {
  critique: Critique | null;
  /** How many sources it cites, where it should and could cite more. */
  citesOnly?: number | null;
  problems: readonly NamedProblem[] | null;
}): string {
  return [
    ...(critique === null ? [] : [critiqueReason(critique)]),
    ...(citesOnly === null
      ? []
      : [`It cites ${citesOnly === 1 ? 'one source' : `${citesOnly} sources`} only.`]),
    ...(problems === null ? [] : [`A judge named ${count(problems.length, 'fault')} of it.`]),
  ].join(' ');
}

function critiqueReason({ unsupportedClaims, conflictingEvidence }: Critique): string {
  const wrong = unsupportedClaims.length + conflictingEvidence.length;
  return wrong === 1
    ? 'What it cites does not support one claim.'
    : `What they cite does not support ${wrong} claims.`;
}
