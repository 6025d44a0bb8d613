import { faceTexts } from '../texts/face';
import { html } from '../document/page/html';
import { servedPage, type Viewer } from './served-page';

/** The form in which a person types a token; `to` is the path that follows. */
export function signIn(viewer: Viewer, { to, wasRefused }: { to: string; wasRefused: boolean }): string {
  return servedPage(viewer, {
    title: faceTexts.signIn,
    main: html`${wasRefused ? html`<p class="told problem" role="alert">${faceTexts.notLetIn}</p> ` : null}
      <form method="post" action="/sign-in" class="rows">
        <input type="hidden" name="to" value="${to}" />
        <label
          >${faceTexts.token}<input type="password" name="token" required autocomplete="current-password"
        /></label>
        <p><small>${faceTexts.tokenHelp}</small></p>
        <p><button class="main">${faceTexts.signIn}</button></p>
      </form> `,
  });
}
