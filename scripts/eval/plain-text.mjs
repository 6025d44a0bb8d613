/** A text as answers are looked for in it: letters, figures and single spaces, in lower case. */
export function plain(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_. ]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
