import type { Conflict, ConflictKind, Finding, Viewpoint } from '../../core/contracts/finding';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import type { WeightOf } from '../compare-statements';
import { type Clash, clashesIn, comparedPairs } from './clash';
import { sidesOf, type Stand } from './conflict-sides';
import { isOneTopic, topicOf } from './conflict-topic';
import { placeOf, quotedStatements } from './quoted-statement';
import { resolve } from './resolution';

/** All findings held against each other: one conflict a topic, with every source on the side that it takes. */
export function findConflicts(findings: readonly Finding[], sources: SourcesById): Conflict[] {
  const { pairs, weightOf } = comparedPairs(quotedStatements(findings, sources));
  return conflictsOf(clashesIn(pairs), sources, weightOf);
}

/** Clashes that share a quote and a topic become one conflict. */
export function conflictsOf(clashes: readonly Clash[], sources: SourcesById, weightOf: WeightOf): Conflict[] {
  const groups: { topic: string; clashes: Clash[] }[] = [];
  for (const clash of clashes) {
    const topic = topicOf(clash.a.statement, clash.b.statement, weightOf);
    const joined = groups.filter(
      (group) => isOneTopic(group.topic, topic) && group.clashes.some((other) => shareQuote(clash, other)),
    );
    const all = [...joined.flatMap((group) => group.clashes), clash];
    const topics = [...joined.map((group) => group.topic), topic];
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push({ clashes: all, topic: topics.sort((a, b) => a.length - b.length)[0] ?? topic });
  }
  return groups
    .flatMap(({ topic, clashes: own }) => conflictOf(topic, own, sources) ?? [])
    .sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.id < b.id ? -1 : 1));
}

function shareQuote(one: Clash, other: Clash): boolean {
  const places = [other.a, other.b].map(({ evidence }) => placeOf(evidence));
  return (
    one.comparison.kind === other.comparison.kind &&
    [one.a, one.b].some(({ evidence }) => places.includes(placeOf(evidence)))
  );
}

function conflictOf(topic: string, clashes: readonly Clash[], sources: SourcesById): Conflict | null {
  const sides = sidesOf(clashes);
  const kind = clashes[0]?.comparison.kind;
  if (sides.length < 2 || kind === undefined) return null;
  const viewpoints = sides.map(viewpointOf);
  const { resolution, reason } = resolve(viewpoints, sources);
  return {
    id: `conflict-${hash(
      viewpoints
        .flatMap(({ evidence }) => evidence.map(placeOf))
        .sort()
        .join('|'),
    )}`,
    topic,
    kind,
    viewpoints,
    resolution,
    reason: `${whatDiffers(topic, kind, sides)} ${reason}`.trim(),
    findingIds: [...new Set(sides.flat().flatMap(({ quoted }) => quoted.findingId ?? []))].sort(),
  };
}

function viewpointOf(side: readonly Stand[]): Viewpoint {
  const byPlace = new Map(side.map(({ quoted }) => [placeOf(quoted.evidence), quoted]));
  const quotes = [...byPlace]
    .sort(
      ([place, a], [other, b]) =>
        b.confidence - a.confidence ||
        a.evidence.quote.length - b.evidence.quote.length ||
        (place < other ? -1 : 1),
    )
    .map(([, quoted]) => quoted);
  return {
    statement: quotes[0]?.evidence.quote.replace(/\s+/g, ' ') ?? '',
    citations: [...new Set(quotes.map(({ evidence }) => evidence.sourceId))],
    evidence: quotes.map(({ evidence }) => evidence),
  };
}

/** What differs between the sides, in one plain sentence. */
function whatDiffers(topic: string, kind: ConflictKind, sides: readonly Stand[][]): string {
  const figures = sides.map((side) => side[0]?.figure ?? '');
  if (figures.every((figure) => figure !== ''))
    return `They give different figures for ${topic}: ${figures.join(' and ')}.`;
  if (kind === 'condition')
    return `On ${topic}, the sides report the same under conditions that exclude each other.`;
  const verdicts = sides.map((side) => side[0]?.verdict ?? null);
  const effects = verdicts.filter((verdict) => verdict !== 'none' && verdict !== null);
  if (verdicts.includes('none') && effects.length > 0)
    return `On ${topic}, one side reports an effect or a difference, the other none.`;
  return effects.length === sides.length && new Set(effects).size > 1
    ? `On ${topic}, the two sides report opposite effects.`
    : `On ${topic}, one side denies what the other says.`;
}

/** FNV-1a in hexadecimal: a short name that the same evidence gets in every run. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
