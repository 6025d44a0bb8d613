import fc from 'fast-check';
import { assembleReport } from '../../../src/core/report/assemble-report';
import { citationUrl } from '../../../src/core/report/citation-url';
import type { ReportParts } from '../../../src/core/report/report-parts';
import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { writeSectionExtractively } from '../../../src/engines/extractive/write-section';
import { statementsOf } from '../../../src/core/written-text/read-text';
import { cleanMarkdown } from '../../../src/engines/model/markdown/clean-markdown';
import type { SectionDraft } from '../../../src/contracts/report/draft';
import type { SetAsideClaim } from '../../../src/contracts/verification/critique';
import { stripUnsafe } from '../../../src/core/text/untrusted-text';
import { activeNodes } from '../../support/active-nodes';
import { pageOf, RENDERERS } from '../../support/renderers';
import { completeRun, evidence, TEXTS } from './report-fixture';

const HOSTILE = [
  '[x](https://evil.com) ![x](https://evil.com/x.png) <https://evil.com> <a@evil.com>',
  '//evil.com/path https&colon;//evil.com https&#58;//evil.com htt<!-- -->ps://evil.com',
  'www.evil.com evil.com evil.com/path evil.co.uk:80/x a@evil.com mailto:a@evil.com 192.0.2.1/x',
  '<img src=x onerror=alert(1)> <h1>x</h1> <script>alert(1)</script> <a href="//evil.com">x</a>',
  '# a heading\n\n## another\n\nx\n===\n\n- [ ] x\n\n[x]: //evil.com\n\n[x] [@alpha] [^1]\n\n[^1]: //evil.com',
  '\u001b]8;;https://evil.com\u0007x\u001b]8;;\u0007 \u009b31m \u202ehttps://evil.com\u202c h\u200bttps://evil.com',
  '`https://evil.com` ``www.evil.com `a@evil.com` *https://evil.com* _www.evil.com_ ~a@evil.com~',
  '| a | b |\n| - | - |\n| //evil.com | www.evil.com |',
];

/** The report of a run in which everything that comes from outside says this. */
function reportOf(told: string, citationStyle: 'numbered' | 'url' = 'numbered'): string {
  return assembledFrom(told, citationStyle).markdown;
}

function assembledFrom(told: string, citationStyle: 'numbered' | 'url'): ReturnType<typeof assembleReport> {
  const run = completeRun();
  const sources = (run.catalogue?.sources ?? []).map((source) => ({
    ...source,
    title: told,
    author: `${told}; ${told}`,
    site: told,
    publishedAt: told,
    accessedAt: told,
    quality: { level: 'general' as const, reason: told },
    work: { id: 'work', title: told },
  }));
  const sectionOf = (id: string): { id: string; title: string; description: string; subsections: [] } => ({
    id,
    title: told,
    description: told,
    subsections: [],
  });
  const findings = run.findings.map(({ sectionId, findings: list }) => ({
    sectionId,
    findings: list.map((finding, at) => ({
      ...finding,
      claim: told,
      // The first is quoted, the others are told in other words.
      evidence: finding.evidence.map((item) => ({
        ...item,
        quote: at === 0 ? told : `${item.quote} ${told}`,
      })),
    })),
  }));
  const conflicts = run.conflicts.map((conflict) => ({
    ...conflict,
    topic: told,
    reason: told,
    viewpoints: conflict.viewpoints.map((view) => ({ ...view, statement: told })),
  }));
  const sourcesOfStep = sources.map(({ id, ...source }) => ({ sourceId: id, ...source }));
  const byModel = draftByModel(`### ${told}\n\n${told.replace(/\s+/g, ' ')} [S1].`, sources[0]?.id ?? '');
  const aside: SetAsideClaim = {
    text: told,
    sourceIds: ['delta'],
    verdict: 'unsupported',
    code: 'critic',
    reason: told,
    evidence: { ...evidence('delta', TEXTS.delta ?? ''), quote: told },
    probability: null,
    betterSourceId: 'alpha',
    action: 'left-out',
  };
  const [first] = findings;
  const parts: ReportParts = {
    ...run,
    question: told,
    synthesis: SynthesisSettings.parse({ citationStyle }),
    shortfalls: [told],
    catalogue: { sources, counts: { sentences: 0, holders: {} }, merged: [] },
    outline: run.outline && {
      ...run.outline,
      overallTheme: told,
      sections: run.outline.sections.map((section) => ({ ...section, title: told })),
    },
    findings,
    conflicts,
    gaps: [{ question: told, reason: told }],
    drafts: [
      {
        sectionId: 'section-1',
        draft: writeSectionExtractively({
          question: told,
          section: sectionOf('section-1'),
          findings: first?.findings ?? [],
          conflicts,
          sources: sourcesOfStep,
          targetWords: 500,
        }),
      },
      ...(byModel.claims.length > 0
        ? [{ sectionId: 'section-2', draft: { ...byModel, checked: { setAside: [aside] } } }]
        : []),
    ],
    frame: { title: told, bullets: [byModel.claims[0]?.text ?? 'Nothing.'], followUpQuestions: [told] },
  };
  return assembleReport(parts);
}

/** What is read of a model's Markdown that cites one source. */
function draftByModel(written: string, sourceId: string): SectionDraft {
  const { markdown } = cleanMarkdown(written, (name) => (name === 'S1' ? sourceId : undefined));
  const claims = statementsOf({ id: 'p', title: 'p', markdown })
    .filter(({ sourceIds }) => sourceIds.length > 0)
    .map(({ text }) => ({ text, findingIds: [], confidence: 0.5 }));
  return { markdown, claims };
}

const OWN_LINKS = new Set(
  ['alpha', 'beta', 'gamma', 'delta'].map((id) => citationUrl(`https://example.org/${id}`)),
);
const TAGS = ['a', 'blockquote', 'code', 'h1', 'h2', 'h3', 'li', 'ol', 'p', 'strong', 'ul'];

function expectHarmless(told: string, style: 'numbered' | 'url'): void {
  const markdown = reportOf(told, style);
  expect(stripUnsafe(markdown)).toBe(markdown);
  // A heading of a model's stays where the section is a model's; there is at most one of these.
  const most = pageOf(RENDERERS.CommonMark?.(reportOf('Plain words', style)) ?? '').headings.length + 1;
  for (const [renderer, render] of Object.entries(RENDERERS)) {
    const { tags, links, headings } = pageOf(render(markdown));
    // Marked takes the bracket behind an address for a part of it; the form is document 002's.
    const led = links.map((link) => (renderer === 'marked' ? link.replace(/%5D$/, '') : link));
    expect({ renderer, links: led.filter((link) => !OWN_LINKS.has(link)) }).toEqual({
      renderer,
      links: [],
    });
    expect({ renderer, tags: tags.filter((tag) => !TAGS.includes(tag)) }).toEqual({ renderer, tags: [] });
    expect(headings.length).toBeLessThanOrEqual(most);
  }
  expect(activeNodes(markdown).filter(({ type, url }) => type !== 'link' || !OWN_LINKS.has(url))).toEqual([]);
}

describe('a report over texts that would be links, images, headings or HTML', () => {
  it('has the links to its own sources, as every renderer shows it', () => {
    for (const render of Object.values(RENDERERS))
      expect(pageOf(render(reportOf('Plain words'))).links.length).toBeGreaterThanOrEqual(2);
  });

  it.each(
    HOSTILE.flatMap(
      (told) =>
        [
          [told, 'numbered'],
          [told, 'url'],
        ] as const,
    ),
  )('shows %j and does nothing else, cited %s', (told, style) => expectHarmless(told, style));

  it.each(HOSTILE)('has nothing unseen in its JSON but in quotes: %j', (told) => {
    const { report } = assembledFrom(told, 'numbered');
    const unseen: string[] = [];
    const quotes: string[] = [];
    JSON.stringify(report, (key, value: unknown) => {
      if (key === 'quote' && typeof value === 'string') quotes.push(value);
      else if (typeof value === 'string' && stripUnsafe(value) !== value) unseen.push(`${key}: ${value}`);
      return value;
    });
    expect(unseen).toEqual([]);
    expect(quotes.some((quote) => quote.includes(told))).toBe(true);
  });

  it('does so for whatever is made of them', () => {
    const part = fc.constantFrom(
      ...HOSTILE.flatMap((told) => told.split(/(?<=[\s/:@.&;<>[\]`])/)),
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) =>
        expectHarmless(`x${parts.join('')}`, 'numbered'),
      ),
      { seed: 3, numRuns: 40 },
    );
  });
});
