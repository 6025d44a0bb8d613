import { faceTexts } from '../texts/face';
import { type Content, type Html, html } from '../document/page/html';
import { pageFrame } from '../document/page/page-frame';
import { FORM_STYLE } from './form-style';

export interface Viewer {
  /** Whose runs they are; null before somebody has signed in. */
  owner: string | null;
  signedIn: boolean;
  mayRun: boolean;
}

export function servedPage(
  viewer: Viewer,
  { title, main, script = '' }: { title: string; main: Content; script?: string },
): string {
  return pageFrame({
    title: `${title} · ${faceTexts.product}`,
    generator: null,
    script,
    served: { style: FORM_STYLE },
    header: html`<header>
      ${viewer.owner === null ? null : placesHtml(viewer)}
      <h1 dir="auto">${title}</h1>
    </header> `,
    main,
    footer: faceTexts.product,
  });
}

function placesHtml({ signedIn, mayRun }: Viewer): Html {
  const { places, main } = faceTexts;
  const links = [
    { href: '/', text: places.runs },
    ...(mayRun ? [{ href: '/start', text: places.start }] : []),
  ];
  return html`<nav class="places" aria-label="${main}">
    <ul>
      ${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li> `)}
    </ul>
    ${signedIn ? html`<form method="post" action="/sign-out"><button class="plain">${places.signOut}</button></form>` : null}
  </nav> `;
}

export function runPath(runId: string, below = ''): string {
  return `/runs/${encodeURIComponent(runId)}${below}`;
}
