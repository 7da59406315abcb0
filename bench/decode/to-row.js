/** One row with a column for the CPU time of each candidate. */
export function toRow(what, cell, sizes) {
  const figures = cell.names.map((name) => [name, Math.round(cell.cpuNsPerKiB(name))])
  return { what, ...sizes, ...Object.fromEntries(figures) }
}
