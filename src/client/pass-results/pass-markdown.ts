import { deepDiveMarkdown, evidenceLine, findingList, sectionHeading } from './findings-markdown';
import { outlineMarkdown } from './outline-markdown';
import type { PassResult, PassSurroundings } from './pass-results';
import { sourceLabels, code, type SourceLabels } from './source-labels';
import type { CataloguedSource, SourceCatalogue } from '../../contracts/source/source';
import { count } from '../../core/writing/count';
import { inert, quotation, quotedIfVerbatim } from '../../core/writing/quotation';
import { bullets, joinBlocks } from '../../core/writing/markdown-blocks';
import type { Level } from '../../texts/writing';
import { confidenceWord } from '../../core/evidence/confidence';
import type { Conflict, Finding, Gap, ValidatedFindings, Viewpoint } from '../../contracts/report/finding';
import type { Outline } from '../../contracts/report/outline';
import { favouredView } from '../../core/evidence/favoured-view';

/** What a pass left, for people: sources by name and title, nothing of them active as Markdown. */
export function passMarkdown(left: PassResult, surroundings: PassSurroundings): string {
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
      : ['## Merged', bullets(merged.map(({ id, into }) => `${code(id)} is ${labels.labelWithId(into)}`))]),
  ]);
}

function sourceLine(source: CataloguedSource, labels: SourceLabels): string {
  const { id, site, publishedAt, url, contentChars, quality, nearDuplicateOf } = source;
  const about = [site, publishedAt].flatMap((part) => (part === undefined ? [] : [inert(part)])).join(', ');
  return [
    labels.labelWithId(id),
    ...(about === '' ? [] : [about]),
    ...(url === null ? [] : [code(url)]),
    count(contentChars, 'character'),
    `${quality.level}: ${inert(quality.reason).replace(/\.$/, '')}`,
    ...(nearDuplicateOf === undefined ? [] : [`nearly repeats ${labels.name(nearDuplicateOf)}`]),
  ].join(' · ');
}

const KINDS: Record<Conflict['kind'], string> = {
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
      : ['## Said by another finding', bullets(joined.map((one) => joinedLine(one, findings, labels)))]),
  ]);
}

function joinedLine(
  { finding, into }: NonNullable<ValidatedFindings['joined']>[number],
  findings: readonly Finding[],
  labels: SourceLabels,
): string {
  const said = findings.find(({ id }) => id === into);
  const sources = finding.citations.map((id) => labels.name(id)).join(', ');
  const where = said === undefined ? inert(into) : quotation(said.claim);
  return `${quotation(finding.claim)} (${sources}) stands under ${where}`;
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
    `### Conflict ${index + 1}: ${inert(topic)}`,
    `${KINDS[kind]}:`,
    viewpoints.map((viewpoint, side) => viewpointLines(viewpoint, side, labels)).join('\n'),
    `Resolution: ${resolutionText(resolution)}. ${inert(reason)}`,
  ];
}

function viewpointLines(viewpoint: Viewpoint, side: number, labels: SourceLabels): string {
  const { statement, evidence } = viewpoint;
  const number = `${side + 1}. `;
  const quotes = evidence.map(
    (item) => `${' '.repeat(number.length)}- ${evidenceLine(item, statement, labels)}`,
  );
  return [`${number}${quotedIfVerbatim(statement, evidence, (text) => text)}`, ...quotes].join('\n');
}

function resolutionText(resolution: string): string {
  const favoured = favouredView(resolution);
  return favoured === null ? 'both views are presented' : `the evidence favours view ${favoured + 1}`;
}

function gapLine({ question, reason, sectionId }: Gap, outline: Outline | null): string {
  const title = outline?.sections.find(({ id }) => id === sectionId)?.title;
  return `**${inert(question)}** ${inert(reason)}${title === undefined ? '' : ` (Section: ${inert(title)})`}`;
}
