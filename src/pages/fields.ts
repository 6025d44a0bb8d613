import { type Html, html } from '../document/page/html';

export function amount(
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

export function post(action: string, text: string): Html {
  return html`<form method="post" action="${action}"><button>${text}</button></form> `;
}

export function confirmed(action: string, text: string, help: string, yes: string): Html {
  return html`<details>
    <summary>${text}</summary>
    <form method="post" action="${action}">
      <p>${help}</p>
      <p><button>${yes}</button></p>
    </form>
  </details> `;
}
