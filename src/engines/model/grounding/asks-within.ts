const QUESTION = /\?(?=\s|$)/;
const IN_QUOTES = /“[^”]*”|"[^"]*"|«[^»]*»/g;

/** Whether a text asks something, and be it before it goes on, unless it tells of somebody's words. */
export function asksWithin(text: string): boolean {
  return QUESTION.test(text.replace(IN_QUOTES, ''));
}
