import type { RejectedStatement } from '../../contracts/brief';
import type { ClaimVerdict, Evidence } from '../../contracts/finding';
import {
  type GivenSource,
  type PreparedSources,
  prepareSources,
  verifyStatement,
} from '../statement-verdicts';
import type { GatheredMaterial } from './read-subtopic';
import { compareStatements } from './subtopic-conflicts';

export interface StatementToCheck {
  id: string;
  plain: string;
  markdown: string;
  sourceIds: string[];
  citesOthers: boolean;
  isMarked: boolean;
}

export interface CheckedStatement {
  id: string;
  verdict: ClaimVerdict;
  /** True if it also cites sources without text: `unsupported` is uncertain then. */
  citesOthers: boolean;
  /** The supporting source, if it is none of the inherited marks. */
  foundIn?: string;
  /** The verdict's own place, then the nearest place in each source with text. */
  windows: Evidence[];
}

const MAX_WINDOWS = 4;

/** An unsupported statement without marks of its own is checked against all sources, because it may rest on another one. */
export function checkStatements({
  statements,
  sources,
  definitions,
}: {
  statements: readonly StatementToCheck[];
  sources: readonly GivenSource[];
  /** Texts in which abbreviations are introduced. */
  definitions: readonly string[];
}): CheckedStatement[] {
  const held = prepareSources(sources, definitions);
  const all = sources.map(({ id }) => id);
  return statements.map((statement) => {
    const { id, plain, sourceIds, citesOthers, isMarked } = statement;
    const found = verifyStatement(statement, sourceIds, held);
    const elsewhere = isMarked || !isUnsupported(found) ? found : verifyStatement(statement, all, held);
    const bearing = elsewhere.verdict === 'supported' ? elsewhere.evidence?.sourceId : undefined;
    if (bearing !== undefined && !sourceIds.includes(bearing))
      return { id, verdict: elsewhere, citesOthers: false, foundIn: bearing, windows: [] };
    const told = isUnsupported(elsewhere) ? found : elsewhere;
    const verdict = citesOthers ? openIfIncomplete(told) : told;
    const windows = verdict.verdict === 'supported' ? [] : evidenceWindows(plain, sourceIds, verdict, held);
    return { id, verdict, citesOthers, windows };
  });
}

/** An unsupported statement may be in a text that was not given. */
function openIfIncomplete(found: ClaimVerdict): ClaimVerdict {
  if (found.verdict !== 'unsupported') return found;
  const { betterSourceId: _other, ...rest } = found;
  const reason = 'The texts that were given do not hold it, and others that it cites were not given.';
  return { ...rest, verdict: 'unchecked', code: 'open', reason };
}

function evidenceWindows(
  plain: string,
  sourceIds: readonly string[],
  { evidence }: ClaimVerdict,
  held: PreparedSources,
): Evidence[] {
  const others = sourceIds.length < 2 ? [] : sourceIds.slice(0, MAX_WINDOWS);
  const nearest = others
    .filter((id) => id !== evidence?.sourceId)
    .flatMap((id) => held.verify(plain, [id]).evidence ?? []);
  return [...(evidence === null ? [] : [evidence]), ...nearest].slice(0, MAX_WINDOWS);
}

export interface MaterialVerdicts {
  question: string;
  material: GatheredMaterial;
  /** By finding id. */
  verdicts: Readonly<Record<string, ClaimVerdict>>;
  /** By finding id: the supporting source, if it is none of the inherited marks. */
  foundIn: Readonly<Record<string, string>>;
}

/** Applies the verdicts to the material: unsupported statements are rejected, and conflicts are searched again without them. */
export function applyVerdicts({
  question,
  material,
  verdicts: told,
  foundIn,
}: MaterialVerdicts): GatheredMaterial {
  const { subtopics, sources, ownConfidence, places, unmarked } = material;
  const verdicts = new Map(Object.entries(told));
  const out = new Set([...verdicts].flatMap(([id, verdict]) => (isUnsupported(verdict) ? [id] : [])));
  const all = subtopics.flatMap(({ findings }) => findings);
  const kept = all.filter(({ id }) => !out.has(id));
  const alone = kept.map(({ evidence: _evidence, ...finding }) => ({
    ...finding,
    citations: [foundIn[finding.id] ?? finding.citations].flat(),
    confidence: ownConfidence[finding.id] ?? finding.confidence,
  }));
  const { findings, held, conflicts } = compareStatements(question, alone, sources);
  const setAside = all.flatMap(({ id, sectionId, claim, citations }): RejectedStatement[] => {
    const verdict = verdicts.get(id);
    if (verdict === undefined || !out.has(id)) return [];
    return [{ ...verdict, text: claim, sourceIds: citations, action: 'left-out', subtopicId: sectionId }];
  });
  const ids = new Set(kept.map(({ id }) => id));
  const ofKept = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([id]) => ids.has(id)));
  return {
    ...material,
    held,
    conflicts,
    subtopics: subtopics.map((subtopic) => ({
      ...subtopic,
      findings: findings.filter(({ sectionId }) => sectionId === subtopic.id),
    })),
    places: ofKept(places),
    ownConfidence: ofKept(ownConfidence),
    unmarked: unmarked.filter((id) => ids.has(id)),
    checks: Object.fromEntries([...verdicts].filter(([id]) => ids.has(id))),
    setAside: [...material.setAside, ...setAside],
  };
}

/** True if the sources do not support it. A low score alone may be a paraphrase. */
function isUnsupported({ verdict, code }: ClaimVerdict): boolean {
  return verdict === 'contradicted' || (verdict === 'unsupported' && code !== 'unlikely');
}
