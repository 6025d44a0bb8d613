/** Sources below this fit are off the question. */
export const FITTING = 0.3;
