/**
 * What makes the page easier to use and is not needed to read it: keys for the passage that is open (arrows, Escape), the passage of
 * the number that was clicked and the claim that it belongs to in view, the focus back on the claim, everything open on paper. It
 * writes no markup.
 */
export function pageScript(): string {
  return `
'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const targetOf = () => {
    try {
      return byId(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return null;
    }
  };
  const passageOf = (element) => (element?.classList.contains('passage') ? element : null);
  let opened = null;
  let clicked = null;
  let wanted = null;
  const marked = [];

  const follow = () => {
    const passage = passageOf(targetOf());
    for (const element of marked.splice(0)) element.removeAttribute('aria-current');
    if (passage !== null) {
      const claim = clicked ?? byId(passage.dataset.place);
      if (claim !== null) {
        claim.setAttribute('aria-current', 'true');
        marked.push(claim);
        const { top, bottom } = claim.getBoundingClientRect();
        // The passage stands beside the text, or covers it from here on.
        const covered = passage.getBoundingClientRect().top;
        if (top < 0 || bottom > (covered > 0 ? covered : innerHeight * 0.9))
          claim.scrollIntoView({ block: covered > 0 ? 'start' : 'center' });
      }
      passage.focus({ preventScroll: true });
      passage.scrollTop = 0;
      const place = wanted === null ? null : passage.querySelector('figure[data-n="' + wanted + '"] mark');
      (place ?? passage.querySelector('mark'))?.scrollIntoView({ block: 'nearest' });
    } else if (opened !== null && location.hash === '') {
      byId(opened.dataset.place)?.focus({ preventScroll: true });
    }
    opened = passage;
    clicked = null;
    wanted = null;
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', () => {
    if (location.hash === '') follow();
  });

  document.addEventListener('click', ({ target }) => {
    const link = target.closest?.('a.claim') ?? null;
    if (link === null) return;
    clicked = link;
    wanted = target.closest('.cite')?.dataset.n ?? null;
    if (link.hash === location.hash) follow();
  });

  document.addEventListener('keydown', (event) => {
    const passage = passageOf(targetOf());
    if (passage === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.('select, input, textarea, .scroll') !== null) return;
    const link = {
      ArrowLeft: '.previous',
      ArrowRight: '.next',
      Escape: '.back',
    }[event.key];
    const step = link === undefined ? null : passage.querySelector(link);
    if (step === null) return;
    event.preventDefault();
    location.replace(step.getAttribute('href'));
  });

  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });

  // Only then it is known where an address leads.
  addEventListener('load', follow);
})();
`;
}
