import type { Warning } from '../contracts/run/run';
import { blocksOf, type Block } from '../cited-text/markdown/blocks';
import type { CitedStatement } from '../cited-text/cited-report';
import { stripUnsafe } from '../core/text/untrusted-text';
import { tokensOf } from '../language/tokens';
import { terms } from '../language/words';
import { citedStatements, type CitedSentence } from './cited-statements';
import type { NamedSource } from './named-source';
import { numberedSources } from './numbered-sources';
import { readSummary } from './read-summary';
import { resolveCitations } from './resolve-citations';
import type { SubtopicToRead } from './subtopic-to-read';
import { unreadWarnings } from './unread-warnings';

/** What a subtopic says and names, by itself. */
export interface ReadSubtopic {
  id: string;
  statements: CitedSentence[];
  /** In the order in which its summary names them, with repeats: each place may tell more of a source. */
  named: NamedSource[];
  /** Of its lists, in their order. */
  listed: NamedSource[];
  warnings: Warning[];
}

/** What is shorter is a label. */
const FEWEST_WORDS = 3;
/** What is longer was never ended: a list without stops, a text without sentences. */
const LONGEST_CHARS = 2_000;
const SITE = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;

/** The sentences of a summary with the sources that each cites. Headings, tables, code and its own list of sources state nothing. */
export function readSubtopic(subtopic: SubtopicToRead): ReadSubtopic {
  const { id, summary } = subtopic;
  const numbers = numberedSources(subtopic);
  const report = readSummary(summary, numbers.numbered.length);
  const sources = resolveCitations(report, numbers, summary.length);
  const named = sources.filter((source) => source !== null);
  const listed = [...numbers.numbered, ...numbers.records];
  const paragraphs = blocksOf(summary).filter(({ kind }) => kind === 'paragraph');
  const sentences = report.statements.flatMap((statement) => {
    const paragraph = paragraphs.findIndex((block) => holds(block, statement));
    if (paragraph < 0 || !states(statement.plain) || statement.plain.length > LONGEST_CHARS) return [];
    const { start, end } = statement;
    const plain = stripUnsafe(statement.plain).trim();
    const keys = statement.citations.flatMap((at) => sources[at]?.key ?? []);
    return [{ plain, place: { subtopicId: id, paragraph, start, end }, keys: [...new Set(keys)] }];
  });
  const all = [...new Set([...named, ...listed].map(({ key }) => key))];
  return {
    id,
    statements: all.length === 0 ? [] : citedStatements(sentences, all),
    named,
    listed,
    warnings: unreadWarnings(subtopic, report, {
      sources,
      sentences: sentences.length,
      endless: report.statements.filter(({ plain }) => plain.length > LONGEST_CHARS),
      isCiting: all.length > 0,
    }),
  };
}

function holds({ start, end }: Block, statement: CitedStatement): boolean {
  return statement.start >= start && statement.start < end;
}

/** Neither a question, nor a label, nor what only leads to what follows or to a site. */
function states(plain: string): boolean {
  if (/[?？:：]["'”’)]*$/.test(plain) || tokensOf(plain).length < FEWEST_WORDS) return false;
  const apart = plain.replace(SITE, ' ');
  return apart === plain || terms(apart).length > 0;
}
