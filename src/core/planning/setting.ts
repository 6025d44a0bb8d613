import type { Heading, Naming } from './headings';
import { namesPeople } from './people';
import type { Theme } from './theme';

/** What at least a third of the theme's own sources name as the setting: `older adults`. */
export function settingOf(naming: Naming, theme: Theme, heading: Heading): string | null {
  const inCore = new Set(theme.core);
  const own = new Set(heading.terms.flatMap((term) => naming.space.phrases[term]?.stems ?? []));
  let best: { term: number; share: number } | null = null;
  for (const term of naming.candidates) {
    const phrase = naming.space.phrases[term];
    if (phrase === undefined || !namesPeople(naming.write(phrase))) continue;
    if (phrase.stems.length < 2 || phrase.stems.some((stem) => own.has(stem))) continue;
    const share =
      phrase.sources.reduce((count, source) => count + (inCore.has(source) ? 1 : 0), 0) /
      (theme.core.length || 1);
    if (share >= 0.3 && (best === null || share > best.share)) best = { term, share };
  }
  const phrase = best === null ? undefined : naming.space.phrases[best.term];
  return phrase === undefined ? null : naming.write(phrase);
}
