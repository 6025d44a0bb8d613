import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { PreparedPassages } from './prepared-passages';
import { type SharedWords, type Window, windowsOf } from './shared-words';

/** So much of a claim's words, the rare ones counting more, another source holds in one place, and so much more than what is cited. */
interface FarBetter {
  share: number;
  margin: number;
}

/** Nearly all of it: then the other source is where it is from. */
const ITS_SOURCE: FarBetter = { share: 0.9, margin: 0.4 };
/** Much of it, while what is cited holds no more than sources do that have nothing to do with it. */
const A_BETTER_ONE: FarBetter = { share: 0.4, margin: 0.35 };
/** So many other sources, and so large a share of them, then hold more of it than what is cited. */
const FEWEST_BEFORE = 5;
const SHARE_BEFORE = 0.06;

/** Whether a source that a claim does not cite bears it far better than those that it cites. */
export function findBetterSource(
  prepared: PreparedPassages,
  shared: SharedWords,
  cited: readonly number[],
  best: Window | undefined,
): Pick<ClaimVerdict, 'verdict' | 'code' | 'reason' | 'betterSourceId'> | null {
  const sources = new Set(cited.map((passage) => prepared.passages[passage]?.sourceId));
  const windows = windowsOf(
    shared,
    prepared,
    (passage) => !sources.has(prepared.passages[passage]?.sourceId),
  );
  const [other] = windows;
  const source = prepared.passages[other?.passage ?? -1];
  if (other === undefined || source === undefined) return null;
  const own = best?.share ?? 0;
  const isFar = ({ share, margin }: FarBetter): boolean =>
    other.share >= share && other.share - own >= margin;
  if (!isFar(ITS_SOURCE) && !(isFar(A_BETTER_ONE) && isOneOfMany(windows, own, prepared))) return null;
  const told = prepared.textOf(other.sentence);
  return {
    verdict: 'unsupported',
    code: 'misattributed',
    reason: `What it cites hardly says so; another source does: “${shortened(told)}”.`,
    betterSourceId: source.sourceId,
  };
}

/** Whether many sources hold more of the claim than that. */
function isOneOfMany(windows: readonly Window[], own: number, { passages }: PreparedPassages): boolean {
  const before = windows.filter(({ share }) => share > own).map(({ passage }) => passages[passage]?.sourceId);
  const all = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return new Set(before).size >= Math.max(FEWEST_BEFORE, SHARE_BEFORE * all);
}

const LONGEST = 160;

/** Without its full stop: the quote ends within a sentence. */
function shortened(text: string): string {
  return text.length <= LONGEST
    ? text.replace(/\.$/, '')
    : `${text.slice(0, LONGEST).replace(/\s+\S*$/, '')} …`;
}
