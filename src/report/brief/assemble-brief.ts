import type { Brief, BriefCitation, BriefMaterial, QualityCheck } from '../../contracts/brief';
import type { JudgedDocument } from '../../contracts/judgement';
import type { Warning } from '../../contracts/run';
import type { BriefSettings } from '../../contracts/run-settings';
import type { SourcesRead } from '../../contracts/source';
import { writingTexts } from '../../contracts/wording';
import { countVerdicts } from '../../evidence/decide-statement';
import { judgeNotice } from '../../evidence/judge-scores';
import { bullets } from '../../lib/strings';
import { toSafeLine } from '../../lib/untrusted-text';
import { briefTexts } from '../answer-texts';
import { displayDate, sinceMarkdown } from '../attribution';
import { conflictParagraph, fallbackNotes } from '../chapters';
import { numbersOf, renderCitations, visibleStrings } from '../citations';
import { claimsLine } from '../claims';
import { listSourcesRead } from '../sources-read';
import {
  briefCitations,
  rejectedBriefClaims,
  type RejectedBriefClaims,
  sourcesList,
} from './brief-citations';
import {
  type BriefParts,
  judgedBrief,
  type RenderedPart,
  renderParts,
  type WrittenPart,
  writtenParts,
} from './brief-parts';
import type { BriefTemplate, TemplateSlot } from './brief-template';

/** Codes of citations that lead nowhere: in a summary, or in a model's text before they were dropped. */
const DROPPED_CITATION_CODES: readonly string[] = [
  'citation-unknown',
  'unknown-source',
  'citation-without-finding',
];

/** Document 000: minimum share of subtopics that the text names. */
const MIN_COVERAGE = 0.8;

/** Document 000 accepts this heading of the findings as well. */
const FINDINGS_HEADING = '## Findings';

export interface AssembledBrief {
  brief: Brief;
  markdown: string;
  judged: JudgedDocument;
}

/** Assembles a brief from the results of the passes. Pure: equal parts give equal bytes. */
export function assembleBrief(parts: BriefParts): AssembledBrief {
  const { id, question, title, status, settings, template, material, judge } = parts;
  const { estimate, usage, timings, provenance } = parts;
  const subtopics = material?.subtopics ?? [];
  const sources = new Map((material?.sources ?? []).map((source) => [source.id, source]));
  const findings = new Map(subtopics.flatMap((one) => one.findings).map((one) => [one.id, one]));
  const { written, missing } = writtenParts(parts);
  const isListed = settings.unsupportedClaims === 'mark';
  const asides = rejectedBriefClaims(written, material, { isListed });
  const disagreements = (material?.conflicts ?? []).map((conflict) => conflictParagraph(conflict, sources));
  const citations = briefCitations(
    citingTexts(template, written, disagreements),
    asides.sourceIds,
    material?.sources ?? [],
  );
  const { numbers } = citations;
  const rendered = renderParts(written, {
    material: material ?? { places: {}, checks: {}, conflicts: [] },
    findings,
    sources,
    numbers,
    summaries: parts.summaries,
  });
  const { claims } = rendered;
  const audit = countVerdicts([...claims, ...asides.ofText]);
  const partTitles = new Map(written.map((part) => [part.id, part.title]));
  const notices = briefNotices(parts, missing, audit, asides, (id) => partTitles.get(id) ?? id);
  const render = (line: string): string => renderCitations(line, numbers);
  const withNotices = (told: readonly string[], chapters: readonly string[] = []): string =>
    fillTemplate(template, {
      title: [toSafeLine(title), told.map((notice) => `> ${notice}`).join('\n>\n'), ...chapters].join('\n\n'),
      question: toSafeLine(question),
      date: labelledDate(template, provenance.asOf),
      summary: markdownOf(rendered.parts, 'summary'),
      findings: findingsMarkdown(rendered.parts, template.headings.findings.level),
      conclusions: markdownOf(rendered.parts, 'conclusions'),
      disagreements: disagreements.length === 0 ? '' : bullets(disagreements.map(render)),
      sources: sourcesList(citations.listed),
    });
  const given = subtopics.reduce((sum, { words }) => sum + words, 0);
  const since =
    parts.since === undefined ? [] : [`## ${writingTexts.sinceHeading}`, sinceMarkdown(parts.since)];
  const { markdown, length, told } = renderWithLength(notices, withNotices, since, { ...settings, given });
  const cited = citationWarnings(
    markdown,
    citations.listed.map(({ n }) => n),
    citations.all.map(({ n }) => n),
  );
  const before = [...(material?.warnings ?? []), ...parts.warnings];
  const warned = [...cited, ...(told === null ? [] : [{ code: 'length', message: told }])];
  const brief: Brief = {
    id,
    kind: 'brief',
    question,
    status,
    title,
    markdown,
    parts: rendered.parts.map(({ role: _role, ...part }) => ({
      ...part,
      words: countWhitespaceTokens(part.markdown),
    })),
    citations: citations.all,
    claims,
    setAside: asides.all(numbers),
    conflicts: (material?.conflicts ?? []).map(({ topic, viewpoints, resolution, reason }) => ({
      topic,
      viewpoints: viewpoints.map((viewpoint) => ({
        statement: viewpoint.statement,
        citations: numbersOf(viewpoint.citations, numbers),
      })),
      resolution,
      reason,
    })),
    audit,
    judge,
    length,
    metadata: {
      reportPath: null,
      citationCount: citations.all.length,
      qualityCheck: qualityCheck(
        markdown,
        template.headings,
        subtopics.map((subtopic) => subtopic.title),
      ),
      warnings: [...warned.map(({ message }) => message), ...citationMessages(before)],
      wordCount: length.words,
    },
    warnings: [...before, ...warned],
    ...(material === null ? {} : { sourcesRead: sourcesOfBrief(material, before, citations.listed) }),
    ...(parts.since === undefined ? {} : { since: parts.since }),
    ...(estimate === undefined ? {} : { estimate }),
    usage,
    timings,
    provenance,
  };
  const judged = judgedBrief({
    question,
    title,
    parts: rendered.parts,
    claims,
    setAside: asides.ofText.map(withPartId),
    material,
    citations,
    targetWords: settings.words,
  });
  return { brief: visibleStrings(brief), markdown, judged };
}

function sourcesOfBrief(
  { sources }: BriefMaterial,
  warnings: readonly Warning[],
  cited: readonly BriefCitation[],
): SourcesRead {
  return listSourcesRead({
    sources: sources.map(({ contentRef, ...source }) => ({
      ...source,
      ...(contentRef === null ? { summaryOnly: true as const } : {}),
    })),
    warnings,
    cited: new Set(cited.map(({ sourceId }) => sourceId)),
  });
}

/** The instruction of the date slot is the label before the date. */
function labelledDate({ slots }: BriefTemplate, asOf: string): string {
  const label = slots.find(({ slot }) => slot === 'date')?.instruction ?? '';
  const date = writingTexts.date(displayDate(asOf));
  return label === '' ? date : `${label} ${date}`;
}

function citingTexts(
  { slots }: BriefTemplate,
  written: readonly WrittenPart[],
  disagreements: readonly string[],
): string[] {
  return slots.flatMap(({ slot }) => {
    if (slot === 'disagreements') return disagreements;
    const role = slot === 'findings' ? 'body' : slot;
    return written.filter((part) => part.role === role).map(({ draft }) => draft.markdown);
  });
}

function markdownOf(parts: readonly RenderedPart[], partId: string): string {
  return parts.find(({ id }) => id === partId)?.markdown ?? '';
}

/** Each subtopic under a heading one level below that of the findings; Markdown has six levels. */
function findingsMarkdown(parts: readonly RenderedPart[], level: number): string {
  const marks = '#'.repeat(Math.min(6, level + 1));
  return parts
    .filter(({ role }) => role === 'body')
    .map(({ title, markdown }) => `${marks} ${toSafeLine(title)}\n\n${markdown}`)
    .join('\n\n');
}

interface LengthTarget extends Pick<BriefSettings, 'words' | 'maxWords'> {
  given: number;
}

/** Adds a notice if the text misses its target length. The length includes that notice, but not the changes since another text. */
function renderWithLength(
  notices: readonly string[],
  render: (notices: readonly string[], chapters?: readonly string[]) => string,
  since: readonly string[],
  { ...wanted }: LengthTarget,
): { markdown: string; length: Brief['length']; told: string | null } {
  const plain = render(notices);
  const length = briefLength(countWhitespaceTokens(plain), wanted);
  if (length.isReached) return { markdown: render(notices, since), length, told: null };
  // The notice's figures are single words, so that its length does not depend on them.
  const words = countWhitespaceTokens(render([...notices, lengthNotice(length, wanted.given)]));
  const told = briefLength(words, wanted);
  const notice = lengthNotice(told, wanted.given);
  const warning = lengthNotice(told, wanted.given);
  return { markdown: render([...notices, notice], since), length: told, told: warning };
}

function withPartId<Claim extends { sectionId: string }>({
  sectionId,
  ...claim
}: Claim): Omit<Claim, 'sectionId'> & { partId: string } {
  return { ...claim, partId: sectionId };
}

/** As a share of the target length. */
const TOLERANCE = 0.15;

function briefLength(
  words: number,
  { words: wanted, maxWords: most }: Pick<BriefSettings, 'words' | 'maxWords'>,
): Brief['length'] {
  const isReached = wanted === null ? words <= most : Math.abs(words - wanted) <= TOLERANCE * wanted;
  return { wanted, most, words, isReached };
}

/** `given` is the number of words in the summaries. */
function lengthNotice({ wanted, most, words }: Brief['length'], given: number): string {
  return wanted === null ? briefTexts.tooLong(words, most) : briefTexts.otherLength(words, wanted, given);
}

/** Markdown for each slot. An empty or absent slot is removed with its heading. */
type SlotTexts = Partial<Record<TemplateSlot, string>>;

export function fillTemplate({ lines, slots }: BriefTemplate, texts: SlotTexts): string {
  const filled = new Map<number, string>();
  const dropped = new Set<number>();
  for (const { slot, line, marks, heading } of slots) {
    const text = texts[slot] ?? '';
    // The title is a heading, with or without marks in the template.
    const lead = slot === 'title' ? `${marks === '' ? '#' : marks} ` : '';
    if (text !== '') filled.set(line, `${lead}${text}`);
    else for (let at = heading?.line ?? line; at <= line; at += 1) dropped.add(at);
  }
  const text = lines.flatMap((line, at) => (dropped.has(at) ? [] : [filled.get(at) ?? line])).join('\n');
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}

/** Document 000's basic check of a whole text, by the headings of its template. A title may appear raw or escaped. */
export function qualityCheck(
  markdown: string,
  headings: BriefTemplate['headings'],
  subtopicTitles: readonly string[],
): QualityCheck {
  const text = markdown.toLowerCase();
  // Compares whole lines: a title may have the words of a heading, marks included.
  const lines = new Set(markdown.split('\n').map((line) => line.trim()));
  const covered = subtopicTitles.filter((title) =>
    [title, toSafeLine(title)].some((form) => text.includes(form.toLowerCase())),
  ).length;
  const has = {
    hasExecutiveSummary: lines.has(headings.summary.markdown),
    hasFindings: lines.has(headings.findings.markdown) || lines.has(FINDINGS_HEADING),
    hasSources: lines.has(headings.sources.markdown),
    hasCitations: /\[\d+\]/.test(markdown),
  };
  const subtopicsCovered = subtopicTitles.length === 0 ? 0 : covered / subtopicTitles.length;
  return {
    ...has,
    subtopicsCovered,
    wordCount: countWhitespaceTokens(markdown),
    passes: Object.values(has).every(Boolean) && subtopicsCovered >= MIN_COVERAGE,
  };
}

/** Document 000's citation warnings, in its words. `listed` are the numbers in the source list, `defined` those of all sources. */
export function citationWarnings(
  markdown: string,
  listed: readonly number[],
  defined: readonly number[],
): Warning[] {
  const found = new Set([...markdown.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])));
  const used = listed.filter((n) => found.has(n));
  const absent = [...found].filter((n) => !listed.includes(n)).sort((one, other) => one - other);
  const unused = defined.filter((n) => !used.includes(n));
  return [
    ...absent.map((n) => ({
      code: 'citation-not-there',
      message: `Citation [${n}] referenced but does not exist`,
    })),
    ...(unused.length === 0
      ? []
      : [
          {
            code: 'citations-unused',
            message: `Citations {${unused.join(', ')}} defined but not referenced in report`,
          },
        ]),
  ];
}

function citationMessages(warnings: readonly Warning[]): string[] {
  const messages = warnings
    .filter(({ code }) => DROPPED_CITATION_CODES.includes(code))
    .map(({ message }) => message);
  return [...new Set(messages)];
}

function briefNotices(
  { endedEarly, shortfalls, warnings, material, judge }: BriefParts,
  missing: string | null,
  audit: Brief['audit'],
  { ofText, listed }: RejectedBriefClaims,
  titleOf: (partId: string) => string,
): string[] {
  const sources = material?.sources ?? [];
  const inFull = sources.filter(({ contentRef }) => contentRef !== null).length;
  return [
    ...[endedEarly, ...fallbackNotes(warnings), ...shortfalls, missing].flatMap((told) =>
      told === null ? [] : [toSafeLine(told)],
    ),
    claimsLine(
      audit,
      ofText.map((claim) => ({
        fate: listed.includes(claim) ? claim.action : 'removed',
        part: titleOf(claim.sectionId),
      })),
      { bearing: inFull === 0 ? 'statements' : 'passages' },
    ),
    ...sourceTextNotes(sources.length, inFull, material?.setAside.length ?? 0),
    ...(judge === null ? [] : [judgeNotice(judge) ?? []].flat()),
  ];
}

function sourceTextNotes(
  sources: number,
  inFull: number,
  setAside: BriefMaterial['setAside']['length'],
): string[] {
  const given = inFull === 0 ? briefTexts.noTexts(sources) : briefTexts.someTexts(inFull, sources);
  return [
    ...(sources === inFull ? [] : [given]),
    ...(setAside === 0 ? [] : [briefTexts.summariesSetAside(setAside)]),
  ];
}

/** Document 000's count: words between white space, including Markdown signs and the source list. */
export function countWhitespaceTokens(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}
