import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';

export type DigestLimits = Pick<
  SynthesisSettings,
  'maxCharsPerSource' | 'minCharsPerSource' | 'maxTotalChars' | 'pass2FullContentCount'
>;

/** Of a long text so much is read: about as much of an article as its abstract and its results have. */
const DIGEST_SHARE = 0.28;

/**
 * How much of a text of `chars` characters is read: all of a short one, of a longer one the part that says most; no more than
 * leaves room for as many sources as a section reads.
 */
export function digestChars(chars: number, limits: DigestLimits): number {
  const { maxCharsPerSource, minCharsPerSource, maxTotalChars, pass2FullContentCount } = limits;
  const share = Math.min(Math.ceil(chars * DIGEST_SHARE), Math.floor(maxTotalChars / pass2FullContentCount));
  return Math.min(chars, maxCharsPerSource, Math.max(minCharsPerSource, share));
}
