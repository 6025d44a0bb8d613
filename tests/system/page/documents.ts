import type {
  DocumentClaim,
  DocumentEvidence,
  DocumentSource,
  DocumentTree,
} from '../../../src/report/document/document';

/** What somebody plants in titles, names, quotes and addresses to be more than text. */
export const PLANTED = [
  '</script><script>window.planted = 1</script>',
  '"><img src="https://planted.example/1" onerror="window.planted = 1">',
  "'><svg onload='alert(1)'>",
  '&lt;script&gt;window.planted = 1&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;',
  '[here](javascript:window.planted=1) ![there](https://planted.example/2)',
  '</style></template></title><iframe srcdoc="<script>parent.planted = 1</script>"></iframe>',
  '<!--<script> \u202egnihton yas secruos\u202c',
];

const QUOTES = {
  trial: 'Walking for 30 minutes a day improved sleep in 40 adults over eight weeks.',
  control: 'No difference in sleep was found between walkers and the control group (p = 0.41).',
  arabic: 'تحسن النوم لدى ستين شخصا بعد المشي اليومي.',
  japanese: '毎日の散歩は四十人の成人の睡眠を改善した。',
  protocol: `The protocol is at https://example.org/${'a-path-without-an-end/'.repeat(12)}`,
};

const SAID: Record<string, Pick<DocumentClaim, 'text' | 'verdict' | 'confidence' | 'evidence'>[]> = {
  'Executive Summary': [
    said('Of three studies that measured sleep, two found that walking improves it.', [
      quoteOf(1, QUOTES.trial),
      quoteOf(3, QUOTES.arabic),
      quoteOf(2, QUOTES.control),
    ]),
  ],
  'Walking and sleep': [
    said('Walking for 30 minutes a day improved sleep in 40 adults.', [quoteOf(1, QUOTES.trial)]),
    said('Walkers and the control group slept differently.', [quoteOf(2, QUOTES.control)], 'contradicted'),
    said('النوم أفضل بعد المشي.', [quoteOf(3, QUOTES.arabic)], 'supported', null),
    said('散歩は睡眠を改善した。', [quoteOf(4, QUOTES.japanese)]),
  ],
  'What nobody measured': [
    said('Children were said to sleep longer.', [], 'unsupported', 0.1),
    said(`${QUOTES.protocol} for all to read.`, [quoteOf(2, QUOTES.protocol)], 'partial'),
  ],
};

function said(
  text: string,
  evidence: DocumentEvidence[],
  verdict: DocumentClaim['verdict'] = 'supported',
  confidence: number | null = 0.8,
): (typeof SAID)[string][number] {
  return { text, verdict, confidence, evidence };
}

function quoteOf(source: number, quote: string): DocumentEvidence {
  const before = 'It was a study in two towns, in spring. ';
  const page = source === 2 ? 7 : null;
  const start = before.length;
  return {
    source,
    quote,
    start,
    end: start + quote.length,
    page,
    before,
    after: ' Nobody dropped out, and nobody was paid.',
  };
}

function sourceOf(n: number, title: string, planted: string): DocumentSource {
  return {
    n,
    sourceId: `source-${n}`,
    title: `${title}${planted}`,
    file: n % 2 === 0 ? `paper ${n}${planted}.pdf` : null,
    author: `Author ${n}${planted}`,
    site: `Journal ${n}${planted}`,
    publishedAt: `202${n}-03-01`,
    accessedAt: '2026-01-02T03:04:05.000Z',
    url: n === 4 ? null : `https://example.org/${n}${encodeURI(planted)}`,
    quality: { level: 'medium', reason: `A journal${planted}` },
    timesCited: n,
  };
}

/**
 * A document with several scripts, a dispute, what nothing bears and words without end; with `planted` behind everything that
 * comes from sources or from a model.
 */
export function writtenDocument(planted = ''): DocumentTree {
  const parts = Object.entries(SAID).map(([title, sentences], at) =>
    partOf(`${at + 1}`, title, sentences, planted),
  );
  return {
    kind: 'report',
    id: 'walking',
    title: `Walking and sleep${planted}`,
    question: `Does walking improve sleep?${planted}`,
    notices: [`Two sources could not be read.${planted}`],
    parts: parts.map(({ part }) => part),
    claims: parts.flatMap(({ claims }) => claims),
    setAside: [
      {
        id: 'aside-1',
        text: `Everybody walks.${planted}`,
        reason: `No source says so.${planted}`,
        partId: '2',
        sources: [1],
      },
    ],
    conflicts: [
      {
        topic: `Whether walking improves sleep${planted}`,
        viewpoints: [
          { statement: `It does.${planted}`, sources: [1, 3], places: [] },
          { statement: `It does not.${planted}`, sources: [2], places: [] },
        ],
        resolution: 'present_both',
        reason: `Both are trials.${planted}`,
      },
    ],
    gaps: [`How do children sleep?${planted}`],
    followUps: [`And running?${planted}`],
    sources: ['Walking and sleep: a trial', 'No effect of walking', 'المشي والنوم', '散歩と睡眠'].map(
      (title, at) => sourceOf(at + 1, title, planted),
    ),
    asOf: '2026-01-02T03:04:05.000Z',
    engine: 'extractive',
    version: '0.6.0',
  };
}

function partOf(
  id: string,
  title: string,
  sentences: (typeof SAID)[string],
  planted: string,
): { part: DocumentTree['parts'][number]; claims: DocumentClaim[] } {
  let markdown = '';
  const claims = sentences.map((sentence, at): DocumentClaim => {
    const sources = sentence.evidence.map(({ source }) => source);
    const text = `${sentence.text}${planted} ${sources.map((n) => `[${n}]`).join('')}`.trim();
    const start = markdown.length;
    markdown += `${text}\n\n`;
    return {
      ...sentence,
      id: `claim-${id}-${at + 1}`,
      partId: id,
      start,
      end: start + text.length,
      text,
      reason: `By its words.${planted}`,
      sources,
      evidence: sentence.evidence.map((evidence) => ({
        ...evidence,
        quote: `${evidence.quote}${planted}`,
        end: evidence.end + planted.length,
        after: `${evidence.after}${planted}`,
      })),
    };
  });
  return { part: { id, title: `${title}${planted}`, markdown: markdown.trimEnd() }, claims };
}
