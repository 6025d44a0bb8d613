import { defineSignal } from '@temporalio/workflow';

/** The schedule is deleted: its run goes on, and nothing is kept for a next one. */
export const forgetSignal = defineSignal('forget');
