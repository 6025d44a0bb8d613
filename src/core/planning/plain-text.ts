import { stripUnsafe } from '../untrusted-text';

/** The words of Markdown or plain text without markup, code, links, addresses and HTML; for comparing and planning, never for quoting. */
export function plainText(text: string): string {
  return stripUnsafe(text)
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
