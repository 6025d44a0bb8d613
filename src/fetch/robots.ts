import robotsParser from 'robots-parser';

/** What robots.txt calls us (RFC 9309: the product's name alone). */
export const ROBOT_NAME = 'Colligate';

/** As much of a robots.txt as is read (RFC 9309, 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** What a site lets us do. */
export interface RobotRules {
  isAllowed: (url: URL) => boolean;
  /** Between two requests; 0 where it does not say. */
  delayMs: number;
}

export const ALLOWS_ALL: RobotRules = { isAllowed: () => true, delayMs: 0 };

export function robotRules(robotsUrl: URL, text: string): RobotRules {
  const robots = robotsParser(robotsUrl.href, text);
  return {
    isAllowed: (url) => robots.isAllowed(url.href, ROBOT_NAME) ?? true,
    delayMs: 1_000 * Math.max(0, robots.getCrawlDelay(ROBOT_NAME) ?? 0),
  };
}
