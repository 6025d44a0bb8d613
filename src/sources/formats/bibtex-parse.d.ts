declare module 'bibtex-parse' {
  export interface Expression {
    datatype: string;
    /** Of a concatenation its parts. */
    value: string | Expression[] | null;
  }
  type Item =
    | { itemtype: 'comment' | 'preamble' }
    | ({ itemtype: 'string'; name: string } & Expression)
    | { itemtype: 'entry'; fields: ({ name: string } & Expression)[] };
  /** Throws a `SyntaxError` of its own, or the stack's `RangeError`. */
  export function parse(text: string, options: { number: 'string' }): Item[];
}
