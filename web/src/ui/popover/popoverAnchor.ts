import { type RefObject, useLayoutEffect } from 'react';

const gap = 4;
const margin = 8;

/**
 * Shows a layer beside its anchor, inside the window, and keeps it there while either moves.
 * It only sets custom properties: the style sheet decides how to use them, and ignores them on a phone.
 */
export function useAnchor(
  anchor: RefObject<HTMLElement | null>,
  layer: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
) {
  useLayoutEffect(() => {
    const element = layer.current;
    if (!element) return;
    const place = () => {
      if (anchor.current) setPlace(element, anchor.current.getBoundingClientRect(), align);
    };
    // Not every environment has a top layer; there the style sheet raises the panel.
    element.showPopover?.();
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.visualViewport?.addEventListener('resize', place);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, { capture: true });
      window.visualViewport?.removeEventListener('resize', place);
    };
  }, [anchor, layer, align]);
}

function setPlace(element: HTMLElement, at: DOMRect, align: 'start' | 'end') {
  const width = document.documentElement.clientWidth;
  const height = window.innerHeight;
  const below = height - at.bottom - gap - margin;
  const above = at.top - gap - margin;
  // scrollHeight ignores the height limit; otherwise a panel that was once small would stay small.
  const wanted = element.firstElementChild?.scrollHeight ?? 0;
  const isBelow = wanted <= below || below >= above;
  const left = align === 'start' ? at.left : at.right - element.offsetWidth;
  const keyboard = height - (window.visualViewport?.height ?? height);

  const set = (name: string, pixels: number) =>
    element.style.setProperty(name, `${Math.round(pixels)}px`);
  set('--left', Math.max(margin, Math.min(left, width - element.offsetWidth - margin)));
  element.style.setProperty('--top', isBelow ? `${Math.round(at.bottom + gap)}px` : 'auto');
  element.style.setProperty(
    '--bottom',
    isBelow ? 'auto' : `${Math.round(height - at.top + gap)}px`,
  );
  set('--room', isBelow ? below : above);
  set('--keyboard', Math.max(0, keyboard));
}
