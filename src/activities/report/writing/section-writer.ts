/** Under whose name the texts of sections are told; logs of earlier releases have it. */
export const SECTION_WRITER = { pass: 4, step: 'write-section' };
