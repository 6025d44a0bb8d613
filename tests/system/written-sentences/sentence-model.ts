import { materialIn, type PromptFinding } from '../../model-server/prompt-material';
import data from './sentences.json';

export const quotes = new Map(Object.entries(data.quotes));

/** Sections by notes of one subject, so that sentences that join two findings have both. */
const SECTIONS = [
  ['Bone mineral density', ['bosworth', 'jorde', 'napoli', 'zheng']],
  ['Lung function in COPD and tuberculosis', ['moosavi', 'zendedel', 'salahuddin']],
  ['Inflammatory markers', ['haddad', 'komolmit', 'mousa']],
  ['Glycated haemoglobin and proteinuria', ['forouhi', 'momeni']],
  ['Quality of life and health care', ['golan', 'mathur', 'helde', 'griffiths']],
] as const;

export function outlineOf(prompt: string): unknown {
  const ids = new Map<string, string>();
  for (const [id, text] of materialIn(prompt)) {
    const note = [...quotes.values()].find(({ quote }) => text.includes(quote.slice(0, 60)))?.note;
    if (note !== undefined) ids.set(note.split('-')[0] ?? '', id);
  }
  return {
    overallTheme: 'Vitamin D raised serum levels, and trials disagree on bone mineral density.',
    sections: SECTIONS.map(([title, notes]) => ({
      title,
      description: `What the sources report on ${title.toLowerCase()}.`,
      subsections: [],
      sources: notes.flatMap((note) => {
        const source = ids.get(note);
        return source === undefined ? [] : [{ source, relevance: 0.9 }];
      }),
    })),
  };
}

export function findingsOf(prompt: string): unknown {
  const findings = [...materialIn(prompt)].flatMap(([source, text]) =>
    [...quotes.values()]
      .filter(({ quote }) => text.includes(quote))
      .map(({ quote, note }) => ({
        section: sectionIn(prompt, note),
        claim: quote,
        evidence: [{ source, quote }],
        confidence: 0.8,
      })),
  );
  return { findings };
}

/** The number that a prompt for several sections has for the section of a note. */
function sectionIn(prompt: string, note: string): number | undefined {
  const title = SECTIONS.find(([, notes]) => notes.some((name) => note.startsWith(name)))?.[0] ?? '';
  const number = new RegExp(`^Section (\\d+): ${title}\\.`, 'm').exec(prompt)?.[1];
  return number === undefined ? undefined : Number(number);
}

export function markOf(findings: readonly PromptFinding[], key: string): string | null {
  const quote = quotes.get(key)?.quote ?? '';
  const evidence = findings.flatMap((finding) => finding.evidence).find((one) => one.quote === quote);
  return evidence === undefined ? null : `[${evidence.source}]`;
}
