import type { GivenSource } from '../../../contracts/brief/subtopic';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Page } from '../../../contracts/source/source';
import { isWebAddress } from '../../../sources/parse-record';
import type { ContentStore } from '../../../stores/content-store';

interface CitedSource {
  sourceId: string;
  url: string | null;
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
}

export interface KeptText {
  contentRef: ArtifactRef;
  pages?: Page[] | undefined;
  license?: string | undefined;
}

export async function givenSource(
  content: ContentStore,
  { sourceId, url, title, author, site, publishedAt, accessedAt }: CitedSource,
  kept: KeptText | undefined,
): Promise<GivenSource> {
  const text = kept === undefined ? null : await content.retrieve(kept.contentRef);
  return {
    // What has an address is known by that, in whichever run it was read.
    ...(isWebAddress(url) ? { url } : { id: sourceId }),
    ...(title === '' ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(accessedAt === undefined ? {} : { accessedAt }),
    ...(kept?.license === undefined ? {} : { license: kept.license }),
    ...(text === null || text.trim() === '' ? {} : { content: text }),
    ...(text === null || kept?.pages === undefined ? {} : { pages: kept.pages }),
  };
}
