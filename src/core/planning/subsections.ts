import { heavyOf, type Heading, type Naming, sameRoot, sentenceCase } from './headings';

export interface Subsection {
  title: string;
  phrase: string;
  /** Indices of the sources that name the subsection's topic, those of the section that fit best first. */
  sources: number[];
}

const MOST = 4;
/** A topic in more than this share of a section is the section's own. */
const WIDEST = 0.6;

/**
 * Divides a section by the terms that cover its sources best, each time those not covered yet. `sources` are the
 * section's, best first; `taken` are the specific words of all section headings.
 */
export function subdivide(
  naming: Naming,
  heading: Heading,
  sources: readonly number[],
  taken: ReadonlySet<number>,
): Subsection[] {
  const { space } = naming;
  const rank = new Map(sources.map((source, at) => [source, at]));
  const needed = sources.length >= 30 ? 3 : 2;
  const own = new Set(heading.terms.flatMap((term) => heavyOf(naming, term)));
  const covered = new Set<number>();
  const used = new Set<number>();
  const found: Subsection[] = [];
  const candidates = naming.candidates.flatMap((term) => {
    const phrase = space.phrases[term];
    if (phrase === undefined) return [];
    const stems = heavyOf(naming, term);
    if (stems.every((stem) => taken.has(stem)) || (phrase.stems.length === 1 && phrase.titleCount === 0))
      return [];
    if (stems.filter((stem) => own.has(stem)).length === own.size && own.size > 0) return [];
    const members = [...phrase.sources].flatMap((source, at) => {
      const place = rank.get(source);
      return place === undefined ? [] : [{ source, place, weight: phrase.weights[at] ?? 0 }];
    });
    if (members.length < needed || members.length > Math.max(needed, WIDEST * sources.length)) return [];
    const typical = members.length / phrase.sources.length;
    const words = phrase.stems.length === 1 ? 0.5 : 1;
    const inTitles = 0.4 + 0.6 * Math.min(1, phrase.titleCount / Math.max(1, 0.3 * phrase.sources.length));
    return [{ term, key: phrase.key, stems, members, worth: words * inTitles * (0.3 + typical) }];
  });
  while (found.length < MOST) {
    let best: { candidate: (typeof candidates)[number]; gain: number } | null = null;
    for (const candidate of candidates) {
      if (
        candidate.stems.some((stem) =>
          [...used].some((other) => sameRoot(space.collection.stems, stem, other)),
        )
      )
        continue;
      const fresh = candidate.members.filter(({ source }) => !covered.has(source));
      if (fresh.length < Math.min(2, needed)) continue;
      const gain = candidate.worth * fresh.reduce((sum, { weight }) => sum + weight, 0);
      if (best === null || gain > best.gain || (gain === best.gain && candidate.key < best.candidate.key))
        best = { candidate, gain };
    }
    const phrase = best === null ? undefined : space.phrases[best.candidate.term];
    if (best === null || phrase === undefined) break;
    for (const stem of best.candidate.stems) used.add(stem);
    for (const { source } of best.candidate.members) covered.add(source);
    const written = naming.write(phrase);
    found.push({
      title: sentenceCase(written),
      phrase: written,
      sources: best.candidate.members.sort((a, b) => a.place - b.place).map(({ source }) => source),
    });
  }
  return found.length < 2 ? [] : found;
}
