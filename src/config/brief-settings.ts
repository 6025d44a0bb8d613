import { z } from 'zod';
import { BriefSettings } from '../contracts/brief/brief-settings';
import { JudgeSettings } from '../contracts/judge/rubric';
import { Text } from './setting-types';

export const BriefDefaults = z.object({
  /** Default 10,000. The most words that a brief should have where none are wanted; a longer one is warned about. */
  maxLength: BriefSettings.shape.maxWords,
  /** Default `brief`. The name of a template that ships, or the file of one. */
  template: Text.default('brief'),
});

/** Each with its default in the contract: they are part of a run's input, as the judge's are. */
export const BriefWriting = BriefSettings.pick({
  oneCallWords: true,
  temperature: true,
  unsupportedClaims: true,
});

/** A dimension that is none is refused. */
export const ConfiguredJudge = JudgeSettings.extend({
  /** What is judged: how much each dimension counts, and what a judge that is a model is asked. */
  rubric: JudgeSettings.shape.rubric
    .unwrap()
    .strict()
    .prefault({})
    .describe(
      'for each dimension `{ "weight": 0 to 1, "asks": "…" }`; dimensions are factualAccuracy, completeness, coverage, coherence, bias',
    ),
});
