import type { CitedReport, CitedStatement } from '../cited-text/cited-report';
import type { Warning } from '../contracts/run/run';
import { count } from '../core/writing/count';
import type { NamedSource } from './named-source';
import type { SubtopicToRead } from './subtopic-to-read';

/** What became of a summary. */
interface Outcome {
  /** Of each citation. */
  sources: readonly (NamedSource | null)[];
  sentences: number;
  /** What is too long for a sentence. */
  endless: readonly CitedStatement[];
  /** Whether any source is named at all. */
  isCiting: boolean;
}

/** What of a summary leads nowhere, or is not read. */
export function unreadWarnings(
  { id, title, summary }: SubtopicToRead,
  { citations, unread }: CitedReport,
  { sources, sentences, endless, isCiting }: Outcome,
): Warning[] {
  const named = `${id} (${title})`;
  const lost = new Set(citations.flatMap(({ label }, at) => (sources[at] === null ? [label] : [])));
  const warnings: Warning[] = [];
  if (lost.size > 0)
    warnings.push({
      code: 'citation-unknown',
      message: `${named}: its summary cites ${[...lost].join(', ')}, which ${lost.size === 1 ? 'is none' : 'are none'} of its sources; ${lost.size === 1 ? 'the mark is' : 'the marks are'} left out.`,
    });
  for (const part of unread) {
    if (part.start >= summary.length) continue;
    warnings.push({
      code: 'summary-not-read',
      message: `${named}: what stands on line ${part.line} of its summary is ${part.kind === 'html' ? 'HTML' : 'code'}, and is not read.`,
    });
  }
  for (const { line, plain } of endless)
    warnings.push({
      code: 'summary-not-read',
      message: `${named}: what begins on line ${line} of its summary goes on for ${count(plain.length, 'character')} without the end of a sentence, and is left out.`,
    });
  if (sentences === 0)
    warnings.push({
      code: 'summary-says-nothing',
      message: `${named}: its summary has no sentence that states anything; headings, tables, code and blocks of HTML are not read as sentences.`,
    });
  else if (!isCiting)
    warnings.push({
      code: 'summary-cites-nothing',
      message: `${named}: it names no source, so that ${count(sentences, 'sentence')} cannot be cited and ${sentences === 1 ? 'is' : 'are'} left out.`,
    });
  return warnings;
}
