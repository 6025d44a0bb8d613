import type { SetAsideStatement } from '../contracts/brief/brief-material';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { doesNotStand } from './does-not-stand';
import type { GatheredMaterial } from './gathered-material';
import { heldAgainstEachOther } from './held-against-each-other';

export interface MaterialToSettle {
  question: string;
  material: GatheredMaterial;
  /** By the finding's id. */
  verdicts: Readonly<Record<string, ClaimVerdict>>;
  /** The source that bears a finding, where that is none of those whose marks it was given. */
  foundIn: Readonly<Record<string, string>>;
}

/**
 * The material with what the sources say of its statements: those that they do not bear are set aside, and the others are held
 * against each other without them.
 */
export function settleMaterial({
  question,
  material,
  verdicts: told,
  foundIn,
}: MaterialToSettle): GatheredMaterial {
  const { subtopics, sources, ownConfidence, places, unmarked } = material;
  const verdicts = new Map(Object.entries(told));
  const out = new Set([...verdicts].flatMap(([id, verdict]) => (doesNotStand(verdict) ? [id] : [])));
  const all = subtopics.flatMap(({ findings }) => findings);
  const kept = all.filter(({ id }) => !out.has(id));
  const alone = kept.map(({ evidence: _evidence, ...finding }) => ({
    ...finding,
    citations: [foundIn[finding.id] ?? finding.citations].flat(),
    confidence: ownConfidence[finding.id] ?? finding.confidence,
  }));
  const { findings, held, conflicts } = heldAgainstEachOther(question, alone, sources);
  const setAside = all.flatMap(({ id, sectionId, claim, citations }): SetAsideStatement[] => {
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
