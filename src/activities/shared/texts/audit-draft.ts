import type { DraftClaim, SectionDraft } from '../../../contracts/report/draft';
import type { SynthesisSettings } from '../../../contracts/report/synthesis-settings';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { NO_USAGE } from '../../../core/budget/usage';
import { quotedVerdict } from '../../../core/settled-text/quoted-verdict';
import { stands } from '../../../core/settled-text/stands';
import { draftOf, settleText, type Wording } from '../../../core/settled-text/settle-text';
import { replaceMarks } from '../../../core/text/citation-marks';
import type { ActivityPorts, RunFacts } from '../ports';
import type { Spent } from '../run-step';
import { auditText } from './audit-text';
import { evidenceFor, readMaterial, type TextMaterial } from './text-material';

/** A text in which only what is supported, or follows, stands. */
export interface AuditedDraft extends Spent {
  settled: SectionDraft;
  verdicts: ClaimVerdict[];
  logicalGaps: string[];
  /** Sentences that only connect, and go beyond what stands around them. */
  uncited: string[];
}

type AuditedClaim = DraftClaim & { verdict: ClaimVerdict };

export async function auditDraft(
  ports: ActivityPorts,
  run: RunFacts,
  draft: SectionDraft,
  given: {
    material: Parameters<typeof auditText>[3];
    wording: Wording;
    unsupportedClaims: SynthesisSettings['unsupportedClaims'];
    at: Parameters<typeof auditText>[4];
  },
): Promise<AuditedDraft> {
  const { material, wording, unsupportedClaims, at } = given;
  const { markdown, checked } = draft;
  if (checked === undefined) {
    const claims = quotedClaims(draft.claims, material);
    const verdicts = claims.map(({ verdict }) => verdict);
    const settled = { ...draft, claims };
    return { settled, verdicts, logicalGaps: [], uncited: [], usage: NO_USAGE, warnings: [] };
  }
  const text = { markdown, checked };
  const { audited, ...rest } = await auditText(ports, run, text, material, at);
  const settled = draftOf(settleText(text, audited, wording, unsupportedClaims));
  const found = checked.sentences.map((sentence, at) => ({ sentence, verdict: audited.get(at)?.verdict }));
  return {
    ...rest,
    settled,
    verdicts: found.flatMap(({ sentence, verdict }) => (sentence.isClaim && verdict ? [verdict] : [])),
    uncited: found.flatMap(({ sentence, verdict }) =>
      sentence.isClaim || verdict === undefined || stands(verdict) ? [] : [sentence.plain],
    ),
  };
}

export function quotedClaims(claims: readonly DraftClaim[], material: TextMaterial): AuditedClaim[] {
  const byWords = readMaterial(material);
  return claims.map((claim) => {
    const evidence = evidenceFor({ ...claim, isClaim: true }, material);
    const plain = replaceMarks(claim.text, () => '');
    const verdict = quotedVerdict(claim.text, evidence) ?? byWords(plain, evidence);
    return { ...claim, verdict };
  });
}
