import type { BriefCitation } from '../../../src/contracts/brief/brief';
import { sourcesList } from '../../../src/core/brief/sources-list';

const CITATION: BriefCitation = {
  n: 3,
  sourceId: 's-a',
  url: 'https://www.example.org/walks?page=2',
  title: 'Walks and pressure',
  accessedAt: '2026-01-02T10:00:00.000Z',
  quality: { level: 'general', reason: 'no rule names it' },
  timesCited: 1,
  inFull: false,
};

describe('a line of the list of sources', () => {
  it.each<[string, Partial<BriefCitation>, string]>([
    [
      'an author',
      { author: 'Doe, J.', site: 'Journal' },
      '[3] Doe, J. "Walks and pressure." https://www.example.org/walks?page=2. Accessed 2026-01-02.',
    ],
    [
      'a site where no author is known',
      { site: 'Journal of Walks' },
      '[3] Journal of Walks. "Walks and pressure." https://www.example.org/walks?page=2. Accessed 2026-01-02.',
    ],
    [
      'the host where neither is',
      {},
      '[3] example\\.org. "Walks and pressure." https://www.example.org/walks?page=2. Accessed 2026-01-02.',
    ],
    ['no address', { url: null }, '[3] Unknown author. "Walks and pressure." Accessed 2026-01-02.'],
    [
      'a title that asks',
      { site: 'J', title: 'Do "walks" help?' },
      '[3] J. "Do \'walks\' help?" https://www.example.org/walks?page=2. Accessed 2026-01-02.',
    ],
  ])('has %s', (_name, given, line) => {
    expect(sourcesList([{ ...CITATION, ...given }])).toBe(line);
  });

  it('stands apart from the next', () => {
    const lines = sourcesList([CITATION, { ...CITATION, n: 4 }]).split('\n\n');
    expect(lines.map((line) => line.slice(0, 3))).toEqual(['[3]', '[4]']);
  });

  it('is there where nothing is cited', () => {
    expect(sourcesList([])).toBe('No source is cited.');
  });
});
