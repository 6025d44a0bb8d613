import { JUDGE_DIMENSIONS, type JudgeDimension } from '../../../../contracts/judge/dimensions';
import { isRecord } from '../../../../core/values/is-record';

/** A longer text is no name. */
const LONGEST_NAME = 40;
/** Under such names models put the five where they were asked for without one. */
const MOST_DEPTH = 2;

/**
 * What an answer says of each dimension, whichever way it is laid out: under the dimension's name (`Factual Accuracy`,
 * `factual_accuracy`), in an object within the object, or as a list of which each item names its dimension.
 */
export function dimensionsIn(answer: unknown, depth = 0): Map<JudgeDimension, unknown> {
  const found = new Map<JudgeDimension, unknown>();
  if (Array.isArray(answer)) {
    for (const item of answer.filter(isRecord)) {
      const dimension = Object.values(item)
        .map(named)
        .find((name) => name !== undefined);
      if (dimension !== undefined && !found.has(dimension)) found.set(dimension, item);
    }
    return found;
  }
  if (!isRecord(answer)) return found;
  for (const [key, value] of Object.entries(answer)) {
    const dimension = named(key);
    if (dimension !== undefined && !found.has(dimension)) found.set(dimension, value);
  }
  if (found.size > 0 || depth >= MOST_DEPTH) return found;
  return (
    Object.values(answer)
      .map((value) => dimensionsIn(value, depth + 1))
      .find(({ size }) => size > 0) ?? found
  );
}

function named(written: unknown): JudgeDimension | undefined {
  if (typeof written !== 'string' || written.length > LONGEST_NAME) return undefined;
  const plain = written.toLowerCase().replace(/[^a-z]/g, '');
  return JUDGE_DIMENSIONS.find((dimension) => dimension.toLowerCase() === plain);
}
