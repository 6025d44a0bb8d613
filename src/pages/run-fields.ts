import { faceTexts } from '../texts/face';
import { runTexts } from '../texts/run';
import { engineNames } from '../contracts/run/engines';
import { type Html, html } from '../document/page/html';
import { amount } from './fields';

export function runFields(): Html {
  return html`<label
      >${faceTexts.question}<textarea
        name="question"
        rows="2"
        required
        maxlength="4000"
        dir="auto"
      ></textarea>
    </label>
    <label
      >${faceTexts.kind}<select name="kind">
        ${(['report', 'answer'] as const).map((kind) => html`<option value="${kind}">${runTexts.kinds[kind]}</option>`)}
      </select></label
    >
    <label>${faceTexts.files}<input type="file" name="files" multiple /></label>
    <label>${faceTexts.links}<textarea name="links" rows="3" inputmode="url"></textarea></label>
    <label>${faceTexts.text}<textarea name="text" rows="5" dir="auto"></textarea></label>
    <label
      >${faceTexts.engine}<select name="engine">
        <option value="">${faceTexts.configured}</option>
        ${engineNames.map((name) => html`<option value="${name}">${name}</option>`)}
      </select></label
    >
    ${amount('maxCostUsd', faceTexts.maxCost, null, 'any', faceTexts.noLimit)}
    <label class="tick"><input type="checkbox" name="approval" />${faceTexts.waitForApproval}</label> `;
}
