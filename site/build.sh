#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation site into target/site/html and checks every link. Needs Python 3.11 or newer; the tools come
# from PyPI, by their hashes, and are for the site alone. The Javadoc beside it is that of `mvn javadoc:aggregate`, or
# of the folder that JAVADOC names; without one the site has none.
set -euo pipefail
cd "$(dirname "$0")/.."
out=target/site
javadoc=${JAVADOC:-target/reports/apidocs}
mkdir -p "$out"
if ! cmp -s site/requirements.txt "$out/requirements.txt"; then
  rm -rf "$out/venv"
  python3 -m venv "$out/venv"
  "$out/venv/bin/pip" install --quiet --require-hashes -r site/requirements.txt
  cp site/requirements.txt "$out/requirements.txt"
fi
with=()
if [ -f "$javadoc/index.html" ]; then
  with=(--javadoc)
else
  echo "site/build.sh: without Javadoc: $javadoc has none"
fi
"$out/venv/bin/python" site/prepare.py . "$out" "${with[@]}"
if [ ${#with[@]} -gt 0 ]; then
  cp -r "$javadoc" "$out/docs/javadoc"
fi
NO_MKDOCS_2_WARNING=1 "$out/venv/bin/mkdocs" build --quiet --strict --clean -f "$out/mkdocs.yml"
"$out/venv/bin/python" site/check.py "$out/html"
echo "the site: $out/html/index.html"
