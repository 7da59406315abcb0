/** One row with the CPU time of each candidate in a column of its own. */
export function toRow(what, cell, sizes) {
  const figures = cell.names.map((name) => [name, Math.round(cell.cpuNsPerKiB(name))])
  return { what, ...sizes, ...Object.fromEntries(figures) }
}
