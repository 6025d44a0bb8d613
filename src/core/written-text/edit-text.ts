import type { TextChange, TextPart, TextStatement, WrittenText } from '../../contracts/report/written-text';
import { stands } from '../settled-text/stands';
import { statementsOf } from './read-text';

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

/** What a writer is asked to mend: what is wrong, and numbers that a critic confirmed and that stand nowhere. */
export function statementsToMend({ statements, isChecked }: WrittenText): TextStatement[] {
  return statements.filter(
    (statement) => isWrong(statement) || (isChecked && statement.verdict?.code === 'number-absent'),
  );
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
  const changes: TextChange[] = [];
  const parts: TextPart[] = [];
  const statements: TextStatement[] = [];
  for (const part of text.parts) {
    const own = text.statements.filter(({ partId }) => partId === part.id);
    const edited = editPart(part, own, byId);
    if (edited.part.markdown !== '') parts.push(edited.part);
    statements.push(...edited.statements);
    changes.push(...edited.changes);
  }
  return { ...text, parts, statements, changes: [...text.changes, ...changes] };
}

function editPart(
  part: TextPart,
  own: readonly TextStatement[],
  edits: ReadonlyMap<string, TextEdit>,
): { part: TextPart; statements: TextStatement[]; changes: TextChange[] } {
  let { markdown } = part;
  let from = 0;
  const changes: TextChange[] = [];
  const statements: TextStatement[] = [];
  for (const statement of own) {
    const at = markdown.indexOf(statement.text, from);
    if (at < 0) continue;
    const end = at + statement.text.length;
    const edit = edits.get(statement.id);
    if (edit === undefined || edit.text === statement.text) {
      statements.push(statement);
      from = end;
      continue;
    }
    const after = edit.text.trim();
    changes.push({
      partId: part.id,
      before: statement.text,
      after: after === '' ? null : after,
      reason: edit.reason,
    });
    const before = after === '' ? keptBefore(markdown, at, end) : markdown.slice(0, at);
    const rest = markdown.slice(end);
    from = before.length + after.length;
    markdown = before + after + (/(?:^|\n| )$/.test(before + after) ? rest.replace(/^[ \t]+/, '') : rest);
    statements.push(
      ...statementsOf({ ...part, markdown: after }).map((one, place) => ({
        ...one,
        id: place === 0 ? statement.id : `${statement.id}.${place}`,
      })),
    );
  }
  return { part: { ...part, markdown: withoutEmptyBlocks(markdown) }, statements, changes };
}

/** The text before a deleted span, without the line's marker where nothing else is on the line. */
function keptBefore(markdown: string, start: number, end: number): string {
  const before = markdown.slice(0, start);
  const opensLine = /(?:^|\n)\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?$/.test(before);
  const closesLine = /^\s*(?:\n|$)/.test(markdown.slice(end));
  if (!opensLine) return before.replace(/[ \t]+$/, '');
  return closesLine ? before.replace(/(?:^|\n)[^\n]*$/, '') : before;
}

/** A heading with nothing under it and a table without rows go with their last statement. */
function withoutEmptyBlocks(markdown: string): string {
  return markdown
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(?:^|\n)\|[^\n]*\|\n\|(?:\s*:?-+:?\s*\|)+\s*(?=\n(?!\|)|$)/g, '\n')
    .replace(/(?:^|\n)#{3,6} [^\n]*\n*(?=\n#{3,6} |$)/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
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
