import { currentChoice } from '../shared/saved-settings.ts'
import { fieldNote } from './field-note.ts'
import { type CanvasNode, RED } from './red.ts'
import { chunkProblemOf, insertJoin } from './speak-wires.ts'
import { sharedText, text } from './texts.ts'

const type = 'parlando-speak'

/**
 * Explains the output of a *speak* node in its form. If the nodes behind it need all the audio in one message, it says so and
 * offers to switch, or to insert a *join* node.
 */
export function speakOutputField(node: { id: string }): void {
  const field = $('#node-input-output')
  const note = fieldNote(field).insertAfter(field)
  const button = (key: string, onClick: () => void) =>
    $('<button type="button" class="red-ui-button red-ui-button-small"></button>')
      .text(text(key))
      .on('click', onClick)

  const show = () => {
    const output = String(field.val())
    const onCanvas = RED.nodes.node(node.id) as CanvasNode | null
    const found = output === 'chunks' && onCanvas ? chunkProblemOf(onCanvas) : undefined
    note.toggleClass('parlando-problem', found !== undefined).empty()
    if (!found) return note.text(text(`output.${output}`))
    return note.append(
      $('<div></div>').text(sharedText(`whole-audio.${found.problem}`)),
      button('output.use-whole', () => field.val('whole').trigger('change')),
      ' ',
      button('output.use-join', () => {
        insertJoin(onCanvas!)
        show()
      }),
    )
  }
  field.on('change', show)
  show()
}

/** Marks each *speak* node whose chunks do harm with a badge, whose tooltip says why. */
export function markSpeakOutputs(): void {
  const problemOf = (node: CanvasNode) =>
    currentChoice(node.output ?? 'chunks') === 'chunks' ? chunkProblemOf(node)?.problem : undefined
  RED.view.annotations.register('parlando-output', {
    type: 'badge',
    class: 'parlando-output-badge',
    filter: (node: CanvasNode) => node.type === type,
    element: createBadge,
    show: (node: CanvasNode) => problemOf(node) !== undefined,
    tooltip: (node: CanvasNode) => {
      const problem = problemOf(node)
      return problem ? sharedText(`whole-audio.${problem}`) : ''
    },
  })
  let isWaiting = false
  const redraw = () => {
    if (isWaiting) return
    isWaiting = true
    queueMicrotask(() => {
      isWaiting = false
      for (const node of RED.nodes.filterNodes({ type }) as unknown as CanvasNode[])
        node.dirty = true
      RED.view.redraw()
    })
  }
  for (const event of ['links:add', 'links:remove', 'nodes:change']) RED.events.on(event, redraw)
}

/** A triangle with an exclamation mark. */
function createBadge(): SVGElement {
  const create = (name: string, attributes: object) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }
  const badge = create('g', {})
  badge.append(
    create('path', { d: 'M 0,10 l 12,0 -6,-10 z' }),
    create('path', { d: 'M 6,3.5 v 3 M 6,8 v 0.8', class: 'parlando-output-mark' }),
  )
  return badge
}
