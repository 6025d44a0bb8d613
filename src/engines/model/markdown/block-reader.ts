/** Takes a Markdown text in parts, and gives its blocks (what blank lines part) as soon as each is complete. */
export interface BlockReader {
  write(text: string): void;
  /** The last block. Where the text was cut off, it ends with its last whole sentence. */
  end(options: { cutOff: boolean }): void;
}

/** No block of prose is so long; more is cut here, so that a text without line breaks is not held for ever. */
const MAX_BLOCK_CHARS = 20_000;

export function createBlockReader(onBlock: (block: string) => void): BlockReader {
  let pending = '';
  let block: string[] = [];
  let fence: string | null = null;
  const isWrapping = createFenceWrapper();

  function line(text: string): void {
    if (fence === null && isWrapping(text)) {
      flush();
      return;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) === true) fence = null;
    if (text.trim() !== '' || fence !== null) block.push(text);
    else flush();
    if (block.reduce((sum, part) => sum + part.length, 0) > MAX_BLOCK_CHARS) flush();
  }
  function flush(): void {
    const text = block.join('\n');
    block = [];
    if (text.trim() !== '') onBlock(text);
  }

  return {
    write(text) {
      pending += text;
      // Joined pieces are taken apart only where there is something to take.
      if (!text.includes('\n')) return;
      const lines = pending.split('\n');
      pending = lines.pop() ?? '';
      for (const complete of lines) line(complete.replace(/\r$/, ''));
    },
    end({ cutOff }) {
      line(pending);
      pending = '';
      if (cutOff) block = [wholeSentences(block.join('\n'))];
      flush();
    },
  };
}

/** A stop that white space follows ends a sentence; the last one of a text that was cut off may be the point of a number. */
function wholeSentences(text: string): string {
  const ends = [...text.matchAll(/[.!?]["'”’)\]]*(?=\s)/gu)];
  const last = ends.at(-1);
  return last === undefined ? '' : text.slice(0, last.index + last[0].length);
}

const OPENING = /^ {0,3}(`{3,}|~{3,})\s*(?:markdown|md)\s*$/i;
const CLOSING = /^ {0,3}(`{3,}|~{3,})\s*$/;

/**
 * Says of lines, one after the other and outside of code, which only wrap an answer: models put Markdown that they were
 * asked for into a code block that says it is Markdown.
 */
function createFenceWrapper(): (line: string) => boolean {
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
