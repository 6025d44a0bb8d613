/**
 * An address in its parts, of a page where it stands relative to one; null where it is none. `URL.canParse` would be shorter, but
 * Node 20 answers it with false for `https://bücher.example` once a function that asks it has become hot.
 */
export function parsedUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
