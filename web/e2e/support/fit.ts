// Whether what is shown now fits the window.
import type {Page} from 'playwright-core';

export interface Fit {
  width: number; // that the page takes
  board: boolean; // whole within the width
  cut: string[]; // elements that reach out of the window
  small: string[]; // controls under 24 px
}

export function fit(page: Page): Promise<Fit> {
  return page.evaluate(() => {
    const {clientWidth} = document.documentElement;
    const seen: Fit = {width: document.scrollingElement!.scrollWidth, board: true, cut: [], small: []};
    const shown = (element: Element) =>
      element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) &&
      !element.closest('.unseen, [inert]');
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} ${
        (element as HTMLElement).dataset.testid ?? element.className ?? ''
      } ${(element.textContent ?? '').trim().slice(0, 24)}`;
    const dialog = document.querySelector('dialog[open]');
    for (const board of document.querySelectorAll('[data-testid="board"]')) {
      const {left, right} = board.getBoundingClientRect();
      if (shown(board) && (left < -0.5 || right > clientWidth + 0.5)) seen.board = false;
    }
    const scrolled = (element: Element): boolean => {
      for (let up = element.parentElement; up; up = up.parentElement)
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) && up !== document.body)
          return up !== dialog && !up.classList.contains('dialog');
      return false;
    };
    for (const element of (dialog ?? document).querySelectorAll(
      'p, h1, h2, h3, h4, button, a, label, input, select, textarea, table, li, dd, dt, legend',
    )) {
      if (!shown(element)) continue;
      const {left, right, width} = element.getBoundingClientRect();
      if (width > 1 && (left < -1 || right > clientWidth + 1) && !scrolled(element))
        seen.cut.push(nameOf(element));
      if (!element.matches('button, a, input, select, textarea')) continue;
      // One may also hit the label; a link within a sentence is as tall as its line.
      const target = element.closest('label') ?? element;
      const box = target.getBoundingClientRect();
      if ((box.width < 23.5 || box.height < 23.5) && !element.closest('p') && box.width > 0)
        seen.small.push(`${nameOf(element)} ${Math.round(box.width)}x${Math.round(box.height)}`);
    }
    return seen;
  });
}
