declare module 'bibtex-parse' {
  export interface Expression {
    datatype: string;
    /** The parts of a concatenation. */
    value: string | Expression[] | null;
  }
  type Item =
    | { itemtype: 'comment' | 'preamble' }
    | ({ itemtype: 'string'; name: string } & Expression)
    | { itemtype: 'entry'; fields: ({ name: string } & Expression)[] };
  /** Throws a `SyntaxError`, or a `RangeError` for deep nesting. */
  export function parse(text: string, options: { number: 'string' }): Item[];
}
