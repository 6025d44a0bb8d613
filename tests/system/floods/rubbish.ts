/** What a signal may have for arguments that fits nothing. */
const RUBBISH: readonly (readonly unknown[])[] = [
  [],
  [null],
  ['x'],
  [0],
  [[]],
  [{}],
  [{ id: 1 }],
  [{ id: 'x' }],
  [{ id: 'x', manifestRef: 'x', sourceCount: 1 }],
  [{ id: 'x', manifestRef: 'a'.repeat(64), sourceCount: -1 }],
  [{ id: '', manifestRef: 'a'.repeat(64), sourceCount: 1 }],
  [{ id: 'x', manifestRef: 'a'.repeat(64), sourceCount: 1, more: true }],
  [{ id: 'x', manifestRef: 'a'.repeat(64), sourceCount: 1 }, {}],
  [Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field-${n}`, n]))],
  [JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)],
];

/** The n-th of them, over and over. */
export function rubbishNumber(n: number): readonly unknown[] {
  return RUBBISH[n % RUBBISH.length] ?? [];
}
