/** Of whatever writes texts; the setting's own check says what is allowed. */
export const LANGUAGE_FLAG = 'in which language what stands around quotes is written: en or de';
