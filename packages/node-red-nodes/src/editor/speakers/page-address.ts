import { isLoopback } from '@parlando/core/address'
import { pageName } from '../../page-server/page-name.ts'
import type { PlayerAddress } from '../../sounds/to-play/player-address.ts'
import { fieldNote } from '../fields/field-note.ts'
import { RED } from '../red.ts'

/** Shows in a speaker's form the address of its page, and why other devices may not be able to open it. */
export function speakerPage(id: string): void {
  const kind = $('#node-config-input-kind')
  const name = $('#node-config-input-name')
  const nameNew = () => {
    if (kind.val() === 'page' && !name.val()) name.val(freeName(id, 'speaker')).trigger('input')
  }
  kind.on('change', nameNew)
  showAddress('speaker', 'node-config-input', ({ warning = '' }) => {
    if (!['loopback', 'container'].includes(warning)) return
    const text = RED._(`@parlando/node-red/parlando-speaker:speaker.note.page-${warning}`)
    // The warning is not a problem of the form, which has no field for the address.
    $('#parlando-speaker-page-note').text(text)
  })
}

/** Shows in the form of a microphone the address of its page, and what else it needs. */
export function microphonePage(): void {
  showAddress('microphone', 'node-input', ({ baseUrl, warning }) => {
    if (baseUrl.startsWith('https:')) return
    const key = warning === 'loopback' ? 'loopback' : 'https'
    const text = RED._(`@parlando/node-red/parlando-microphone:microphone.note.${key}`)
    // Not as a problem of the form: the user may not have done anything yet.
    $('#parlando-microphone-page-note').text(text)
  })
}

/**
 * Shows the address of a page as a link, with the name that is in the form.
 * @param prefix How the ids of the fields begin.
 * @param explain Shows what users need to know about the address.
 */
function showAddress(
  kind: 'speaker' | 'microphone',
  prefix: string,
  explain: (address: PlayerAddress) => void,
): void {
  const name = $(`#${prefix}-name`)
  const link = $(`#parlando-${kind}-page`)
  const show = async () => {
    const server: PlayerAddress = await $.getJSON('parlando/player-address')
    const showLink = () => {
      const page = pageName(String(name.val()) || kind)
      const address = `${server.baseUrl}/parlando/${kind}/`
      // People type the text on the tablet.
      link.attr('href', address + encodeURIComponent(page)).text(address + page)
    }
    name.on('input', showLink)
    showLink()
    explain(server)
  }
  show().catch(() => link.text(''))
}

interface PageNode {
  id: string
  type: string
  name?: string
  kind?: string
}

/** Names a node that is dropped, if another one without a name has its page already. */
export function nameNewPage(node: PageNode, kind: 'microphone' | 'speaker'): void {
  // Nodes that are pasted or imported exist already.
  if (!node.name && !RED.nodes.node(node.id)) node.name = freeName(node.id, kind)
}

/** @returns an empty text if the page that has the name of its kind is free. */
function freeName(id: string, kind: 'microphone' | 'speaker'): string {
  const taken = new Set<string>()
  const add = (each: unknown) => {
    const other = each as PageNode
    if (other.type !== `parlando-${kind}` || other.id === id || other.kind !== 'page') return true
    taken.add(pageName(other.name || kind))
    return true
  }
  RED.nodes.eachNode(add)
  RED.nodes.eachConfig(add)
  let number = 1
  const name = () => (number === 1 ? kind : `${kind} ${number}`)
  while (taken.has(pageName(name()))) number += 1
  return number === 1 ? '' : name()
}

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
    const reached = warning === 'container' || warning === 'loopback' ? editorAddress() : undefined
    if (reached) note.append(' ', useAddress(field, reached))
  }
  const showOrHide = () => void show().catch(() => note.text(''))
  field.on('change', showOrHide)
  showOrHide()
}

/** Where this browser has reached Node-RED, with the port that a container publishes; nothing if a player could not fetch there. */
function editorAddress(): string | undefined {
  const { protocol, hostname, origin } = location
  return protocol === 'http:' && !isLoopback(hostname) ? origin : undefined
}

/** A button that enters an address in a field. */
function useAddress(field: JQuery<HTMLElement>, address: string): JQuery {
  const words = RED._('@parlando/node-red/parlando-address:address.label.use', { address })
  const button = $('<button type="button" class="red-ui-button red-ui-button-small"></button>')
  return button.text(words).on('click', () => void field.val(address).trigger('change'))
}
