import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { servedPage, type Viewer } from './served-page';

/** The form in which a person types a token; `to` is the path that follows. */
export function signIn(viewer: Viewer, { to, wasRefused }: { to: string; wasRefused: boolean }): string {
  const { face } = textsOf(viewer.language);
  return servedPage(viewer, {
    title: face.signIn,
    main: html`${wasRefused ? html`<p class="told problem" role="alert">${face.notLetIn}</p> ` : null}
      <form method="post" action="/sign-in" class="rows">
        <input type="hidden" name="to" value="${to}" />
        <label
          >${face.token}<input type="password" name="token" required autocomplete="current-password"
        /></label>
        <p><small>${face.tokenHelp}</small></p>
        <p><button class="main">${face.signIn}</button></p>
      </form> `,
  });
}
