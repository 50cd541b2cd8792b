// Where the pages of a graph stand. Pages that only lead to the page are on its left, those that it leads to on its right, the
// farther the farther out. The same graph is always drawn the same, and labels never lie on each other.

const ROW = 27;
const MARGIN = 18;
/** Between columns: less is unreadable, more is empty. */
const NARROW = 135;
const WIDE = 250;
/** A step, where there is one column only. */
const INDENT = 26;

/** On which side of the page each node lies: `Map(id -> -1, 0 or 1)`. */
function sidesOf({ nodes, edges }) {
  const [centre] = nodes;
  const near = new Map(nodes.map((node) => [node.id, []]));
  const leads = new Set();
  for (const { from, to } of edges) {
    leads.add(`${from}\n${to}`);
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const distance = new Map(nodes.map((node) => [node.id, node.distance]));
  const sides = new Map([[centre.id, 0]]);
  // Nodes come nearest first, so those nearer to the page have their side already.
  for (const { id, distance: steps } of nodes.slice(1)) {
    const nearer = near
      .get(id)
      .find((other) => distance.get(other) === steps - 1);
    sides.set(
      id,
      sides.get(nearer) || (leads.has(`${centre.id}\n${id}`) ? 1 : -1),
    );
  }
  return sides;
}

/** `{ width, height, label, places: Map(id -> { x, y, side, column, row }) }`. `side` is -1, 0 or 1; columns count from the page; `label`
 * is the room for a title. `room` is the width there is; where that is too little for columns they become one, from above to below. */
export function layout(graph, room) {
  const sides = sidesOf(graph);
  const depth = (side) =>
    Math.max(
      0,
      ...graph.nodes
        .filter(({ id }) => sides.get(id) === side)
        .map((node) => node.distance),
    );
  // A side has a column for each step and one for the labels of the last; an empty side has room for half the title of the page.
  const [left, right] = [depth(-1), depth(1)].map((steps) =>
    steps > 0 ? steps + 1 : 0.6,
  );
  if (room < (left + right) * NARROW) return stacked(graph.nodes, sides, room);
  const column = Math.min(WIDE, Math.floor(room / (left + right)));
  const columns = new Map();
  for (const node of graph.nodes) {
    const at = sides.get(node.id) * node.distance;
    columns.set(at, [...(columns.get(at) ?? []), node]);
  }
  const rows = Math.max(
    4,
    ...[...columns.values()].map((those) => those.length),
  );
  const height = rows * ROW + 2 * MARGIN;
  const places = new Map();
  for (const [at, those] of columns) {
    those.forEach(({ id }, row) => {
      const y = height / 2 + (row - (those.length - 1) / 2) * ROW;
      places.set(id, {
        x: (left + at) * column,
        y,
        side: Math.sign(at),
        column: at,
        row,
      });
    });
  }
  return { width: (left + right) * column, height, label: column - 24, places };
}

/** One below the other: those that lead to the page, the page, those that it leads to. */
function stacked(nodes, sides, room) {
  const rank = ({ id, distance }) => sides.get(id) * distance;
  // Sorting keeps the order of equals.
  const order = [...nodes].sort((one, other) => rank(one) - rank(other));
  const deepest = Math.max(...nodes.map((node) => node.distance));
  const places = new Map(
    order.map(({ id, distance }, row) => [
      id,
      {
        x: INDENT * (1 + distance),
        y: MARGIN + ROW * (row + 0.5),
        side: distance === 0 ? 0 : 1,
        column: 0,
        row,
      },
    ]),
  );
  const label = Math.max(room - INDENT * (2 + deepest), NARROW);
  return {
    width: room,
    height: order.length * ROW + 2 * MARGIN,
    label,
    isStacked: true,
    places,
  };
}

/** The page that an arrow key leads to from `id`, or `undefined`: the next one of the column, or the nearest one of the column beside. */
export function step(places, id, key) {
  const here = places.get(id);
  const isStacked = [...places.values()].every((there) => there.column === 0);
  const [left, right] = isStacked
    ? [
        [0, -1],
        [0, 1],
      ]
    : [
        [-1, 0],
        [1, 0],
      ];
  const [across, down] = {
    ArrowLeft: left,
    ArrowRight: right,
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  }[key] ?? [0, 0];
  if (!here || (across === 0 && down === 0)) return undefined;
  const fits = ([, there]) =>
    across === 0
      ? there.column === here.column && there.row === here.row + down
      : there.column === here.column + across;
  const far = ([, there]) => Math.abs(there.y - here.y);
  return [...places]
    .filter(fits)
    .sort((one, other) => far(one) - far(other))[0]?.[0];
}
