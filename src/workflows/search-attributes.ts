import { defineSearchAttributeKey } from '@temporalio/common';

// Workflow code imports this file: nothing of Node may come in here.

export const ColligateKind = defineSearchAttributeKey('ColligateKind', 'KEYWORD');
export const ColligateStatus = defineSearchAttributeKey('ColligateStatus', 'KEYWORD');
export const ColligatePass = defineSearchAttributeKey('ColligatePass', 'INT');
export const ColligateCitations = defineSearchAttributeKey('ColligateCitations', 'INT');
export const ColligateSchedule = defineSearchAttributeKey('ColligateSchedule', 'KEYWORD');
export const ColligateScore = defineSearchAttributeKey('ColligateScore', 'DOUBLE');

export const searchAttributeKeys = [
  ColligateKind,
  ColligateStatus,
  ColligatePass,
  ColligateCitations,
  ColligateScore,
  ColligateSchedule,
] as const;
