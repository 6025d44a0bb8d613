import { documentOf } from '../../src/document/document-of';
import type { DocumentTree } from '../../src/document/document';
import { auditedReport, PDF_TEXT, reportOfModel, smallAnswer, smallBrief, vitaminReport } from './results';

const unknown = (): null => null;

function expectClaimsInTheirPlaces({ parts, claims }: DocumentTree): void {
  expect(claims.length).toBeGreaterThan(0);
  for (const { partId, start, end, text } of claims)
    expect(parts.find(({ id }) => id === partId)?.markdown.slice(start, end)).toBe(text);
}

describe('a report as a tree', () => {
  it('has all claims, sources and quotes of the report, and what stands around these in the sources', async () => {
    const { report, textOf } = await vitaminReport();
    const tree = documentOf(report, textOf);
    expectClaimsInTheirPlaces(tree);
    expect(tree.claims.map(({ id }) => id)).toEqual(report.claims.map(({ id }) => id));
    expect(tree.sources.map(({ sourceId }) => sourceId)).toEqual(
      report.citations.map(({ sourceId }) => sourceId),
    );
    const idOf = new Map(tree.sources.map(({ n, sourceId }) => [n, sourceId]));
    for (const { source, before, quote, after } of tree.claims.flatMap(({ evidence }) => evidence)) {
      expect(textOf(idOf.get(source) ?? '')).toContain(before + quote + after);
      expect(before + after).not.toBe('');
    }
  });

  it('has of each quote the result that it tells, counted as the text counts them', async () => {
    const { report, textOf } = await vitaminReport();
    const counts = documentOf(report, textOf).claims.filter(({ text }) => / reports? an effect/.test(text));
    const told = new Set(counts.flatMap(({ evidence }) => evidence.map(({ tells }) => tells)));
    expect([...told].sort()).toEqual(['less', 'more', 'none']);
    for (const { text, evidence } of counts) {
      const denying = evidence.flatMap(({ tells, source }) => (tells === 'none' ? [source] : []));
      expect(new Set(denying).size).toBeGreaterThanOrEqual(Number(/(\d+) none/.exec(text)?.[1]));
    }
  });

  it('has the sentences of a summary that a model wrote with what their audit found', () => {
    const report = reportOfModel();
    const tree = documentOf(report, unknown);
    expectClaimsInTheirPlaces(tree);
    const own = tree.claims.filter(({ restates }) => restates === true);
    expect(own).toMatchObject([
      { partId: 'summary', text: 'Swimming raises aerobic capacity [4].', verdict: 'supported' },
      { partId: 'summary', text: 'Forty adults swam in all [4].', verdict: 'partial' },
    ]);
    for (const { evidence } of own)
      expect(evidence[0]).toMatchObject({ source: 4, quote: 'raised aerobic capacity by 11%' });
    expect(tree.claims.filter(({ restates }) => restates !== true).map(({ id }) => id)).toEqual(
      report.claims.map(({ id }) => id),
    );
  });

  it('says first what the Markdown says first, and why something is open', async () => {
    const { report, textOf } = await vitaminReport();
    const { notices, gaps, parts } = documentOf(report, textOf);
    const head = report.markdown.slice(0, report.markdown.indexOf('\n## '));
    expect(notices.map((notice) => `> ${notice}`).join('\n>\n')).toBe(head.slice(head.indexOf('>')).trim());
    expect(gaps).toHaveLength(report.gaps.length);
    for (const [at, gap] of gaps.entries()) expect(gap.startsWith(report.gaps[at] ?? '?')).toBe(true);
    expect(parts[0]?.title).toBe('Executive Summary');
    for (const { markdown } of parts.filter(({ id }) => !id.startsWith('section-')))
      expect(report.markdown).toContain(markdown);
  });

  it('has what was set aside, with its reason and place, and the sources that it names', () => {
    const report = auditedReport();
    const { setAside, sources, claims } = documentOf(report, unknown);
    expect(setAside).toEqual(
      report.setAside.map(({ id, text, reason, sectionId, citations }) => ({
        id,
        text,
        reason,
        partId: sectionId,
        sources: citations,
      })),
    );
    expect(setAside.length).toBe(3);
    const numbers = new Set(sources.map(({ n }) => n));
    for (const one of [...claims, ...setAside])
      expect(one.sources.filter((n) => !numbers.has(n))).toEqual([]);
  });
});

describe('what stands around a quote', () => {
  const evidenceWith = (text: string | null): { before: string; after: string } | undefined =>
    documentOf(smallAnswer(), () => text).claims[0]?.evidence[0];

  it('is cut between words', () => {
    const text = `${'beginning '.repeat(40)}${PDF_TEXT}${' ending'.repeat(60)}`;
    const answer = smallAnswer();
    const moved = text.indexOf(PDF_TEXT);
    for (const place of answer.claims[0]?.evidence ?? []) {
      place.start += moved;
      place.end += moved;
    }
    const [place] = documentOf(answer, () => text).claims[0]?.evidence ?? [];
    expect(place?.before).toMatch(/^(?:beginning ){20,29}Sleep got $/);
    expect(place?.after).toMatch(/^\. Nobody withdrew\..*(?: ending){20,}$/);
  });

  it('is nothing where the quote does not stand there', () => {
    expect(evidenceWith('Another text altogether, of some length.')).toMatchObject({ before: '', after: '' });
  });

  it('is that of the passage where nobody has the text', () => {
    expect(evidenceWith(null)).toMatchObject({ before: 'Sleep got ', after: '.' });
  });
});

it('takes a brief as a tree, whose quotes are those of its summaries', () => {
  const brief = smallBrief();
  const tree = documentOf(brief, unknown);
  expectClaimsInTheirPlaces(tree);
  expect(tree.parts.map(({ id }) => id)).toEqual(brief.parts.map(({ id }) => id));
  expect(tree.claims.map(({ id }) => id)).toEqual(brief.claims.map(({ id }) => id));
  expect(tree.notices[0]).toContain(`${brief.audit.claims} claims`);
  expect(tree.claims.flatMap(({ evidence }) => evidence).some(({ ofSummary }) => ofSummary)).toBe(true);
});

it('takes an answer as a tree, whose numbers are those of passages', () => {
  const answer = smallAnswer();
  const tree = documentOf(answer, () => PDF_TEXT);
  expectClaimsInTheirPlaces(tree);
  expect(tree).toMatchObject({ kind: 'answer', title: 'Is sleep longer?' });
  expect(tree.notices[0]).toMatch(/^Confidence: /);
  expect(tree.setAside).toMatchObject([{ text: 'It cures all.', partId: 'answer' }]);
  const [quoted, whole] = tree.claims.map(({ evidence }) => evidence);
  expect(quoted).toMatchObject([
    { source: 1, quote: 'longer by half an hour', page: 1, before: 'Sleep got ' },
  ]);
  expect(whole).toMatchObject([{ source: 2, quote: 'Nobody withdrew.', page: 2 }]);
});

it('keeps addresses of the web alone', () => {
  const report = auditedReport();
  const urls = ['javascript:alert(1)', 'https://name:secret@example.org/a', 'file:///etc/passwd'];
  const citations = report.citations.map((citation, at) => ({ ...citation, url: urls[at] ?? null }));
  const { sources } = documentOf({ ...report, citations }, unknown);
  expect(sources.slice(0, 3).map(({ url }) => url)).toEqual([null, 'https://example.org/a', null]);
});
