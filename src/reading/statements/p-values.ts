/** A probability that a text gives for its result. */
export interface PValue {
  isSignificant: boolean;
  start: number;
  end: number;
}

const P_VALUE = /\bp\s*(?:-?\s?values?)?\s*(?:for [\w ]{1,20})?([<>=≤≥]|&[lg]t;)\s*(0?[.·]\d+|1[.·]0+)/gi;
const LEVEL = 0.05;

export function pValuesIn(text: string): PValue[] {
  return [...text.matchAll(P_VALUE)].map(({ 0: whole, 1: relation = '', 2: number = '', index }) => {
    const value = Number(number.replace('·', '.'));
    const isSmall = value < LEVEL || (value === LEVEL && /[<≤l]/.test(relation));
    return { isSignificant: isSmall && !/[>≥g]/.test(relation), start: index, end: index + whole.length };
  });
}
