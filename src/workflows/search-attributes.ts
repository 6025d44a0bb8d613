import { defineSearchAttributeKey } from '@temporalio/common';

// Part of the workflow bundle: do not import Node modules.

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
