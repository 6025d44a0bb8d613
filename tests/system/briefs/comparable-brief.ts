import type { Brief } from '../../../src/contracts/brief/brief';

/** All that two runs of the same brief have in common: everything but id, timings, usage, the path of its file and runtime. */
export function comparableBrief({ judge, ...brief }: Brief): unknown {
  const { id: _id, timings: _timings, usage: _usage, metadata, provenance, ...rest } = brief;
  const { reportPath: _path, ...facts } = metadata;
  const { runtime: _runtime, ...pinned } = provenance;
  // A version is named by its content, in which id and timings stand.
  const versions = judge?.versions.map(({ reportRef: _ref, ...version }) => version);
  return { ...rest, metadata: facts, provenance: pinned, judge: { ...judge, versions } };
}
