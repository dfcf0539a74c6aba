/* Behaviour of the page that haichi report makes: sorts and filters tables, turns their pages, and
 * downloads their data.  Without JavaScript the page shows the first rows of each table.
 *
 * A sheet is {rows, columns: [{name, number, text, row}]}.  `text` has the distinct fields of a
 * column, and `row` has the index in `text` for each row; without `row`, row i has text i. */
(function () {
  'use strict';

  const sheets = new Map(); // parsed on first use, by identifier
  const collator = new Intl.Collator('en', { numeric: true });
  const count = new Intl.NumberFormat('en');

  function load(id) {
    if (!sheets.has(id)) {
      const element = document.getElementById(id);
      const json = element.matches('script') ? element : element.querySelector('script');
      sheets.set(id, JSON.parse(json.textContent));
    }
    return sheets.get(id);
  }

  function textNumber(column, row) {
    return column.row ? column.row[row] : row;
  }

  function textOf(column, row) {
    return column.text[textNumber(column, row)];
  }

  /* --- numbers --- */

  // Formats like %.5g of printf, with which the first rows of the page were written.
  function shorten(text) {
    if (!/[.eE]/.test(text) || !isFinite(text))
      return text;
    const [digits, exponent] = Number(text).toExponential(4).split('e');
    const power = Number(exponent);
    const strip = (s) => (s.includes('.') ? s.replace(/\.?0+$/, '') : s);
    if (power >= -4 && power < 5)
      return strip(Number(text).toFixed(4 - power));
    return strip(digits) + 'e' + (power < 0 ? '-' : '+') + String(Math.abs(power)).padStart(2, '0');
  }

  /* --- order --- */

  // For each distinct text a number with the same order.  NaN is last in both directions.
  function keysOf(column) {
    if (!column.keys) {
      if (column.number) {
        column.keys = column.text.map((t) => (t === '-' ? NaN : Number(t)));
      } else {
        const order = column.text.map((_, i) => i);
        order.sort((a, b) => collator.compare(column.text[a], column.text[b]) || a - b);
        column.keys = [];
        order.forEach((text, i) => { column.keys[text] = column.text[text] === '-' ? NaN : i; });
      }
    }
    return column.keys;
  }

  function sortRows(rows, column, descending) {
    const keys = keysOf(column), sign = descending ? -1 : 1;
    rows.sort((a, b) => {
      const x = keys[textNumber(column, a)], y = keys[textNumber(column, b)];
      if (x === y || (x !== x && y !== y))
        return a - b;
      if (x !== x || y !== y)
        return x !== x ? 1 : -1;
      return x < y ? -sign : sign;
    });
  }

  /* --- filter --- */

  const OPERATORS = {
    '=': (x, y) => x === y,
    '!=': (x, y) => x !== y,
    '<': (x, y) => x < y,
    '<=': (x, y) => x <= y,
    '>': (x, y) => x > y,
    '>=': (x, y) => x >= y,
  };

  // Parses a word of a filter: the column that it applies to (null: all), and the test of a text.
  function parseWord(sheet, word) {
    const parts = /^([^<>=!]+)(<=|>=|!=|=|<|>)(.*)$/.exec(word);
    const column = parts && sheet.columns.find((c) => c.name === parts[1]);
    if (!column) {
      const lower = word.toLowerCase();
      return { column: null, fits: (text) => text.toLowerCase().includes(lower) };
    }
    const operator = OPERATORS[parts[2]], value = parts[3];
    if (column.number)
      return { column, fits: (text) => text !== '-' && operator(Number(text), Number(value)) };
    return { column, fits: (text) => operator(text, value) };
  }

  function fittingRows(sheet, filter) {
    let rows = Array.from({ length: sheet.rows }, (_, i) => i);
    for (const word of filter.split(/\s+/).filter((w) => w !== '')) {
      const asked = parseWord(sheet, word);
      const columns = asked.column ? [asked.column] : sheet.columns;
      const flags = columns.map((c) => c.text.map(asked.fits));
      rows = rows.filter((r) => columns.some((c, i) => flags[i][textNumber(c, r)]));
    }
    return rows;
  }

  /* --- a table --- */

  function cellOf(column, row) {
    const cell = document.createElement('td');
    const text = textOf(column, row);
    cell.textContent = column.number ? shorten(text) : text;
    if (column.number)
      cell.className = 'number';
    if (cell.textContent !== text)
      cell.title = text;
    if (column.name === 'verdict')
      cell.className = text;
    return cell;
  }

  function setUp(section) {
    const heads = Array.from(section.querySelectorAll('thead th'));
    const body = section.querySelector('tbody');
    const status = section.querySelector('.status');
    const caption = section.querySelector('caption');
    const filter = section.querySelector('input');
    const size = section.querySelector('select');
    const title = section.querySelector('h3').textContent;
    const turn = (name) => section.querySelector('[data-page=' + name + ']');
    const view = { rows: null, first: 0, column: -1, descending: false };

    function show() {
      const sheet = load(section.id), step = Number(size.value);
      if (view.rows === null) {
        view.rows = fittingRows(sheet, filter.value);
        if (view.column >= 0)
          sortRows(view.rows, sheet.columns[view.column], view.descending);
      }
      const last = Math.max(0, Math.ceil(view.rows.length / step) - 1) * step;
      view.first = Math.min(Math.max(0, view.first), last);
      const shown = view.rows.slice(view.first, view.first + step);
      const fragment = document.createDocumentFragment();
      for (const row of shown) {
        const line = document.createElement('tr');
        sheet.columns.forEach((c) => line.append(cellOf(c, row)));
        fragment.append(line);
      }
      body.replaceChildren(fragment);
      say(sheet.rows, view.rows.length, shown.length);
      turn('first').disabled = turn('back').disabled = view.first === 0;
      turn('next').disabled = turn('last').disabled = view.first >= last;
    }

    function say(all, fitting, shown) {
      const range = shown === 0 ? 'no rows' : 'rows ' + count.format(view.first + 1) + ' to ' +
        count.format(view.first + shown) + ' of ' + count.format(fitting);
      const text = fitting === all ? range : range + ', filtered from ' + count.format(all);
      status.textContent = text;
      caption.textContent = title + ': ' + text;
    }

    function sortBy(index) {
      view.descending = view.column === index && !view.descending;
      view.column = index;
      view.rows = null;
      view.first = 0;
      heads.forEach((head, i) => {
        if (i === index)
          head.setAttribute('aria-sort', view.descending ? 'descending' : 'ascending');
        else
          head.removeAttribute('aria-sort');
      });
      show();
    }

    heads.forEach((head, i) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      button.addEventListener('click', () => sortBy(i));
      head.replaceChildren(button);
    });
    filter.addEventListener('input', () => {
      view.rows = null;
      view.first = 0;
      show();
    });
    size.value = '25';
    size.addEventListener('change', show);
    const move = { first: () => 0, back: () => view.first - Number(size.value),
      next: () => view.first + Number(size.value), last: () => Infinity };
    for (const name of Object.keys(move))
      turn(name).addEventListener('click', () => {
        view.first = move[name]();
        show();
      });
    section.querySelector('.tools .get').addEventListener('click',
      () => download(section.id, section.dataset.file));
    section.querySelector('.tools').hidden = false;
    const rows = Number(section.dataset.rows);
    section.querySelector('.pager').hidden = rows <= 10;
    say(rows, rows, body.rows.length);
    turn('first').disabled = turn('back').disabled = true;
    turn('next').disabled = turn('last').disabled = rows <= body.rows.length;
  }

  /* --- downloads --- */

  function download(id, file) {
    const sheet = load(id);
    const lines = [sheet.columns.map((c) => c.name).join('\t')];
    for (let row = 0; row < sheet.rows; row++)
      lines.push(sheet.columns.map((c) => textOf(c, row)).join('\t'));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(
      new Blob([lines.join('\n') + '\n'], { type: 'text/tab-separated-values' }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  document.querySelectorAll('section.sheet').forEach(setUp);
  document.querySelectorAll('button[data-sheet]').forEach((button) => {
    button.addEventListener('click', () => download(button.dataset.sheet, button.dataset.file));
    button.parentElement.hidden = false;
  });
})();
