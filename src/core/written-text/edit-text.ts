import type { TextChange, TextPart, TextStatement, WrittenText } from '../../contracts/report/written-text';
import { stands } from '../settled-text/stands';
import { statementsOf, TABLE_RULE, withoutHeads } from './read-text';

export interface TextEdit {
  statementId: string;
  /** With citation marks; empty to delete the statement. */
  text: string;
  reason: string;
}

/** The statements that are to be taken out if nothing mends them: what is wrong, and no mere wording. */
export function wrongStatements({ statements }: Pick<WrittenText, 'statements'>): TextStatement[] {
  return statements.filter(isWrong);
}

/** What a writer is asked to mend: what is wrong, and, the first time, what says a little more than its sources. */
export function statementsToMend({ statements, changes }: WrittenText): TextStatement[] {
  return statements.filter((statement) => isWrong(statement) || (changes.length === 0 && isLoose(statement)));
}

/** True for a statement that is refused for its wording: nobody decides otherwise for it. */
export function isLoose({ verdict, severity }: Pick<TextStatement, 'verdict' | 'severity'>): boolean {
  return severity === 'wording' && verdict !== null && verdict.verdict !== 'unchecked' && !stands(verdict);
}

function isWrong({ verdict, severity }: TextStatement): boolean {
  return verdict !== null && verdict.verdict !== 'unchecked' && !stands(verdict) && severity !== 'wording';
}

/**
 * Replaces or deletes statements by their ids; everything else stays byte for byte. Statements of the new text have no verdict.
 * An edit of an unknown statement is ignored. Pure.
 */
export function editText(text: WrittenText, edits: readonly TextEdit[]): WrittenText {
  const byId = new Map(edits.map((edit) => [edit.statementId, edit]));
  const taken = new Set(text.statements.map(({ id }) => id));
  const newId = (id: string): string => {
    let place = 1;
    while (taken.has(`${id}.${place}`)) place += 1;
    taken.add(`${id}.${place}`);
    return `${id}.${place}`;
  };
  const changes: TextChange[] = [];
  const parts: TextPart[] = [];
  const statements: TextStatement[] = [];
  for (const part of text.parts) {
    const own = text.statements.filter(({ partId }) => partId === part.id);
    const edited = editPart(part, own, { byId, newId });
    if (edited.part.markdown !== '') parts.push(edited.part);
    statements.push(...edited.statements);
    changes.push(...edited.changes);
  }
  return { ...text, parts, statements, changes: [...text.changes, ...changes] };
}

function editPart(
  part: TextPart,
  own: readonly TextStatement[],
  { byId, newId }: { byId: ReadonlyMap<string, TextEdit>; newId: (id: string) => string },
): { part: TextPart; statements: TextStatement[]; changes: TextChange[] } {
  const changes: TextChange[] = [];
  const statements: TextStatement[] = [];
  const spans: { start: number; end: number; text: string }[] = [];
  const places = placesOf(part.markdown, own);
  for (const [at, statement] of own.entries()) {
    const edit = byId.get(statement.id);
    const start = places[at] ?? -1;
    const text = edit?.text.trim();
    if (edit === undefined || text === undefined || start < 0 || text === statement.text) {
      statements.push(statement);
      continue;
    }
    const after = text === '' ? null : text;
    changes.push({ partId: part.id, before: statement.text, after, reason: edit.reason });
    spans.push({ start, end: start + statement.text.length, text });
    for (const [place, one] of statementsOf({ ...part, markdown: text }).entries())
      statements.push({ ...one, id: place === 0 ? statement.id : newId(statement.id) });
  }
  if (spans.length === 0) return { part, statements, changes };
  // From the end, so that the places of the others stay.
  const markdown = spans.reduceRight((whole, { start, end, text }) => {
    const before = text === '' ? keptBefore(whole, start, end) : whole.slice(0, start) + text;
    const rest = whole.slice(end);
    return before + (/(?:^|\n| )$/.test(before) ? rest.replace(/^[ \t]+/, '') : rest);
  }, part.markdown);
  const isShorter = spans.some(({ text }) => text === '');
  return {
    part: { ...part, markdown: isShorter ? withoutEmptyBlocks(markdown) : markdown },
    statements,
    changes,
  };
}

/** Where each statement begins; a heading or the head of a table may have the same words. */
function placesOf(markdown: string, statements: readonly TextStatement[]): number[] {
  const body = withoutHeads(markdown);
  let from = 0;
  return statements.map(({ text }) => {
    const at = body.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at;
  });
}

/** The text before a deleted span, without the line's marker where nothing else is on the line. */
function keptBefore(markdown: string, start: number, end: number): string {
  const before = markdown.slice(0, start);
  const opensLine = /(?:^|\n)\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?$/.test(before);
  const closesLine = /^\s*(?:\n|$)/.test(markdown.slice(end));
  if (!opensLine) return before.replace(/[ \t]+$/, '');
  return closesLine ? before.replace(/(?:^|\n)[^\n]*$/, '') : before;
}

/** A heading with nothing under it and the head of a table without rows go with their last statement. */
function withoutEmptyBlocks(markdown: string): string {
  const kept: string[] = [];
  let next = '';
  let isHeadEmpty = false;
  for (const line of markdown.split('\n').reverse()) {
    const isRule = TABLE_RULE.test(line);
    const isDropped: boolean =
      isHeadEmpty || isEmptyHeading(line, next) || (isRule && kept.at(-1)?.startsWith('|') !== true);
    isHeadEmpty = isDropped && isRule;
    if (isDropped) continue;
    kept.push(line);
    if (line.trim() !== '') next = line;
  }
  return kept
    .reverse()
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function isEmptyHeading(line: string, next: string): boolean {
  const level = levelOf(line);
  return level > 0 && (next === '' || (levelOf(next) > 0 && levelOf(next) <= level));
}

/** 0 for a line that is no heading. */
function levelOf(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

/** Takes out the statements that are still wrong, and lists them. Pure. */
export function withoutWrong(text: WrittenText): WrittenText {
  const wrong = wrongStatements(text);
  if (wrong.length === 0) return text;
  const edited = editText(
    text,
    wrong.map(({ id, verdict }) => ({ statementId: id, text: '', reason: verdict?.reason ?? '' })),
  );
  const removed = wrong.flatMap(({ partId, plain, sourceIds, verdict }) =>
    verdict === null ? [] : [{ ...verdict, partId, text: plain, sourceIds }],
  );
  return { ...edited, removed: [...text.removed, ...removed] };
}
