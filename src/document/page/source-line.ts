import { shownDate } from '../../core/writing/attribution';
import type { DocumentSource } from '../document';
import { sourceAnchor } from './anchors';
import { html, type Content, type Html } from './html';

export function sourceTitle({ title, url }: DocumentSource): Html {
  const name = html`<bdi>${title}</bdi>`;
  return url === null ? name : html`<a href="${url}" rel="noopener noreferrer">${name}</a>`;
}

export function numberLink(n: number): Html {
  return html`<a class="cite" href="#${sourceAnchor(n)}">[${n}]</a>`;
}

/** `Jo Doe, Journal, 2012`. */
export function sourceWhose(source: DocumentSource): Content {
  return whoseOf(source).map((part, at) => html`${at === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}

/** A site or an author that is named as the title is says nothing beside it. */
export function whoseOf({ author, site, publishedAt, title }: DocumentSource): string[] {
  const date = publishedAt === null ? '' : shownDate(publishedAt);
  return [author ?? '', site ?? '', date].filter((part) => part !== '' && part !== title);
}
