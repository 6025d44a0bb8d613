import fc from 'fast-check';
import type { ReportCitation } from '../../src/contracts/report';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import { citationUrl } from '../../src/lib/url';
import { assembleReport } from '../../src/report/assemble-report';
import type { ReportParts } from '../../src/report/chapters';
import { citationReport, type CitationReportInput } from '../../src/report/citation-report';
import {
  labelCitations,
  numberCitations,
  renderCitations,
  renderWithOffsets,
} from '../../src/report/citations';
import { activeNodes, styledNodes } from '../support/active-nodes';
import { completeRun, source, withSources } from './report-fixture';

const CITATION = /\[(https?:\/\/[^\]]+)\]/g;

describe('citationReport', () => {
  const SETTINGS = SynthesisSettings.parse({});

  function citation(n: number, timesCited = 1): ReportCitation {
    const { id, url, title, accessedAt, quality } = source(`s${n}`);
    return { n, sourceId: id, url, title, accessedAt, quality, timesCited, readInFull: true };
  }

  function cited(changes: Partial<CitationReportInput> = {}): CitationReportInput {
    return { citations: [], sections: [], majorClaims: [], sourcesGiven: 0, relevantSources: 0, ...changes };
  }

  const sourceIds = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at + 1}`);

  describe('the citation report', () => {
    const citations = Array.from({ length: 12 }, (_, at) => citation(at + 1, at === 11 ? 9 : 2));
    const result = citationReport(
      cited({
        citations,
        sections: [
          { id: 'section-1', title: 'Walks', citations: [1, 2, 3, 4], sourceIds: sourceIds(12) },
          { id: 'section-2', title: 'Swims', citations: [5], sourceIds: sourceIds(20).slice(10) },
          { id: 'section-3', title: 'Jumps', citations: [], sourceIds: ['s30'] },
          { id: 'section-4', title: 'Tea', citations: [6, 7], sourceIds: ['s6', 's7'] },
        ],
        sourcesGiven: 200,
        relevantSources: 100,
      }),
      SETTINGS,
    );

    it('counts sources, usages, coverage and sources by section', () => {
      expect(result).toMatchObject({ uniqueCitations: 12, usages: 31, coverage: 0.06, meetsMinimum: false });
      expect(result.bySection.map(({ sectionId, uniqueCitations }) => [sectionId, uniqueCitations])).toEqual([
        ['section-1', 4],
        ['section-2', 1],
        ['section-3', 0],
        ['section-4', 2],
      ]);
    });

    it('names sections with too few citations, but not a section that cites all of its sources', () => {
      expect(result.lowCitationSections).toEqual(['section-2', 'section-3']);
    });

    it('recommends what to cite and from which section', () => {
      expect(result.recommendations).toEqual([
        'Add 38 more citations to meet minimum of 50',
        'Cite from the section "Swims": 8 of its 10 sources are not cited yet.',
        'Cite from the section "Jumps": its one source is not cited yet.',
        'Section "Swims" has only 1 citation, needs 2 more',
        'Section "Jumps" has only 0 citations, needs 1 more',
      ]);
    });
  });

  it('counts the parts of one work once', () => {
    const result = citationReport(
      cited({
        citations: [citation(1), citation(2), citation(3)],
        sections: [{ id: 'section-1', title: 'Walks', citations: [1, 2, 3], sourceIds: sourceIds(4) }],
        sourcesGiven: 3,
        relevantSources: 3,
        rootOf: (id) => (id === 's3' ? id : 'work'),
      }),
      SETTINGS,
    );
    expect(result).toMatchObject({ uniqueCitations: 2, coverage: 2 / 3 });
    expect(result.bySection).toMatchObject([{ uniqueCitations: 2 }]);
  });

  it.each([
    [3, 'none of its 3 sources is cited yet'],
    [4, '3 of its 4 sources are not cited yet'],
  ])('recommends sources of a section with %i sources: %s', (all, said) => {
    const ids = all === 3 ? ['s7', 's8', 's9'] : ['s1', 's7', 's8', 's9'];
    const { recommendations } = citationReport(
      cited({
        citations: [citation(1)],
        sections: [{ id: 'section-1', title: 'Walks', citations: [1, 2, 3], sourceIds: ids }],
        relevantSources: 5,
      }),
      SETTINGS,
    );
    expect(recommendations).toEqual([
      'Add 49 more citations to meet minimum of 50',
      `Cite from the section "Walks": ${said}.`,
    ]);
  });

  describe('a report with an empty section', () => {
    const run = completeRun();
    const { report, markdown } = assembleReport({
      ...run,
      drafts: run.drafts.map((draft) =>
        draft.sectionId === 'section-2' ? { ...draft, draft: { markdown: '', claims: [] } } : draft,
      ),
    });

    it('has no chapter for it, but a gap and an entry in the citation report', () => {
      expect(markdown).not.toContain('## Swimming');
      expect(markdown).toContain(
        '- **What do sources say on swimming?** The report was to have a section on this;',
      );
      expect(report.gaps).toHaveLength(2);
      expect(report.sections.map(({ id }) => id)).toEqual(['section-1']);
      expect(report.citationReport.bySection.at(-1)).toEqual({
        sectionId: 'section-2',
        title: 'Swimming',
        uniqueCitations: 0,
      });
      expect(report.citationReport.lowCitationSections).toEqual(['section-2']);
      expect(report.citationReport.recommendations).toContain(
        'Section "Swimming" has only 0 citations, needs 1 more',
      );
    });
  });

  describe('a report that cites fewer sources than wanted', () => {
    const run = completeRun();
    /** With so many sources that the outline found something in. */
    const bearing = (count: number): ReportParts => ({
      ...run,
      sourcesGiven: 400,
      outline: {
        overallTheme: 'Walks.',
        sections: (run.outline?.sections ?? []).map((section) => ({
          ...section,
          sourceScores: Array.from({ length: count }, (_, at) => ({ sourceId: `s${at}`, relevance: 0.5 })),
        })),
      },
    });

    it('says in report.json how many sources it cites and how many were wanted', () => {
      const { report } = assembleReport(bearing(56));
      expect(report.citationReport).toMatchObject({ meetsMinimum: false, coverage: 0.01 });
      expect(report.notices).toContain('This report cites 4 of 60 sources on its question; 50 were wanted.');
    });
  });
});

describe('citationUrl', () => {
  /** Document 002's own way to find citations. */

  function citedIn(markdown: string): string[] {
    return [...markdown.matchAll(CITATION)].map((match) => match[1] ?? '');
  }

  test.each([
    'https://en.wikipedia.org/wiki/Vitamin_D#Deficiency',
    'https://example.org/a__b/c_/d-e',
    'https://example.org/a?b=1&c=2;d,e+f:g@h!i',
    'https://www.cs.example.edu/~doe/p-1.2.html',
    'http://example.org:8080',
    'https://example.org/%E2%82%AC%20',
  ])('keeps %s', (url) => {
    expect(citationUrl(url)).toBe(url);
  });

  test.each([
    ['brackets', 'https://example.org/a[1](b)', 'https://example.org/a%5B1%5D%28b%29'],
    ['white space', 'https://example.org/a b', 'https://example.org/a%20b'],
    ['a backslash', 'https://example.org/?a\\]', 'https://example.org/?a%5C%5D'],
    ['angle brackets', 'https://example.org/<b>', 'https://example.org/%3Cb%3E'],
    ['code', 'https://example.org/?`a`', 'https://example.org/?%60a%60'],
    ['emphasis', 'https://example.org/_a_*b*', 'https://example.org/%5Fa_%2Ab%2A'],
    ['deletion', 'https://example.org/~~a~~', 'https://example.org/%7E%7Ea%7E%7E'],
    ['an entity', 'https://example.org/?a&copy;b', 'https://example.org/?a&copy%3Bb'],
    ['parentheses', 'https://example.org/Walk_(gait)', 'https://example.org/Walk_%28gait%29'],
    ['a full stop at the end', 'https://example.org/Inc.', 'https://example.org/Inc%2E'],
    ['letters beyond ASCII', 'https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['a bidi override', 'https://example.org/\u202eb', 'https://example.org/%E2%80%AEb'],
    ['a name and a password', 'https://me:secret@example.org/a', 'https://example.org/a'],
    [
      'an address within one that no renderer links',
      'http://localhost/https://evil.example/www.evil.example/a@evil.example',
      'http://localhost/https%3A//evil.example/www%2Eevil.example/a%40evil.example',
    ],
  ])('encodes %s', (_what, url, expected) => {
    expect(citationUrl(url)).toBe(expected);
  });

  test.each([
    ['no address', null],
    ['an empty one', ''],
    ['words', 'no address'],
    ['a file server', 'ftp://example.org/a'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,a'],
    ['a host in brackets', 'https://[::1]/a'],
    ['a host that would be emphasised', 'https://_a_.example/'],
    ['one that is too long', `https://example.org/${'a'.repeat(2_000)}`],
  ])('returns null for %s', (_what, given) => {
    expect(citationUrl(given)).toBeNull();
  });

  const NASTY = [
    ...[
      '](https://evil.example)',
      '![x](https://evil.example/x.png)',
      '[x]: https://evil.example',
      '][',
      ']]',
    ],
    ...'<img src=x>§<https://evil.example>§&copy;§&#93;§&lbrack;§_a_§__§*b*§**§~~§~§`§ §\\§\\]§%§%5D§%5B'.split(
      '§',
    ),
    ...'https://evil.example/§www.evil.example§@evil.example§mailto:a@evil.example§(planet)§)§.§..§?§#§&'.split(
      '§',
    ),
    ...';§:§!§"§\'§|§^§{}§ü§\u202e§\u200b§\u00a0§\n§\t§\u0000§$x$§a§Z9§/§-§:-:§|-|§[^1]'.split('§'),
  ];

  const HOSTS =
    'example.org a-b.co.uk:8080 localhost wiki:81 under_score.example a.under_score [::1] 127.0.0.1 bücher.example ' +
    'me:secret@example.org EXAMPLE.org. _x.example -.- a..b';

  const host = fc.constantFrom(...HOSTS.split(' '));

  const tail = fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join(''));

  const url = fc.oneof(
    fc
      .tuple(fc.constantFrom('https', 'http', 'HTTPS', 'ftp'), host, fc.constantFrom('/', '?', '#', ''), tail)
      .map(([scheme, name, sign, rest]) => `${scheme}://${name}${sign}${rest}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  );

  /** What a writer may put behind a mark. */
  const behind = fc.constantFrom(
    ...['. ', ', while ', '; in agreement, ', ' (High confidence). ', '”, says ', '(x)', ': “y” ', '—z'],
  );

  test('makes each address a citation and nothing else active, for any addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(url, behind), { minLength: 1, maxLength: 6 }), (cited) => {
        const sources = new Map(cited.map(([address], index) => [`s${index}`, { url: address }]));
        const draft = cited.map(([, after], index) => `It fell by 4 % [@s${index}; @s0]${after}`).join('');
        const numbers = numberCitations([draft], sources);
        const labels = labelCitations(numbers, sources, 'url');
        const markdown = renderCitations(`${draft}\n\n- [@s0]: it rose.\n\n[@s0]: it\n`, labels);

        const expected = cited.flatMap(([address], index) =>
          [address, ...(index === 0 ? [] : [cited[0]?.[0] ?? ''])].flatMap((one) => citationUrl(one) ?? []),
        );
        const first = citationUrl(cited[0]?.[0] ?? '');
        expect(citedIn(markdown)).toEqual([...expected, ...(first === null ? [] : [first, first])]);
        const known = new Set(expected);
        const foreign = activeNodes(markdown).filter(
          ({ type, url: to }) => type !== 'link' || !known.has(to),
        );
        expect(foreign).toEqual([]);
        expect(styledNodes(markdown)).toEqual([]);
        expect(markdown).not.toContain('secret');
      }),
      { numRuns: 25 },
    );
  });

  test('renderWithOffsets finds any text between citations, in both styles', () => {
    const pieces = fc.array(
      fc.constantFrom('It fell', ' by 4 %.', '(x)', ': y', '\n\n- ', '[@a]', '[@b; @a]', '[@c]'),
    );
    fc.assert(
      fc.property(pieces, fc.constantFrom('numbered' as const, 'url' as const), (texts, style) => {
        const sources = new Map([
          ['a', { url: 'https://a.example/x' }],
          ['b', { url: null }],
        ]);
        const draft = texts.join('');
        const labels = labelCitations(numberCitations([draft], sources), sources, style);
        const { rendered, offsetOf } = renderWithOffsets(draft, labels);
        expect(rendered).toBe(renderCitations(draft, labels));
        expect(offsetOf(draft.length)).toBe(rendered.length);
        let at = 0;
        for (const text of texts) {
          if (!text.startsWith('[@')) expect(rendered.startsWith(text, offsetOf(at))).toBe(true);
          at += text.length;
        }
      }),
    );
  });

  test('leads to the same page as the given address', () => {
    fc.assert(
      fc.property(url, (given) => {
        const cited = citationUrl(given);
        if (cited === null) return;
        expect(new URL(cited).protocol).toBe(new URL(given).protocol);
        expect(new URL(cited).host).toBe(new URL(given).host);
        expect(decoded(cited)).toBe(decoded(given));
      }),
      { numRuns: 200 },
    );
  });

  /** Path, query and fragment as the bytes that they stand for. */
  function decoded(address: string): string {
    const { pathname, search, hash } = new URL(address);
    return `${pathname}${search}${hash}`.replace(/%([0-9a-f]{2})/gi, (_encoded, byte: string) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
  }
});

describe('a report that cites by address', () => {
  const URLS: Record<string, string | null> = {
    alpha: 'https://example.org/wiki/Walk_(gait)',
    beta: 'https://example.org/a](https://evil.example)![x](https://evil.example/x.png)',
    gamma: 'https://example.org/<img src=x>_b_*c*`d`~~e~~&copy;/',
    delta: null,
  };

  function inUrlStyle(urls: Record<string, string | null>): ReportParts {
    const run = withSources(completeRun(), (source) => ({ ...source, url: urls[source.id] ?? null }));
    return { ...run, synthesis: SynthesisSettings.parse({ citationStyle: 'url' }) };
  }

  const { report, markdown } = assembleReport(inUrlStyle(URLS));
  const [alpha, beta, gamma] = [
    'https://example.org/wiki/Walk_%28gait%29',
    'https://example.org/a%5D%28https://evil.example%29!%5Bx%5D%28https://evil.example/x.png%29',
    'https://example.org/%3Cimg%20src=x%3E_b_%2Ac%2A%60d%60%7E%7Ee%7E%7E&copy%3B/',
  ];

  it('cites by address in every part, and a source without an address by number', () => {
    const parts = new Map(
      markdown.split(/^## /m).map((part) => [part.split('\n')[0], new Set(part.match(CITATION))]),
    );
    const all = new Set([`[${alpha}]`, `[${beta}]`, `[${gamma}]`]);
    expect(parts.get('Executive Summary')).toEqual(new Set([`[${beta}]`, `[${gamma}]`]));
    expect(parts.get('Walking and blood pressure')).toEqual(all);
    expect(parts.get('Conflicting Evidence')).toEqual(all);
    expect(markdown.split('## Sources')[0]?.match(/\[\d+\]/g)).toEqual(['[4]', '[4]']);
  });

  it('numbers the list of sources and shows the cited addresses', () => {
    const list = markdown.split('## Sources')[1] ?? '';
    expect(list.match(/^- \[\d+\]/gm)).toEqual(['- [1]', '- [2]', '- [3]', '- [4]']);
    expect(list).toContain(`<${alpha}>`);
    expect(report.citations.map(({ url }) => url)).toEqual(Object.values(URLS));
  });

  it('finds every claim at its offsets', () => {
    expect(report.claims).toHaveLength(3);
    for (const claim of report.claims) {
      const section = report.sections.find(({ id }) => id === claim.sectionId);
      expect(section?.markdown.slice(claim.start, claim.end)).toBe(claim.text);
      expect(claim.verdict).toBe('supported');
    }
    expect(report.claims[0]?.text).toContain(`[${alpha}]; in agreement, “`);
    expect(report.claims[0]?.citations).toEqual([1, 2]);
  });

  it('has no active Markdown but links to its own sources', () => {
    const known = new Set([alpha, beta, gamma]);
    expect(activeNodes(markdown).filter(({ type, url }) => type !== 'link' || !known.has(url))).toEqual([]);
    expect(styledNodes(markdown)).toEqual([]);
  });

  it('differs from the numbered report in its citations only', () => {
    const urls = { alpha: 'https://a.example/', beta: 'https://b.example/', gamma: 'https://c.example/' };
    const parts = inUrlStyle(urls);
    const byUrl = assembleReport(parts).markdown;
    const numbered = assembleReport({ ...parts, synthesis: SynthesisSettings.parse({}) }).markdown;
    const inNumbers = byUrl
      .replace(/\[https:\/\/([abc])\.example\/\]/g, (_mark, name: string) => `[${'abc'.indexOf(name) + 1}]`)
      .replace(/(\[\d\]) (?=\[\d\])/g, '$1');
    expect(inNumbers).toBe(numbered);
  });
});
