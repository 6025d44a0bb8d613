import { join } from 'node:path';
import type { ReportRequest } from '../../../src/client';
import type { Config } from '../../../src/config/config';
import { modelChoices } from '../../../src/config/model-choices';
import type { EngineName } from '../../../src/contracts/run/run';

/** A run of the suite. */
export interface PlannedRun {
  runId: string;
  engine: EngineName;
}

const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
const NOTES = join(__dirname, '../../../examples/vitamin-d');

export function requestOf({ runId, engine }: PlannedRun, config: Config): ReportRequest {
  return {
    runId,
    // With a model the id stands in the question, so that no run has another's answers. By quoting it would be one more thing asked for.
    question: engine === 'openai' ? `${QUESTION} (${runId})` : QUESTION,
    sources: { paths: [NOTES] },
    engine,
    models: modelChoices(config.openai),
    synthesis: config.synthesis,
    budget: {},
    asOf: '2026-01-01T00:00:00.000Z',
    searchAttributes: true,
  };
}

/** The run in whose prompt the text stands. */
export function runOfPrompt(prompt: string): string {
  return /\((chaos-[\d]+-[a-z]+)\)/.exec(prompt)?.[1] ?? '';
}
