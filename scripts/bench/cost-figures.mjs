// What runs by a model cost, as rows.
const TITLES = {
  articles: '60 articles',
  notes: '16 notes of examples/',
};

const count = (number) => Math.round(number).toLocaleString('en-GB');
const percent = (share) => `${Math.round(100 * share)} %`;
const judged = (isMet) => (isMet ? 'met' : '**missed**');

/** A table for each collection: each step, then all of them. */
export function costTables(costs) {
  return costs.map((cost) => ({
    title: `${TITLES[cost.name]}, ${count(cost.sourceTokens)} tokens of text`,
    rows: [
      ...cost.steps.map(({ step, calls, tokensIn, copies, sharedShare }) => ({
        step,
        calls,
        tokensIn: count(tokensIn),
        copies: copies.toFixed(1),
        shared: percent(sharedShare),
      })),
      {
        step: 'in all',
        calls: cost.calls,
        tokensIn: `${count(cost.tokensIn)} (${targetOf(cost)})`,
        copies: '',
        shared: `${percent(cost.sharedShare)}${cost.name === 'articles' ? ` (≥ 60 %: ${judged(cost.sharedShare >= 0.6)})` : ''}`,
      },
    ],
    changed: changedLine(cost),
  }));
}

function targetOf({ name, tokensIn, sourceTokens }) {
  if (name === 'notes') return `≤ 34,000: ${judged(tokensIn <= 34_000)}`;
  const each = tokensIn / sourceTokens;
  return `${each.toFixed(2)} for each of the sources, ≤ 1.35: ${judged(each <= 1.35)}`;
}

function changedLine({ again }) {
  const counts = again.map((steps) => steps.length);
  if (counts.length === 0) return '';
  const most = Math.max(...counts);
  return `One number changed in one note, tried with each of ${counts.length}: ${most} calls at most (≤ 4: ${judged(most <= 4)}).`;
}
