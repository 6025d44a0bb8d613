import { robotRules } from '../../src/fetch/robots';

const allows = (robots: string, path: string): boolean =>
  robotRules(robots).isAllowed(new URL(path, 'https://example.org'));

describe('robots.txt', () => {
  it.each([
    ['a path below a rule', 'User-agent: *\nDisallow: /kept', '/kept/page', false],
    ['a path beside it', 'User-agent: *\nDisallow: /kept', '/page', true],
    ['the longer rule', 'User-agent: *\nDisallow: /kept\nAllow: /kept/open', '/kept/open', true],
    ['of two as long the one that allows', 'User-agent: *\nDisallow: /ab\nAllow: /ab', '/ab', true],
    ['a wildcard', 'User-agent: *\nDisallow: /*/private/', '/a/b/private/c', false],
    ['an end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf', false],
    ['no more than the end', 'User-agent: *\nDisallow: /*.pdf$', '/a.pdf?x', true],
    ['an end that overlaps', 'User-agent: *\nDisallow: /ab*ba$', '/aba', true],
    ['our own group alone', 'User-agent: Colligate/1.0\nAllow: /\n\nUser-agent: *\nDisallow: /', '/a', true],
    ['a group of several', 'User-agent: a\nUser-agent: colligate\nDisallow: /', '/a', false],
    ['remarks, and an empty rule', '# no\nUser-agent: * # all\nDisallow:', '/a', true],
    ['escapes in either case', 'User-agent: *\nDisallow: /%e4', '/%E4', false],
    ['letters of any script', 'User-agent: *\nDisallow: /ä', '/ä', false],
  ])('%s', (_name, robots, path, expected) => {
    expect(allows(robots, path)).toBe(expected);
  });

  const PATH = `/${'a'.repeat(3_900)}`;
  const filled = (line: string): string =>
    `User-agent: *\n${`${line}\n`.repeat(Math.ceil(482_000 / (line.length + 1)))}`;

  it.each([
    ['many wildcards', filled(`Disallow: /${'*a'.repeat(900)}b$`)],
    ['a piece that repeats itself', filled(`Disallow: /*${'a'.repeat(1_900)}b`)],
    ['many short rules', filled('Disallow: /*b')],
    ['many agents', filled('User-agent: colligate')],
    ['one endless line', `User-agent: *\nDisallow: /${'*a'.repeat(240_000)}`],
  ])('reads and matches twenty times within the limit of a test: %s', (_name, robots) => {
    // A matcher that backtracks takes 10 s for one of these.
    for (let times = 0; times < 20; times += 1)
      expect(robotRules(robots).isAllowed(new URL(PATH, 'https://example.org'))).toBe(true);
  });
});
