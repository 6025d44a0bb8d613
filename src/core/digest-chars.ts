import type { SynthesisSettings } from './contracts/run';

export type DigestLimits = Pick<SynthesisSettings, 'maxCharsPerSource' | 'minCharsPerSource'>;

/** Of a long text so much is read: about as much of an article as its abstract and its results have. */
const DIGEST_SHARE = 0.28;

/** How much of a text of `chars` characters is read: all of a short one, of a longer one the part that says most. */
export function digestChars(chars: number, { maxCharsPerSource, minCharsPerSource }: DigestLimits): number {
  const share = Math.ceil(chars * DIGEST_SHARE);
  return Math.min(chars, maxCharsPerSource, Math.max(minCharsPerSource, share));
}
