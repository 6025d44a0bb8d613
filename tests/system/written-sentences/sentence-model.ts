import { materialIn } from '../../model-server/prompt-material';
import data from './sentences.json';

export const quotes = new Map(Object.entries(data.quotes));

/** Sections by notes of one subject, so that sentences that join two findings have both. */
export const SECTIONS = [
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

/** The short id of the source that has a quote; null where the prompt shows none. */
export function sourceOf(prompt: string, key: string): string | null {
  const quote = quotes.get(key)?.quote ?? '';
  return [...materialIn(prompt)].find(([id, text]) => /^S\d+$/.test(id) && text.includes(quote))?.[0] ?? null;
}
