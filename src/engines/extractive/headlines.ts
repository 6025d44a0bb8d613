import type { Evidence, Finding } from '../../contracts/report/finding';
import { terms } from '../../language/words';
import { namesCause, namesOutcome } from '../../reading/question/names-cause';
import { readQuestion } from '../../reading/question/question';
import { roleOf, type SentenceRole } from '../../reading/statements/sentence-role';
import { isOfOthers, isOfStart } from '../../reading/statements/effect-told';

/** A finding of the Executive Summary, by the words of which of its sources it is told. */
export interface Headline {
  /** The index of its section. */
  section: number;
  finding: Finding;
  evidence: Evidence;
}

interface SectionMaterial {
  /** Strongest first. */
  findings: readonly Finding[];
}

interface HeadlineLimits {
  min: number;
  max: number;
  /** Findings from this confidence on are the major ones, which come before others. */
  threshold: number;
  question: string;
}

/**
 * What opens the report: each of the first sections by its best finding, and where that gives too few, the next-best findings
 * of whatever section. No source speaks twice while there are others. In the order of the sections.
 */
export function chooseHeadlines(
  sections: readonly SectionMaterial[],
  { min, max, threshold, question }: HeadlineLimits,
): Headline[] {
  const ranked = sections.map(({ findings }) =>
    strongestFirst(findings, (finding) => finding, { threshold, question }),
  );
  const chosen: Headline[] = [];
  const speaking = new Set<string>();
  const take = (section: number, isNewVoice: boolean): boolean => {
    const told = new Set(chosen.map(({ finding }) => finding.id));
    for (const finding of ranked[section]?.filter(({ id }) => !told.has(id)) ?? []) {
      const evidence = isNewVoice
        ? finding.evidence.find(({ sourceId }) => !speaking.has(sourceId))
        : finding.evidence[0];
      if (evidence === undefined) continue;
      chosen.push({ section, finding, evidence });
      speaking.add(evidence.sourceId);
      return true;
    }
    return false;
  };
  const open = [...ranked.keys()].filter((section) => (ranked[section]?.length ?? 0) > 0).slice(0, max);
  // Sections with a major finding choose who speaks first, so that no lesser one takes its voice.
  const isMajor = (section: number): number => Number((ranked[section]?.[0]?.confidence ?? 0) >= threshold);
  for (const section of [...open].sort((a, b) => isMajor(b) - isMajor(a)))
    if (!take(section, true)) take(section, false);
  for (const isNewVoice of [true, false])
    while (chosen.length < min && open.some((section) => chosen.length < min && take(section, isNewVoice)));
  return chosen.sort((a, b) => a.section - b.section);
}

/** What was found tells more than what was known, and that more than what was done. */
const BY_ROLE: Readonly<Record<SentenceRole, number>> = { finding: 2, background: 1, procedure: 0 };

/**
 * Major ones first, then what is no aim and no method, then what the source found itself; where an effect is asked for, what names most
 * of what has it and on what, and what was found before background. Then those with most of what the question is about, then what was
 * found, then what several sources share, then the more certain.
 */
export function strongestFirst<Item>(
  items: readonly Item[],
  findingOf: (item: Item) => Finding,
  { threshold, question }: Pick<HeadlineLimits, 'threshold' | 'question'>,
): Item[] {
  const read = readQuestion(question);
  const asked = terms(question).filter((stem) => !read.asking.has(stem));
  const ranksOf = ({ confidence, claim, citations }: Finding): number[] => {
    const held = new Set(terms(claim));
    const role = BY_ROLE[isOfStart(claim) ? 'procedure' : roleOf(claim)];
    return [
      Number(confidence >= threshold),
      Number(role !== BY_ROLE.procedure),
      Number(!isOfOthers(claim)),
      ...(read.asksForEffect
        ? [Number(namesCause(claim, read)) + Number(namesOutcome(claim, read)), role]
        : []),
      asked.filter((stem) => held.has(stem)).length,
      role,
      citations.length,
      confidence,
    ];
  };
  return items
    .map((item) => ({ item, ranks: ranksOf(findingOf(item)) }))
    .sort((a, b) => b.ranks.reduce((order, rank, at) => order || rank - (a.ranks[at] ?? 0), 0))
    .map(({ item }) => item);
}
