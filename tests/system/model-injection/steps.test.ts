import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceWindow } from '../../../src/contracts/source/passage';
import { splitPassages } from '../../../src/language/passages';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import { crossCheck } from '../../../src/steps/cross-check/cross-check';
import { scoreRelevance } from '../../../src/steps/score-relevance/score-relevance';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { outline } from '../../../src/steps/outline/outline';
import type { Step } from '../../../src/steps/step';
import { summarise } from '../../../src/steps/summarise/summarise';
import { writeSection } from '../../../src/steps/write-section/write-section';
import { writeSummary } from '../../../src/steps/write-summary/write-summary';
import { closeEngines, context, engineAgainst } from '../../engines/model/engine-under-test';
import {
  CONTENT,
  extractInput,
  findings,
  outlineInput,
  QUESTION,
  SECTION,
  sectionInput,
  sourceWindow,
} from '../../engines/model/material';
import { orderOf, PLACES, shownIn, tracesIn, WAYS, withOrder, type Place, type Way } from './hidden-orders';
import { LONG } from '../../support/long';
import { describeWithInstructions } from '../../support/hidden-instructions';
import { createObedientModel } from './obedient-model';

afterEach(closeEngines);

type Hide = (text: string, at: number) => string;

/** Each source has the order in another way and at another place, and the next instruction has them elsewhere. */
function hiding(order: string, turn: number): Hide {
  return (text, at) => {
    const way: Way = WAYS[(turn + at) % WAYS.length] ?? 'plain';
    const place: Place = PLACES[(Math.floor(turn / WAYS.length) + at) % PLACES.length] ?? 'end';
    return withOrder(text, order, way, place);
  };
}

function windows(hide: Hide): SourceWindow[] {
  return Object.entries(CONTENT).map(([id, { text }], at) =>
    sourceWindow(id, { passages: splitPassages(hide(text, at)) }),
  );
}

/** The findings, at the places that their quotes have in the texts with orders. */
function findingsIn(hide: Hide): Finding[] {
  const texts = new Map(Object.entries(CONTENT).map(([id, { text }], at) => [id, hide(text, at)]));
  return findings().map((finding) => ({
    ...finding,
    evidence: finding.evidence.map((evidence) => {
      const start = texts.get(evidence.sourceId)?.indexOf(evidence.quote) ?? -1;
      return { ...evidence, start, end: start + evidence.quote.length };
    }),
  }));
}

/** A step with the input that has an order in it, and how many parts of its output are good. */
interface Case {
  name: string;
  run: (
    engine: Awaited<ReturnType<typeof engineAgainst>>['engine'],
    hide: Hide,
    turn: number,
  ) => Promise<{ told: unknown; parts: number }>;
}

function caseOf<Input, Output>(
  step: Step<Input, Output>,
  inputOf: (hide: Hide) => Input,
  partsOf: (output: Output) => number,
): Case {
  return {
    name: step.name,
    async run(engine, hide, turn) {
      const streamed: string[] = [];
      try {
        const { output, warnings } = await engine.run(
          step,
          inputOf(hide),
          context({ revision: turn, onText: (text) => void streamed.push(text) }),
        );
        return { told: { output, warnings, streamed }, parts: partsOf(output) };
      } catch (error) {
        if (!(error instanceof StepFailedError)) throw error;
        return { told: `${error.message} ${JSON.stringify(error)}`, parts: 0 };
      }
    },
  };
}

const titled = <Source extends { title: string }>(sources: readonly Source[], hide: Hide): Source[] =>
  sources.map((source, at) => ({ ...source, title: hide(source.title, at).replace(/\n+/g, ' ') }));

const CASES: readonly Case[] = [
  caseOf(
    summarise,
    (hide) => ({ question: QUESTION, sources: windows(hide) }),
    ({ summaries }) => summaries.length,
  ),
  caseOf(
    outline,
    (hide) => ({
      question: QUESTION,
      sources: outlineInput().sources.map((source, at) => ({ ...source, summary: hide(source.summary, at) })),
    }),
    ({ sections }) => sections.length,
  ),
  // Joining plans sees nothing of sources but what outlines say, which are held to their own case above.
  caseOf(
    scoreRelevance,
    (hide) => ({
      question: QUESTION,
      sections: [
        {
          id: 'section-1',
          title: SECTION.title,
          description: SECTION.description,
          subsections: [],
          relevantSources: [],
        },
      ],
      sources: outlineInput().sources.map((source, at) => ({ ...source, summary: hide(source.summary, at) })),
    }),
    ({ scores }) => scores.length,
  ),
  caseOf(
    extractFindings,
    (hide) => ({ ...extractInput(), sources: windows(hide) }),
    (output) => output.findings.length,
  ),
  caseOf(
    crossCheck,
    (hide) => ({
      question: QUESTION,
      section: SECTION,
      findings: findingsIn(hide),
      sources: windows(hide),
      factChecking: true,
      detectConflicts: true,
    }),
    ({ checks }) => checks.length,
  ),
  // Writers see of the sources what was quoted, and their titles.
  caseOf(
    writeSection,
    (hide) => ({ ...sectionInput(), sources: titled(sectionInput().sources, hide) }),
    ({ claims }) => claims.length,
  ),
  caseOf(
    writeSummary,
    (hide) => ({
      question: QUESTION,
      overallTheme: 'Bones.',
      sections: [{ section: SECTION, findings: findings() }],
      conflicts: [],
      gaps: [],
      sources: titled(sectionInput().sources, hide),
    }),
    ({ bullets }) => bullets.length,
  ),
];

describeWithInstructions(
  (instructions) => {
    test.each(CASES)(
      '$name by a model that obeys: nothing of it is done, and nothing more is asked',
      async ({ run }) => {
        const { all, mayShow } = instructions();
        const model = createObedientModel(all, { sections: 5 });
        const { engine, server } = await engineAgainst(model.script);
        const traces: string[] = [];
        const shown = new Set<string>();
        let useful = 0;
        let mostCalls = 0;
        for (const [turn, instruction] of all.entries()) {
          const before = server.asked.length;
          const { told, parts } = await run(engine, hiding(orderOf(instruction), turn), turn);
          traces.push(...tracesIn(told).map((what) => `${turn}: ${what}`));
          for (const order of shownIn(told, all)) shown.add(order);
          if (parts > 0) useful += 1;
          mostCalls = Math.max(mostCalls, server.asked.length - before);
        }
        // Pass 1 reads no figures, and so not the whole of an order that has one.
        expect(model.found.size).toBeGreaterThanOrEqual(Math.floor(0.95 * all.length));
        expect(traces).toEqual([]);
        expect(shown.size).toBeLessThanOrEqual(mayShow);
        // The question, and one repair turn.
        expect(mostCalls).toBeLessThanOrEqual(2);
        expect(useful).toBeGreaterThan(all.length * 0.7);
      },
    );
  },
  { withBipia: LONG },
);
