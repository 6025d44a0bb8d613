import { built } from '../built.mjs';

/** Two other sources for a claim: one that shares many of its words (`citationNear`), and any (`citationFar`). */
export function movedCitations(sources) {
  const { terms } = built('language/words.js');
  const holders = new Map();
  for (const [at, { content, attribution }] of sources.entries())
    for (const term of new Set(terms(`${attribution.join(' ')} ${content.slice(0, 4_000)}`)))
      holders.set(term, [...(holders.get(term) ?? []), at]);
  return (claim, kin, random) => {
    const shared = new Float64Array(sources.length);
    for (const term of new Set(terms(claim))) {
      const held = holders.get(term) ?? [];
      for (const at of held) shared[at] += Math.log(1 + sources.length / held.length);
    }
    const others = sources.map((_, at) => at).filter((at) => !kin.includes(sources[at].sourceId));
    if (others.length === 0) return [];
    const near = others.reduce((best, at) => (shared[at] > shared[best] ? at : best));
    const far = others[Math.floor(random() * others.length)];
    return [
      ['citationNear', sources[near].sourceId],
      ['citationFar', sources[far].sourceId],
    ];
  };
}
