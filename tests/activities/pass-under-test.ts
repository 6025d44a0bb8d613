import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import { crossCheckSection, reconcileFindings } from '../../src/activities/cross-check-section';
import type { ActivityPorts, ReportContext } from '../../src/activities/ports';
import {
  type Evidence,
  type Finding,
  type SectionFindings,
  ValidatedFindings,
} from '../../src/contracts/finding';
import type { Outline } from '../../src/contracts/outline';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import type { CataloguedSource, SourceCatalogue } from '../../src/contracts/source';
import { quotedFrom } from '../support/findings';
import { signal, STEP_BRIEF } from './corpus-under-test';

export type Texts = Readonly<Record<string, { title: string; content: string }>>;

/** The sources of an example collection, each under its file's name. */
export async function exampleTexts(collection: string): Promise<Texts> {
  const folder = path.resolve(__dirname, '../../examples', collection);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  return Object.fromEntries(
    files.map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const [, head = '', content = text] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
      const title = /^title: "?(.*?)"?$/m.exec(head)?.[1] ?? file;
      return [path.basename(file, '.md'), { title, content }];
    }),
  );
}

export function quoted(texts: Texts, sourceId: string, quote: string): Evidence {
  return quotedFrom(texts[sourceId]?.content ?? '', sourceId, quote);
}

export function findingOf(id: string, claim: string, evidence: Evidence[]): Finding {
  const citations = [...new Set(evidence.map(({ sourceId }) => sourceId))];
  return { id, sectionId: 'section-1', claim, citations, evidence, confidence: 0.6 };
}

export const RUN: ReportContext = { ...STEP_BRIEF, synthesis: SynthesisSettings.parse({}) };

export interface PassOptions {
  question?: string;
}

/** Pass 3 over one section, through its activities: the check, and what is reconciled after it. */
export async function crossReferenced(
  ports: ActivityPorts,
  texts: Texts,
  findings: readonly Finding[],
  { question = RUN.question }: PassOptions = {},
): Promise<ValidatedFindings> {
  const { content } = ports;
  const run = { ...RUN, question };
  const ids = Object.keys(texts);
  const refs = await content.storeBatch(run.runId, [...ids.map((id) => texts[id]?.content ?? '')]);
  const sources = ids.map((id, at): CataloguedSource => ({
    id,
    url: null,
    title: texts[id]?.title ?? id,
    contentRef: refs[at] ?? '',
    contentChars: texts[id]?.content.length ?? 0,
    summaryRef: refs[at] ?? '',
    accessedAt: '2026-01-01',
    quality: { level: 'general', reason: '' },
    held: [],
  }));
  const catalogue: SourceCatalogue = { sources, counts: { sentences: 0, holders: {} }, merged: [] };
  const section = { id: 'section-1', title: 'Results', description: 'What was found.' };
  const unread = { subsections: [], relevantSources: [], sourceScores: [] };
  const outline: Outline = { overallTheme: 'What was found.', sections: [{ ...section, ...unread }] };
  const found: SectionFindings = {
    sectionId: 'section-1',
    findings: [...findings],
    readInFull: [],
    readBySummary: [],
    retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
  };
  const [catalogueRef, outlineRef, findingsRef] = await Promise.all([
    storeArtifact(content, run.runId, catalogue),
    storeArtifact(content, run.runId, outline),
    storeArtifact(content, run.runId, found),
  ]);
  const material = { run, catalogueRef, outlineRef };
  const toCheck = { ...material, findingsRef, rankingRef: null, sectionId: 'section-1' };
  const { checksRef } = await crossCheckSection(ports, toCheck, signal);
  const { validatedRef } = await reconcileFindings(
    ports,
    {
      ...material,
      sections: [{ findingsRef, checksRef, unvalidated: false }],
      supportRef: null,
    },
    signal,
  );
  return readArtifact(content, validatedRef, ValidatedFindings);
}
