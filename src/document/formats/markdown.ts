import { reportTexts } from '../../texts/report';
import { ended } from '../../core/writing/ended';
import { escapeWithinLine } from '../../core/text/untrusted-text';
import { joinBlocks } from '../../core/writing/markdown-blocks';
import { inert, quotation } from '../../core/writing/quotation';
import type { DocumentSource, DocumentTree } from '../document';
import { type EvidenceRow, evidenceParts, isDisputed } from '../evidence-rows';
import type { StoredDocument } from './export-format';

/**
 * As it was stored, with the evidence of a report before its list of sources; a brief is as long as was asked for. The text of an
 * answer stands for itself, so its question, its notices and its sources are put around it.
 */
export function renderMarkdown(tree: DocumentTree, { markdown }: StoredDocument): string {
  if (tree.kind === 'report') return withEvidence(markdown, tree);
  if (tree.kind === 'brief') return markdown;
  const sources = tree.sources.map(sourceLine);
  return [
    `# ${escapeWithinLine(tree.question.replace(/\s+/g, ' '))}`,
    ...tree.notices.map((notice) => `> ${escapeWithinLine(notice.replace(/\s+/g, ' '))}`),
    markdown.trim(),
    ...(sources.length === 0 ? [] : [`## ${reportTexts.headings.sources}`, sources.join('\n')]),
    '',
  ].join('\n\n');
}

function sourceLine({ n, title, author, publishedAt, url, bySummaryOnly }: DocumentSource): string {
  const told = [author, title, publishedAt].flatMap((part) =>
    part === null ? [] : [escapeWithinLine(part.replace(/\s+/g, ' '))],
  );
  const parts = told.map((part, at) => (at === told.length - 1 ? part : ended(part)));
  return `${n}. ${parts.join(' ')}${url === null ? '' : ` <${url}>`}${bySummaryOnly ? `. ${reportTexts.summaryOnly}` : ''}`;
}

function withEvidence(markdown: string, tree: DocumentTree): string {
  const { headings } = reportTexts;
  const parts = evidenceParts(tree);
  if (parts.length === 0) return markdown;
  const chapter = joinBlocks([
    `## ${headings.evidence}`,
    ...parts.flatMap(({ title, rows }) => [`### ${inert(title)}`, ...blocksOf(rows)]),
  ]);
  const sources = markdown.lastIndexOf(`\n## ${headings.sources}\n`);
  const at = sources < 0 ? markdown.length : sources + 1;
  return `${markdown.slice(0, at)}${chapter.trimEnd()}\n\n${markdown.slice(at)}`;
}

function blocksOf(rows: readonly EvidenceRow[]): string[] {
  const linesOf = (some: readonly EvidenceRow[]): string => some.map(rowLine).join('\n');
  const disputed = rows.filter(isDisputed);
  if (disputed.length === 0) return [linesOf(rows)];
  const others = rows.filter((row) => !isDisputed(row));
  return [
    `#### ${reportTexts.disputed}`,
    linesOf(disputed),
    ...(others.length === 0 ? [] : [`#### ${reportTexts.undisputed}`, linesOf(others)]),
  ];
}

/** `- “…” (Doe 2011) [3] (Low confidence).` */
function rowLine({ evidence, source, name, confidence }: EvidenceRow): string {
  const by = name === '' ? '' : ` (${inert(name)})`;
  return `- ${quotation(evidence.quote)}${by} [${source.n}]${confidence === null ? '' : ` (${confidence})`}.`;
}
