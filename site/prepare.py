#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes MkDocs' input of the Markdown that a Git host shows.

Copies docs/ and the pages of the repository's root, and turns each link to another file of the repository into a
link to a page that shows that file, because the site works without the repository. The order and the names of the pages
are those of README.md's section "Documentation"; then come the folders of FOLDERS. A page that is in neither comes last, under
"More", and is named on the standard output.

    prepare.py REPOSITORY TARGET [--javadoc]
"""
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
TARGET = Path(sys.argv[2]).resolve()
PAGES = TARGET / "docs"
WITH_JAVADOC = "--javadoc" in sys.argv[3:]

# Files outside docs/ that are pages of their own.
TOP = {one.name: "index.md" if one.name == "README.md" else one.name.lower() for one in ROOT.glob("*.md")}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img src="([^"]+)"([^>]*)>\s*</picture>'
)
LANGUAGES = {".java": "java", ".kt": "kotlin", ".xml": "xml", ".yaml": "yaml", ".yml": "yaml", ".json": "json", ".md": "markdown",
             ".properties": "properties", ".py": "python", ".sh": "sh", ".sql": "sql"}

# Folders whose pages the README does not link, each with its title.
FOLDERS = {"decisions": "Decisions", "dev": "Development"}

shown = {}  # repository path -> generated page, of files and folders outside docs/


def fail(text):
    sys.exit("site/prepare.py: " + text)


def page_of(path):
    """Where a file or folder of the repository is on the site, as a path below PAGES."""
    if path in TOP:
        return TOP[path]
    full = ROOT / path
    if path.startswith("docs/"):
        inside = path[len("docs/"):]
        if not full.is_dir():
            return inside
        if not (full / "README.md").exists():
            shown[path] = inside + "/README.md"
        return inside + "/README.md"
    shown[path] = "repository/" + path + ".md"
    return shown[path]


def rewritten(text, source, target):
    """Links of a page of the repository as links of the site."""

    def link(match):
        image, label, address = match.groups()
        path, _, anchor = address.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        repository = os.path.normpath(os.path.join(os.path.dirname(source), path)).replace(os.sep, "/")
        if not (ROOT / repository).exists():
            fail(f"{source}: the link {address} leads to no file")
        on_site = os.path.relpath(page_of(repository), os.path.dirname(target) or ".").replace(os.sep, "/")
        return f"{image}[{label}]({on_site}{'#' + anchor if anchor else ''})"

    def picture(match):
        dark, light, rest = match.groups()
        return f'<img class="only-dark" src="{dark}#only-dark"{rest}><img class="only-light" src="{light}#only-light"{rest}>'

    lines, fence = [], None
    for line in text.split("\n"):
        opening = re.match(r"\s*(```+|~~~+)", line)
        if opening and (fence is None or line.strip() == fence):
            fence = opening.group(1) if fence is None else None
        elif fence is None and re.match(r"<!--.*-->$", line.strip()):
            # Marks for tests; Python-Markdown would make a block of them and of the table that follows.
            line = ""
        lines.append(line)
    parts = re.split(r"(?ms)(^[ ]*(?:```|~~~).*?^[ ]*(?:```|~~~)[ ]*$)", "\n".join(lines))
    for at in range(0, len(parts), 2):
        parts[at] = PICTURE.sub(picture, LINK.sub(link, parts[at]))
    return "".join(parts)


def write(target, text):
    file = PAGES / target
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def copy_pages():
    for file in sorted((ROOT / "docs").rglob("*")):
        inside = file.relative_to(ROOT / "docs").as_posix()
        if file.suffix == ".md":
            write(inside, rewritten(file.read_text(encoding="utf-8"), "docs/" + inside, inside))
        elif file.is_file():
            (PAGES / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, PAGES / inside)
    for source, target in TOP.items():
        write(target, rewritten((ROOT / source).read_text(encoding="utf-8"), source, target))


def show_files():
    """Pages for files and folders that are linked, and for what is in those folders."""
    done = set()
    while set(shown) - done:
        for path in sorted(set(shown) - done):
            done.add(path)
            full, target = ROOT / path, shown[path]
            head = f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n"
            if full.is_dir():
                files = [one for one in sorted(full.rglob("*")) if one.is_file() and "target" not in one.parts
                         and one.suffix not in (".png", ".gz", ".class")]
                rows = []
                for one in files:
                    page = page_of(one.relative_to(ROOT).as_posix())
                    relative = os.path.relpath(page, os.path.dirname(target)).replace(os.sep, "/")
                    rows.append(f"- [{one.relative_to(full).as_posix()}]({relative})")
                write(target, head + "\n".join(rows) + "\n")
            else:
                text = full.read_text(encoding="utf-8").rstrip("\n")
                write(target, head + f"~~~~~~{LANGUAGES.get(full.suffix, 'text')}\n{text}\n~~~~~~\n")


def heading(page):
    """The page's title, as short as the navigation needs it: "Classes: one pool, many kinds" is "Classes"."""
    for line in (PAGES / page).read_text(encoding="utf-8").split("\n"):
        if line.startswith("# "):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line[2:]).partition(": ")[0]
            return name(re.sub(r"^(flexpool and |the )+", "", text))
    fail(f"docs/{page}: has no heading of the first level")


def name(text):
    text = text.replace("`", "").strip()
    return text[:1].upper() + text[1:]


def children(page):
    folder = os.path.dirname(page) if page.endswith("/README.md") else page[:-len(".md")]
    found = sorted((PAGES / folder).glob("*.md")) if folder and (PAGES / folder).is_dir() else []
    return [one.relative_to(PAGES).as_posix() for one in found if one.name != "README.md"]


def navigation():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("\n## Documentation\n")[1].split("\n## ")[0]
    groups = re.findall(r"(?ms)^- \*\*(.*?)\*\*: (.*?)(?=^- \*\*|^\n|\Z)", section)
    if not groups:
        fail("README.md: no lines like '- **Use**: [name](docs/page.md)' under Documentation")
    nav, seen = [{"Start": "index.md"}], {"index.md"}
    for title, text in groups:
        entries = []
        for _, label, address in LINK.findall(text):
            page = page_of(os.path.normpath(address.partition("#")[0]))
            if page in seen:
                continue
            seen.add(page)
            below = [one for one in children(page) if one not in seen]
            seen.update(below)
            nested = [{"Overview": page}] + [{heading(one): one} for one in below]
            entries.append({name(label): nested if below else page})
        nav.append({name(title): entries})
    everything = {one.relative_to(PAGES).as_posix() for one in PAGES.rglob("*.md")}
    for folder, title in FOLDERS.items():
        pages = sorted(one for one in everything - seen if one.startswith(folder + "/") and one not in shown.values())
        seen.update(pages)
        if pages:
            nav.append({title: [{heading(one): one} for one in pages]})
    left = sorted(one for one in everything - seen if one not in shown.values())
    if left:
        print("site/prepare.py: under More, because README.md's Documentation has no link to it: " + ", ".join(left))
        nav.append({"More": [{heading(one): one} for one in left]})
    if WITH_JAVADOC:
        nav.append({"Javadoc": "javadoc/index.html"})
    return nav


def yaml(nav, indent):
    lines = []
    for entry in nav:
        if isinstance(entry, str):
            lines.append(f"{indent}- {entry}")
            continue
        for title, value in entry.items():
            quoted = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
            if isinstance(value, str):
                lines.append(f"{indent}- {quoted}: {value}")
            else:
                lines.append(f"{indent}- {quoted}:")
                lines.extend(yaml(value, indent + "    "))
    return lines


def version():
    return re.search(r"<artifactId>flexpool-parent</artifactId>\s*<version>(.*?)<", (ROOT / "pom.xml").read_text(encoding="utf-8")).group(1)


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    copy_pages()
    show_files()
    config = ["INHERIT: " + str(ROOT / "site" / "mkdocs.yml"), f"site_name: flexpool {version()}", "docs_dir: docs", "site_dir: html", "theme:",
              "  custom_dir: " + str(ROOT / "site" / "overrides"), "nav:"] + yaml(navigation(), "  ")
    (TARGET / "mkdocs.yml").write_text("\n".join(config) + "\n", encoding="utf-8")


main()
