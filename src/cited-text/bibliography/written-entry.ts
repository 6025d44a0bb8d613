import type { Range } from '../markdown/blocks';

/** An entry as it stands in a list of sources, before its parts are told. */
export interface WrittenEntry extends Range {
  label: string | null;
  isBracketed: boolean;
  /** Where its text begins, behind its mark. */
  from: number;
  origin: 'list' | 'footnote';
  /** Which list it is in: entries of one number are of one list. */
  list: number;
  /** What a definition says of it. */
  url?: string;
  title?: string | null;
}
