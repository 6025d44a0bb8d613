/** Control characters, terminal escapes and invisible marks; none of them belongs into a heading. */
// eslint-disable-next-line no-control-regex
const INVISIBLE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]/g;

/** The words of Markdown or plain text without markup, code, links, addresses and HTML; for comparing and planning, never for quoting. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' . ')
    .replace(/!\[[^[\]]*\](?:\([^)]*\)|\[[^[\]]*\])/g, ' ')
    .replace(/\[([^[\]]*)\](?:\([^)]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/\[[^\]]*\]\((?:[^)]*)(?:\)|$)/g, ' ')
    .replace(/`[^`]*`/g, ' . ')
    .replace(/<[^<>]{1,300}>/g, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]]+/gi, ' . ')
    .replace(/\b(?:www\.|[\w.-]+@)[^\s)>\]]+/gi, ' . ')
    .replace(/&[a-z]{2,8};|&#\d+;/gi, ' ')
    .replace(/\[[A-Z]{2,}[\w /-]*\d+\]/g, ' ')
    .replace(/[*_#>|~]+/g, ' ')
    .replace(/[ \t]+/g, ' ');
}
