import { areContrary } from '../language/contraries';
import { unitRatio } from '../language/units';
import type { Difference } from './align-statements';
import type { StatementToken } from './statement-tokens';

/** Something in a claim that stands where what it cites has something else. */
export interface Exchange {
  kind: 'number' | 'name' | 'contrary' | 'negation';
  /** What is wrong, for the writer. */
  reason: string;
  tokens: number;
  /** The claim's token; null where something was left out. */
  claimed: StatementToken | null;
}

/** In a longer stretch nothing stands for anything in particular. */
const LONGEST_STRETCH = 6;
const LONGEST_FOR_NAMES = 3;
/** So many tokens may stand between a denial in the sentence and what the claim takes of it. */
const DENIAL_REACH = 2;

export function findExchanges({ claimed, cited, place }: Difference): Exchange[] {
  const near = nearest(cited, place, claimed.length);
  if (claimed.length > LONGEST_STRETCH || near.length > LONGEST_STRETCH)
    return lostDenial(cited, claimed, place);
  // A name stands for another only where little else is exchanged with it.
  const standsFor = claimed.length <= LONGEST_FOR_NAMES && near.length <= LONGEST_FOR_NAMES;
  return [
    ...claimed.flatMap((token) => exchangeOf(token, near, standsFor) ?? []),
    ...lostDenial(cited, claimed, place),
  ];
}

/** Before the first and behind the last common token only what stands next to it counts. */
function nearest(
  cited: readonly StatementToken[],
  place: Difference['place'],
  size: number,
): StatementToken[] {
  if (place === 'within') return [...cited];
  return place === 'before' ? cited.slice(Math.max(0, cited.length - size)) : cited.slice(0, size);
}

function exchangeOf(
  token: StatementToken,
  cited: readonly StatementToken[],
  standsFor: boolean,
): Exchange | null {
  const told = (kind: Exchange['kind'], reason: string): Exchange => ({
    kind,
    reason,
    tokens: 1,
    claimed: token,
  });
  const instead = (other: StatementToken): string =>
    `It says “${token.text}” where what it cites says “${other.text}”.`;
  if (token.kind === 'negator') {
    return told('negation', `It denies with “${token.text}” what the source that it cites does not deny.`);
  }
  if (token.kind === 'number') {
    const other = cited.find(
      ({ number }) =>
        number !== null && !number.isDate && unitRatio(number.unit, token.number?.unit ?? '') !== null,
    );
    return other === undefined || token.number?.isApproximate === true
      ? null
      : told('number', instead(other));
  }
  // `the same` for `did not differ` is no exchange.
  const denies = cited.some(({ kind }) => kind === 'negator');
  const contrary = denies ? undefined : cited.find((other) => isContrary(token, other));
  if (contrary !== undefined) return told('contrary', instead(contrary));
  const name =
    token.isName && standsFor
      ? cited.find((other) => other.kind === 'word' && other.isName && other.text.length > 1)
      : undefined;
  return name === undefined ? null : told('name', instead(name));
}

function isContrary(one: StatementToken, other: StatementToken): boolean {
  return one.kind === 'word' && other.kind === 'word' && areContrary(one.stem, other.stem);
}

function lostDenial(
  cited: readonly StatementToken[],
  claimed: readonly StatementToken[],
  place: Difference['place'],
): Exchange[] {
  const at = cited.findLastIndex(({ kind }) => kind === 'negator');
  const denial = cited[at];
  if (place === 'behind' || denial === undefined || cited.length - 1 - at > DENIAL_REACH) return [];
  if (claimed.some((token) => token.kind === 'negator' || cited.some((other) => isContrary(token, other))))
    return [];
  return [
    {
      kind: 'negation',
      reason: `It leaves out the “${denial.text}” of what it cites.`,
      tokens: 0,
      claimed: null,
    },
  ];
}
