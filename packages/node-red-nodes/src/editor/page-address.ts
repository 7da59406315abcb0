import { pageName } from '../shared/page-name.ts'
import type { PlayerAddress } from './player-address.ts'
import { RED } from './red.ts'

/** Shows in a speaker's form the address of its page, and why other devices may not be able to open it. */
export function speakerPage(): void {
  showAddress('speaker', 'node-config-input', (note) => {
    $('#parlando-speaker-page-problem').text(note)
  })
}

/** Shows in the form of a microphone the address of its page, and what else it needs. */
export function microphonePage(): void {
  showAddress('microphone', 'node-input', (note, { protocol, hostname }) => {
    const isSecure = protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname)
    const https = isSecure
      ? ''
      : RED._('@parlando/node-red/parlando-microphone:microphone.note.https')
    // Not as a problem of the form: the user may not have done anything yet.
    $('#parlando-microphone-page-note').text([note, https].filter(Boolean).join(' '))
  })
}

/**
 * Shows the address of a page as a link, with the name that is in the form.
 * @param prefix How the ids of the fields begin.
 * @param explain Shows why other devices may not be able to open the address; empty if nothing is known.
 */
function showAddress(
  kind: 'speaker' | 'microphone',
  prefix: string,
  explain: (note: string, address: URL) => void,
): void {
  const name = $(`#${prefix}-name`)
  const link = $(`#parlando-${kind}-page`)
  const show = async () => {
    const { baseUrl, warning = '' }: PlayerAddress = await $.getJSON('parlando/player-address')
    const showLink = () => {
      const page = pageName(String(name.val()) || kind)
      const address = `${baseUrl}/parlando/${kind}/`
      // People type the text on the tablet.
      link.attr('href', address + encodeURIComponent(page)).text(address + page)
    }
    name.on('input', showLink)
    showLink()
    const isKnown = ['loopback', 'container'].includes(warning)
    const note = isKnown
      ? RED._(`@parlando/node-red/parlando-address:address.warning.${warning}`)
      : ''
    explain(note, new URL(baseUrl))
  }
  show().catch(() => link.text(''))
}
