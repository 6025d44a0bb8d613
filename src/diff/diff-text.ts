import type { DiffFinding, DiffSource } from '../contracts/report/report-diff';
import { attributionOf, authorNames, clip } from '../core/writing/attribution';
import { inert, quotation } from '../core/writing/quotation';
import { shorten } from '../core/writing/shorten';

const STATEMENT_WORDS = 45;
const TITLE_CHARS = 110;
const SOURCES_SHOWN = 3;

/** What a finding says, in quotation marks where these are the source's words. */
export function statementText({ statement, verbatim }: DiffFinding, maxWords = STATEMENT_WORDS): string {
  const short = shorten(statement, maxWords);
  return verbatim ? quotation(short) : inert(short);
}

export function quoted(text: string): string {
  return quotation(shorten(text, STATEMENT_WORDS));
}

export function titleText(title: string): string {
  return `“${inert(clip(title, TITLE_CHARS))}”`;
}

/** `Doe and colleagues (2010), “Title”; …`, the first three and how many more there are. */
export function sourceList(sources: readonly DiffSource[]): string {
  const shown = sources.slice(0, SOURCES_SHOWN).map(sourceText);
  const more = sources.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
}

export function sourceChangeLines({ added, removed }: Record<'added' | 'removed', DiffSource[]>): string[] {
  return [
    ...(added.length === 0 ? [] : [`Sources added: ${sourceList(added)}`]),
    ...(removed.length === 0 ? [] : [`Sources removed: ${sourceList(removed)}`]),
  ];
}

export function sourceText(source: DiffSource): string {
  // Without an author the attribution is the title itself.
  if (authorNames(source.author).length === 0)
    return inert(attributionOf({ ...source, title: clip(source.title, TITLE_CHARS) }).subject);
  return `${inert(attributionOf(source).subject)}, ${titleText(source.title)}`;
}
