import type {
  ChangedConflict,
  ConflictChange,
  DiffConflict,
  DiffFinding,
  DiffSource,
  FindingChange,
} from '../../contracts/report';
import { capitalised } from '../../lib/strings';
import { formatQuote, toSafeLine } from '../../lib/untrusted-text';
import { attributionOf, authorNames, clip, shorten } from '../attribution';
import { differOnlyInFigures } from './compared-claims';

const NO_FIGURE = 'none';

/** Nested list items, before → after; `sources` is the number of the finding's sources. */
export function changeLines(changes: readonly FindingChange[], sources: number): string[] {
  const hasFigures = changes.some(({ kind }) => kind === 'figures');
  return changes
    .filter((change) => !(hasFigures && isOnlyFigures(change)))
    .flatMap((change) => linesOf(change, sources))
    .map((line) => `  - ${line}`);
}

function isOnlyFigures(change: FindingChange): boolean {
  return (
    (change.kind === 'quote' || change.kind === 'wording') && differOnlyInFigures(change.before, change.after)
  );
}

function linesOf(change: FindingChange, sources: number): string[] {
  switch (change.kind) {
    case 'wording': {
      const { before, after } = differingParts(change.before, change.after);
      return [toSafeLine(`Wording: ${before} → ${after}`)];
    }
    case 'quote': {
      const { before, after } = differingParts(change.before, change.after);
      const whose = sources === 1 ? 'Quote' : `Quote from ${titleText(change.source)}`;
      return [`${whose}: ${formatQuote(before)} → ${formatQuote(after)}`];
    }
    case 'figures':
      return [
        toSafeLine(
          `Figures: ${change.figures.map(({ before, after }) => `${before ?? NO_FIGURE} → ${after ?? NO_FIGURE}`).join('; ')}`,
        ),
      ];
    case 'direction':
      return [
        change.before === null || change.after === null
          ? 'Direction: it now says the opposite'
          : `Direction: ${change.before} → ${change.after}`,
      ];
    case 'confidence':
      return [
        `Confidence: ${change.before.word} (${change.before.value.toFixed(2)}) → ${change.after.word} (${change.after.value.toFixed(2)})`,
      ];
    case 'verdict':
      return [`Verdict: ${change.before} → ${change.after}`];
    case 'sources':
      return sourceChangeLines(change);
    case 'section':
      return [`Section: ${titleText(change.before)} → ${titleText(change.after)}`];
  }
}

export function conflictLines(conflict: DiffConflict): string {
  return [
    topicText(conflict),
    ...conflict.viewpoints.map(
      ({ statement, sources }) => `  - ${quotedExcerpt(statement)} — ${sourceList(sources)}`,
    ),
    `  - ${toSafeLine(conflict.reason)} ${resolutionText(conflict.favoured)}`,
  ].join('\n');
}

export function conflictLine(conflict: DiffConflict): string {
  const views = conflict.viewpoints.map(
    ({ statement, sources }) => `${quotedExcerpt(statement)} (${sourceList(sources)})`,
  );
  return `${topicText(conflict)}: ${views.join(' against ')}`;
}

export function changedConflictLines({ after, changes }: ChangedConflict): string {
  return [topicText(after), ...changes.flatMap(conflictChangeLines).map((line) => `  - ${line}`)].join('\n');
}

function topicText({ topic }: DiffConflict): string {
  return `**${capitalised(toSafeLine(topic).replace(/\.$/, ''))}**`;
}

function conflictChangeLines(change: ConflictChange): string[] {
  switch (change.kind) {
    case 'topic':
      return [toSafeLine(`Topic: ${change.before} → ${change.after}`)];
    case 'viewpoint': {
      if (change.before === null)
        return change.after === null ? [] : [`View added: ${quotedExcerpt(change.after)}`];
      if (change.after === null) return [`View removed: ${quotedExcerpt(change.before)}`];
      const { before, after } = differingParts(change.before, change.after);
      return [`View: ${quotedExcerpt(before)} → ${quotedExcerpt(after)}`];
    }
    case 'sources':
      return sourceChangeLines(change);
    case 'resolution':
      return [`Resolution: ${resolutionText(change.before)} → ${resolutionText(change.after)}`];
  }
}

function resolutionText(favoured: string | null): string {
  return favoured === null ? 'Both views are presented.' : `The evidence favours ${quotedExcerpt(favoured)}.`;
}

const STATEMENT_WORDS = 45;
const TITLE_CHARS = 110;
const MAX_SOURCES = 3;

export function statementText({ statement, verbatim }: DiffFinding, maxWords = STATEMENT_WORDS): string {
  const short = shorten(statement, maxWords);
  return verbatim ? formatQuote(short) : toSafeLine(short);
}

export function quotedExcerpt(text: string): string {
  return formatQuote(shorten(text, STATEMENT_WORDS));
}

export function titleText(title: string): string {
  return `“${toSafeLine(clip(title, TITLE_CHARS))}”`;
}

/** `Doe and colleagues (2010), “Title”; …`: the first three, and the number of further ones. */
export function sourceList(sources: readonly DiffSource[]): string {
  const shown = sources.slice(0, MAX_SOURCES).map(sourceText);
  const more = sources.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join('; ');
}

function sourceChangeLines({ added, removed }: Record<'added' | 'removed', DiffSource[]>): string[] {
  return [
    ...(added.length === 0 ? [] : [`Sources added: ${sourceList(added)}`]),
    ...(removed.length === 0 ? [] : [`Sources removed: ${sourceList(removed)}`]),
  ];
}

export function sourceText(source: DiffSource): string {
  // Without an author, the attribution is the title.
  if (authorNames(source.author).length === 0)
    return toSafeLine(attributionOf({ ...source, title: clip(source.title, TITLE_CHARS) }).subject);
  return `${toSafeLine(attributionOf(source).subject)}, ${titleText(source.title)}`;
}

const CONTEXT_WORDS = 6;
const MAX_WORDS = 45;

function differingParts(before: string, after: string): { before: string; after: string } {
  const [left, right] = [before.split(/\s+/), after.split(/\s+/)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return { before: excerptAround(left, start, end), after: excerptAround(right, start, end) };
}

/** `sameAtStart` and `sameAtEnd` are the numbers of words that both versions share. */
function excerptAround(words: readonly string[], sameAtStart: number, sameAtEnd: number): string {
  const from = Math.max(0, sameAtStart - CONTEXT_WORDS);
  const to = words.length - Math.max(0, sameAtEnd - CONTEXT_WORDS);
  const shown = words.slice(from, Math.min(to, from + MAX_WORDS));
  const isCut = from + shown.length < words.length;
  return `${from > 0 ? '… ' : ''}${shown.join(' ')}${isCut ? ' …' : ''}`;
}
