import { Verdict } from '../../contracts/verification/claim-verdict';
import type { VerifiedReport } from '../../contracts/verification/verified-report';
import { count } from '../../core/writing/count';

/**
 * `71 claims: 8 supported, 3 partial, 4 unsupported; 56 of 71 cannot be told by words. 17 statements cite nothing.` What stays open
 * behind a critic is told as that.
 */
export function auditLine({ audit, critic }: Pick<VerifiedReport, 'audit' | 'critic'>): string {
  const { claims, open, uncited } = audit;
  const told = Verdict.options.filter(
    (verdict) => verdict === 'supported' || (verdict !== 'unchecked' && audit[verdict] > 0),
  );
  const counts = told.map((verdict) => `${audit[verdict]} ${verdict}`).join(', ');
  const stays = critic === null ? 'cannot be told by words' : open === 1 ? 'stays open' : 'stay open';
  const missing = audit.unchecked - open;
  const rest = [
    ...(open === 0 ? [] : [`${open} of ${claims} ${stays}`]),
    ...(missing === 0 ? [] : [`${missing} ${missing === 1 ? 'cites' : 'cite'} what was not given`]),
  ];
  return (
    `${count(claims, 'claim')}: ${counts}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}. ` +
    `${count(uncited, 'statement')} ${uncited === 1 ? 'cites' : 'cite'} nothing.`
  );
}
