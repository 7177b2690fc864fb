/*
 * Tables of which the first rows are shown, or all. On a phone each row is a card, whose cells have their column's name.
 */
const FlexPoolTable = (() => {
  const { element, write, renew, number } = FlexPoolWords;
  const FEW = 8;
  /* The tables expanded to all rows. */
  const whole = new Set();

  /** Writes only what has changed, so that a text selection survives. cells: label, text, class. */
  function fillRows(body, lines) {
    while (body.children.length > lines.length) {
      body.lastElementChild.remove();
    }
    lines.forEach((cells, at) => {
      if (!body.children[at] || body.children[at].children.length !== cells.length) {
        const made = element('tr', '', ...cells.map(() => element('td', '', element('span'))));
        body.children[at] ? body.children[at].replaceWith(made) : body.append(made);
      }
      cells.forEach(([label, text, className], column) => {
        const cell = body.children[at].children[column];
        cell.dataset.label = label;
        cell.className = className || '';
        write(cell.firstElementChild, text);
      });
    });
  }

  /** The first rows, or all: a list of fifty would push the rest of the page out of sight. */
  function table(section, rows, cellsOf, note) {
    const shown = whole.has(section.id) ? rows : rows.slice(0, FEW);
    const lines = shown.map(cellsOf);
    const heads = lines.length === 0 ? [] : lines[0];
    const labels = JSON.stringify(heads.map(([label]) => label));
    renew(section.querySelector('thead tr'), labels, () => heads.map(([label, , className]) => {
      const head = element('th', className === 'number' ? 'number' : '', label);
      head.scope = 'col';
      return head;
    }));
    fillRows(section.querySelector('tbody'), lines);
    section.querySelector('.body').hidden = rows.length === 0;
    write(section.querySelector('.note'), note);
    const more = section.querySelector('.more');
    more.hidden = rows.length <= FEW;
    more.setAttribute('aria-expanded', String(whole.has(section.id)));
    write(more, whole.has(section.id) ? 'Show ' + FEW : 'Show all ' + number(rows.length));
  }

  /** Has the button of a table show all rows, and only the first ones again. */
  function expandable(section, show) {
    section.querySelector('.more').addEventListener('click', () => {
      whole.has(section.id) ? whole.delete(section.id) : whole.add(section.id);
      show();
    });
  }

  return { table, expandable };
})();
