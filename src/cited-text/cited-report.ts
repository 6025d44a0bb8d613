/** A text with its citations and its list of sources, whoever wrote it. Offsets are UTF-16 units of the Markdown. */
export interface CitedReport {
  /** What it states, in order: sentences, items, rows. */
  statements: CitedStatement[];
  /** In order of appearance; `[1-3]` is three, at one place. */
  citations: Citation[];
  entries: BibliographyEntry[];
  /** What may state or list something, and is not read, in order. */
  unread: UnreadPart[];
  /** Where it cites more than `MOST_CITATIONS` times; those behind them are not among `citations`. */
  hasMore?: boolean;
}

/** A text of a thousand pages cites some thousand times. */
export const MOST_CITATIONS = 20_000;

/** Code that holds a list of sources, or that nothing ends; HTML that cites. */
export interface UnreadPart extends Place {
  kind: 'code' | 'open-code' | 'html';
}

export interface Place {
  start: number;
  end: number;
  /** Counts from 1. */
  line: number;
}

export interface CitedStatement extends Place {
  /** What it says, without marks and Markdown. */
  plain: string;
  /** Places in `citations`, in order, without repeats of a label. */
  citations: number[];
  /** The nearest heading above; null before the first. */
  heading: string | null;
}

export type CitationForm = 'number' | 'footnote' | 'address' | 'link';

export interface Citation extends Place {
  /** As it stands in the text, brackets included. */
  written: string;
  form: CitationForm;
  /** What it names: `3`, `smith`, `https://…`. */
  label: string;
  /** The place of its entry in `entries`; null where the list of sources has none, or more than one. */
  entry: number | null;
}

export interface BibliographyEntry extends Place {
  /** By which it is cited: a number, a footnote's name; null where the list has none. */
  label: string | null;
  text: string;
  url: string | null;
  title: string | null;
  author: string | null;
  year: string | null;
  /** An address that is linked to in the text is an entry of its own where no list has it. */
  origin: 'list' | 'footnote' | 'link';
}
