const QUESTION = /\?(?=[.!]?(?:\s|$))/;
const IN_QUOTES = /“[^”]*”|"[^"]*"|«[^»]*»/g;

/** Whether a text asks something, and be it before it goes on. A question that the text tells of, in quotation marks, is not asked. */
export function asksWithin(text: string): boolean {
  const own = text.replace(IN_QUOTES, '');
  return QUESTION.test(own) || (text.includes('?') && !/\p{L}/u.test(own));
}
