// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.page;

/** Scripts that the tests run inside the page. */
final class PageScripts {
    /**
     * Runs before the page's own script, which reads every second: here ten times a second, so that the tests wait
     * less. Counts concurrent requests.
     */
    static final String WATCHED = """
            const later = window.setTimeout;
            window.setTimeout = (run, millis) => later(run, millis / 10);
            const ask = window.fetch;
            window.asked = window.asking = window.most = 0;
            window.fetch = async (...all) => {
              window.asked++;
              window.most = Math.max(window.most, ++window.asking);
              try {
                return await ask(...all);
              } finally {
                window.asking--;
              }
            };""";

    /** Hides the tab, or shows it again. */
    static final String HIDDEN = """
            hidden => {
              Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
              document.dispatchEvent(new Event('visibilitychange'));
            }""";

    /** Inserts markup into the page, as no text may; ends when the browser has tried to load the picture. */
    static final String INJECTED = """
            () => new Promise(done => {
              const box = document.createElement('div');
              document.body.append(box);
              box.innerHTML = '<img src=x onerror="window.hacked=1">';
              const code = document.createElement('script');
              code.textContent = 'window.hacked=1';
              document.body.append(code);
              box.firstChild.addEventListener('error', () => setTimeout(done, 0));
            })""";

    /** The contrast by WCAG 2 of each text against its background. */
    static final String LOWEST_CONTRAST = """
            () => {
              const parse = text => text.match(/[\\d.]+/g).map(Number);
              const light = colour => {
                const [r, g, b] = colour.map(part => part / 255).map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const filled = at => {
                const colour = parse(getComputedStyle(at).backgroundColor);
                return colour.length === 3 || colour[3] > 0 ? colour.slice(0, 3) : null;
              };
              const mix = (over, under, share) => over.map((part, at) => part * share + under[at] * (1 - share));
              const under = at => !at ? [255, 255, 255] : filled(at) || under(at.parentElement);
              // A text and its background, as far as what is around them is opaque.
              const seen = (node, ink) => {
                let paper = null;
                for (let at = node; at; at = at.parentElement) {
                  paper = paper || filled(at);
                  const share = Number(getComputedStyle(at).opacity);
                  if (share < 1) {
                    ink = mix(ink, under(at.parentElement), share);
                    paper = paper && mix(paper, under(at.parentElement), share);
                  }
                }
                return [ink, paper || under(null)];
              };
              let lowest = 99;
              for (const node of document.querySelectorAll('body *')) {
                const own = [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
                if (!own || !node.getClientRects().length || ['SCRIPT', 'STYLE'].includes(node.tagName)) continue;
                const style = getComputedStyle(node);
                const ink = parse(node.namespaceURI.endsWith('svg') ? style.fill : style.color).slice(0, 3);
                const [high, low] = seen(node, ink).map(light).sort((a, b) => b - a);
                lowest = Math.min(lowest, (high + 0.05) / (low + 0.05));
              }
              return lowest;
            }""";

    /** The focused element: a pool's name, a control's value, or an id. */
    static final String FOCUSED = """
            () => {
              const at = document.activeElement;
              const ring = at.type === 'radio' ? at.nextElementSibling : at;
              const seen = getComputedStyle(ring).outlineStyle !== 'none';
              return { name: at.value || at.id || at.textContent, seen };
            }""";

    private PageScripts() {}
}
