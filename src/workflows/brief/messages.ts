import { defineQuery } from '@temporalio/workflow';
import type { JudgedVersion } from '../../contracts/judge/judgement';

/** The versions that were judged so far, in their order. */
export const versionsQuery = defineQuery<JudgedVersion[]>('versions');
