import { createHash } from 'node:crypto';
import { stripUnsafe } from '../../lib/untrusted-text';
import { pageTexts } from '../page-texts';

/** Markup of the page. Only the `html` tag and the templates of this folder create it. */
export class Html {
  constructor(readonly markup: string) {}
}

export type Content = Html | string | number | null | readonly Content[];

/** The only place that turns text into markup: every value is escaped, unless it is `Html` already. */
export function html(markup: TemplateStringsArray, ...contents: Content[]): Html {
  return new Html(String.raw({ raw: markup }, ...contents.map(markupOf)));
}

function markupOf(content: Content): string {
  if (content === null) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'string') return escapeText(content);
  return typeof content === 'number' ? String(content) : content.map(markupOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For elements and quoted attributes. Removes invisible characters, which could reverse the direction of the text behind them. */
function escapeText(text: string): string {
  return stripUnsafe(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fdfcf9; --raised: #f4f1ea; --ink: #1d1b18; --quiet: #55504a; --line: #d8d2c6;
  --link: #1a4a8a; --mark: #ffe694; --mark-ink: #1d1b18; --warn: #8a3a00; --faint: #a89f8f;
  --measure: 38rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #181715; --raised: #23211e; --ink: #ebe7df; --quiet: #b5aea3; --line: #45413b;
    --link: #9fc0f5; --mark: #5f4d00; --mark-ink: #fff5cf; --warn: #ffb27a; --faint: #7d766b;
  }
}
* { box-sizing: border-box; }
html { scroll-padding: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.6 Charter, 'Bitstream Charter', 'Iowan Old Style', Cambria, Georgia, serif;
  overflow-wrap: anywhere;
}
body > header, nav.contents, main, body > footer { max-width: calc(var(--measure) + 2rem); margin-inline: auto; padding-inline: 1rem; }
h1, h2, h3, h4, h5, h6, nav, .filters, .first, .check, figcaption, summary, table, small, footer, .kind, .notice {
  font-family: system-ui, sans-serif;
}
h1 { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 1.9rem); line-height: 1.2; margin: .3rem 0 .8rem; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.6rem 0 .6rem; }
h3 { font-size: 1.05rem; line-height: 1.35; margin: 1.6rem 0 .4rem; }
h4, h5, h6 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, ul, ol, blockquote, figure, pre { margin: 0 0 .9rem; }
ul, ol { padding-inline-start: 1.4rem; }
li { margin-bottom: .45rem; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, select:focus-visible, button:focus-visible, summary:focus-visible, .scroll:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px;
}
header { padding-top: 2.5rem; }
.kind, .question, small, .why, footer { color: var(--quiet); }
.kind { margin: 0 0 .6rem; font-size: .9rem; }
.notice { margin: 0 0 .5rem; font-size: .9rem; color: var(--quiet); }
.badge { display: inline-block; margin-inline-start: .6rem; padding: .05rem .6rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--raised); color: var(--quiet); font-size: .82rem; text-decoration: none; }
.badge:hover { color: var(--link); border-color: var(--link); }
.question { font-style: italic; }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { position: static; display: inline-block; padding: .5rem; }
.contents ol { list-style: none; padding: 0; margin: 0; display: flex; gap: .2rem 1.3rem; font-size: .9rem; overflow-x: auto; white-space: nowrap; overflow-wrap: normal; }
.contents li { margin: 0; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.first { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem .3rem; font-size: .95rem; }
.first > h2 { margin: 0 0 .5rem; font-size: 1.1rem; }
details { border-top: 1px solid var(--line); padding-block: .7rem .3rem; }
details > summary h3 { display: inline; margin: 0; font-size: 1rem; font-weight: 600; }
.behind > details:last-of-type { border-bottom: 1px solid var(--line); }
.sources .work { list-style: none; }
.why { margin: .1rem 0 0; font-size: .92rem; }
summary { cursor: pointer; }
summary + * { margin-top: .6rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .6rem; margin: .5rem 0; }
.side { background: var(--ground); border: 1px solid var(--line); border-inline-start: 3px solid var(--warn); border-radius: 4px; padding: .6rem .7rem; }
.side p { margin: 0 0 .3rem; }
.claim { color: inherit; text-decoration: none; border-radius: 2px; }
.claim:hover { background: var(--raised); }
.claim.concluded { text-decoration: underline dotted var(--faint) 1px; text-underline-offset: .22em; }
.claim[aria-current], .claim:target { background: var(--mark); color: var(--mark-ink); }
.claim[aria-current] .cite, .claim[aria-current] .caution { color: inherit; }
.cite { color: var(--link); font-family: system-ui, sans-serif; font-size: .82em; text-decoration: none; }
.claim .cite:hover, a.cite:hover { text-decoration: underline; }
.caution { color: var(--warn); border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; font-size: .78em; white-space: nowrap; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; padding: .8rem 0; font-size: .9rem; }
.filters[hidden], [hidden] { display: none; }
.filters label { display: grid; gap: .2rem; flex: 1 1 9rem; min-width: 0; }
select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--quiet); border-radius: 5px; padding: .4rem .5rem; max-width: 100%; width: 100%; min-height: 2.4rem; }
button { width: auto; cursor: pointer; }
#filters-told { flex-basis: 100%; margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; margin-bottom: .9rem; overflow-wrap: normal; }
th, td { text-align: start; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
thead th { font-weight: 600; }
.evidence td:first-child { min-width: 14rem; }
.evidence td:last-child { min-width: 9rem; }
pre { overflow-x: auto; background: var(--raised); padding: .7rem; border-radius: 5px; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
blockquote { margin-inline: 0; padding-inline-start: .9rem; border-inline-start: 3px solid var(--line); }
figure { margin-inline: 0; }
figcaption { font-size: .88rem; color: var(--quiet); margin-bottom: .4rem; }
.sources li:target { background: var(--mark); color: var(--mark-ink); }
.sources li:target a, .sources li:target small { color: inherit; }
mark { background: var(--mark); color: var(--mark-ink); padding-block: .1em; }
.passage { font-size: .97rem; }
.passage:focus { outline: none; }
.passage h3 { margin: 0 0 .3rem; }
.passage blockquote p { margin-bottom: .6rem; }
.passage blockquote .lines { white-space: pre-line; }
.cut-before > p:first-child::before { content: '… '; }
.cut-after > p:last-child::after { content: ' …'; }
.withheld { font-size: .88rem; color: var(--quiet); }
.said { font-weight: 600; }
.steps { display: flex; justify-content: space-between; gap: .5rem; font-size: .9rem; margin-bottom: .8rem; }
.steps a { padding: .35rem .1rem; }
.check { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; margin: 0 0 1rem; font-size: .92rem; }
.check dt { color: var(--quiet); }
.check dd { margin: 0; }
.verdict-partial, .verdict-contradicted, .verdict-unsupported, .verdict-unchecked { color: var(--warn); font-weight: 600; }
footer { margin-block: 3rem 4rem; font-size: .85rem; border-top: 1px solid var(--line); padding-top: .8rem; }
@media screen {
  .passages > h2, .passage:not(:target) { display: none; }
  .passage:target {
    position: fixed; z-index: 1; inset: auto 0 0 0; max-height: 72vh; overflow-y: auto; overscroll-behavior: contain;
    background: var(--ground); border-top: 1px solid var(--quiet); box-shadow: 0 -6px 30px rgb(0 0 0 / .22); padding: .6rem 1rem 1.2rem;
  }
  .passage .steps { position: sticky; top: -.6rem; background: var(--ground); margin: -.6rem 0 .4rem; padding-block: .3rem; }
  body:has(.passage:target) { padding-bottom: 72vh; }
}
/* Contents, text and passage beside each other: an open passage moves no text. */
@media screen and (min-width: 64rem) {
  body:has(> nav.contents) { --side: 22rem; --text: calc(100vw - var(--side) - 3rem); }
  body:has(> nav.contents) > :is(header, nav, main, footer) { margin-inline: 1rem auto; width: min(calc(var(--measure) + 2rem), var(--text)); }
  .passage:target {
    inset: 0 0 0 auto; width: var(--side, 22rem); max-height: none; border-top: 0; border-inline-start: 1px solid var(--line);
    box-shadow: none; padding: 1rem 1.2rem 2rem; background: var(--raised);
  }
  .passage:target .steps { top: -1rem; margin: -1rem 0 .6rem; padding-block: .6rem; background: var(--raised); }
  body:has(.passage:target) { padding-bottom: 0; }
}
@media screen and (min-width: 78rem) {
  body:has(> nav.contents) {
    --side: clamp(22rem, calc(100vw - 56rem), 28rem); display: grid; justify-content: center; column-gap: 2rem; align-content: start;
    padding-inline-start: 1.5rem; grid-template-columns: 11.5rem minmax(0, var(--measure)) calc(var(--side) - 2rem);
  }
  body:has(> nav.contents) > :is(header, nav, main, footer) { width: auto; margin-inline: 0; padding-inline: 0; grid-column: 2; }
  body:has(> nav.contents) > nav.contents { grid-column: 1; grid-row: 1 / span 3; position: sticky; top: 2.9rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; margin-top: 2.9rem; }
  .contents ol { flex-direction: column; gap: .55rem; font-size: .86rem; line-height: 1.35; overflow-x: visible; white-space: normal; overflow-wrap: anywhere; }
  .contents a { color: var(--quiet); }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: auto; } }
@media print {
  :root { --ground: #fff; --raised: #fff; --ink: #000; --quiet: #333; --line: #999; --link: #000; --mark: #ddd; --mark-ink: #000; --warn: #000; }
  body { font-size: 10.5pt; }
  header, nav.contents, main, footer { max-width: none; padding-inline: 0; }
  .skip, .filters, .steps, nav.contents { display: none; }
  details::details-content { content-visibility: visible; display: block; }
  .passages { break-before: page; }
  .passage { font-size: 9.5pt; }
  .passage h3, .said { break-after: avoid; }
  .side, li, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .sources a[href]::after { content: ' <' attr(href) '>'; font-size: .85em; }
}
`;

/** Frame of a page. It runs `script` only and makes no requests; a `served` page makes requests to its own server only. */
export function pageFrame(page: {
  title: string;
  generator: string | null;
  script: string;
  served?: { style: string };
  header: Content;
  main: Content;
  footer: Content;
}): string {
  const { title, generator, script, served, header, main, footer } = page;
  const style = PAGE_STYLE + (served?.style ?? '');
  const policy = contentSecurityPolicy(style, script, served === undefined ? "'none'" : "'self'");
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Html(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="${served === undefined ? 'no-referrer' : 'same-origin'}" />
        ${generator === null ? null : html`<meta name="generator" content="${generator}" />`}
        <title>${title}</title>
        ${verbatimElement('style', style)}
      </head>
      <body>
        <a class="skip" href="#text">${pageTexts.skip}</a>
        ${header}
        <main id="text" tabindex="-1">${main}</main>
        <footer>
          <p>${footer}</p>
        </footer>
        ${script === '' ? null : verbatimElement('script', script)}
      </body>
    </html> `.markup;
}

/** Not escaped or reformatted, because the policy allows exactly the hashed content. */
function verbatimElement(element: 'style' | 'script', text: string): Html {
  return new Html(`<${element}>${text}</${element}>`);
}

/** The page loads nothing, sends requests to `asked` only, and applies only this style and this script. */
function contentSecurityPolicy(style: string, script: string, asked: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    `form-action ${asked}`,
    `connect-src ${asked}`,
  ].join('; ');
}

function hashOf(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline, 'utf8').digest('base64')}'`;
}

/** Optional: arrow and Escape keys for the open passage, scrolling, focus, and unfolding for print. It writes no markup. */
export function pageScript(): string {
  return `
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const targetOf = () => {
    try {
      return byId(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return null;
    }
  };
  const passageOf = (element) => (element?.classList.contains('passage') ? element : null);
  let opened = null;
  let clicked = null;
  let wanted = null;
  const marked = [];

  const follow = () => {
    const passage = passageOf(targetOf());
    for (const element of marked.splice(0)) element.removeAttribute('aria-current');
    if (passage !== null) {
      const claim = clicked ?? byId(passage.dataset.place);
      if (claim !== null) {
        claim.setAttribute('aria-current', 'true');
        marked.push(claim);
        const { top, bottom } = claim.getBoundingClientRect();
        // The passage stands beside the text, or covers it from here on.
        const covered = passage.getBoundingClientRect().top;
        if (top < 0 || bottom > (covered > 0 ? covered : innerHeight * 0.9))
          claim.scrollIntoView({ block: covered > 0 ? 'start' : 'center' });
      }
      passage.focus({ preventScroll: true });
      passage.scrollTop = 0;
      const place = wanted === null ? null : passage.querySelector('figure[data-n="' + wanted + '"] mark');
      (place ?? passage.querySelector('mark'))?.scrollIntoView({ block: 'nearest' });
    } else if (opened !== null && location.hash === '') {
      byId(opened.dataset.place)?.focus({ preventScroll: true });
    }
    opened = passage;
    clicked = null;
    wanted = null;
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', () => {
    if (location.hash === '') follow();
  });

  document.addEventListener('click', ({ target }) => {
    const link = target.closest?.('a.claim') ?? null;
    if (link === null) return;
    clicked = link;
    wanted = target.closest('.cite')?.dataset.n ?? null;
    if (link.hash === location.hash) follow();
  });

  document.addEventListener('keydown', (event) => {
    const passage = passageOf(targetOf());
    if (passage === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.('select, input, textarea, .scroll') !== null) return;
    const link = {
      ArrowLeft: '.previous',
      ArrowRight: '.next',
      Escape: '.back',
    }[event.key];
    const step = link === undefined ? null : passage.querySelector(link);
    if (step === null) return;
    event.preventDefault();
    location.replace(step.getAttribute('href'));
  });

  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

  // Only then it is known where an address leads.
  addEventListener('load', follow);
})();
`;
}
