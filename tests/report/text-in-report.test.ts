import type { TextStatement, WrittenText } from '../../src/contracts/draft';
import type { ClaimVerdict } from '../../src/contracts/finding';
import type { Outline } from '../../src/contracts/outline';
import { parseText } from '../../src/evidence/written-text';
import { reportPartsOfText, type TextMaterial } from '../../src/report/text-in-report';
import { AUTHORITATIVE, findingOf, GENERAL, quoted } from '../support/findings';

const scores = [
  { sourceId: 'a', relevance: 0.9 },
  { sourceId: 'b', relevance: 0.4 },
];
const OUTLINE: Outline = {
  overallTheme: 'Costs of airports.',
  sections: [
    {
      id: 'planned-1',
      title: 'A planned title',
      description: 'It was planned.',
      subsections: [],
      relevantSources: scores,
      sourceScores: scores,
    },
  ],
};
const FARES = findingOf('finding-1', 'Fares rose by 5 euros in 2019.', 'a');
const STAFF = findingOf('finding-2', 'Staff costs fell in small airports.', 'b');
const MATERIAL: TextMaterial = {
  outline: OUTLINE,
  findings: [FARES, STAFF],
  sources: new Map(['a', 'b', 'c', 'd'].map((id) => [id, { title: id, quality: GENERAL }])),
};

const TEXT = `# Costs of airports

## Executive Summary

Costs rose.

- Fares rose by 5 euros [@a].
- Staff costs
  fell [@b].

## Fares

### Costs rose [@a].

Costs rose [@a]. Costs rose [@a]. They did.

| Airport | Fare |
| --- | --- |
| Hahn | 12 [@a] |

## Limits and open questions

Two sources agree [@a; @b].

### Information Gaps

- What does a job cost?
- Who **pays**?
`;

const verdictOf = (verdict: ClaimVerdict['verdict'], changes: Partial<ClaimVerdict> = {}): ClaimVerdict => ({
  verdict,
  code: verdict === 'unchecked' ? 'open' : 'critic',
  reason: 'So it is.',
  evidence: null,
  probability: null,
  ...changes,
});

/** The text with these verdicts, by the beginnings of plain statements; `supported` for all others. */
function audited(given: Record<string, Partial<TextStatement>> = {}, text = TEXT): WrittenText {
  const written = parseText(text, 'Q?');
  return {
    ...written,
    isChecked: true,
    statements: written.statements.map((one) => ({
      ...one,
      verdict: verdictOf('supported'),
      ...given[Object.keys(given).find((beginning) => one.plain.startsWith(beginning)) ?? ''],
    })),
  };
}

const UNCHECKED = { verdict: verdictOf('unchecked') };

test('its own sections stand for the planned ones, with the scores of the sources that they cite', () => {
  const { outline, drafts } = reportPartsOfText(audited(), [], MATERIAL);
  expect(outline?.sections.map(({ id, title, relevantSources }) => [id, title, relevantSources])).toEqual([
    ['section-1', 'Fares', [scores[0]]],
    ['limits', 'Limits and open questions', scores],
  ]);
  expect(outline?.overallTheme).toBe('Costs of airports.');
  expect(drafts.map(({ sectionId }) => sectionId)).toEqual(['section-1', 'limits']);
  expect(drafts[0]?.draft.markdown).toBe(TEXT.split(/^## .*$/m)[2]?.trim());
});

test('paragraphs and items of the summary are its blocks', () => {
  const { frame } = reportPartsOfText(audited(), ['Who pays?'], MATERIAL);
  expect(frame).toMatchObject({
    title: 'Costs of airports',
    bullets: ['Costs rose.', '- Fares rose by 5 euros [@a].', '- Staff costs   fell [@b].'],
    followUpQuestions: ['Who pays?'],
  });
  const alone = parseText('# T\n\n## Fares\n\nThey rose [@a].', 'Q?');
  expect(reportPartsOfText(alone, [], MATERIAL).frame).toBeNull();
});

test('the list of gaps is that under its heading', () => {
  expect(reportPartsOfText(audited(), [], MATERIAL).gaps).toEqual(['What does a job cost?', 'Who pays?']);
  const none = audited({}, TEXT.replace('### Information Gaps\n\n', ''));
  expect(reportPartsOfText(none, [], MATERIAL).gaps).toEqual([]);
});

test('a statement that nobody confirmed is an undecided claim', () => {
  const { frame } = reportPartsOfText(audited({ 'Fares rose': UNCHECKED }), [], MATERIAL);
  expect(frame?.claims?.[0]).toMatchObject({ standing: 'undecided', confidence: 0.5, ...UNCHECKED });
});

describe('claims', () => {
  const claimOf = (given: Partial<TextStatement>, material: Partial<TextMaterial> = {}) =>
    reportPartsOfText(audited({ 'Fares rose': given }), [], { ...MATERIAL, ...material }).frame?.claims?.[0];

  test('are statements that cite and were audited, as they stand in their part', () => {
    const { drafts, frame } = reportPartsOfText(audited({ Hahn: { verdict: null } }), [], MATERIAL);
    const claims = drafts[0]?.draft.claims ?? [];
    expect(claims.map(({ text }) => text)).toEqual(['Costs rose [@a].', 'Costs rose [@a].']);
    expect(frame?.claims?.map(({ text }) => text)).toEqual([
      'Fares rose by 5 euros [@a].',
      'Staff costs   fell [@b].',
    ]);
  });

  test('a refusal of wording stands with its verdict', () => {
    const verdict = verdictOf('partial');
    expect(claimOf({ verdict, severity: 'wording' })).toMatchObject({ verdict, confidence: 0.62 });
  });

  test('belong to the findings whose places they quote, else to the one that shares most words', () => {
    const evidence = quoted('b', 'Staff costs');
    expect(claimOf({ verdict: verdictOf('supported', { evidence }) })?.findingIds).toEqual(['finding-2']);
    expect(claimOf({})?.findingIds).toEqual(['finding-1']);
    expect(claimOf({ plain: 'Nothing else.' })?.findingIds).toEqual([]);
  });

  test.each([
    ['one finding', [0.95], 0.95],
    ['two findings of half a statement each', [0.62, 0.85], 0.62],
    ['a finding in conflict and another one', [0.95, 0.6], 0.6],
  ])('are as sure as the least sure of %s', (_what, confidences, expected) => {
    const findings = confidences.map((confidence, at) => ({ ...([FARES, STAFF][at] ?? FARES), confidence }));
    const quotes = findings.flatMap(({ evidence }) => evidence);
    const confidenceOf = (verdict: ClaimVerdict['verdict']) =>
      claimOf({ verdict: verdictOf(verdict, { quotes }) }, { findings })?.confidence;
    expect(confidenceOf('supported')).toBe(expected);
    expect(confidenceOf('inference')).toBe(Math.min(0.75, expected));
  });

  test.each([
    ['general sources', GENERAL, 0.62],
    ['an authority', AUTHORITATIVE, 0.75],
  ])('on no finding have the confidence of one source: %s', (_what, quality, expected) => {
    const quotes = ['a', 'b', 'c'].map((id) => quoted(id, `Source ${id} has its own words on fares.`));
    const sources = new Map(['a', 'b', 'c'].map((id) => [id, { title: id, quality }]));
    const claim = claimOf({ verdict: verdictOf('supported', { quotes }) }, { sources, findings: [] });
    expect(claim).toMatchObject({ findingIds: [], confidence: expected });
  });
});

test('statements that were taken out are set aside in their part', () => {
  const removed = [
    { ...verdictOf('contradicted'), partId: 'section-1', text: 'Fares fell.', sourceIds: ['a'] },
    { ...verdictOf('unsupported'), partId: 'summary', text: 'Jobs came.', sourceIds: [] },
  ];
  const { drafts, frame } = reportPartsOfText({ ...audited(), removed }, [], MATERIAL);
  expect(
    drafts.map(({ draft }) => draft.checked?.setAside?.map(({ text, action }) => [text, action])),
  ).toEqual([[['Fares fell.', 'left-out']], []]);
  expect(frame?.checked?.setAside?.map(({ text }) => text)).toEqual(['Jobs came.']);
});
