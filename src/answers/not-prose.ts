import { eitherOf } from '../core/values/either-of';

const FENCED = /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))/;
const CODE = /(?<!`)(?<ticks>`+)(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`)/;
/** A link or an image with its target, brackets within its text included. */
const LINK = /!?\[(?:[^[\]\n]|\[[^[\]\n]*\]){0,500}\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:.*$/;
const ADDRESS = /<https?:[^<>\s]*>|https?:\/\/[^\s[\]]*/;
const ESCAPED = /\\[[\]]/;

const NOT_PROSE = eitherOf([FENCED, CODE, LINK, DEFINITION, ADDRESS, ESCAPED], 'gm');

/** The text with spaces for what is code, a link, an address or an escaped bracket of Markdown; offsets stay. */
export function proseOnly(markdown: string): string {
  return markdown.replace(NOT_PROSE, (part) => part.replace(/[^\n]/g, ' '));
}
