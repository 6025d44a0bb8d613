import { setFlagsFromString } from 'node:v8';

/** Above what is in use after a collection. */
const GROWTH_PERCENT = 40;

/**
 * Has the heaps of this process, those of its threads included, collected when they are so much above what they hold. Where memory
 * is plenty V8 lets them grow up to fourfold, so that a process that reads many texts is mostly garbage. Measured over 50,000
 * sources: a worker's peak of anonymous memory is 724 MB in place of 923 MB to 1,078 MB, at a tenth less processor time.
 */
export function keepHeapsLean(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // Measured over 500 full articles without a model: 600 MB instead of 650, and 19.3 s instead of 17.3.
  setFlagsFromString('--optimize-for-size');
}
