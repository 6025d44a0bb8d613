import type {
  Conflict,
  Evidence,
  Finding,
  Gap,
  LeftOutFinding,
  SectionFindings,
  ValidatedFindings,
  Viewpoint,
} from '../contracts/finding';
import type { Outline, RankedSection } from '../contracts/outline';
import { passNumber } from '../contracts/run-protocol';
import type { CataloguedSource, SourceCatalogue } from '../contracts/source';
import { count, type Level } from '../contracts/wording';
import { confidenceText, confidenceWord, favouredView } from '../evidence/corroboration';
import { bullets, joinBlocks } from '../lib/strings';
import { formatQuote, quoteIfVerbatim, stripUnsafe, toSafeLine } from '../lib/untrusted-text';
import { shortNames } from '../report/attribution';
import { highestRelevance, MIN_RELEVANCE, rankByFindings } from '../report/ranked-outline';
import { missingSections, type PassContext, type PassResult } from './pass-results';

/** Markdown for people of the result of a report's pass. Text from sources is escaped. */
export function passMarkdown(left: PassResult, surroundings: PassContext): string {
  const labels = sourceLabels(left.pass === 'gather' ? left.result : surroundings.catalogue);
  switch (left.pass) {
    case 'gather':
      return catalogueMarkdown(left.result, labels);
    case 'overview':
      return outlineMarkdown(left.result, labels);
    case 'deep-dive':
      return deepDiveMarkdown(left.result, surroundings, labels);
    case 'cross-reference':
      return validatedMarkdown(left.result, surroundings.outline, labels);
  }
}

function catalogueMarkdown({ sources, merged }: SourceCatalogue, labels: SourceLabels): string {
  const authoritative = sources.filter(({ quality }) => quality.level === 'authoritative').length;
  const repeats = sources.filter(({ nearDuplicateOf }) => nearDuplicateOf !== undefined).length;
  return joinBlocks([
    '# Sources gathered',
    [
      count(sources.length, 'source'),
      `${authoritative} of them authoritative`,
      count(repeats, 'near-duplicate'),
      `${merged.length} merged with another of the same address`,
    ].join(', ') + '.',
    bullets(sources.map((source) => sourceLine(source, labels))),
    ...(merged.length === 0
      ? []
      : [
          '## Merged',
          bullets(merged.map(({ id, into }) => `${inlineCode(id)} is ${labels.labelWithId(into)}`)),
        ]),
  ]);
}

function sourceLine(source: CataloguedSource, labels: SourceLabels): string {
  const { id, site, publishedAt, url, contentChars, quality, nearDuplicateOf } = source;
  const about = [site, publishedAt]
    .flatMap((part) => (part === undefined ? [] : [toSafeLine(part)]))
    .join(', ');
  return [
    labels.labelWithId(id),
    ...(about === '' ? [] : [about]),
    ...(url === null ? [] : [inlineCode(url)]),
    count(contentChars, 'character'),
    `${quality.level}: ${toSafeLine(quality.reason).replace(/\.$/, '')}`,
    ...(nearDuplicateOf === undefined ? [] : [`nearly repeats ${labels.name(nearDuplicateOf)}`]),
  ].join(' · ');
}

const CONFLICT_KINDS: Record<Conflict['kind'], string> = {
  number: 'They give different numbers',
  direction: 'One says the opposite of the other, or denies what it says',
  condition: 'They tie the result to conditions that exclude each other',
};

function validatedMarkdown(
  { sections, conflicts, gaps, joined = [] }: ValidatedFindings,
  outline: Outline | null,
  labels: SourceLabels,
): string {
  const findings = sections.flatMap((section) => section.findings);
  return joinBlocks([
    '# Pass 3: Cross-Reference',
    `${count(findings.length, 'validated finding')}, ${confidenceCounts(findings)}; ${count(conflicts.length, 'conflict')}, ${count(gaps.length, 'gap')}.`,
    '## Conflicts',
    ...(conflicts.length === 0
      ? ['None was found.']
      : conflicts.flatMap((conflict, index) => conflictBlocks(conflict, index, labels))),
    '## Gaps',
    gaps.length === 0 ? 'None was found.' : bullets(gaps.map((gap) => gapLine(gap, outline))),
    '## Findings',
    ...sections.flatMap((section) => [
      sectionHeading(section.sectionId, outline, '###'),
      findingList(section.findings, labels),
    ]),
    ...(joined.length === 0
      ? []
      : [
          '## Said by another finding',
          bullets(joined.map((one) => mergedFindingLine(one, findings, labels))),
        ]),
  ]);
}

function mergedFindingLine(
  { finding, into }: NonNullable<ValidatedFindings['joined']>[number],
  findings: readonly Finding[],
  labels: SourceLabels,
): string {
  const said = findings.find(({ id }) => id === into);
  const sources = finding.citations.map((id) => labels.name(id)).join(', ');
  const where = said === undefined ? toSafeLine(into) : formatQuote(said.claim);
  return `${formatQuote(finding.claim)} (${sources}) stands under ${where}`;
}

/** `4 of High, 3 of Medium and 0 of Low confidence`. */
function confidenceCounts(findings: readonly Finding[]): string {
  const having = (word: Level): string =>
    `${findings.filter(({ confidence }) => confidenceWord(confidence) === word).length} of ${word}`;
  return `${having('High')}, ${having('Medium')} and ${having('Low')} confidence`;
}

function conflictBlocks(conflict: Conflict, index: number, labels: SourceLabels): string[] {
  const { topic, kind, viewpoints, resolution, reason } = conflict;
  return [
    `### Conflict ${index + 1}: ${toSafeLine(topic)}`,
    `${CONFLICT_KINDS[kind]}:`,
    viewpoints.map((viewpoint, side) => viewpointLines(viewpoint, side, labels)).join('\n'),
    `Resolution: ${resolutionText(resolution)}. ${toSafeLine(reason)}`,
  ];
}

function viewpointLines(viewpoint: Viewpoint, side: number, labels: SourceLabels): string {
  const { statement, evidence } = viewpoint;
  const number = `${side + 1}. `;
  const quotes = evidence.map(
    (item) => `${' '.repeat(number.length)}- ${evidenceLine(item, statement, labels)}`,
  );
  return [`${number}${quoteIfVerbatim(statement, evidence, (text) => text)}`, ...quotes].join('\n');
}

function resolutionText(resolution: string): string {
  const favoured = favouredView(resolution);
  return favoured === null ? 'both views are presented' : `the evidence favours view ${favoured + 1}`;
}

function gapLine({ question, reason, sectionId }: Gap, outline: Outline | null): string {
  const title = outline?.sections.find(({ id }) => id === sectionId)?.title;
  return `**${toSafeLine(question)}** ${toSafeLine(reason)}${title === undefined ? '' : ` (Section: ${toSafeLine(title)})`}`;
}

function deepDiveMarkdown(
  found: readonly SectionFindings[],
  surroundings: PassContext,
  labels: SourceLabels,
): string {
  const missing = missingSections({ pass: 'deep-dive', result: [...found] }, surroundings);
  const findings = found.reduce((sum, section) => sum + section.findings.length, 0);
  const leftOut = found.reduce((sum, section) => sum + (section.leftOut?.length ?? 0), 0);
  const inFull = new Set(found.flatMap((section) => section.readInFull));
  const bySummary = new Set(
    found.flatMap((section) => section.readBySummary).filter((id) => !inFull.has(id)),
  );
  return joinBlocks([
    '# Pass 2: Deep Dive',
    `${count(findings, 'finding')} in ${count(found.length, 'section')}, from ${count(inFull.size, 'source')} read in full and ${bySummary.size} by their summary.${leftOut === 0 ? '' : ` ${leftOut} more ${leftOut === 1 ? 'was' : 'were'} found and left out.`}`,
    missing.length === 0
      ? ''
      : `Not every section is done. Nothing is there of: ${missing.map(({ title }) => toSafeLine(title)).join('; ')}.`,
    ...found.flatMap((section) => [
      sectionHeading(section.sectionId, surroundings.outline),
      findingList(section.findings, labels),
      ...titledList(
        'Left out',
        (section.leftOut ?? []).map((one) => excludedFindingLine(one, labels)),
      ),
      ...titledList(
        'Read in full, by what they gave',
        rankedSourceLines(section, surroundings.outline, labels),
      ),
      ...titledList(
        'Read by their summary',
        section.readBySummary.map((id) => labels.label(id)),
      ),
    ]),
  ]);
}

/** `## 2. Title`, numbered as in the outline. */
function sectionHeading(sectionId: string, outline: Outline | null, level = '##'): string {
  const index = outline?.sections.findIndex(({ id }) => id === sectionId) ?? -1;
  const title = outline?.sections[index]?.title;
  return title === undefined
    ? `${level} ${toSafeLine(sectionId)}`
    : `${level} ${index + 1}. ${toSafeLine(title)}`;
}

function findingList(findings: readonly Finding[], labels: SourceLabels): string {
  if (findings.length === 0) return 'There is no finding.';
  return findings
    .map(({ claim, confidence, evidence, quoted }, index) => {
      const told = quoteIfVerbatim(claim, evidence, (text) => text);
      const number = `${index + 1}. `;
      const quotes = evidence.map(
        (item) => `${' '.repeat(number.length)}- ${evidenceLine(item, claim, labels)}`,
      );
      const mark = quoted === true ? ', quoted where the model found less' : '';
      return [`${number}${told} — ${confidenceText(confidence)}${mark}`, ...quotes].join('\n');
    })
    .join('\n');
}

/** Omits a quote that the line above already has. */
function evidenceLine({ sourceId, quote, page }: Evidence, above: string, labels: SourceLabels): string {
  const source = `${labels.label(sourceId)}${page === undefined ? '' : `, page ${page}`}`;
  return collapseSpaces(quote) === collapseSpaces(above) ? source : `${source}: ${formatQuote(quote)}`;
}

function excludedFindingLine({ claim, citations, reason }: LeftOutFinding, labels: SourceLabels): string {
  const said = claim === undefined ? 'A finding' : formatQuote(claim);
  const sources = citations.length === 0 ? '' : ` (${citations.map((id) => labels.name(id)).join(', ')})`;
  return `${said}${sources}: ${toSafeLine(reason).replace(/\.$/, '')}`;
}

function titledList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, bullets(lines)];
}

function rankedSourceLines(
  { sectionId, readInFull, findings }: SectionFindings,
  outline: Outline | null,
  labels: SourceLabels,
): string[] {
  const planned = outline?.sections.find(({ id }) => id === sectionId)?.sourceScores ?? [];
  const relevance = new Map(planned.map((source) => [source.sourceId, source.relevance]));
  const read = readInFull.map((sourceId) => ({ sourceId, relevance: relevance.get(sourceId) ?? 0 }));
  return rankByFindings(read, findings).map(
    ({ sourceId, findings: given, score }) =>
      `${labels.label(sourceId)} — ${given === 0 ? 'no finding' : count(given, 'finding')} (${score.toFixed(2)})`,
  );
}

function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Document 002's words by the lower bound of relevance. */
const RELEVANCE_WORDS: readonly [from: number, word: string][] = [
  [0.9, 'highly relevant'],
  [0.7, 'relevant'],
  [0.5, 'somewhat relevant'],
  [0, 'hardly relevant'],
];

export function outlineMarkdown(outline: Outline, labels: SourceLabels): string {
  return joinBlocks([
    '# Pass 1: Overview',
    toSafeLine(outline.overallTheme),
    ...unansweredBlocks(outline, labels),
    ...outline.sections.flatMap((section, index) => sectionBlocks(section, index, labels)),
  ]);
}

function unansweredBlocks({ unanswered }: Outline, labels: SourceLabels): string[] {
  if (unanswered === undefined) return [];
  return [
    'There is no section: nothing answers the question. Nearest to it are:',
    bullets(unanswered.nearest.map((id) => labels.labelWithId(id))),
  ];
}

function sectionBlocks(section: RankedSection, index: number, labels: SourceLabels): string[] {
  const { title, description, subsections, relevantSources, sourceScores } = section;
  const relevance = highestRelevance([...relevantSources, ...sourceScores]);
  const placed = new Set(subsections.flatMap(({ sourceIds }) => sourceIds));
  const others = relevantSources.map(({ sourceId }) => sourceId).filter((id) => !placed.has(id));
  const listed = (ids: readonly string[]): string =>
    ids.length === 0
      ? 'No source is named for it.'
      : bullets(ids.map((id) => outlineSourceLine(id, relevance.get(id), labels)));
  return [
    `## ${index + 1}. ${toSafeLine(title)}`,
    toSafeLine(description),
    `${count(relevantSources.length, 'relevant source')}:`,
    ...subsections.flatMap((subsection) => [
      `### ${toSafeLine(subsection.title)}`,
      listed(sortByRelevance(subsection.sourceIds, relevance)),
    ]),
    ...(others.length === 0
      ? []
      : [...(subsections.length === 0 ? [] : ['### Other sources']), listed(others)]),
    otherScoredSources(section, placed),
  ];
}

function otherScoredSources(
  { relevantSources, sourceScores }: RankedSection,
  placed: ReadonlySet<string>,
): string {
  const told = new Set([...relevantSources.map(({ sourceId }) => sourceId), ...placed]);
  const further = sourceScores.filter(({ sourceId }) => !told.has(sourceId));
  if (further.length === 0) return '';
  const readable = further.filter(({ relevance }) => relevance >= MIN_RELEVANCE).length;
  const rest = further.length === 1 ? 'One more source is' : `${further.length} more sources are`;
  return `${rest} scored for it, ${readable === 0 ? 'none' : readable} of them from ${MIN_RELEVANCE.toFixed(2)} on, where reading begins; the JSON has every score.`;
}

function sortByRelevance(ids: readonly string[], relevance: ReadonlyMap<string, number>): string[] {
  return [...ids].sort((a, b) => (relevance.get(b) ?? 0) - (relevance.get(a) ?? 0) || (a < b ? -1 : 1));
}

function outlineSourceLine(id: string, relevance: number | undefined, labels: SourceLabels): string {
  if (relevance === undefined) return labels.labelWithId(id);
  const word = RELEVANCE_WORDS.find(([from]) => relevance >= from)?.[1] ?? '';
  return `${relevance.toFixed(2)} ${word}: ${labels.labelWithId(id)}`;
}

interface SourceLabels {
  /** `Doe 2010`. */
  name(id: string): string;
  /** `Doe 2010, “Its title”`. */
  label(id: string): string;
  /** `label` and the id. */
  labelWithId(id: string): string;
}

/** A source that is not in the catalogue has its id as its label. */
export function sourceLabels(catalogue: SourceCatalogue | null): SourceLabels {
  const sources = catalogue?.sources ?? [];
  const names = shortNames(sources);
  const titles = new Map(sources.map(({ id, title }) => [id, title]));
  const name = (id: string): string => toSafeLine(names.get(id) ?? id);
  const label = (id: string): string => {
    const title = titles.get(id);
    if (title === undefined) return inlineCode(id);
    const quoted = `“${toSafeLine(title)}”`;
    // Without an author, the short name is the title.
    return names.get(id)?.startsWith('“') ? quoted : `${name(id)}, ${quoted}`;
  };
  return {
    name,
    label,
    labelWithId: (id) => (titles.has(id) ? `${label(id)} ${inlineCode(id)}` : inlineCode(id)),
  };
}

/** An id or URL as inline code, so that Markdown does not interpret it. */
export function inlineCode(text: string): string {
  return `\`${stripUnsafe(text).replace(/\s+/g, ' ').replace(/`/g, '%60')}\``;
}

export interface PassDocument {
  id: string;
  pass: { number: number; name: PassResult['pass'] };
  /** False for an unfinished deep dive: some sections have no findings. */
  complete: boolean;
  result: PassResult['result'];
  /** Section titles by id; empty without an outline. */
  sections: Record<string, string>;
  sources: Record<string, SourceFacts>;
}

type SourceFacts = Pick<CataloguedSource, 'title' | 'author' | 'site' | 'publishedAt' | 'url' | 'quality'>;

export function passDocument(runId: string, left: PassResult, surroundings: PassContext): PassDocument {
  const { catalogue, outline } = {
    ...surroundings,
    ...(left.pass === 'gather' ? { catalogue: left.result } : {}),
    ...(left.pass === 'overview' ? { outline: left.result } : {}),
  };
  return {
    id: runId,
    pass: { number: passNumber(left.pass), name: left.pass },
    complete: missingSections(left, surroundings).length === 0,
    result: left.result,
    sections: Object.fromEntries((outline?.sections ?? []).map(({ id, title }) => [id, title])),
    sources: sourceFacts(catalogue),
  };
}

function sourceFacts(catalogue: SourceCatalogue | null): Record<string, SourceFacts> {
  return Object.fromEntries(
    (catalogue?.sources ?? []).map(({ id, title, author, site, publishedAt, url, quality }) => [
      id,
      { title, author, site, publishedAt, url, quality },
    ]),
  );
}
