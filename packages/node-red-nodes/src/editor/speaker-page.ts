import { pageName } from '../speakers/page/page-name.ts'
import type { PlayerAddress } from './player-address.ts'
import { RED } from './red.ts'

/** Shows in a speaker's form the address of its page as a link, and why other devices may not be able to open it. */
export function speakerPage(): void {
  const name = $('#node-config-input-name')
  const link = $('#parlando-speaker-page')
  const problem = $('#parlando-speaker-page-problem')
  const show = async () => {
    const { baseUrl, warning = '' }: PlayerAddress = await $.getJSON('parlando/player-address')
    const showLink = () => {
      const page = pageName(String(name.val()) || 'speaker')
      const address = `${baseUrl}/parlando/speaker/`
      // People type the text on the tablet.
      link.attr('href', address + encodeURIComponent(page)).text(address + page)
    }
    name.on('input', showLink)
    showLink()
    if (!['loopback', 'container'].includes(warning)) return
    problem.text(RED._(`@parlando/node-red/parlando-address:address.warning.${warning}`))
  }
  show().catch(() => link.text(''))
}
