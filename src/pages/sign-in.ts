import { html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { servedPage, type Viewer } from './served-page';

/** Where a token is shown once, or a provider asked who somebody is; `to` is where it leads from here. */
export function signIn(
  viewer: Viewer,
  { to, wasRefused, openId }: { to: string; wasRefused: boolean; openId: boolean },
): string {
  const { face } = textsOf(viewer.language);
  return servedPage(viewer, {
    title: face.signIn,
    main: html`${wasRefused ? html`<p class="told problem" role="alert">${face.notLetIn}</p> ` : null}
      ${openId ? html`<p><a class="button" href="/sign-in/openid?to=${encodeURIComponent(to)}">${face.byProvider}</a></p> ` : null}
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
