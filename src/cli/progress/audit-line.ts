import { runTexts } from '../../texts/run';
import type { RunEventBody } from '../../contracts/run/event';
import { Verdict } from '../../contracts/verification/claim-verdict';

type AuditPayload = Extract<RunEventBody, { type: 'audit' }>['payload'];

/** `Audited “2. Bone density”: 12 claims, 10 supported, 2 unsupported; another attempt may mend it.` */
export function auditLine(
  { section, audit, needsRetry, setAside }: AuditPayload,
  titleOf: (section: string) => string,
): string {
  const verdicts = Verdict.options
    .map((verdict) => ({ verdict, amount: audit[verdict] }))
    .filter(({ amount }) => amount > 0);
  return runTexts.audited(titleOf(section), { claims: audit.claims, verdicts, setAside, needsRetry });
}
