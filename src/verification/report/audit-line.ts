import type { VerifiedReport } from '../../contracts/verification/verified-report';
import { count } from '../../core/writing/count';

/** `58 claims: 50 supported, 1 partial, 2 contradicted, 3 unsupported, 2 unchecked. 17 statements cite nothing.` */
export function auditLine({ claims, uncited, ...counts }: VerifiedReport['audit']): string {
  const { supported, partial, contradicted, unsupported, unchecked } = counts;
  return (
    `${count(claims, 'claim')}: ${supported} supported, ${partial} partial, ${contradicted} contradicted, ` +
    `${unsupported} unsupported, ${unchecked} unchecked. ` +
    `${count(uncited, 'statement')} ${uncited === 1 ? 'cites' : 'cite'} nothing.`
  );
}
