import { toSubscript, toSuperscript } from './document-text';

// Word and PowerPoint split `10⁻³` into several runs, so runs are marked first and converted once the paragraph is complete.
// XML cannot contain the marks.

const RAISED_RUN = /\u0002([^\u0001-\u0005]*)\u0003/g;
const LOWERED_RUN = /\u0004([^\u0001-\u0005]*)\u0005/g;
/** Note marks such as `a` and `iv` behind a word, which would read as a part of it. */
const NOTE_LETTERS = /(?<=\p{L}{4})\u0002\s*(?:[a-z]|[ivx]{2,4})\s*\u0003/gu;
const RUN_BORDER = /\u0003\u0002|\u0005\u0004/g;
/** Between what would read as one number or name, such as `2` and `1/4`. */
const NEEDED_SPACE = /(?<=[\p{L}\p{M}\p{N})\]}])\u0001+(?=[\p{L}\p{N}([{√∛∜])/gu;
const MARKS = /[\u0001-\u0005]/g;

/** Stays apart from the letters, digits and brackets around it. */
export function markApart(text: string): string {
  return `\u0001${text}\u0001`;
}

export function markRaised(text: string): string {
  return `\u0002${text}\u0003`;
}

export function markLowered(text: string): string {
  return `\u0004${text}\u0005`;
}

/** One line without marks. */
export function finishLine(marked: string): string {
  return marked
    .replace(RUN_BORDER, '')
    .replace(NOTE_LETTERS, '')
    .replace(RAISED_RUN, (_run, text: string) => convertRun(text, toSuperscript, '^'))
    .replace(LOWERED_RUN, (_run, text: string) => convertRun(text, toSubscript, '_'))
    .replace(NEEDED_SPACE, ' ')
    .replace(MARKS, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Words such as `th` and `max` and marks in brackets stay plain; other text without characters of its own is `^(0.5)`. */
function convertRun(run: string, convert: (text: string) => string, sign: '^' | '_'): string {
  const text = run.trim();
  const converted = convert(text);
  const isPlain = converted !== text || !/^[-–]|[\d+=−]/.test(text) || /^[([]/.test(text);
  return run.replace(text, () => (isPlain ? converted : `${sign}(${text})`));
}
