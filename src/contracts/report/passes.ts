/** The passes of a report in their order. */
export const REPORT_PASSES = ['gather', 'overview', 'deep-dive', 'cross-reference', 'report'] as const;
export type ReportPass = (typeof REPORT_PASSES)[number];
