const MINUS = /[\u2010-\u2015\u2212](?=\s?\d)/g;

/**
 * The text with one kind of space, minus and decimal point, for comparison only. Every character stands for one
 * character, so that offsets keep their meaning.
 */
export function plainText(text: string): string {
  return text
    .replace(/[\u00a0\u2000-\u200b\u202f\u205f\t\r\n]/g, ' ')
    .replace(MINUS, '-')
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/(?<=\d)·(?=\d)/g, '.')
    .replace(/μ/g, 'µ')
    .replace(/[’‘]/g, "'");
}

/** The text with everything in brackets replaced by as many spaces. */
export function maskBrackets(text: string): string {
  let masked = text;
  for (let before = ''; before !== masked;) {
    before = masked;
    masked = masked.replace(/[([][^()[\]]*[)\]]/g, (inner) => ' '.repeat(inner.length));
  }
  return masked;
}
