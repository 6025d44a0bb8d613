/** One expression that finds what any of its parts finds, the first that fits winning; so each part can have a name. */
export function eitherOf(parts: readonly RegExp[], flags: string): RegExp {
  return new RegExp(parts.map(({ source }) => source).join('|'), flags);
}
