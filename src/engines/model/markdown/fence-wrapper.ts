const OPENING = /^ {0,3}(`{3,}|~{3,})\s*(?:markdown|md)\s*$/i;
const CLOSING = /^ {0,3}(`{3,}|~{3,})\s*$/;

/**
 * Says of lines, one after the other and outside of code, which only wrap an answer: models put Markdown that they were
 * asked for into a code block that says it is Markdown.
 */
export function createFenceWrapper(): (line: string) => boolean {
  let open: string | null = null;
  return (line) => {
    if (open === null) {
      open = OPENING.exec(line)?.[1] ?? null;
      return open !== null;
    }
    if (CLOSING.exec(line)?.[1]?.startsWith(open) !== true) return false;
    open = null;
    return true;
  };
}
