import { splitSentences } from '../language/sentences';
import type { BibliographyEntry, Citation, CitedReport, CitedStatement } from './cited-report';

const MARK = /\[(\d{1,4})\]/g;
const ENTRY = /^(?:[-*] )?\[?(\d{1,4})[\].]\s+(.+)$/;
const LIST_HEADING = /^#{1,6}\s+(?:Sources|References|Bibliography)\s*$/i;
const TRAILING_MARKS = /^(?:\s*\[\d{1,4}\])+(?:\s*\([^()]*\))?[.]?/;

/** The statements, numbered citations and numbered list of sources of a report. */
export function readCitedReport(markdown: string): CitedReport {
  const statements: CitedStatement[] = [];
  const citations: Citation[] = [];
  const entries: BibliographyEntry[] = [];
  let heading: string | null = null;
  let listing = false;
  let offset = 0;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [start, number] = [offset, index + 1];
    offset += line.length + 1;
    if (/^#{1,6}\s/.test(line)) {
      listing = LIST_HEADING.test(line);
      heading = line.replace(/^#+\s+/, '').trim();
      continue;
    }
    if (line.trim() === '') continue;
    const entry = listing ? ENTRY.exec(line) : null;
    if (entry !== null) {
      entries.push(entryOf(entry, { start, end: start + line.length, line: number }));
      continue;
    }
    if (listing) continue;
    for (const span of statementSpans(line)) {
      const text = line.slice(span.start, span.end);
      const own = [...text.matchAll(MARK)].map((mark) => {
        const from = start + span.start + mark.index;
        const place = { start: from, end: from + mark[0].length, line: number };
        return (
          citations.push({ ...place, written: mark[0], form: 'number', label: mark[1] ?? '', entry: null }) -
          1
        );
      });
      statements.push({
        start: start + span.start,
        end: start + span.end,
        line: number,
        plain: text.replace(MARK, '').replace(/\*\*/g, '').replace(/\s+/g, ' ').trim(),
        citations: own,
        heading,
      });
    }
  }
  const resolved = citations.map((citation) => {
    const at = entries.findIndex(({ label }) => label === citation.label);
    return { ...citation, entry: at < 0 ? null : at };
  });
  return { statements, citations: resolved, entries };
}

function statementSpans(line: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of splitSentences(line)) {
    const previous = spans.at(-1);
    if (previous !== undefined && start < previous.end) {
      if (end > previous.end) spans.push({ start: previous.end + 1, end });
      continue;
    }
    const marks = TRAILING_MARKS.exec(line.slice(end))?.[0].length ?? 0;
    spans.push({ start, end: end + marks });
  }
  return spans;
}

function entryOf(
  match: RegExpExecArray,
  place: { start: number; end: number; line: number },
): BibliographyEntry {
  const text = match[2] ?? '';
  return {
    ...place,
    label: match[1] ?? null,
    text,
    url: /https?:\/\/[^\s<>)]+/.exec(text)?.[0] ?? null,
    title: /“(.+?)\.?”/.exec(text)?.[1] ?? null,
    author: null,
    year: /\b(?:19|20)\d{2}\b/.exec(text)?.[0] ?? null,
    origin: 'list',
  };
}
