/** A number that stands by itself or before a unit: not a part of a name (`D3`, `25-hydroxyvitamin`, `COVID-19`), not a year. */
const FIGURE = /(?<![\p{L}\d-])(?!(?:19|20)\d\d(?![\d.,]))\d+(?:[.,·]\d+)*(?![\p{L}\d]|-\p{L})/gu;

export function withoutFigures(text: string): string {
  return text.replace(FIGURE, '#');
}
