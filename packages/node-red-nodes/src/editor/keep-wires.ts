import { outputPlaces } from './output-places.ts'

/**
 * Gives a node the outputs that its open form asks for. Wires stay at the output to which they belong.
 * @param before the name of each output on the canvas.
 * @param fields the selectors of what decides about the outputs. The first one is in the row of the form that gets the hidden field.
 * @param outputsNow the names of the outputs, as the form says now.
 */
export function keepWires(
  before: readonly string[],
  fields: readonly [string, ...string[]],
  outputsNow: () => readonly string[],
): void {
  // The editor reads the outputs from a field with this name.
  const places = $('<input type="hidden" id="node-input-outputs">').insertAfter(fields[0])
  const update = () => places.val(JSON.stringify(outputPlaces(before, outputsNow())))
  $(fields.join(', ')).on('change input', update)
  update()
}
