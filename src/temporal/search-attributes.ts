import { defineSearchAttributeKey } from '@temporalio/common';

// Workflow code imports this file: nothing of Node may come in here.

export const ColligateKind = defineSearchAttributeKey('ColligateKind', 'KEYWORD');
export const ColligateStatus = defineSearchAttributeKey('ColligateStatus', 'KEYWORD');
export const ColligatePass = defineSearchAttributeKey('ColligatePass', 'INT');
export const ColligateCitations = defineSearchAttributeKey('ColligateCitations', 'INT');
/** The schedule that a run is of. */
export const ColligateSchedule = defineSearchAttributeKey('ColligateSchedule', 'KEYWORD');
export const ColligateScore = defineSearchAttributeKey('ColligateScore', 'DOUBLE');

/** All that a server has to know before a run that sets them may start. */
export const searchAttributeKeys = [
  ColligateKind,
  ColligateStatus,
  ColligatePass,
  ColligateCitations,
  ColligateScore,
  ColligateSchedule,
] as const;
