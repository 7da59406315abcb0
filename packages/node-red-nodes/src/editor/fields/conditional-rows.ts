/** Shows the rows of the kind that is chosen: those with its name in the list `data-kind`, and not those with it in `data-not-kind`. */
export function rowsOfKind(select: string): void {
  const field = $(select)
  const rows = field.closest('form').find('[data-kind], [data-not-kind]')
  const show = () => {
    const kind = String(field.val())
    rows.each((_index, row) => {
      const { kind: own, notKind = '' } = row.dataset
      const isOwn = own === undefined || own.split(' ').includes(kind)
      $(row).toggle(isOwn && !notKind.split(' ').includes(kind))
    })
  }
  field.on('change', show)
  show()
}

/** Shows the length of the silence only while that is what ends a turn. */
export function endOfTurnField(): void {
  const field = $('#node-input-endOfTurn')
  const row = $('#node-input-silenceMs').closest('.form-row')
  const show = () => void row.toggle(field.val() === 'silence')
  field.on('change', show)
  show()
}
