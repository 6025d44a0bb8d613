import { engineNames } from '../contracts/run/engines';
import { type Html, html } from '../document/page/html';
import { textsOf } from '../texts/texts';
import { amount } from './fields';
import type { Viewer } from './served-page';

/** What a run is about, and with what it is made. */
export function runFields({ language }: Viewer): Html {
  const { face, run } = textsOf(language);
  return html`<label
      >${face.question}<textarea name="question" rows="2" required maxlength="4000" dir="auto"></textarea>
    </label>
    <label
      >${face.kind}<select name="kind">
        ${(['report', 'answer'] as const).map((kind) => html`<option value="${kind}">${run.kinds[kind]}</option>`)}
      </select></label
    >
    <label>${face.files}<input type="file" name="files" multiple /></label>
    <label>${face.links}<textarea name="links" rows="3" inputmode="url"></textarea></label>
    <label>${face.text}<textarea name="text" rows="5" dir="auto"></textarea></label>
    <label
      >${face.engine}<select name="engine">
        <option value="">${face.configured}</option>
        ${engineNames.map((name) => html`<option value="${name}">${name}</option>`)}
      </select></label
    >
    ${amount('maxCostUsd', face.maxCost, null, 'any', face.noLimit)}
    <label class="tick"><input type="checkbox" name="approval" />${face.waitForApproval}</label> `;
}
