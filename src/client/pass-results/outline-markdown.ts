import type { Outline, RankedSection } from '../../contracts/report/outline';
import { count } from '../../core/writing/count';
import { relevanceOf } from '../../core/ranking/join-plans';
import { READ_FROM } from '../../core/ranking/ranked-outline';
import { inert } from '../../core/writing/quotation';
import { bullets, joinBlocks } from '../../core/writing/markdown-blocks';
import type { SourceLabels } from './source-labels';

/** Document 002's words for the relevance of a source to a section. */
const RELEVANCE_WORDS: readonly [from: number, word: string][] = [
  [0.9, 'highly relevant'],
  [0.7, 'relevant'],
  [0.5, 'somewhat relevant'],
  [0, 'hardly relevant'],
];

export function outlineMarkdown(outline: Outline, labels: SourceLabels): string {
  return joinBlocks([
    '# Pass 1: Overview',
    inert(outline.overallTheme),
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
  const relevance = relevanceOf([...relevantSources, ...sourceScores]);
  const placed = new Set(subsections.flatMap(({ sourceIds }) => sourceIds));
  const others = relevantSources.map(({ sourceId }) => sourceId).filter((id) => !placed.has(id));
  const listed = (ids: readonly string[]): string =>
    ids.length === 0
      ? 'No source is named for it.'
      : bullets(ids.map((id) => sourceLine(id, relevance.get(id), labels)));
  return [
    `## ${index + 1}. ${inert(title)}`,
    inert(description),
    `${count(relevantSources.length, 'relevant source')}:`,
    ...subsections.flatMap((subsection) => [
      `### ${inert(subsection.title)}`,
      listed(mostRelevantFirst(subsection.sourceIds, relevance)),
    ]),
    ...(others.length === 0
      ? []
      : [...(subsections.length === 0 ? [] : ['### Other sources']), listed(others)]),
    furtherSources(section, placed),
  ];
}

function furtherSources(
  { relevantSources, sourceScores }: RankedSection,
  placed: ReadonlySet<string>,
): string {
  const told = new Set([...relevantSources.map(({ sourceId }) => sourceId), ...placed]);
  const further = sourceScores.filter(({ sourceId }) => !told.has(sourceId));
  if (further.length === 0) return '';
  const readable = further.filter(({ relevance }) => relevance >= READ_FROM).length;
  const rest = further.length === 1 ? 'One more source is' : `${further.length} more sources are`;
  return `${rest} scored for it, ${readable === 0 ? 'none' : readable} of them from ${READ_FROM.toFixed(2)} on, where reading begins; the JSON has every score.`;
}

function mostRelevantFirst(ids: readonly string[], relevance: ReadonlyMap<string, number>): string[] {
  return [...ids].sort((a, b) => (relevance.get(b) ?? 0) - (relevance.get(a) ?? 0) || (a < b ? -1 : 1));
}

function sourceLine(id: string, relevance: number | undefined, labels: SourceLabels): string {
  if (relevance === undefined) return labels.labelWithId(id);
  const word = RELEVANCE_WORDS.find(([from]) => relevance >= from)?.[1] ?? '';
  return `${relevance.toFixed(2)} ${word}: ${labels.labelWithId(id)}`;
}
