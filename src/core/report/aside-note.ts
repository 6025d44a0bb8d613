import { writingTexts } from '../../texts/writing';

/** What `aside` of any language writes, with the blank before it, as the source of a regular expression. */
export const ASIDE_NOTE = `(?:${writingTexts.read.aside})`;
