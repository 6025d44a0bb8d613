import type { SourcesById } from '../agreement/distinct-evidence';
import type { Concept, Direction } from '../assertions/assertion';
import { sameConcept } from '../assertions/concepts';
import type { Conflict, Evidence, Finding, StudyContext, Viewpoint } from '../contracts/finding';
import { candidatePairs } from './candidate-pairs';
import { compareAssertions } from './compare-assertions';
import { CONFLICT_KIND, isClash, type Comparison } from './comparison';
import { whatCouldExplain, whatDiffers } from './explanation';
import { quotedAssertions, type QuotedAssertion } from './quoted-assertions';
import { resolve } from './resolution';
import { asMovement } from './valence';

export interface ConflictInput {
  findings: readonly Finding[];
  sources: SourcesById;
  /** Abbreviations that each source defines, where its text is at hand. */
  acronyms?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** All findings held against each other: one conflict a topic, with every source on the side that it takes. */
export function findConflicts(input: ConflictInput): Conflict[] {
  const quoted = quotedAssertions(input.findings, input.sources, input.acronyms);
  const contexts = new Map(
    input.findings.flatMap((finding) =>
      finding.contexts.map((context) => [context.sourceId, context] as const),
    ),
  );
  return conflictsOf(clashesAmong(quoted), input.sources, contexts);
}

/** Two quotes that contradict each other. */
export interface Clash {
  a: QuotedAssertion;
  b: QuotedAssertion;
  comparison: Comparison;
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
export function conflictsOf(
  clashes: readonly Clash[],
  sources: SourcesById,
  contexts: ReadonlyMap<string, StudyContext>,
): Conflict[] {
  const topics: Clash[][] = [];
  for (const clash of clashes) {
    const joined = topics.filter((topic) => topic.some((other) => onOneTopic(clash, other)));
    for (const topic of joined) topics.splice(topics.indexOf(topic), 1);
    topics.push([...joined.flat(), clash]);
  }
  return topics
    .flatMap((topic) => conflictOf(topic, sources, contexts) ?? [])
    .sort((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.id < b.id ? -1 : 1));
}

function onOneTopic(one: Clash, other: Clash): boolean {
  if (one.comparison.relation !== other.comparison.relation) return false;
  const quotes = [other.a.evidence, other.b.evidence].map(evidenceKey);
  if (!quotes.includes(evidenceKey(one.a.evidence)) && !quotes.includes(evidenceKey(one.b.evidence)))
    return false;
  return sameConcept(concept(one.comparison), concept(other.comparison));
}

function concept({ about, topic }: Comparison): Concept {
  return { text: topic, terms: about };
}

interface Stand {
  quoted: QuotedAssertion;
  direction: Direction | null;
  value: number | null;
  unit: string;
  condition?: string;
}

function conflictOf(
  clashes: readonly Clash[],
  sources: SourcesById,
  contexts: ReadonlyMap<string, StudyContext>,
): Conflict | null {
  const first = clashes[0];
  if (first === undefined) return null;
  const kind = CONFLICT_KIND[first.comparison.relation] ?? 'direction';
  const stands = clashes.flatMap(({ a, b, comparison }): Stand[] => [
    { quoted: a, ...comparison.sides[0] },
    { quoted: b, ...comparison.sides[1] },
  ]);
  const sides = sidesOf(kind, stands, clashes)
    .map((side) => withoutTurncoats(side, stands, kind))
    .filter((side) => side.length > 0);
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
    reason: [whatDiffers(kind, topic, summaries), whatCouldExplain(viewpoints, sources, contexts), reason]
      .filter((text) => text !== '')
      .join(' '),
    findingIds: [...new Set(sides.flat().flatMap(({ quoted }) => quoted.findingId ?? []))].sort(),
  };
}

function sidesOf(kind: Conflict['kind'], stands: readonly Stand[], clashes: readonly Clash[]): Stand[][] {
  if (kind === 'number') return byValue(stands);
  // Where the words are the same but for a negation, the parser may give both one direction: the pairs themselves tell the sides.
  const untold = clashes.some(
    ({ comparison: { sides } }) =>
      sides[0].direction === sides[1].direction || sides.some(({ direction }) => direction === null),
  );
  return kind === 'condition' || untold ? byPartner(stands) : byDirection(stands, clashes);
}

/** Two sides only: whoever contradicts one of the first is on the second, and the other way round. */
function byPartner(stands: readonly Stand[]): Stand[][] {
  const sides: [Stand[], Stand[]] = [[], []];
  const sideOf = new Map<string, 0 | 1>();
  for (let at = 0; at + 1 < stands.length; at += 2) {
    const [one, other] = [stands[at], stands[at + 1]];
    if (one === undefined || other === undefined) continue;
    const keys = [one, other].map(({ quoted }) => evidenceKey(quoted.evidence)) as [string, string];
    const known = sideOf.get(keys[0]) ?? opposite(sideOf.get(keys[1])) ?? 0;
    sideOf.set(keys[0], known);
    sideOf.set(keys[1], opposite(known) ?? 1);
    sides[known].push(one);
    sides[opposite(known) ?? 1].push(other);
  }
  return sides;
}

function opposite(side: 0 | 1 | undefined): 0 | 1 | undefined {
  return side === undefined ? undefined : side === 0 ? 1 : 0;
}

/** Sides in the order of their first quote; "improved pain" stands with "reduced pain". */
function byDirection(stands: readonly Stand[], clashes: readonly Clash[]): Stand[][] {
  const outcome = clashes[0] === undefined ? { text: '', terms: [] } : concept(clashes[0].comparison);
  const sides = new Map<string, Stand[]>();
  for (const stand of stands) {
    if (stand.direction === null) continue;
    const side = asMovement(stand.direction, outcome) ?? (stand.direction === 'better' ? 'up' : 'down');
    sides.set(side, [...(sides.get(side) ?? []), stand]);
  }
  return [...sides.values()];
}

/** Numbers within a tenth of each other are on one side. */
function byValue(stands: readonly Stand[]): Stand[][] {
  const sides: Stand[][] = [];
  for (const stand of stands) {
    const value = Math.abs(stand.value ?? 0);
    const side = sides.find((others) =>
      others.some((other) => nearlyEqual(Math.abs(other.value ?? 0), value)),
    );
    if (side === undefined) sides.push([stand]);
    else side.push(stand);
  }
  return sides;
}

function nearlyEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= Math.max(a, b) * 0.005;
}

/** Without the sources that say the one here and the other there: their own conditions differ in a way that was not seen. */
function withoutTurncoats(side: readonly Stand[], all: readonly Stand[], kind: Conflict['kind']): Stand[] {
  const here = new Set(side.map(({ quoted }) => quoted.root));
  const elsewhere = new Set(all.filter((stand) => !side.includes(stand)).map(({ quoted }) => quoted.root));
  const torn = kind !== 'number' ? [...here].filter((root) => elsewhere.has(root)) : [];
  return side.filter(({ quoted }) => !torn.includes(quoted.root));
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

function evidenceKey(evidence: Evidence): string {
  return `${evidence.sourceId}@${evidence.start}-${evidence.end}`;
}

/** FNV-1a in hexadecimal: a short name that the same evidence gets in every run. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}
