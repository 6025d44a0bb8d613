import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { PreparedPassages } from './prepared-passages';
import { type SharedWords, type Window, windowsOf } from './shared-words';

/** So much of a claim's words, the rare ones counting more, another source must hold in one place. */
const WELL = 0.75;
/** By so much more than what is cited. */
const FAR_BETTER = 0.35;

/** Whether a source that a claim does not cite bears it far better than those that it cites. */
export function findBetterSource(
  prepared: PreparedPassages,
  shared: SharedWords,
  cited: readonly number[],
  best: Window | undefined,
): Pick<ClaimVerdict, 'verdict' | 'code' | 'reason' | 'betterSourceId'> | null {
  const sources = new Set(cited.map((passage) => prepared.passages[passage]?.sourceId));
  const [other] = windowsOf(
    shared,
    prepared,
    (passage) => !sources.has(prepared.passages[passage]?.sourceId),
  );
  const source = prepared.passages[other?.passage ?? -1];
  if (other === undefined || source === undefined) return null;
  if (other.share < WELL || other.share - (best?.share ?? 0) < FAR_BETTER) return null;
  const told = prepared.textOf(other.sentence);
  return {
    verdict: 'unsupported',
    code: 'misattributed',
    reason: `What it cites hardly says so; another source does: “${shortened(told)}”.`,
    betterSourceId: source.sourceId,
  };
}

const LONGEST = 160;

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\s+\S*$/, '')} …`;
}
