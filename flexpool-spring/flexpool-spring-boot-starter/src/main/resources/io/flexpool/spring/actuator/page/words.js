/*
 * Elements, numbers and times in words. Texts of the application are set as text, never as markup.
 */
const FlexPoolWords = (() => {
  const UNKNOWN = '–';

  const $ = id => document.getElementById(id);

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) {
      made.className = className;
    }
    // Strings become text nodes.
    made.append(...children);
    return made;
  }

  function write(node, text) {
    if (node.textContent !== text) {
      node.textContent = text;
    }
  }

  /** Replaces an element's children only if their content has changed, so that selection survives; the focus survives that too. */
  function renew(node, said, children) {
    if (node.dataset.said !== said) {
      node.dataset.said = said;
      const focused = node.contains(document.activeElement) ? document.activeElement.textContent : null;
      node.replaceChildren(...children());
      const same = [...node.querySelectorAll('a, button')].find(one => one.textContent === focused);
      if (same) {
        same.focus({ preventScroll: true });
      }
    }
  }

  const number = value => (value === undefined || value === null ? UNKNOWN : Number(value).toLocaleString('en-US'));

  function digits(value) {
    return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
  }

  /** Keeps a figure and its unit on one line. */
  const duration = millis => inWords(millis).replaceAll(' ', '\u00a0');

  function inWords(millis) {
    if (millis === undefined || millis === null) {
      return UNKNOWN;
    }
    if (millis === 0) {
      return '0';
    }
    if (millis < 0.9995) {
      return digits(millis * 1000).replace(/\.\d+$/, '') + ' µs';
    }
    if (millis < 999.5) {
      return digits(millis) + ' ms';
    }
    if (millis < 59995) {
      return digits(millis / 1000) + ' s';
    }
    const seconds = Math.round(millis / 1000);
    return seconds < 3600
      ? Math.floor(seconds / 60) + ' min ' + (seconds % 60) + ' s'
      : Math.floor(seconds / 3600) + ' h ' + Math.floor((seconds % 3600) / 60) + ' min';
  }

  const rate = perSecond => (perSecond === undefined ? UNKNOWN : perSecond === 0 ? '0' : digits(perSecond));
  /** The recent span in words: just after the start it is shorter than a minute. */
  const lastSpan = seconds => (seconds < 50 ? 'last ' + Math.round(seconds) + ' s' : 'last minute');
  const plural = (count, one, many) => number(count) + ' ' + (count === 1 ? one : many);
  const upper = text => text.charAt(0).toUpperCase() + text.slice(1);

  return { UNKNOWN, $, element, write, renew, number, digits, duration, rate, lastSpan, plural, upper };
})();
