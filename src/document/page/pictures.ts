import { html, type Content, type Html } from './html';

/** A bar of a picture and a row of its table. */
export interface Figure {
  label: string;
  /** The label in the table. */
  shown: Content;
  /** One of each series, which stand on one another in the bar. */
  amounts: readonly number[];
}

function total({ amounts }: Figure): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Each amount with its place and its share of the bar. */
function stacked({ amounts }: Figure): { series: number; from: number; amount: number }[] {
  let from = 0;
  return amounts.map((amount, series) => {
    from += amount;
    return { series, from: from - amount, amount };
  });
}

/** What the colours stand for, in the order of the amounts. */
export function legend(series: readonly string[]): Html {
  return html`<ul class="legend" aria-hidden="true">
    ${series.map(
      (name, at) =>
        html`<li>
          <svg width="12" height="12"><rect class="series-${at}" width="12" height="12" rx="2"></rect></svg>
          ${name}
        </li> `,
    )}
  </ul>`;
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
  const most = Math.max(1, ...figures.map(total));
  return html`<svg width="100%" height="${figures.length * ROW}" aria-hidden="true" focusable="false">
    ${figures.map((figure, at) => {
      const y = at * ROW;
      const end = percent((total(figure) / most) * 88 + 1);
      const bars = stacked(figure).map(
        ({ series, from, amount }) =>
          html`<rect
            class="series-${series}"
            x="${percent((from / most) * 88)}"
            y="${y + 20}"
            width="${percent((amount / most) * 88)}"
            height="${BAR}"
          ></rect>`,
      );
      return html`<text x="0" y="${y + 14}">${clipped(figure.label)}</text>${bars}<text
          class="amount"
          x="${end}"
          y="${y + 32}"
        >
          ${toldAmounts(figure)}
        </text>`;
    })}
  </svg>`;
}

/** A column for each beside the others. */
export function columnPicture(figures: readonly Figure[]): Html {
  const most = Math.max(1, ...figures.map(total));
  const width = 100 / Math.max(6, figures.length);
  // Labels of four letters need some 40 px each.
  const every = Math.ceil(figures.length / 7);
  return html`<svg width="100%" height="${COLUMNS + 2 * LABELS}" aria-hidden="true" focusable="false">
    ${figures.map((figure, at) => {
      const amount = total(figure);
      const heightOf = (some: number): number => Math.round((some / most) * COLUMNS);
      const middle = percent((at + 0.5) * width);
      const amountShown =
        amount === 0 || figures.length > 20
          ? null
          : html`<text class="amount middle" x="${middle}" y="${LABELS + COLUMNS - heightOf(amount) - 4}"
              >${amount}</text
            >`;
      const labelShown =
        at % every === 0
          ? html`<text class="middle" x="${middle}" y="${COLUMNS + 2 * LABELS - 4}">${figure.label}</text>`
          : null;
      const columns = stacked(figure).map(
        ({ series, from, amount: some }) =>
          html`<rect
            class="series-${series}"
            x="${percent(at * width + width * 0.1)}"
            y="${LABELS + COLUMNS - heightOf(from + some)}"
            width="${percent(width * 0.8)}"
            height="${heightOf(from + some) - heightOf(from)}"
          ></rect>`,
      );
      return html`${columns}${amountShown}${labelShown}`;
    })}
  </svg>`;
}

export function figureTable(what: string, series: readonly string[], figures: readonly Figure[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${what}</th>
        ${series.map((name) => html`<th scope="col">${name}</th> `)}
      </tr>
    </thead>
    <tbody>
      ${figures.map(
        ({ shown, amounts }) =>
          html`<tr>
            <th scope="row">${shown}</th>
            ${amounts.map((amount) => html`<td>${amount}</td> `)}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

/** `2 + 4 + 1`, in the order of the colours. */
function toldAmounts({ amounts }: Figure): string {
  return amounts.filter((amount) => amount > 0).join(' + ');
}

function percent(share: number): string {
  return `${Number(share.toFixed(2))}%`;
}

function clipped(label: string): string {
  const letters = Array.from(label);
  return letters.length <= LABEL_CHARS ? label : `${letters.slice(0, LABEL_CHARS - 1).join('')}…`;
}
