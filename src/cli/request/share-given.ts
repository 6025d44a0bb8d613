import { toldValue } from '../../core/values/told-value';

const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)(%?)$/;

/** A share as it is given: `0.8` or `80%`. */
export function shareGiven(text: string): number | { problem: string } {
  const given = NUMBER.exec(text.trim());
  const value = Number.parseFloat(text.trim()) / (given?.[1] === '%' ? 100 : 1);
  return given === null || value > 1
    ? { problem: `--fail-under is ${toldValue(text)}: give a share from 0 to 1, or from 0% to 100%.` }
    : value;
}
