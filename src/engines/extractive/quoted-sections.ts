import type { SectionDraft } from '../../contracts/draft';
import type { Evidence, Finding } from '../../contracts/finding';
import type { BriefPart, BriefPlan } from '../../contracts/outline';
import { citedIds, insertCitations } from '../../lib/citation-marks';
import { groupBy } from '../../lib/iterables';
import { stripUnsafe, toSafeLine } from '../../lib/untrusted-text';
import { briefTexts } from '../../report/answer-texts';
import { clip, countWords } from '../../report/attribution';
import {
  claimSentence,
  type FindingGroup,
  groupBySubsection,
  type Opposing,
} from '../../report/claim-sentence';
import type { CitableSource } from '../../steps/material';
import type {
  PlanBriefInput,
  WriteBriefPartInput,
  WriteSectionInput,
  WriteSectionOutput,
} from '../../steps/write-rows';
import { answerableProbability, answerableThreshold } from '../../text/answerability';
import { indexSources } from '../../text/collection';
import type { Encoder } from '../../text/encoder';
import { readIndexed } from '../../text/features';
import { numbersIn } from '../../text/numbers';
import { readQuestion } from '../../text/question';
import { rankByMeaning } from '../../text/ranking';
import { dependsOnPrevious } from '../../text/sentences';

/** One row of quotes per finding, contradicting quotes included. Stops after the row that reaches `targetWords`. */
export function writeSectionExtractively(input: WriteSectionInput): WriteSectionOutput {
  const sources = sourcesById(input);
  const claims: WriteSectionOutput['claims'] = [];
  const parts: string[] = [];
  const named = new Set<string>();
  const chosen = selectFindings(input, sources);
  const opposing = contradictionsByRow(chosen, input, sources);
  for (const { title, findings } of groupsOf(chosen, input)) {
    const rows = findings.map((finding) => {
      const against = opposing.get(finding.id);
      const told = { named, ...(against === undefined ? {} : { against }) };
      const text = claimSentence(finding, sources, told);
      for (const id of citedIds(text)) named.add(id);
      return { text, findingIds: [finding.id] };
    });
    claims.push(...rows);
    parts.push(
      ...(title === null ? [] : [`### ${toSafeLine(title)}`]),
      rows.map(({ text }) => `- ${text}`).join('\n'),
    );
  }
  return { markdown: parts.join('\n\n'), claims };
}

function sourcesById({ sources }: WriteSectionInput): ReadonlyMap<string, CitableSource> {
  return new Map(sources.map((source) => [source.sourceId, source]));
}

/** Adds the other sides of a dispute to its first row; findings of other sections are cited by number only. */
function contradictionsByRow(
  rows: readonly Finding[],
  { findings, conflicts }: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
): Map<string, Opposing> {
  const told = new Set(rows.flatMap(({ evidence }) => evidence.map(placeOf)));
  const own = new Set(findings.map(({ id }) => id));
  const against = new Map<string, Opposing>();
  for (const { findingIds, viewpoints } of conflicts) {
    const first = rows.find(({ id }) => findingIds.includes(id));
    if (first === undefined) continue;
    const missing = viewpoints.flatMap(({ evidence }) =>
      evidence.some((quote) => told.has(placeOf(quote)))
        ? []
        : evidence.filter(({ sourceId }) => sources.has(sourceId)).slice(0, 1),
    );
    for (const quote of missing) told.add(placeOf(quote));
    const { quotes, elsewhere } = against.get(first.id) ?? { quotes: [], elsewhere: [] };
    const areElsewhere = findingIds.some((id) => !own.has(id));
    against.set(first.id, {
      quotes: areElsewhere ? quotes : [...quotes, ...missing],
      elsewhere: areElsewhere ? [...elsewhere, ...missing.map(({ sourceId }) => sourceId)] : elsewhere,
    });
  }
  return against;
}

function placeOf({ sourceId, start }: Evidence): string {
  return `${sourceId}@${start}`;
}

function groupsOf(chosen: readonly Finding[], { section, conflicts }: WriteSectionInput): FindingGroup[] {
  return groupBySubsection(section.subsections, chosen)
    .map((group) => ({ ...group, findings: groupContradicting(groupBySource(group.findings), conflicts) }))
    .filter(({ findings }) => findings.length > 0);
}

function groupContradicting(
  findings: readonly Finding[],
  conflicts: WriteSectionInput['conflicts'],
): Finding[] {
  const told = new Set<Finding>();
  for (const finding of findings) {
    told.add(finding);
    const ids = new Set(
      conflicts.flatMap(({ findingIds }) => (findingIds.includes(finding.id) ? findingIds : [])),
    );
    for (const other of findings) if (ids.has(other.id)) told.add(other);
  }
  return [...told];
}

/** In order; findings of sources that an earlier text lacked take precedence. */
function selectFindings(
  { findings, lacking, targetWords }: WriteSectionInput,
  sources: ReadonlyMap<string, CitableSource>,
): Finding[] {
  const isMissing = ({ id }: Finding): boolean => lacking?.findingIds.includes(id) === true;
  const chosen = new Set<Finding>();
  let words = 0;
  for (const finding of [...findings.filter(isMissing), ...findings.filter((one) => !isMissing(one))]) {
    if (words >= targetWords) break;
    chosen.add(finding);
    words += countWords(claimSentence(finding, sources));
  }
  return findings.filter((finding) => chosen.has(finding));
}

function groupBySource(findings: readonly Finding[]): Finding[] {
  return [...groupBy(findings, ({ citations }) => citations[0]).values()].flat();
}

const MAX_TITLE_CHARS = 140;
const MAX_SUMMARY_FINDINGS = 5;
const SUMMARY_SHARE = 0.2;
const NO_CONCLUSIONS =
  'Without a model no conclusions are drawn; the statements stand under their subtopics.';

/** Subtopics share the words in turns, one statement at a time. The summary has the likeliest answers. */
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
    ? findingsWithinWords(
        ranked.filter(({ claim }) => !dependsOnPrevious(claim)).slice(0, MAX_SUMMARY_FINDINGS),
        SUMMARY_SHARE * room,
      )
    : [];
  const told = shareOutFindings(subtopics, room - countFindingWords(summary), list?.lines ?? {});
  return {
    title: clip(stripUnsafe(question).replace(/\s+/g, ' ').trim() || question, MAX_TITLE_CHARS),
    parts: parts.map(({ id, title }): BriefPart => {
      const findings = id === 'summary' ? summary : (told.get(id) ?? []);
      return {
        id,
        title,
        words: Math.max(1, countFindingWords(findings)),
        guidance: '',
        findingIds: findings.map((finding) => finding.id),
      };
    }),
  };
}

/** `lines` has the number of words of each source's entry in the list of sources. */
function shareOutFindings(
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
      // A statement may refer to the previous one, so a subtopic ends at the first that does not fit.
      if (finding === undefined || own?.length !== turn) continue;
      const fresh = finding.citations.filter((source) => !listed.has(source));
      const cost = fresh.reduce((sum, source) => sum + (lines[source] ?? 0), countFindingWords([finding]));
      if (cost > left) continue;
      left -= cost;
      own.push(finding);
      for (const source of fresh) listed.add(source);
    }
  }
  return told;
}

function findingsWithinWords(findings: readonly Finding[], most: number): Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings)
    if (kept.length === 0 || countFindingWords([...kept, finding]) <= most) kept.push(finding);
  return kept;
}

/** Document 000 counts by white space. The citation and the bullet of each statement add 2. */
function countFindingWords(findings: readonly Finding[]): number {
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
      : [{ id, text: insertCitations(finding.claim.trim(), finding.citations, toSafeLine) }];
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

export interface RankedFindings {
  ranked: Finding[];
  areLikely: boolean;
}

/** Best first; figures first if the question asks for a number. `areLikely`: the best ones likely answer. */
export async function rankFindings(
  question: string,
  findings: readonly Finding[],
  titleOf: (finding: Finding) => string,
  encoder: Encoder | null,
): Promise<RankedFindings> {
  const asked = readQuestion(question);
  const ofSources = [...groupBy(findings, ({ citations, sectionId }) => citations[0] ?? sectionId)];
  const inOrder = ofSources.flatMap(([, own]) => own);
  const collection = indexSources(
    ofSources.map(([id, own]) => ({
      id,
      title: own[0] === undefined ? '' : titleOf(own[0]),
      sentences: own.map(quoteOf),
    })),
  );
  const reading = readIndexed(asked, collection, undefined);
  const best = await rankByMeaning(encoder, reading, { most: findings.length });
  const first = best.flatMap(({ sentence }) => inOrder[sentence] ?? []);
  const ranked = [...new Set([...first, ...inOrder])];
  const areLikely = answerableProbability(reading, best) >= answerableThreshold(asked, best[0]);
  if (asked.kind !== 'number') return { ranked, areLikely };
  const withFigure = ranked.filter((finding) => numbersIn(quoteOf(finding)).some(({ isDate }) => !isDate));
  return { ranked: [...new Set([...withFigure, ...ranked])], areLikely };
}

function quoteOf({ claim, evidence }: Finding): string {
  return evidence[0]?.quote ?? claim;
}
