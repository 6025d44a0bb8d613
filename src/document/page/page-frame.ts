import { pageTexts } from '../../texts/page';
import { type Content, Html, html } from './html';
import { PAGE_STYLE } from './style';
import { createHash } from 'node:crypto';

/**
 * What is around the text of a page: it runs nothing but `script`, where it has one, and asks for nothing; one that a face serves asks
 * that face alone.
 */
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
        ${toTheLetter('style', style)}
      </head>
      <body>
        <a class="skip" href="#text">${pageTexts.skip}</a>
        ${header}
        <main id="text" tabindex="-1">${main}</main>
        <footer>
          <p>${footer}</p>
        </footer>
        ${script === '' ? null : toTheLetter('script', script)}
      </body>
    </html> `.markup;
}

/** The policy allows what its hash is of: nothing in it is escaped, or set on a line of its own. */
function toTheLetter(element: 'style' | 'script', text: string): Html {
  return new Html(`<${element}>${text}</${element}>`);
}

/** The page may load nothing, ask `asked` alone, and carry out the one style and the one script that these are. */
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
