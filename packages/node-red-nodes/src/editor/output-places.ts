/**
 * Where the outputs of a node go, as the editor reads it: for each output that exists, its new place, or -1 if it is gone; and
 * the place of each new one.
 * @param before the name of each output on the canvas.
 * @param after the same for the open form.
 */
export function outputPlaces(
  before: readonly string[],
  after: readonly string[],
): Record<string, number> {
  const kept = before.map((name, place) => [place, after.indexOf(name)] as const)
  // To the editor, a number is an output that exists; and it looks for the field of a label by this key.
  const added = after.flatMap((name, place) =>
    before.includes(name) ? [] : [[`new-${place}`, place] as const],
  )
  return Object.fromEntries([...kept, ...added])
}
