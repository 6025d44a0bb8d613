import type { Range } from '../markdown/blocks';

export interface WrittenEntry extends Range {
  label: string | null;
  isBracketed: boolean;
  /** Where its text begins, behind its mark. */
  from: number;
  origin: 'list' | 'footnote';
  /** Which list it is in: entries of one number are of one list. */
  list: number;
  url?: string;
  title?: string | null;
}
