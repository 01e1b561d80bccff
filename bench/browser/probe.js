// Runs in the page before its own scripts. A row is one that shows an IFSC code: the same rule for both web apps,
// and neither a heading nor a placeholder passes it.
(() => {
  const rowSelector = '[role="row"], tbody tr, .MuiListItem-root';
  const hasData = (element) => /[A-Z]{4}0[A-Z0-9]{6}/.test(element.textContent);
  const probe = { firstRowsMs: null, firstPaintMs: null, longTasks: [], frames: null };
  window.countinghouseProbe = probe;

  function isInView(element) {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  }

  const seen = new MutationObserver(() => {
    for (const row of document.querySelectorAll(rowSelector)) {
      if (!hasData(row) || !isInView(row)) continue;
      seen.disconnect();
      // A message sent from the frame's callback arrives after that frame is painted.
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => {
          probe.firstRowsMs = performance.now();
        };
        painted.port2.postMessage(null);
      });
      return;
    }
  });
  seen.observe(document, { childList: true, subtree: true, characterData: true });

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) probe.longTasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (name === 'first-contentful-paint') probe.firstPaintMs = startTime;
    }
  }).observe({ type: 'paint', buffered: true });

  const heights = [0.3, 0.45, 0.6, 0.75, 0.9];
  function rowInView() {
    for (const height of heights) {
      const row = document.elementFromPoint(innerWidth / 2, innerHeight * height)?.closest(rowSelector);
      if (row && hasData(row)) return row;
    }
    return null;
  }
  probe.hasRowInView = () => rowInView() !== null;

  // A placeholder is not a row, but it is drawn: an element as low as a row is there, and not the empty background.
  const isDrawn = () =>
    heights.some((height) => {
      const element = document.elementFromPoint(innerWidth / 2, innerHeight * height);
      return element && element.getBoundingClientRect().height <= 200;
    });

  // Checks what each frame is about to paint. A gap is a run of frames without a row, until the first frame with one.
  probe.watchFrames = () => {
    const frames = { count: 0, mostRows: 0, longestFrameMs: 0, withoutRow: runOfFrames(), withNothing: runOfFrames() };
    let before = performance.now();
    let isWatching = true;
    probe.frames = frames;
    probe.stopFrames = () => {
      isWatching = false;
    };
    const look = (now) => {
      if (!isWatching) return;
      frames.count += 1;
      frames.longestFrameMs = Math.max(frames.longestFrameMs, now - before);
      before = now;
      frames.mostRows = Math.max(frames.mostRows, document.querySelectorAll(rowSelector).length);
      const hasRow = probe.hasRowInView();
      note(frames.withoutRow, !hasRow, now);
      note(frames.withNothing, !hasRow && !isDrawn(), now);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };

  function runOfFrames() {
    return { frames: 0, longestMs: 0, since: null };
  }

  function note(run, isMissing, now) {
    if (run.since !== null) run.longestMs = Math.max(run.longestMs, now - run.since);
    if (isMissing) run.frames += 1;
    run.since = isMissing ? (run.since ?? now) : null;
  }

  probe.scroller = () => {
    let element = [...document.querySelectorAll(rowSelector)].find(hasData)?.parentElement;
    while (element && element !== document.body) {
      const overflow = getComputedStyle(element).overflowY;
      const canScroll = overflow === 'auto' || overflow === 'scroll';
      if (canScroll && element.scrollHeight > element.clientHeight + 1) return element;
      element = element.parentElement;
    }
    return document.scrollingElement;
  };

  // The scrollbar is released at a position: how long until the rows there are painted, and whether they come at all.
  probe.jump = (part) =>
    new Promise((done) => {
      const textBefore = rowInView()?.textContent;
      const scroller = probe.scroller();
      scroller.scrollTop = part * (scroller.scrollHeight - scroller.clientHeight);
      const began = performance.now();
      const look = (now) => {
        const row = rowInView();
        if (row && row.textContent !== textBefore) done({ ms: performance.now() - began, hasRows: true });
        else if (now - began > 20_000) done({ ms: now - began, hasRows: false });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });

  probe.position = () => {
    const scroller = probe.scroller();
    const indexes = [...document.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.ariaRowIndex));
    const rowsHere = document.querySelectorAll(rowSelector).length;
    return { top: scroller.scrollTop, height: scroller.scrollHeight, lastRow: Math.max(rowsHere, ...indexes) };
  };
})();
