import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../checkout.mjs';

/** The weights for a claim: where they were learned from it, those of the fold that has not seen its page. */
export function weightsUnseen() {
  const file = join(root, 'training/bearing-cross-validation.json');
  const { folds, weights } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    isCrossValidated: (id) => Object.hasOwn(folds, id),
    /** Undefined, so that the committed ones are taken, for all other claims. */
    weightsFor: (id) => (Object.hasOwn(folds, id) ? weights[folds[id]] : undefined),
  };
}
