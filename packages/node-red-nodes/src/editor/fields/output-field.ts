import { currentChoice } from '../../runtime/saved-settings.ts'
import { findChunkProblem } from '../../sounds/chunk-problem.ts'
import { type CanvasNode, RED, sharedText, text, type Wire } from '../red.ts'
import { fieldNote } from './field-note.ts'

const outputPort = 0

function wiresOf(node: CanvasNode): Wire[] {
  return RED.nodes.getNodeLinks(node, outputPort)
}

function next(node: CanvasNode): CanvasNode[] {
  if (node.type !== 'link out') return wiresOf(node).map(({ target }) => target)
  return (node.links ?? []).flatMap((id) => (RED.nodes.node(id) as CanvasNode | null) ?? [])
}

/** What goes wrong if this *speak* node sends chunks. */
function chunkProblemOf(speak: CanvasNode) {
  return findChunkProblem(next(speak), next)
}

/** Puts a *join* node into the wires over which chunks would do harm. The user can undo it. */
function insertJoin(speak: CanvasNode): void {
  const harmful = wiresOf(speak).filter(({ target }) => findChunkProblem([target], next))
  const [first] = harmful
  if (!first) return
  const { target } = first
  // Below the wire where there is no room between the nodes.
  const hasRoom = target.x - speak.x > 300
  const x = hasRoom ? (speak.x + target.x) / 2 : speak.x
  const y = hasRoom ? (speak.y + target.y) / 2 : speak.y + 60
  const { node: join, historyEvent } = RED.view.createNode('join', x, y, speak.z)
  const added = [
    { source: speak, sourcePort: 0, target: join },
    ...harmful.map(({ target }) => ({ source: join, sourcePort: 0, target })),
  ]
  RED.nodes.add(join)
  for (const wire of harmful) RED.nodes.removeLink(wire)
  for (const wire of added) RED.nodes.addLink(wire)
  RED.history.push({ ...historyEvent, links: added, removedLinks: harmful })
  RED.nodes.dirty(true)
  RED.view.redraw(true)
}

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
