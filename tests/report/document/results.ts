import type { Answer, AnswerPassage } from '../../../src/contracts/answer';
import type { Brief } from '../../../src/contracts/brief';
import type { SectionDraft } from '../../../src/contracts/draft';
import type { Report } from '../../../src/contracts/report';
import { assembleReport } from '../../../src/report/assemble-report';
import { assembleBrief } from '../../../src/report/brief/assemble-brief';
import { writeReply } from '../../../src/report/write-reply';
import { exampleNotes, reportOver } from '../../engines/extractive/report-without-server';
import { auditedRun, SUPPORTED as SUPPORTED_BY_DELTA } from '../audited-run';
import { completeBrief } from '../brief/brief-fixture';
import { claim, draft, passage, SUPPORTED } from '../passages';

let vitamin: ReturnType<typeof writeVitaminReport> | undefined;

/** The extractive report on the notes of the example, and their texts. It is written once. */
export function vitaminReport(): ReturnType<typeof writeVitaminReport> {
  vitamin ??= writeVitaminReport();
  return vitamin;
}

async function writeVitaminReport(): Promise<{ report: Report; textOf: (id: string) => string | null }> {
  const notes = await exampleNotes();
  const texts = new Map(notes.map(({ id, content }) => [id, content]));
  return { report: await reportOver(notes), textOf: (id) => texts.get(id) ?? null };
}

/** A report of which three claims do not stand. */
export function auditedReport(): Report {
  return assembleReport(auditedRun()).report;
}

/**
 * That report with a section and a summary that a model wrote. The section is on what sources dispute; of the summary a sentence is as
 * sure as most, and one that is not says so.
 */
export function reportOfModel(): Report {
  const run = auditedRun();
  const prose = [
    { text: 'Two trials saw blood pressure fall [@alpha; @beta].', findingIds: ['f1'] },
    { text: 'A third disagrees with the first [@alpha; @gamma].', findingIds: ['f1', 'f2'] },
  ];
  const draft: SectionDraft = {
    markdown: prose.map(({ text }) => text).join(' '),
    claims: prose.map((claim) => ({ ...claim, standing: 'confirmed' as const })),
  };
  const sentences = ['Swimming raises aerobic capacity [@delta].', 'Forty adults swam in all [@delta].'];
  return assembleReport({
    ...run,
    provenance: { ...run.provenance, engine: 'openai' },
    drafts: [{ sectionId: 'section-1', draft }, ...run.drafts.slice(1)],
    frame: {
      title: 'Does swimming help?',
      bullets: sentences.map((text) => `**In short.** ${text}`),
      followUpQuestions: [],
      claims: sentences.map((text, at) => ({
        text,
        findingIds: ['f3'],
        standing: 'confirmed',
        confidence: at === 0 ? 0.62 : 0.5,
        verdict: { ...SUPPORTED_BY_DELTA, ...(at === 0 ? {} : { verdict: 'partial' as const }) },
      })),
      checked: {},
    },
  }).report;
}

export function smallBrief(): Brief {
  return assembleBrief(completeBrief()).brief;
}

export const PDF_TEXT = 'Sleep got longer by half an hour. Nobody withdrew. It was a small trial.';

/** An answer over one document of two passages, with a claim that rests on a quote and one that rests on a passage alone. */
export function smallAnswer(): Answer {
  const passages = [part(1, 'Sleep got longer by half an hour.', 1), part(2, 'Nobody withdrew.', 2)];
  const quote = 'longer by half an hour';
  const start = PDF_TEXT.indexOf(quote);
  const evidence = { sourceId: 'trial', quote, start, end: start + quote.length };
  const sentences = [
    claim('Sleep is longer by half an hour [@P1].', { ...SUPPORTED, evidence }),
    claim('All stayed [@P2].'),
  ];
  const aside = {
    ...SUPPORTED,
    verdict: 'unsupported' as const,
    text: 'It cures all.',
    sourceIds: ['trial'],
    action: 'left-out' as const,
  };
  const reply = writeReply({
    question: 'Is sleep longer?',
    draft: draft(sentences, { setAside: [aside] }),
    passages,
    documents: 1,
    answerable: 0.9,
    answeredFrom: 0.4,
    overCompression: false,
    disputed: 0,
    observations: 0,
    settings: { citations: 'numbered', disclaimerBelow: 0.5 },
  });
  return {
    ...reply,
    requestId: 'answer-1',
    question: 'Is sleep longer?',
    latencyMs: 0,
    tokensUsed: 0,
    diagnostics: {
      attempts: 1,
      overCompression: false,
      critique: null,
      metrics: null,
      failure: null,
      warnings: [],
    },
    trace: [],
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    provenance: { engine: 'extractive', models: {}, steps: {}, runtime: { colligate: '0' } },
  };
}

function part(n: number, text: string, page: number): AnswerPassage {
  const pages = { from: page, to: page };
  return passage(n, 'trial', { document: 'trial.pdf', text, start: PDF_TEXT.indexOf(text), pages });
}
