"""The browser's part alone: `python -m bench.browser [--quick] [--url URL] [--folder FOLDER]`."""

import argparse
from pathlib import Path

from bench.browser.chapter import browser_chapter
from bench.words import say

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.browser", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds: shows that it runs")
    parser.add_argument("--url", default="", help="a running Countinghouse filled by `countinghouse demo`")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[1] / ".work")
    options = parser.parse_args()
    say("\n".join(browser_chapter(options.folder.resolve(), is_quick=options.quick, server_url=options.url)))
