import type { Encoder } from '../../encoder/encoder';
import type { BriefPart, BriefPlan } from '../../contracts/brief/brief-plan';
import type { SectionDraft } from '../../contracts/report/draft';
import type { Finding } from '../../contracts/report/finding';
import { citedBeforeStop } from '../../core/text/cited-before-stop';
import { stripUnsafe } from '../../core/text/untrusted-text';
import { clip } from '../../core/writing/attribution';
import { inert } from '../../core/writing/quotation';
import { leansOnBefore } from '../../language/leaning';
import type { PlanBriefInput } from '../../steps/plan-brief/plan-brief';
import type { WriteBriefPartInput } from '../../steps/write-brief-part/write-brief-part';
import { briefTexts } from '../../texts/brief';
import { rankFindings } from './rank-findings';

const MAX_TITLE_CHARS = 140;
const MOST_IN_SUMMARY = 5;
const SUMMARY_SHARE = 0.2;
const NO_CONCLUSIONS =
  'Without a model no conclusions are drawn; the statements stand under their subtopics.';

/**
 * Plans a brief without a model. Each subtopic lists its statements in their order. The words are shared out in turns, one statement a
 * subtopic. The summary has the statements that are most likely to answer the question.
 */
export async function planBriefExtractively(
  { question, parts, subtopics, words, maxWords, list }: PlanBriefInput,
  encoder: Encoder | null = null,
): Promise<BriefPlan> {
  const room = list?.words ?? list?.maxWords ?? words ?? maxWords;
  const titles = new Map(subtopics.map(({ id, title }) => [id, title]));
  const all = subtopics.flatMap(({ findings }) => findings);
  const { ranked } = await rankFindings(
    question,
    all,
    ({ sectionId }) => titles.get(sectionId) ?? '',
    encoder,
  );
  const summary = parts.some(({ id }) => id === 'summary')
    ? withinWords(
        ranked.filter(({ claim }) => !leansOnBefore(claim)).slice(0, MOST_IN_SUMMARY),
        SUMMARY_SHARE * room,
      )
    : [];
  const told = inTurns(subtopics, room - wordsOf(summary), list?.lines ?? {});
  return {
    title: clip(stripUnsafe(question).replace(/\s+/g, ' ').trim() || question, MAX_TITLE_CHARS),
    parts: parts.map(({ id, title }): BriefPart => {
      const findings = id === 'summary' ? summary : (told.get(id) ?? []);
      return {
        id,
        title,
        words: Math.max(1, wordsOf(findings)),
        guidance: '',
        findingIds: findings.map((finding) => finding.id),
      };
    }),
  };
}

/** Takes the first statement of each subtopic, then the second, until the words are used. `lines` are the words of a source in the list. */
function inTurns(
  subtopics: PlanBriefInput['subtopics'],
  words: number,
  lines: Readonly<Record<string, number>>,
): Map<string, Finding[]> {
  const told = new Map(subtopics.map(({ id }): [string, Finding[]] => [id, []]));
  const listed = new Set<string>();
  let left = words;
  for (let turn = 0; subtopics.some(({ findings }) => turn < findings.length); turn += 1) {
    for (const { id, findings } of subtopics) {
      const finding = findings[turn];
      const own = told.get(id);
      // A statement may refer to the one before it, so a subtopic stops at the first that does not fit.
      if (finding === undefined || own?.length !== turn) continue;
      const fresh = finding.citations.filter((source) => !listed.has(source));
      const cost = fresh.reduce((sum, source) => sum + (lines[source] ?? 0), wordsOf([finding]));
      if (cost > left) continue;
      left -= cost;
      own.push(finding);
      for (const source of fresh) listed.add(source);
    }
  }
  return told;
}

function withinWords(findings: readonly Finding[], most: number): Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings)
    if (kept.length === 0 || wordsOf([...kept, finding]) <= most) kept.push(finding);
  return kept;
}

/** Counts words as document 000 does: separated by white space. Each statement has two more, its citation and the mark of its row. */
function wordsOf(findings: readonly Finding[]): number {
  return findings.reduce(
    (sum, { claim }) => sum + claim.split(/\s+/).filter((word) => word !== '').length + 2,
    0,
  );
}

export function writeBriefPartExtractively({ part, findings, conflicts }: WriteBriefPartInput): SectionDraft {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const rows = part.findingIds.flatMap((id) => {
    const finding = byId.get(id);
    return finding === undefined
      ? []
      : [{ id, text: citedBeforeStop(finding.claim.trim(), finding.citations, inert) }];
  });
  const nothing = part.id === 'conclusions' ? NO_CONCLUSIONS : briefTexts.nothingOwn;
  return {
    markdown:
      rows.length === 0
        ? nothing
        : rows
            .map(({ id, text }) => `- ${disputed.has(id) ? `${briefTexts.disputed} ` : ''}${text}`)
            .join('\n'),
    claims: rows.map(({ id, text }) => ({ text, findingIds: [id] })),
  };
}
