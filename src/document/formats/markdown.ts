import { reportTexts } from '../../texts/report';
import { ended } from '../../core/writing/ended';
import { escapeWithinLine } from '../../core/text/untrusted-text';
import type { DocumentSource, DocumentTree } from '../document';
import type { StoredDocument } from './export-format';

/** As it was stored. The text of an answer stands for itself, so its question, its notices and its sources are put around it. */
export function renderMarkdown(tree: DocumentTree, { markdown }: StoredDocument): string {
  if (tree.kind !== 'answer') return markdown;
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
