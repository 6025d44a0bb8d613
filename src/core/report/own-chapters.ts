/** The chapters of a report of this program that are no section, as they are headed. */
export const OWN_CHAPTERS = {
  summary: 'Executive Summary',
  conflicts: 'Conflicting Evidence',
  gaps: 'Information Gaps',
  confidence: 'Confidence Assessment',
  followUps: 'Follow-up Questions',
} as const;
