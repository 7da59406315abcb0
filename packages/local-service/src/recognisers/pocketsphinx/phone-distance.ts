/**
 * Compares two sequences of sounds.
 * @returns the number of sounds to insert, remove or replace, divided by the length of the longer sequence: 0 for equal
 * ones, at most 1.
 */
export function phoneDistance(first: readonly string[], second: readonly string[]): number {
  const longer = Math.max(first.length, second.length)
  if (longer === 0) return 0
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (const [row, phone] of first.entries()) {
    const current = [row + 1]
    for (const [column, other] of second.entries()) {
      const replaced = previous[column]! + (phone === other ? 0 : 1)
      current.push(Math.min(replaced, previous[column + 1]! + 1, current[column]! + 1))
    }
    previous = current
  }
  return previous.at(-1)! / longer
}
