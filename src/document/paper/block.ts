/** A document as word processors and PDFs know one: what stands below each other, in the order in which it is read. */
export type Block = TextBlock | TableBlock;

export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'quote' | 'item';
  /** Of a heading from 1, else how deep in lists it stands, from 0. */
  level: number;
  /** Of an item in a list that is numbered; null of any other, and of a paragraph that goes on with an item. */
  number: number | null;
  runs: Run[];
}

export interface TableBlock {
  kind: 'table';
  /** The first is the header. */
  rows: Run[][][];
}

export interface Run {
  text: string;
  style: RunStyle;
  /** Where it leads: an address of the web, or the name of a place in the document. */
  to: { url: string } | { place: string } | null;
  /** The names of the places that begin with it; some other run leads to each. */
  places: string[];
}

export interface RunStyle {
  bold?: true;
  italic?: true;
  struck?: true;
  code?: true;
  small?: true;
  marked?: true;
  /** As the number of a note. */
  raised?: true;
}

export function wordsOfRuns(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('');
}

const FIRST_LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** As browsers have it for `dir="auto"`: by its first letter. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(FIRST_LETTER.exec(text)?.[0] ?? '');
}
