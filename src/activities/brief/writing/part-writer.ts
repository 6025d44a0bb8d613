/** Under whose name the texts of parts are told. */
export const PART_WRITER = { pass: 2, step: 'write-brief-part' };
