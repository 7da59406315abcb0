import type { PlayerAddress } from '../sounds/player-address.ts'
import { fieldNote } from './field-note.ts'
import { RED } from './red.ts'

/** Shows below a field for the address of Node-RED what players will see, and why they may not be able to fetch it. */
export function playerAddressNote(input: string): void {
  const field = $(input)
  const note = fieldNote().insertAfter(field)
  const show = async () => {
    const typed = String(field.val() ?? '').trim()
    const { baseUrl, warning }: PlayerAddress = await $.getJSON('parlando/player-address', {
      typed,
    })
    const texts = [
      baseUrl,
      warning && RED._(`@parlando/node-red/parlando-address:address.warning.${warning}`),
    ]
    // Not as a problem of the form: the user may not have done anything yet.
    note.text(texts.filter(Boolean).join(' – '))
  }
  const showOrHide = () => void show().catch(() => note.text(''))
  field.on('change', showOrHide)
  showOrHide()
}
