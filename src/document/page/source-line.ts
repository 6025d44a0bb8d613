import { shownDate } from '../../core/writing/attribution';
import type { DocumentSource } from '../document';
import { sourceAnchor } from './anchors';
import { html, type Content, type Html } from './html';

/** A source's title, which leads to it where it has an address of the web. */
export function sourceTitle({ title, url }: DocumentSource): Html {
  const name = html`<bdi>${title}</bdi>`;
  return url === null ? name : html`<a href="${url}" rel="noopener noreferrer">${name}</a>`;
}

/** What sources are counted and found by. */
export function numberLink(n: number): Html {
  return html`<a class="cite" href="#${sourceAnchor(n)}">[${n}]</a>`;
}

/** `Jo Doe, Journal, 2012`. */
export function sourceWhose(source: DocumentSource): Content {
  return whoseOf(source).map((part, at) => html`${at === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}

/** Author, site and date, as far as they are known. */
export function whoseOf({ author, site, publishedAt }: DocumentSource): string[] {
  const date = publishedAt === null ? '' : shownDate(publishedAt);
  return [author ?? '', site ?? '', date].filter((part) => part !== '');
}
