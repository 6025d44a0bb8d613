import type { BriefCitation } from '../../src/contracts/brief/brief';
import { pageOf, RENDERERS } from '../support/renderers';
import { sourcesList } from '../../src/briefs/sources-list';

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

const ADDRESS = 'https://www.example.org/walks?page=2. Accessed 2026-01-02.';
const WALKS = `"Walks and pressure." ${ADDRESS}`;

describe('a line of the list of sources', () => {
  it.each<[string, Partial<BriefCitation>, string]>([
    ['an author', { author: 'Doe, J.', site: 'Journal' }, `[3] Doe, J. ${WALKS}`],
    ['a site where no author is known', { site: 'Journal of Walks' }, `[3] Journal of Walks. ${WALKS}`],
    ['the host where neither is', {}, `[3] example.org. ${WALKS}`],
    [
      'what is apart from the host in a title that is the address',
      { title: 'example.org/abs/1907.05922', url: 'https://example.org/abs/1907.05922' },
      '[3] example.org. "abs/1907.05922." https://example.org/abs/1907.05922. Accessed 2026-01-02.',
    ],
    [
      'no name in a title for the site of what is no address of the web',
      { url: 'ftp://example.org/a', title: 'example.org/a' },
      '[3] Unknown author. "`example.org/a`." `ftp://example.org/a`. Accessed 2026-01-02.',
    ],
    ['no address', { url: null }, '[3] Unknown author. "Walks and pressure." Accessed 2026-01-02.'],
    ['a title that asks', { site: 'J', title: 'Do "walks" help?' }, `[3] J. "Do 'walks' help?" ${ADDRESS}`],
  ])('has %s', (_name, given, line) => {
    expect(sourcesList([{ ...CITATION, ...given }])).toBe(line);
  });

  it.each(Object.keys(RENDERERS))('leads nowhere but to the site in %s', (name) => {
    const page = pageOf(RENDERERS[name]?.(sourcesList([{ ...CITATION, title: 'example.org/**b**' }])) ?? '');
    expect(page.tags).not.toContain('strong');
    expect(page.links.filter((link) => !/^https?:\/\/(?:www\.)?example\.org(?:\/|$)/.test(link))).toEqual([]);
  });

  it('stands apart from the next', () => {
    const lines = sourcesList([CITATION, { ...CITATION, n: 4 }]).split('\n\n');
    expect(lines.map((line) => line.slice(0, 3))).toEqual(['[3]', '[4]']);
  });

  it('is there where nothing is cited', () => {
    expect(sourcesList([])).toBe('No source is cited.');
  });
});
