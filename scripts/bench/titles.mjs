/** The runs of a round by name. */
export const runTitles = {
  first: 'the first run of a worker, in an empty folder',
  second: 'the same again, by the same worker',
};

export function materialTitle({ name, rounds }) {
  const { sources } = rounds[0].first;
  return name === 'studies' ? `${sources} studies` : `${sources} notes of examples/`;
}
