import { writingTexts } from '../../texts/writing';

/** Matches the note that earlier releases left in the place of a claim that was set aside, with the blank before it; the source of a regular expression. */
export const ASIDE_NOTE = `(?:${writingTexts.read.aside})`;
