import type { ClaimVerdict, Evidence } from '../contracts/finding';
import {
  type PreparedPassages,
  preparePassages,
  type SharedWords,
  sharedWords,
  type Stretch,
  type Window,
  windowsOf,
} from './claim-passages';
import { verifyPrepared } from './verify-claim';

export interface VerifierSource {
  sourceId: string;
  content: string;
  /** Authors, date and title, which a claim may name. */
  attribution: readonly string[];
}

export interface VerifierOptions {
  sources: readonly VerifierSource[];
  /** Texts that introduce abbreviations of the claims, such as their report. */
  definitions?: readonly string[];
}

export interface Verifier {
  /** Unknown source ids count as missing sources. */
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
  /** Stretches of the cited sources to show to a critic, and other sources that may support the claim. */
  look(claim: string, sourceIds: readonly string[]): RelevantPassages;
}

export function createVerifier({ sources, definitions }: VerifierOptions): Verifier {
  const prepared = preparePassages(
    sources.map(({ sourceId, content }) => ({ sourceId, text: content, start: 0 })),
    definitions,
  );
  const places = new Map(sources.map(({ sourceId }, at) => [sourceId, at]));
  const placesOf = (sourceIds: readonly string[]): number[] =>
    [...new Set(sourceIds)].flatMap((id) => places.get(id) ?? []);
  return {
    look: (claim, sourceIds) => findRelevantPassages(claim, prepared, placesOf(sourceIds)),
    verify(claim, sourceIds) {
      const cited = placesOf(sourceIds);
      const attribution = cited.flatMap((at) => sources[at]?.attribution ?? []);
      return verifyPrepared(claim, prepared, { cited, attribution });
    },
  };
}

export interface RelevantPassages {
  /** For each cited source, the stretches with most of the claim's words, in the order of the citations. */
  cited: Evidence[];
  /** Uncited sources: first those with words that the cited stretches lack, then those with the greatest share. */
  elsewhere: string[];
}

const MAX_STRETCHES = 6;
const MAX_STRETCHES_PER_SOURCE = 3;
const MIN_ADDED_SHARE = 0.05;
const MAX_OTHER_SOURCES = 3;
const MIN_MISSING_SHARE = 0.08;
const MIN_SHARED_SHARE = 0.25;

function findRelevantPassages(
  claim: string,
  prepared: PreparedPassages,
  cited: readonly number[],
): RelevantPassages {
  const shared = sharedWords(claim, prepared);
  const most = Math.min(MAX_STRETCHES_PER_SOURCE, Math.max(1, Math.floor(MAX_STRETCHES / cited.length)));
  const chosen = cited.flatMap((passage) => bestStretches(passage, most, shared, prepared));
  const held = chosen.reduce((all, stretch) => all | maskOf(stretch, shared), 0);
  return {
    cited: chosen.flatMap((stretch) => evidenceOf(stretch, prepared) ?? []),
    elsewhere: otherSourcesWith(~held, shared, prepared, cited),
  };
}

/** Greedy choice by added share, in the order of the text. */
function bestStretches(
  passage: number,
  most: number,
  shared: SharedWords,
  prepared: PreparedPassages,
): Stretch[] {
  const stretches = prepared
    .stretchesOf(passage)
    .map((stretch) => ({ stretch, mask: maskOf(stretch, shared) }));
  const chosen = new Set<Stretch>();
  let held = 0;
  while (chosen.size < Math.min(most, stretches.length)) {
    const added = ({ mask }: { mask: number }): number => shared.shareOf(mask & ~held);
    const left = stretches.filter(({ stretch }) => !chosen.has(stretch));
    const [first, ...others] = left;
    if (first === undefined) break;
    const best = others.reduce((one, other) => (added(other) > added(one) ? other : one), first);
    if (chosen.size > 0 && added(best) < MIN_ADDED_SHARE) break;
    chosen.add(best.stretch);
    held |= best.mask;
  }
  return [...chosen].sort((one, other) => one.first - other.first);
}

function otherSourcesWith(
  wanted: number,
  shared: SharedWords,
  prepared: PreparedPassages,
  cited: readonly number[],
): string[] {
  const sourceOf = (passage: number): string => prepared.passages[passage]?.sourceId ?? '';
  const known = new Set(cited.map(sourceOf));
  const found: string[] = [];
  const windows = windowsOf(shared, prepared, (passage) => !known.has(sourceOf(passage)));
  const take = ({ passage }: Window): void => {
    known.add(sourceOf(passage));
    found.push(sourceOf(passage));
  };
  let missing = wanted;
  while (found.length < MAX_OTHER_SOURCES) {
    const held = ({ mask }: Window): number => shared.shareOf(mask & missing);
    const [first, ...others] = windows.filter(({ passage }) => !known.has(sourceOf(passage)));
    if (first === undefined) break;
    const best = others.reduce((one, other) => (held(other) > held(one) ? other : one), first);
    if (held(best) < MIN_MISSING_SHARE) break;
    missing &= ~best.mask;
    take(best);
  }
  for (const window of windows) {
    if (found.length >= MAX_OTHER_SOURCES || window.share < MIN_SHARED_SHARE) break;
    if (!known.has(sourceOf(window.passage))) take(window);
  }
  return found;
}

function maskOf({ first, last }: Stretch, { masks }: SharedWords): number {
  let mask = 0;
  for (let at = first; at <= last; at += 1) mask |= masks[at] ?? 0;
  return mask;
}

function evidenceOf({ first, last }: Stretch, { sentences, passages }: PreparedPassages): Evidence | null {
  const [from, to] = [sentences[first], sentences[last]];
  const passage = passages[from?.passage ?? -1];
  if (from === undefined || to === undefined || passage === undefined) return null;
  const quote = passage.text.slice(from.start, to.end);
  if (quote === '') return null;
  return {
    sourceId: passage.sourceId,
    quote,
    start: passage.start + from.start,
    end: passage.start + to.end,
  };
}
