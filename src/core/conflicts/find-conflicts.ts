import type { SourcesById } from '../agreement/distinct-evidence';
import { sameConcept } from '../assertions/concepts';
import type { Conflict, Finding, Viewpoint } from '../contracts/finding';
import { candidatePairs } from './candidate-pairs';
import { aboutOf, type Clash, evidenceKey } from './clash';
import { compareAssertions } from './compare-assertions';
import { CONFLICT_KIND, isClash } from './comparison';
import { type Stand, sidesOf } from './conflict-sides';
import { whatCouldExplain, whatDiffers } from './explanation';
import { quotedAssertions, type QuotedAssertion } from './quoted-assertions';
import { resolve } from './resolution';

export interface ConflictInput {
  findings: readonly Finding[];
  sources: SourcesById;
  /** Abbreviations that each source defines, where its text is at hand. */
  acronyms?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** All findings held against each other: one conflict a topic, with every source on the side that it takes. */
export function findConflicts(input: ConflictInput): Conflict[] {
  const quoted = quotedAssertions(input.findings, input.sources, input.acronyms);
  return conflictsOf(clashesAmong(quoted), input.sources);
}

/**
 * All pairs of quotes, of different sources, that contradict each other. A quote that another one of its own source
 * contradicts is left out: the source speaks of conditions there that were not seen.
 */
export function clashesAmong(quoted: readonly QuotedAssertion[]): Clash[] {
  const clashes = candidatePairs(quoted.map(({ assertion }) => assertion)).flatMap(
    ([first, second]): Clash[] => {
      const [a, b] = [quoted[first], quoted[second]];
      if (a === undefined || b === undefined) return [];
      const comparison = compareAssertions(a.assertion, b.assertion);
      return isClash(comparison) ? [{ a, b, comparison }] : [];
    },
  );
  const torn = new Set(
    clashes
      .filter(({ a, b, comparison }) => a.root === b.root && comparison.relation === 'opposed')
      .flatMap(({ a, b }) => [a, b]),
  );
  return clashes.filter(({ a, b }) => a.root !== b.root && !torn.has(a) && !torn.has(b));
}

/** Contradictions on one topic become one conflict; sources that stand on both sides of it are left out. */
export function conflictsOf(clashes: readonly Clash[], sources: SourcesById): Conflict[] {
  const topics: Clash[][] = [];
  for (const clash of clashes) {
    const joined = topics.filter((topic) => topic.some((other) => onOneTopic(clash, other)));
    for (const topic of joined) topics.splice(topics.indexOf(topic), 1);
    topics.push([...joined.flat(), clash]);
  }
  return topics
    .flatMap((topic) => conflictOf(topic, sources) ?? [])
    .sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.id < b.id ? -1 : 1));
}

function onOneTopic(one: Clash, other: Clash): boolean {
  if (one.comparison.relation !== other.comparison.relation) return false;
  const quotes = [other.a.evidence, other.b.evidence].map(evidenceKey);
  if (!quotes.includes(evidenceKey(one.a.evidence)) && !quotes.includes(evidenceKey(one.b.evidence)))
    return false;
  return sameConcept(aboutOf(one), aboutOf(other));
}

function conflictOf(clashes: readonly Clash[], sources: SourcesById): Conflict | null {
  const first = clashes[0];
  if (first === undefined) return null;
  const kind = CONFLICT_KIND[first.comparison.relation] ?? 'direction';
  const sides = sidesOf(kind, clashes);
  if (sides.length < 2) return null;
  const viewpoints = sides.map(viewpointOf);
  const topic =
    [...clashes]
      .map(({ comparison }) => comparison.topic)
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? '';
  const { resolution, reason } = resolve(viewpoints, sources);
  const summaries = sides.map((side, index) => ({
    direction: side[0]?.direction ?? null,
    amounts: [
      ...new Set(
        side.flatMap((stand) =>
          stand.value === null ? [] : [`${stand.value}${stand.unit === '' ? '' : ` ${stand.unit}`}`],
        ),
      ),
    ].slice(0, 3),
    condition: side.find((stand) => stand.condition !== undefined)?.condition ?? '',
    sources: viewpoints[index]?.citations.length ?? 0,
  }));
  return {
    id: `conflict-${hash(
      viewpoints
        .flatMap(({ evidence }) => evidence.map(evidenceKey))
        .sort()
        .join('|'),
    )}`,
    topic,
    kind,
    viewpoints,
    resolution,
    reason: [whatDiffers(kind, topic, summaries), whatCouldExplain(viewpoints, sources), reason]
      .filter((text) => text !== '')
      .join(' '),
    findingIds: [...new Set(sides.flat().flatMap(({ quoted }) => quoted.findingId ?? []))].sort(),
  };
}

function viewpointOf(side: readonly Stand[]): Viewpoint {
  const quotes = [...new Map(side.map(({ quoted }) => [evidenceKey(quoted.evidence), quoted])).values()].sort(
    (a, b) =>
      b.confidence - a.confidence ||
      a.evidence.quote.length - b.evidence.quote.length ||
      (evidenceKey(a.evidence) < evidenceKey(b.evidence) ? -1 : 1),
  );
  return {
    statement: quotes[0]?.evidence.quote.replace(/\s+/g, ' ') ?? '',
    citations: [...new Set(quotes.map(({ evidence }) => evidence.sourceId))],
    evidence: quotes.map(({ evidence }) => evidence),
  };
}

/** FNV-1a in hexadecimal: a short name that the same evidence gets in every run. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
