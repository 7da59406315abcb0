const exportSection = 7
// Its name with its length, its kind (a table) and its index.
const entry = Buffer.from([5, ...Buffer.from('table'), 1, 0])

/**
 * Adds the table of functions to the exports of a module, as the option `--export-table` of its linker does.
 * @param section a section of the module whose export section is shorter than 100 bytes.
 * @returns the section; if it does not contain the exports, unchanged.
 */
export function exportTable(section: Buffer): Buffer {
  if (section[0] !== exportSection) return section
  const [sizeBytes, count] = [section[1]!, section[2]!]
  const start = Buffer.from([exportSection, sizeBytes + entry.length, count + 1])
  return Buffer.concat([start, section.subarray(start.length), entry])
}
