import { speakableText } from '@parlando/core/text'
import { text } from './texts.ts'

/** Shows a cleaned sample text while cleaning is selected. All parameters are selectors. */
export function cleaningPreview(form: {
  checkbox: string
  row: string
  sample: string
  spoken: string
}): void {
  const checkbox = $(form.checkbox)
  const sample = $(form.sample)
  const show = () => {
    $(form.row).toggle(checkbox.is(':checked'))
    const spoken = speakableText(String(sample.val()))
    $(form.spoken).text(spoken ? text('spoken', { text: spoken }) : text('nothing-spoken'))
  }
  checkbox.on('change', show)
  sample.on('input', show)
  show()
}
