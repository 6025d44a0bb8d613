import { eitherOf } from '../values/either-of';
import { withAddressesAsCode } from './markdown-addresses';

/**
 * What a terminal obeys: CSI, ended or not; OSC, DCS and the like up to their end or the line's; short escapes. Then the same
 * begun by one eight-bit control, where it is whole: such a control alone is a letter of a text that was decoded wrongly.
 */
const TERMINAL_SEQUENCES = eitherOf(
  [
    /\u001b\[[0-?]*[ -/]*[@-~]?/,
    /\u001b[\]PX^_][^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/,
    /\u001b[ -/]*[0-~]/,
    /\u009b[0-?]+[ -/]*[@-~]/,
    /[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u0090\u0098\u009c-\u009f\n]*(?:\u0007|\u001b\\|\u009c)/,
  ],
  'g',
);

const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** What a terminal passes over within a sequence, so that it would hide one from us. */
const PASSED_OVER = /[\u0000-\u0006\b\u000e-\u001a\u001c-\u001f\u007f]/g;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Halves of surrogate pairs that stand alone; UTF-8 has no form for them. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Scripts whose spelling needs joiners between letters. */
const JOINED_SCRIPTS = 'Arabic Devanagari Bengali Gujarati Kannada Malayalam Sinhala Tamil Telugu'.split(' ');
const JOINED_LETTER = `[${JOINED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** What is spelling and not hiding: one joiner between such letters, and what holds an emoji together. */
const SPELLING = eitherOf(
  [
    new RegExp(String.raw`(?<=${JOINED_LETTER})[\u200c\u200d](?=\p{L})`, 'u'),
    /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/u,
    /(?<=\p{Extended_Pictographic})\ufe0f/u,
  ],
  'u',
);

/** Zero-width, bidi, filler, variation and tag characters: nobody sees them, and a model reads them. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** The group is what stays. */
const INVISIBLE = new RegExp(`(${SPELLING.source})|${HIDDEN.source}`, 'gu');

/** Blocks of half a dozen characters and more in which `HIDDEN` finds something, and its single ones. */
const HIDDEN_BLOCKS = /[\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufff0-\ufffb]/;
const HIDDEN_SINGLES = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\ufeff\uffa0]/;
const ANY_SURROGATE = /[\ud800-\udfff]/;

/** Everything that `stripUnsafe` could change has one of these; most texts have none, and cost one look. */
const SUSPECT = new RegExp(
  `[${[CONTROLS, HIDDEN_BLOCKS, HIDDEN_SINGLES, ANY_SURROGATE].map(({ source }) => source.slice(1, -1)).join('')}]`,
);

/**
 * Removes what a reader does not see and a terminal or a model obeys: escape sequences as wholes, control characters except line feed
 * and tab, zero-width, bidi and tag characters. Every line end becomes a line feed. For prompts, comparisons and
 * rendering only: stored content stays as given, and offsets into the result are not offsets into it.
 */
export function stripUnsafe(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replace(LINE_ENDS, '\n')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(PASSED_OVER, '')
    .replace(INVISIBLE, (_invisible, spelling: string | undefined) => spelling ?? '')
    .replace(TERMINAL_SEQUENCES, '')
    .replace(CONTROLS, '');
}

/** Markdown's own signs, wherever they stand. A `<` before a space or a digit, as in `p < 0.05`, opens nothing. */
const INLINE_SIGNS = /[\\`*_[\]~|]|<(?![\s\d=])|&(?=#?[A-Za-z0-9]+;)|!(?=\[|$)|(?<=\s)#(?=#*\s*$)/gm;

/**
 * What would make a block of a line: a heading, list, quotation, rule, table, definition; or go on with a link
 * before it.
 */
const LINE_START = /^(?:[#>+:=(-]|\d{1,9}[.)](?=\s|$))/gm;

/**
 * Markdown that shows the text and does nothing else: no link, image, HTML, emphasis, heading, list, table or footnote
 * comes of it, in CommonMark, in GFM, and where a renderer makes links of addresses; these stand as code. Unsafe characters
 * are stripped first. Line breaks and blank lines stay; indentation and white space at line ends go.
 */
export function escapeMarkdown(text: string): string {
  return escapeWithinLine(text).replace(LINE_START, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

/** As `escapeMarkdown`, for a text that something else on its line stands before. */
export function escapeWithinLine(text: string): string {
  const trimmed = stripUnsafe(text).replace(/^[^\S\n]+|[^\S\n]+$/gm, '');
  return withAddressesAsCode(trimmed, (part) => part.replace(INLINE_SIGNS, '\\$&'));
}
