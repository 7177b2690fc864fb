#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the built site: each link and each picture leads to a file, each anchor to an element, and nothing is loaded
from another host. Javadoc's own pages are checked by javadoc; links into them are checked here.

    check.py HTML-FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(sys.argv[1]).resolve()
# What a browser loads by itself; other links wait for a click.
LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "srcset"), ("iframe", "src")}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.anchors.update(of[one] for one in ("id", "name") if of.get(one))
        for attribute in ("href", "src", "srcset"):
            if of.get(attribute) is not None and not (tag == "link" and of.get("rel") == "canonical"):
                self.links.append((tag, attribute, of[attribute]))


def parsed(file, pages={}):
    if file not in pages:
        pages[file] = Page()
        pages[file].feed(file.read_text(encoding="utf-8"))
    return pages[file]


def main():
    problems, count, outside = [], 0, 0
    own = [one for one in sorted(ROOT.rglob("*.html")) if "javadoc" not in one.relative_to(ROOT).parts[:1]]
    for file in own:
        where = file.relative_to(ROOT)
        for tag, attribute, address in parsed(file).links:
            count += 1
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                outside += 1
                if (tag, attribute) in LOADED and parts.scheme != "data":
                    problems.append(f"{where}: loads {address} from another host")
                continue
            if where.name == "404.html" and parts.path.startswith("/"):
                parts = parts._replace(path=parts.path[1:])
            to = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if to.is_dir():
                to = to / "index.html"
            if not to.is_file():
                problems.append(f"{where}: {address} leads to no file")
            elif parts.fragment and to.suffix == ".html" and not parts.fragment.startswith("only-"):
                if unquote(parts.fragment) not in parsed(to).anchors and parts.fragment != "__search":
                    problems.append(f"{where}: {address} leads to no such place")
    # What stands on every page is one problem.
    whats = {}
    for problem in problems:
        where, what = problem.split(": ", 1)
        whats.setdefault(what, []).append(where)
    for what, where in whats.items():
        print(f"site/check.py: {where[0]}{f' and {len(where) - 1} more' if len(where) > 1 else ''}: {what}")
    print(f"{len(own)} pages, {count} links, {outside} of them to other hosts, {len(problems)} broken")
    sys.exit(1 if problems else 0)


main()
