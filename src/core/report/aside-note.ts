import { ALL_TEXTS } from '../../texts/texts';

/** What `aside` of any language writes, with the blank before it, as the source of a regular expression. */
export const ASIDE_NOTE = `(?:${ALL_TEXTS.map(({ writing }) => writing.read.aside).join('|')})`;
