/** The index of the view that a conflict's resolution favours; null where all are presented. */
export function favouredView(resolution: string): number | null {
  const number = /^favor_viewpoint_(\d+)$/.exec(resolution)?.[1];
  return number === undefined ? null : Number(number) - 1;
}
