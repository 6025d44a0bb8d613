import type { RunEventBody } from '../../contracts/run/event';
import { Verdict } from '../../contracts/verification/claim-verdict';
import { count } from '../results/report-excerpt';

type AuditPayload = Extract<RunEventBody, { type: 'audit' }>['payload'];

/** `Audited “2. Bone density”: 12 claims, 10 supported, 2 unsupported; another attempt may mend it.` */
export function auditLine(
  { section, audit, needsRetry, setAside }: AuditPayload,
  titleOf: (section: string) => string,
): string {
  const verdicts = Verdict.options
    .filter((verdict) => audit[verdict] > 0)
    .map((verdict) => `${audit[verdict]} ${verdict}`);
  const parts = [
    [count(audit.claims, 'claim'), ...verdicts].join(', '),
    ...(setAside === 0 ? [] : [`${setAside} set aside`]),
    ...(needsRetry ? ['another attempt may mend it'] : []),
  ];
  return `Audited “${titleOf(section)}”: ${parts.join('; ')}.`;
}
