import { roundsTo, type TextNumber } from '../text/numbers';
import { type StatementToken, statementTokens } from './claim-tokens';

// Claims against the row of a table, which the parsers write as `Country: Norway; Women 2020: 14; Men 2020: 9.`

interface ValueCell {
  header: string;
  /** Words and years of the header. */
  keys: ReadonlySet<string>;
  value: TextNumber;
  written: string;
}

interface Row {
  /** Words and years that say what the row is about. */
  labels: ReadonlySet<string>;
  values: ValueCell[];
}

export type RowComparison = { says: 'same' } | { says: 'exchanged'; reason: string };

/**
 * Compares the numbers of a claim with the cells whose headers it names. Null if the text is no row, if the claim is not about
 * this row, or if it says more than the row.
 */
export function compareWithRow(claim: string, text: string): RowComparison | null {
  const row = parseRow(text);
  if (row === null) return null;
  const tokens = separateTokens(claim);
  const said = new Set(tokens.map(keyOf));
  if (tokens.some(({ kind }) => kind === 'negator') || ![...row.labels].every((key) => said.has(key)))
    return null;
  const named = cellsInClaim(row, said);
  const headers = new Set(named.flatMap(({ keys }) => [...keys]));
  const isValue = (token: StatementToken): boolean =>
    token.number !== null && !headers.has(keyOf(token)) && !row.labels.has(keyOf(token));
  const values = tokens.filter(isValue);
  const cells = inOrderOfClaim(named, tokens);
  if (values.length === 0 || values.length !== cells?.length) return null;
  for (const [at, { number, text: written }] of values.entries()) {
    const cell = cells[at];
    if (cell === undefined || number === null) return null;
    if (!roundsTo(number, cell.value))
      return {
        says: 'exchanged',
        reason: `It says “${written}” where what it cites has “${cell.written}” under “${cell.header}”.`,
      };
  }
  const addsNothing = tokens.every(
    (token) => isValue(token) || headers.has(keyOf(token)) || row.labels.has(keyOf(token)),
  );
  return addsNothing ? { says: 'same' } : null;
}

const CELL = /^([^:]*[^:\s]): (.+)$/su;

function parseRow(text: string): Row | null {
  const parts = text.replace(/\.$/, '').split('; ');
  const cells = parts.map((part) => CELL.exec(part));
  if (cells.filter((cell) => cell !== null).length < 2) return null;
  const labels = new Set<string>();
  const values: ValueCell[] = [];
  for (const [at, part] of parts.entries()) {
    const [, header = '', written = part] = cells[at] ?? [];
    const tokens = separateTokens(written);
    const [only] = tokens;
    if (tokens.length === 1 && only !== undefined && only.number !== null && !only.number.isDate)
      values.push({ header, keys: keysOf(header), value: only.number, written });
    else for (const key of tokens.map(keyOf)) labels.add(key);
  }
  return values.length === 0 || labels.size === 0 ? null : { labels, values };
}

/** Cells whose whole header the claim names, without those whose header is a part of another one. */
function cellsInClaim({ values }: Row, said: ReadonlySet<string>): ValueCell[] {
  const named = values.filter(({ keys }) => keys.size > 0 && [...keys].every((key) => said.has(key)));
  return named.filter(
    ({ keys }) =>
      !named.some((other) => other.keys.size > keys.size && [...keys].every((key) => other.keys.has(key))),
  );
}

/** In the order in which the claim names what only the header of each cell has; null if two are named alike. */
function inOrderOfClaim(cells: readonly ValueCell[], tokens: readonly StatementToken[]): ValueCell[] | null {
  if (cells.length < 2) return [...cells];
  const placed = cells.map((cell) => {
    const own = [...cell.keys].filter((key) => cells.every((one) => one === cell || !one.keys.has(key)));
    return { cell, at: tokens.findIndex((token) => own.includes(keyOf(token))) };
  });
  if (placed.some(({ at }) => at < 0)) return null;
  return placed.sort((one, other) => one.at - other.at).map(({ cell }) => cell);
}

function keysOf(text: string): ReadonlySet<string> {
  return new Set(separateTokens(text).map(keyOf));
}

/** A unit is a token of its own, because `14 women` may stand below the header `Women`. */
function separateTokens(text: string): StatementToken[] {
  return statementTokens(text).flatMap((token) => {
    if (token.number === null) return [token];
    const { start, end } = token.number;
    return [
      { ...token, text: token.text.slice(0, end - start) },
      ...statementTokens(token.text.slice(end - start)),
    ];
  });
}

function keyOf({ number, stem }: StatementToken): string {
  return number === null ? stem : `${number.value}`;
}
