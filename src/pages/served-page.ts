import { faceTexts } from '../texts/face';
import { type Content, type Html, html } from '../document/page/html';
import { pageFrame } from '../document/page/page-frame';

const FORM_STYLE = `
.places { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: center; font-size: .92rem; margin-bottom: 1.4rem; }
.places ul { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0; padding: 0; flex: 1; }
.places li { margin: 0; }
input, textarea { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 5px; padding: .4rem .5rem; width: 100%; min-height: 2.4rem; }
input[type=checkbox] { width: 1.2rem; min-height: 1.2rem; }
input:focus-visible, textarea:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
input[type=file] { border-style: dashed; padding: 1.6rem .8rem; }
form.rows, form.rows fieldset { display: grid; gap: .9rem; }
form, fieldset, .actions { font-family: system-ui, sans-serif; font-size: .95rem; }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: 0 0 .9rem; min-width: 0; }
form.rows label { display: grid; gap: .2rem; }
form.rows label.tick { grid-template-columns: max-content 1fr; gap: .6rem; align-items: center; }
form .filters, form.filters { align-items: end; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; align-items: start; }
.actions > * { margin: 0; }
a.button { display: inline-block; border: 1px solid var(--link); border-radius: 5px; padding: .4rem .8rem; min-height: 2.4rem; }
button.main { background: var(--link); color: var(--ground); border-color: var(--link); }
button.plain { border: 0; padding: 0; min-height: 0; color: var(--link); text-decoration: underline; background: none; }
.told { border-inline-start: 3px solid var(--link); padding: .4rem .8rem; background: var(--raised); }
.problem { border-inline-start-color: var(--warn); }
.runs td:first-child { min-width: 12rem; }
`;

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
