/** An empty line for what a form says below a field. Given the field, it becomes the description of the field. */
export function fieldNote(field?: JQuery<HTMLElement>): JQuery<HTMLElement> {
  const note = $('<div class="parlando-note" role="status"></div>')
  if (!field) return note
  const id = `${field.attr('id')}-note`
  field.attr('aria-describedby', id)
  return note.attr('id', id)
}

/**
 * Shows a sentence in the language of the editor, and after it one that is English in every language, such as the error of a
 * service.
 */
export function showWithDetail(element: JQuery, words: string, detail = ''): JQuery {
  element.text(words)
  if (detail) element.append(' ', $('<small lang="en"></small>').text(detail))
  return element
}

/** Says below a list of lines what they contain, or what is wrong with them. */
export function linesNote(
  field: JQuery<HTMLElement>,
  describe: (lines: string) => { words: string; isProblem: boolean },
): void {
  const note = fieldNote(field).insertAfter(field)
  const show = () => {
    const { words, isProblem } = describe(String(field.val()))
    note.text(words).toggleClass('parlando-problem', isProblem)
  }
  field.on('input', show)
  show()
}
