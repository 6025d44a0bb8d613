import { warningLines } from '../../src/cli/warning-lines';
import type { Warning } from '../../src/contracts/run';

const skipped = (...messages: string[]): Warning[] =>
  messages.map((message) => ({ code: 'source-skipped', message }));
const manyFiles = (amount: number): string[] =>
  Array.from({ length: amount }, (_unused, at) => `n/${at}.md: the file is empty`);

describe('lines for warnings', () => {
  it('begin with the skipped files and their count', () => {
    const warnings = [
      { code: 'source-repeated', message: 'b.pdf: the same as a.pdf, and counts once' },
      ...skipped('notes/~$plan.docx: a lock file of Office, not a document', 'notes/x.md: the file is empty'),
    ];
    expect(warningLines(warnings, { sources: 38 })).toEqual([
      'Skipped notes/~$plan.docx: a lock file of Office, not a document',
      'Skipped notes/x.md: the file is empty',
      'Read 38 sources; skipped 2 files.',
      'Warning: b.pdf: the same as a.pdf, and counts once',
    ]);
  });

  it('name at most 20 skipped files and count all', () => {
    const lines = warningLines(skipped(...manyFiles(32)), { sources: null });
    expect(lines).toHaveLength(22);
    expect(lines.slice(-2)).toEqual(['… and 12 more', 'Skipped 32 files.']);
  });

  it('count what the last warning stands for', () => {
    const lines = warningLines(skipped(...manyFiles(1_000), '234 more records were skipped'), { sources: 1 });
    expect(lines.slice(-2)).toEqual([
      '… and 1,214 more',
      'Read 1 source; skipped 1,234 that cannot be read.',
    ]);
  });

  it('do not call a record or an address a file', () => {
    for (const message of ['a.jsonl:3: content is empty', 'https://example.org: not found'])
      expect(warningLines(skipped(message), { sources: 2 }).at(-1)).toBe(
        'Read 2 sources; skipped 1 that cannot be read.',
      );
  });

  it('show at most 20 others, each as one safe line', () => {
    const others = Array.from({ length: 23 }, () => ({ code: 'x', message: 'a\u001b[31m\nb' }));
    const lines = warningLines(others, { sources: 1 });
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(['Warning: a b', 21, '… and 3 more warnings.']);
  });

  it('are none without warnings', () => {
    expect(warningLines([], { sources: 3 })).toEqual([]);
  });
});
