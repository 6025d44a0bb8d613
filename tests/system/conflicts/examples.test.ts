import { join } from 'node:path';
import { z } from 'zod';
import type { Conflict, Finding } from '../../../src/contracts/report/finding';
import { rateSource } from '../../../src/core/sources/source-quality';
import { crossCheckExtractively } from '../../../src/engines/extractive/cross-check';
import { splitPassages } from '../../../src/language/passages';
import { sentencesOfSource } from '../../../src/reading/collection/read-source';
import { findConflicts } from '../../../src/reading/reconcile/find-conflicts';
import { readSources } from '../../../src/sources/read-sources';
import expected from './expected-disagreements.json';

const Disagreements = z.object({
  collections: z.array(
    z.object({
      folder: z.string(),
      disagreements: z.array(
        z.object({
          topic: z.string(),
          kind: z.enum(['clear', 'qualified']),
          views: z.array(z.object({ sentences: z.array(z.object({ sentence: z.string() })) })),
        }),
      ),
    }),
  ),
});

interface Note {
  id: string;
  title: string;
  url: string | undefined;
  content: string;
}

async function notesIn(folder: string): Promise<Note[]> {
  const notes: Note[] = [];
  for await (const reading of readSources([join(__dirname, '../../../examples', folder)])) {
    if (!reading.ok) continue;
    const { title, url, content } = reading.record;
    const id = `note-${notes.length + 1}`;
    notes.push({ id, title, url, content });
  }
  return notes;
}

/** Every sentence of the notes as a finding: whatever an engine chooses is among them. */
function findingsOf(notes: readonly Note[]): Finding[] {
  return notes.flatMap(({ id, content }) =>
    sentencesOfSource(content).map(({ start, end, text }, at) => ({
      id: `${id}-${at}`,
      sectionId: 'section-1',
      claim: text,
      citations: [id],
      evidence: [{ sourceId: id, quote: text, start, end }],
      confidence: 0.7,
    })),
  );
}

const quotesOf = ({ viewpoints }: Conflict): string[][] =>
  viewpoints.map(({ evidence }) => evidence.map(({ quote }) => quote));

describe.each(Disagreements.parse(expected).collections)(
  'the notes of $folder',
  ({ folder, disagreements }) => {
    let conflicts: { reconciled: Conflict[]; crossChecked: Conflict[] };
    beforeAll(async () => {
      const notes = await notesIn(folder);
      const findings = findingsOf(notes);
      const windows = notes.map(({ id, title, url, content }) => ({
        sourceId: id,
        title,
        quality: rateSource(url === undefined ? {} : { url }),
        summaryOnly: false,
        passages: splitPassages(content),
      }));
      conflicts = {
        reconciled: findConflicts(findings, new Map(windows.map((window) => [window.sourceId, window]))),
        crossChecked: crossCheckExtractively({
          question: '',
          section: { id: 'section-1', title: '', description: '', subsections: [] },
          findings: [],
          sources: windows,
          factChecking: true,
          detectConflicts: true,
        }).conflicts,
      };
    });

    it.each(disagreements.filter(({ kind }) => kind === 'clear'))('disagree on $topic', ({ views }) => {
      const sides = views.map(({ sentences }) => sentences.map(({ sentence }) => sentence));
      const isTold = conflicts.reconciled.some((conflict) => {
        const told = quotesOf(conflict);
        return sides.every((side) => told.some((quotes) => quotes.some((quote) => side.includes(quote))));
      });
      expect(isTold).toBe(true);
    });

    it('disagree on nothing that a careful reader would not call a disagreement', () => {
      const known = disagreements.flatMap(({ views }) =>
        views.flatMap(({ sentences }) => sentences.map(({ sentence }) => sentence)),
      );
      for (const conflict of [...conflicts.reconciled, ...conflicts.crossChecked])
        expect(known).toEqual(expect.arrayContaining(quotesOf(conflict).flat()));
    });
  },
);
