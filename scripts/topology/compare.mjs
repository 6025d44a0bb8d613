// Whether two runs of the same question over the same sources made the same report.

/** What is not the same, by its name; nothing where everything is. */
export function differences(one, other) {
  return [
    ...(one.markdown === other.markdown ? [] : ['report.md']),
    ...(comparable(one.report) === comparable(other.report) ? [] : ['report.json']),
  ];
}

/** All but its times, what it used, and the versions of its programs (src/contracts/report/report.ts). */
function comparable({ provenance, ...report }) {
  return JSON.stringify({ ...report, timings: {}, usage: {}, provenance: { ...provenance, runtime: {} } });
}
