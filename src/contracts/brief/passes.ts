/** The passes of a brief in their order. */
export const BRIEF_PASSES = ['gather', 'plan', 'write', 'judge'] as const;
export type BriefPass = (typeof BRIEF_PASSES)[number];
