/** Shows the length of the silence only while that is what ends a turn. */
export function endOfTurnField(): void {
  const field = $('#node-input-endOfTurn')
  const row = $('#node-input-silenceMs').closest('.form-row')
  const show = () => void row.toggle(field.val() === 'silence')
  field.on('change', show)
  show()
}
