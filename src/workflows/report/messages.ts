import { defineQuery } from '@temporalio/workflow';
import type { OutlineAnswer } from '../../contracts/run/run-messages';

/** Null before pass 1 has ended. */
export const outlineQuery = defineQuery<OutlineAnswer | null>('outline');
