import type { SourceWindow } from '../../../contracts/source/passage';
import { halves, type SmallerReason } from './step-answer';

/**
 * The windows in two halves; a single one in halves of its passages, and a single passage in halves of its text, where it
 * is the length that is at fault. None where nothing can be parted.
 */
export function smallerWindows(windows: readonly SourceWindow[], reason: SmallerReason): SourceWindow[][] {
  const parts = halves(windows);
  if (parts !== null) return parts;
  const [window] = windows;
  if (window === undefined || reason === 'refused' || reason === 'unusable') return [];
  const passages = halves(window.passages);
  if (passages !== null) return passages.map((half) => [{ ...window, passages: half }]);
  const [passage] = window.passages;
  const cut = passage === undefined ? -1 : passage.text.lastIndexOf(' ', passage.text.length / 2);
  if (passage === undefined || cut <= 0) return [];
  const { start, end, text, headings } = passage;
  return [
    [{ ...window, passages: [{ start, end: start + cut, text: text.slice(0, cut), headings }] }],
    [{ ...window, passages: [{ start: start + cut, end, text: text.slice(cut), headings }] }],
  ];
}
