import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Content, type Html, html, pageFrame } from '../report/document/html';
import { serverTexts } from '../report/page-texts';
import { hasScope } from './access';
import type { Problem } from './problem';

// The frame, headers and form elements of all pages.

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
  /** Null before the user has signed in. */
  owner: string | null;
  signedIn: boolean;
  mayRun: boolean;
}

export function servedPage(
  viewer: Viewer,
  { title, main, script = '' }: { title: string; main: Content; script?: string },
): string {
  return pageFrame({
    title: `${title} · ${serverTexts.product}`,
    generator: null,
    script,
    served: { style: FORM_STYLE },
    header: html`<header>
      ${viewer.owner === null ? null : navigationHtml(viewer)}
      <h1 dir="auto">${title}</h1>
    </header> `,
    main,
    footer: serverTexts.product,
  });
}

function navigationHtml({ signedIn, mayRun }: Viewer): Html {
  const { places, main } = serverTexts;
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

/**
 * Forbids frames, guessed types and caches. Without any referrer a browser would not send the origin of a
 * form either.
 */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

export function isPage({ routeOptions: { config }, headers: { accept } }: FastifyRequest): boolean {
  return config.page === true || (config.scope === undefined && accept?.includes('text/html') === true);
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(page);
}

/** Redirects to the sign-in page without a valid token. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.status === 401) {
    const to = request.method === 'GET' ? request.url : '/';
    return reply.redirect(`/sign-in?to=${encodeURIComponent(to)}`, 303);
  }
  return sendPage(
    reply.serializer(String),
    problemPage(viewerOf(request), problem.problems ?? [problem.detail]),
    problem.status,
  );
}

export function viewerOf({ caller }: Partial<Pick<FastifyRequest, 'caller'>>): Viewer {
  // A rejected request has no caller.
  return {
    owner: caller?.owner ?? null,
    signedIn: caller?.byCookie ?? false,
    mayRun: caller !== undefined && hasScope(caller.scope, 'run'),
  };
}

function problemPage(viewer: Viewer, problems: readonly string[]): string {
  return servedPage(viewer, {
    title: serverTexts.problem,
    main: html`<div class="told problem" role="alert">
        ${problems.map((problem) => html`<p dir="auto">${problem}</p> `)}
      </div>
      <p><a href="/">${serverTexts.back}</a></p> `,
  });
}

export function signInPage(viewer: Viewer, { to, wasRefused }: { to: string; wasRefused: boolean }): string {
  return servedPage(viewer, {
    title: serverTexts.signIn,
    main: html`${wasRefused ? html`<p class="told problem" role="alert">${serverTexts.notLetIn}</p> ` : null}
      <form method="post" action="/sign-in" class="rows">
        <input type="hidden" name="to" value="${to}" />
        <label
          >${serverTexts.token}<input type="password" name="token" required autocomplete="current-password"
        /></label>
        <p><small>${serverTexts.tokenHelp}</small></p>
        <p><button class="main">${serverTexts.signIn}</button></p>
      </form> `,
  });
}

export function numberField(
  name: string,
  text: string,
  value: number | null | undefined,
  step: string,
  help: string,
): Html {
  return html`<label
    >${text}<input
      type="number"
      name="${name}"
      min="0"
      step="${step}"
      value="${String(value ?? '')}"
      placeholder="${help}"
  /></label> `;
}

export function postButton(action: string, text: string): Html {
  return html`<form method="post" action="${action}"><button>${text}</button></form> `;
}

export function confirmedAction(action: string, text: string, help: string, yes: string): Html {
  return html`<details>
    <summary>${text}</summary>
    <form method="post" action="${action}">
      <p>${help}</p>
      <p><button>${yes}</button></p>
    </form>
  </details> `;
}
