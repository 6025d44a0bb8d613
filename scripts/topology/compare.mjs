// Whether two runs of the same question over the same sources made the same report.

/** What is not the same, in words; nothing where everything is. */
export function differences(one, other) {
  return [
    ...(one.markdown === other.markdown ? [] : ['report.md']),
    ...(comparable(one.report) === comparable(other.report) ? [] : ['report.json']),
  ];
}

/** All but what a run of its own has: its id, its times, what it used, the versions of its programs, when it was started. */
function comparable({ provenance, ...report }) {
  const { asOf } = provenance;
  const same = { ...report, id: '', timings: {}, usage: {}, provenance: { ...provenance, runtime: {} } };
  // Sources that do not say when they were read are read when the run starts.
  return JSON.stringify(same).replaceAll(JSON.stringify(asOf), '"its start"');
}
