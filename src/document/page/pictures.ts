import { html, type Content, type Html } from './html';

/** A bar of a picture and a row of its table. */
export interface Figure {
  label: string;
  /** The label in the table. */
  shown: Content;
  amount: number;
}

/** Pixels. Widths are shares, so that texts keep their size on a narrow screen. */
const ROW = 40;
const BAR = 14;
const COLUMNS = 120;
const LABELS = 20;
/** As many letters fit above a bar at 320 px. */
const LABEL_CHARS = 38;

/** A bar for each, its label above it. The table beneath says the same, so that the picture is hidden from who hears the page. */
export function barPicture(figures: readonly Figure[]): Html {
  const most = Math.max(1, ...figures.map(({ amount }) => amount));
  return html`<svg width="100%" height="${figures.length * ROW}" aria-hidden="true" focusable="false">
    ${figures.map(({ label, amount }, at) => {
      const y = at * ROW;
      const share = percent((amount / most) * 88);
      return html`<text x="0" y="${y + 14}">${clipped(label)}</text
        ><rect x="0" y="${y + 20}" width="${share}" height="${BAR}" rx="2"></rect
        ><text class="amount" x="${percent((amount / most) * 88 + 1)}" y="${y + 32}">${amount}</text>`;
    })}
  </svg>`;
}

/** A column for each beside the others. */
export function columnPicture(figures: readonly Figure[]): Html {
  const most = Math.max(1, ...figures.map(({ amount }) => amount));
  const width = 100 / Math.max(6, figures.length);
  // Labels of four letters need some 40 px each.
  const every = Math.ceil(figures.length / 7);
  return html`<svg width="100%" height="${COLUMNS + 2 * LABELS}" aria-hidden="true" focusable="false">
    ${figures.map(({ label, amount }, at) => {
      const height = Math.round((amount / most) * COLUMNS);
      const middle = percent((at + 0.5) * width);
      const top = LABELS + COLUMNS - height;
      const amountShown =
        amount === 0 || figures.length > 20
          ? null
          : html`<text class="amount middle" x="${middle}" y="${top - 4}">${amount}</text>`;
      const labelShown =
        at % every === 0
          ? html`<text class="middle" x="${middle}" y="${COLUMNS + 2 * LABELS - 4}">${label}</text>`
          : null;
      return html`<rect
          x="${percent(at * width + width * 0.1)}"
          y="${top}"
          width="${percent(width * 0.8)}"
          height="${height}"
        ></rect
        >${amountShown}${labelShown}`;
    })}
  </svg>`;
}

export function figureTable(what: string, amounts: string, figures: readonly Figure[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${what}</th>
        <th scope="col">${amounts}</th>
      </tr>
    </thead>
    <tbody>
      ${figures.map(
        ({ shown, amount }) =>
          html`<tr>
            <th scope="row">${shown}</th>
            <td>${amount}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function percent(share: number): string {
  return `${Number(share.toFixed(2))}%`;
}

function clipped(label: string): string {
  const letters = Array.from(label);
  return letters.length <= LABEL_CHARS ? label : `${letters.slice(0, LABEL_CHARS - 1).join('')}…`;
}
