import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { assembleReport } from '../../../src/core/report/assemble-report';
import type { ReportParts } from '../../../src/core/report/report-parts';
import { activeNodes, styledNodes } from '../../support/active-nodes';
import { completeRun, withSources } from './report-fixture';

const CITATION = /\[(https?:\/\/[^\]]+)\]/g;
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

describe('a report that cites by address', () => {
  const { report, markdown } = assembleReport(inUrlStyle(URLS));
  const [alpha, beta, gamma] = [
    'https://example.org/wiki/Walk_%28gait%29',
    'https://example.org/a%5D%28https://evil.example%29!%5Bx%5D%28https://evil.example/x.png%29',
    'https://example.org/%3Cimg%20src=x%3E_b_%2Ac%2A%60d%60%7E%7Ee%7E%7E&copy%3B/',
  ];

  it('cites so in every part, and a source without an address by its number', () => {
    const parts = new Map(
      markdown.split(/^## /m).map((part) => [part.split('\n')[0], new Set(part.match(CITATION))]),
    );
    const all = new Set([`[${alpha}]`, `[${beta}]`, `[${gamma}]`]);
    expect(parts.get('Executive Summary')).toEqual(new Set([`[${beta}]`, `[${gamma}]`]));
    expect(parts.get('Walking and blood pressure')).toEqual(all);
    expect(parts.get('Conflicting Evidence')).toEqual(all);
    expect(parts.get('Confidence Assessment')).toEqual(new Set([`[${alpha}]`, `[${beta}]`]));
    expect(markdown.split('## Sources')[0]?.match(/\[\d+\]/g)).toEqual(['[4]', '[4]', '[4]']);
  });

  it('keeps the list of sources numbered, with the addresses as they are cited', () => {
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

  it('makes nothing active but links to its own sources', () => {
    const known = new Set([alpha, beta, gamma]);
    expect(activeNodes(markdown).filter(({ type, url }) => type !== 'link' || !known.has(url))).toEqual([]);
    expect(styledNodes(markdown)).toEqual([]);
  });

  it('differs from the numbered one in its citations alone', () => {
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
