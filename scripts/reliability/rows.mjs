// The measurements as Markdown.

export const FAULT_HEAD = [
  '| what fails | how often | status | claims of the undisturbed run | other claims | calls (undisturbed) | finished calls repeated | time |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];

export function faultRow({ name, often, measured, undisturbed }) {
  const known = new Set(undisturbed.claims);
  const same = measured.claims.filter((claim) => known.has(claim)).length;
  return row([
    name,
    often,
    measured.status,
    `${same} of ${known.size}`,
    measured.claims.length - same,
    `${measured.asked} (${undisturbed.asked})`,
    measured.repeated,
    `${measured.seconds.toFixed(0)} s`,
  ]);
}

export function killRows(rows) {
  return ['worker', 'server'].map((what) => {
    const of = rows.filter((measured) => measured.what === what);
    const sum = (name) => of.reduce((total, measured) => total + measured[name], 0);
    return row([
      what,
      of.length,
      of.filter(({ same }) => same).length,
      sum('asked') - sum('finished'),
      sum('repeated'),
      `${Math.max(0, ...of.flatMap(({ lostMs }) => lostMs))} ms`,
    ]);
  });
}

export const KILL_HEAD = [
  '| killed | times | same bytes | calls that were cut off | finished calls repeated | answered at most before the kill |',
  '| --- | --- | --- | --- | --- | --- |',
];

function row(cells) {
  return `| ${cells.join(' | ')} |`;
}
