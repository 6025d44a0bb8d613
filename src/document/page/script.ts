import type { pageTexts } from '../../texts/page';

/**
 * What makes the page easier to use and is not needed to read it: filters, keys for the passage that is open (arrows, Escape), the
 * claim marked that it belongs to and in view, the focus back on the claim, everything open on paper. It writes no markup.
 */
export function pageScript({ of, one, more }: (typeof pageTexts)['shown']): string {
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
  let isByKey = false;
  const marked = [];

  const follow = () => {
    const passage = passageOf(targetOf());
    for (const element of marked.splice(0)) element.removeAttribute('aria-current');
    if (passage !== null) {
      const place = byId(passage.dataset.place);
      if (place !== null) {
        place.setAttribute('aria-current', 'true');
        marked.push(place);
        const { top, bottom } = place.getBoundingClientRect();
        // The passage stands beside the text, or covers it from here on.
        const covered = passage.getBoundingClientRect().top;
        if (top < 0 || bottom > (covered > 0 ? covered : innerHeight * 0.9))
          place.scrollIntoView({ block: covered > 0 ? 'start' : 'center' });
      }
      passage.focus({ preventScroll: true });
      passage.scrollTop = 0;
      passage.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
    } else if (opened !== null && location.hash === '') {
      byId(opened.dataset.place)?.focus({ preventScroll: true });
    }
    opened = passage;
  };
  addEventListener('hashchange', follow);
  addEventListener('popstate', () => {
    if (location.hash === '') follow();
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

  const filters = byId('filters');
  if (filters !== null) {
    const facts = new Map();
    for (const { id, dataset } of document.querySelectorAll('.passage')) {
      const words = (text) => new Set(text.split(' '));
      facts.set('#' + encodeURIComponent(id), {
        part: new Set([dataset.part]),
        source: words(dataset.source),
        year: words(dataset.year),
        verdict: new Set([dataset.verdict]),
      });
    }
    const links = [...document.querySelectorAll('a.claim')];
    const blocks = new Map();
    for (const link of links) {
      const block = link.closest('li, tr, p') ?? link;
      blocks.set(block, [...(blocks.get(block) ?? []), link]);
    }
    const parts = [...document.querySelectorAll('.part')];
    const selects = [...filters.querySelectorAll('select')];
    const told = byId('filters-told');
    const show = () => {
      const wanted = selects.filter(({ value }) => value !== '');
      const matches = (fact) => wanted.every(({ dataset, value }) => fact[dataset.by].has(value));
      const shown = new Set([...facts].filter(([, fact]) => matches(fact)).map(([href]) => href));
      for (const link of links) link.classList.toggle('off', !shown.has(link.getAttribute('href')));
      for (const [block, own] of blocks) block.hidden = own.every((link) => link.classList.contains('off'));
      for (const part of parts)
        part.hidden = wanted.length > 0 && part.querySelector('a.claim:not(.off)') === null;
      told.textContent =
        wanted.length === 0 ? '' : shown.size + '${of}' + facts.size + (facts.size === 1 ? '${one}' : '${more}');
    };
    for (const select of selects) select.addEventListener('change', show);
    byId('filters-reset').addEventListener('click', () => {
      for (const select of selects) select.value = '';
      show();
    });
    filters.hidden = false;
  }
  // Only then it is known where an address leads.
  addEventListener('load', follow);
})();
`;
}
