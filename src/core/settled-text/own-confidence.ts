import type { Standing } from '../../contracts/report/draft';
import type { Finding } from '../../contracts/report/finding';

/** Words that a critic confirmed rest on one reading of one quote: document 002 gives a single good source as much. */
const CONFIRMED = 0.75;

/**
 * What a sentence may take over of its finding's confidence. That is of the finding's own words: words close to them have
 * all of it, other words never more than their own.
 */
export function ownConfidence(
  { confidence, unvalidated }: Pick<Finding, 'confidence' | 'unvalidated'>,
  standing: Standing | undefined,
): Pick<Finding, 'confidence' | 'unvalidated'> {
  const own = standing === 'confirmed' ? Math.min(confidence, CONFIRMED) : confidence;
  return { confidence: own, ...(unvalidated === undefined ? {} : { unvalidated }) };
}
