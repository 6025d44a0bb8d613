import JSZip from 'jszip';

/** The first day that a ZIP can name, for what is of no day. */
const NO_DAY = '1980-01-01T00:00:00.000Z';

/**
 * A package of Word with nothing of the clock or of chance in it, so that the same document is the same bytes. The library dates it
 * now, and names links by chance.
 */
export async function settledPackage(bytes: Uint8Array, asOf: string | null): Promise<Uint8Array> {
  const given = await JSZip.loadAsync(bytes);
  const at = new Date(asOf ?? NO_DAY);
  const date = Number.isNaN(at.getTime()) ? new Date(NO_DAY) : at;
  const links = new Map<string, string>();
  const settled = new JSZip();
  const files = Object.values(given.files).filter(({ dir }) => !dir);
  for (const { name } of files.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const text = (await given.file(name)?.async('string')) ?? '';
    const named = withLinkNames(text, links);
    settled.file(name, name === 'docProps/core.xml' ? dated(named, date) : named, {
      date,
      createFolders: false,
    });
  }
  return settled.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
}

const LINK_NAME = /\b((?:r:id|Id)=")(rId[a-z0-9_-]{21})(?=")/g;

function withLinkNames(xml: string, links: Map<string, string>): string {
  return xml.replace(LINK_NAME, (_name, before: string, name: string) => {
    const settled = links.get(name) ?? `rIdLink${links.size + 1}`;
    links.set(name, settled);
    return `${before}${settled}`;
  });
}

function dated(xml: string, date: Date): string {
  return xml.replace(/(<dcterms:[^>]*>)[^<]*/g, (_element, tag: string) => `${tag}${date.toISOString()}`);
}
