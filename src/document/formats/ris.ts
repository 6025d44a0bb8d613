import type { DocumentTree } from '../document';
import { type Reference, referencesOf } from './reference';

const TYPES = { article: 'JOUR', preprint: 'UNPB', web: 'ELEC', file: 'GEN' } as const;

/** The sources as reference managers import them. A value has no escapes: it ends with its line. */
export function renderRis(tree: DocumentTree): string {
  return referencesOf(tree)
    .map((reference) => [...fieldsOf(reference), ['ER', ''] as const].map(lineOf).join('') + '\r\n')
    .join('');
}

type Field = readonly [tag: string, value: string | null];

function fieldsOf({ authors, year, month, day, accessed, ...reference }: Reference): Field[] {
  return [
    ['TY', TYPES[reference.kind]],
    ['ID', reference.sourceId],
    ['TI', reference.title],
    ...authors.map(({ family, given }): Field => ['AU', given === '' ? family : `${family}, ${given}`]),
    ['T2', reference.site],
    ['PY', year],
    ['DA', month === null ? null : [year, month, day ?? '', ''].join('/')],
    ['DO', reference.doi],
    ['UR', reference.url],
    ['Y2', accessed?.replaceAll('-', '/') ?? null],
    ['N1', reference.note],
  ];
}

function lineOf([tag, value]: Field): string {
  return value === null ? '' : `${tag}  - ${value}\r\n`;
}
