// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

/** The common parts of the program's HTML pages. Pages are self-contained and have both colour schemes. */
public final class HtmlText {
    private static final String STYLE = """
        :root { color-scheme: light dark; --ink: #1c2330; --paper: #fff; --line: #1f6feb; --grid: #d5dae1; --mark: #b42318; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e3e8ef; --paper: #12161c; --line: #6ea8fe; --grid: #303743; --mark: #ff8a80; } }
        body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem;
          margin: 2rem auto; padding: 0 1rem; }
        """;

    private HtmlText() {}

    /**
     * The beginning of a page, up to the first element of the body.
     *
     * @param title the title, escaped
     * @param style the additional style rules of this page
     */
    public static String head(String title, String style) {
        return "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + title + "</title>\n<style>\n"
                + STYLE + style + "</style>\n";
    }

    /** Escapes text of a file for an element or attribute. */
    public static String escaped(String text) {
        return Reasons.printable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
