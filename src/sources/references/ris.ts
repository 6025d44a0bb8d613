import { addressOf, authorsOf, dateOf } from './bibliographic';
import type { Reference, ReferenceReading } from './reference';

const FIELD = /^([A-Z][A-Z0-9]) {2}-(?: (.*))?$/;

/** The entries of a bibliography in RIS, as Zotero and others export it; null for another text. */
export function risReferences(text: string): ReferenceReading[] | null {
  const references: ReferenceReading[] = [];
  let open: { line: number; fields: [tag: string, lines: string[]][] } | null = null;
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .entries()) {
    const [, tag, value = ''] = FIELD.exec(line.trimEnd()) ?? [];
    const last = open?.fields.at(-1);
    if (tag === 'TY') {
      if (open !== null) references.push(unended(open.line));
      open = { line: at + 1, fields: [] };
    } else if (tag === 'ER' && open !== null) {
      const fields = open.fields.map(([own, lines]) => [own, lines.filter(Boolean).join(' ')] as const);
      references.push({ ok: true, ...referenceOf(fields, open.line) });
      open = null;
    } else if (tag !== undefined) open?.fields.push([tag, [value.trim()]]);
    else last?.[1].push(line.trim());
  }
  if (open !== null) references.push(unended(open.line));
  return references.length === 0 ? null : references;
}

function unended(line: number): ReferenceReading {
  return { ok: false, line, message: 'the entry has no end (ER); save the bibliography anew' };
}

function referenceOf(fields: readonly (readonly [string, string])[], line: number): Reference {
  const all = (...tags: string[]): string[] =>
    tags.flatMap((tag) => fields.flatMap(([own, value]) => (own === tag && value !== '' ? [value] : [])));
  const first = (...tags: string[]): string | undefined => all(...tags)[0];
  const dates = all('DA', 'PY', 'Y1');
  return {
    address: addressOf([...all('UR', 'L1', 'L2')], first('DO')),
    files: all('L1', 'L2'),
    abstract: first('AB', 'N2') ?? null,
    said: {
      title: first('TI', 'T1'),
      author: authorsOf(all('AU', 'A1').map((name) => name.split(','))),
      site: first('T2', 'JO', 'JF', 'PB'),
      // Behind the day may stand a season, `2019/03/12/spring`; a date may have a day and no year.
      publishedAt: dateOf(
        (dates.find((date) => /^\d{4}/.test(date)) ?? dates[0] ?? '').split('/').slice(0, 3),
      ),
      language: first('LA'),
    },
    line,
  };
}
