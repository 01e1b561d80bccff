import { type RefObject, useLayoutEffect, useRef } from 'react';

const gap = 4;
const margin = 8;

/**
 * Shows a layer beside its anchor, inside the window, and keeps it there while either moves.
 * It only sets custom properties: the style sheet decides how to use them, and ignores them on a phone.
 */
export function useAnchor<Layer extends HTMLElement>(
  anchor: RefObject<HTMLElement | null>,
  align: 'start' | 'end',
) {
  const layer = useRef<Layer>(null);
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
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('resize', place, { signal });
    window.addEventListener('scroll', place, { capture: true, passive: true, signal });
    window.visualViewport?.addEventListener('resize', place, { signal });
    return () => {
      observer.disconnect();
      listeners.abort();
    };
  }, [anchor, align]);
  return layer;
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

  const set = (name: string, pixels: number | undefined) =>
    element.style.setProperty(name, pixels === undefined ? 'auto' : `${Math.round(pixels)}px`);
  set('--left', Math.max(margin, Math.min(left, width - element.offsetWidth - margin)));
  set('--top', isBelow ? at.bottom + gap : undefined);
  set('--bottom', isBelow ? undefined : height - at.top + gap);
  set('--room', isBelow ? below : above);
  set('--keyboard', Math.max(0, keyboard));
}
