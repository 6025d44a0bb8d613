import { built } from './built.mjs';
import { openEncoder } from './encoder.mjs';

/** What the engine that asks no model makes of a step's input, as a worker's thread carries it out. */
export async function extractiveStep(name, input) {
  const { runExtractiveStep } = built('engines/extractive/steps.js');
  return runExtractiveStep(name, input, await openEncoder());
}
