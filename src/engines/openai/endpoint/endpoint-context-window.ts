import type { Complaint } from './endpoint-complaint';

const TOO_LONG = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length/,
  /maximum (?:context|prompt|model|input|sequence) length/,
  /context (?:length|window|size)\b.{0,40}exceed|exceed\w{0,5}.{0,40}context(?: length| window| size| limit|$)/,
  /(?:longer|greater|larger) than (?:the|this) (?:model'?s? )?(?:maximum )?(?:context|model) length/,
  /(?:prompt|input|request|messages?) (?:is|are) too long|too many (?:input |prompt )?tokens/,
  /context length is only|context length of only/,
  /reduce (?:the length of|your prompt)|range of input length should be/,
  /input tokens? exceeds?|token count .{0,40}exceeds|prompt exceeds|exceeded model token limit/,
  /too large for model with|`?inputs`? tokens \+ `?max_new_tokens/,
  // A limit per minute that the request alone is over will not let it through in any minute.
  /request too large|input or output tokens must be reduced/,
];

const NUMBER = '(\\d[\\d,_]*)';

/** Where in such a sentence the size of the context stands. */
const SIZE = [
  `maximum (?:context|prompt|model|input|sequence) length(?: of| is|:)?(?: only)? ?\\(?${NUMBER}`,
  `context (?:length|window|size)(?: of| is|:)?(?: only)? ?\\(?${NUMBER}`,
  `${NUMBER} maximum context length`,
  `configured limit of ${NUMBER}`,
  `context limit:[\\d+ ]{1,40}> ?${NUMBER}`,
  `> ?${NUMBER} maximum`,
  `number of tokens allowed \\(${NUMBER}`,
  `n_ctx\\D{1,6}${NUMBER}`,
  `max_model_len\\D{1,6}${NUMBER}`,
  `must be <= ?${NUMBER}`,
  `input length should be \\[\\d+, ?${NUMBER}`,
  `model token limit: ?${NUMBER}`,
  `limit:? ${NUMBER},? requested:? \\d`,
].map((pattern) => new RegExp(pattern));

export function isTooLong(complaint: Complaint): boolean {
  return TOO_LONG.some((sign) => sign.test(complaint.words));
}

/** How many tokens the model takes, where the complaint says so. */
export function contextWindowIn(complaint: Complaint): number | null {
  if (complaint.contextWindow !== null) return complaint.contextWindow;
  for (const pattern of SIZE) {
    const size = Number(pattern.exec(complaint.words)?.[1]?.replace(/[,_]/g, ''));
    if (Number.isSafeInteger(size) && size > 0) return size;
  }
  return null;
}
