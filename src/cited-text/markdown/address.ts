/** White space, brackets of other kinds and the signs of scripts without spaces end an address. */
const ADDRESS =
  /(?:https?:\/\/|www\.(?=[\p{L}\p{N}]))[^\s<>"“”[\]{}|`\\、。，；：！？（）【】［］「」『』《》\ufffc]{3,2000}/iuy;
/** `10.1234/…` as journals print it. */
const DOI = /(?:doi:\s?)?10\.\d{4,9}\/[^\s<>"“”[\]、。，；（）【】]{2,200}/iy;
/** What a sentence has behind an address. */
const BEHIND = /[.,;:!?'"’”*_~]+$/;

/** The address that begins at a place of a text, as written and as an address; null where none does. */
export function addressAt(text: string, at: number): { url: string; end: number } | null {
  const first = text.charAt(at);
  if (!/[hwd1]/i.test(first) || /[\p{Script=Latin}\p{N}]/u.test(text.charAt(at - 1))) return null;
  ADDRESS.lastIndex = at;
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined) {
    const written = trimmed(address);
    return { url: /^www/i.test(written) ? `https://${written}` : written, end: at + written.length };
  }
  DOI.lastIndex = at;
  const doi = DOI.exec(text)?.[0];
  if (doi === undefined) return null;
  const written = trimmed(doi);
  return { url: `https://doi.org/${written.replace(/^doi:\s?/i, '')}`, end: at + written.length };
}

/** Without the sentence's own signs, and without a bracket that was opened before the address. */
function trimmed(address: string): string {
  let written = address.replace(BEHIND, '');
  while (written.endsWith(')') && count(written, ')') > count(written, '('))
    written = written.slice(0, -1).replace(BEHIND, '');
  // `(https://a.example/b)(c)`: what follows the bracket that closes the first is no longer of the address.
  let depth = 0;
  for (let at = 0; at < written.length; at += 1) {
    if (written[at] === '(') depth += 1;
    if (written[at] === ')' && (depth -= 1) < 0) return written.slice(0, at).replace(BEHIND, '');
  }
  return written;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
