import { everywhere, roomsOf } from '../../speakers/speaker-name.ts'
import { chosenConfigNode } from '../fields/config-node-field.ts'
import { RED, text } from '../red.ts'
import { listedSpeakers, type SpeakerConfig } from './speaker-configs.ts'

/** A line of the list: a speaker, a room, or all speakers. */
interface Tick {
  /** The value that the node saves. */
  value: string
  label: string
  note?: string
}

interface SpeakerListOptions {
  /** A select that saves several values. */
  field: JQuery<HTMLElement>
  /** The id of the list in the page. */
  id: string
  chosen: readonly string[]
  /** What the list offers, besides what is chosen and no longer exists. */
  offer(): { speakers: readonly SpeakerConfig[]; own: string }
  /** Saves an empty value in front of the others. */
  savesEmptyValue?: boolean
}

/**
 * Turns the field for further speakers of a node that plays into a list with ticks.
 * @param node The node, which offers only speakers that it can use.
 */
export function alsoOnField(node: { z?: string; alsoOn?: readonly string[] }): void {
  const show = speakerList({
    field: $('#node-input-alsoOn'),
    id: 'parlando-also-on',
    chosen: node.alsoOn ?? [],
    offer: () => ({ speakers: listedSpeakers(node.z ?? ''), own: chosenConfigNode('speaker') }),
  })
  if (show) $('#node-input-speaker').on('change', show)
}

/**
 * Turns a field of a speaker for other speakers into a list with ticks.
 *
 * Trap: Node-RED takes an array with one id for a reference to that configuration node, and starts no flow at all if two of them
 * refer to each other. An empty value in front prevents that.
 */
export function otherSpeakersField(
  name: string,
  { id, z = '' }: { id: string; z?: string },
  chosen: readonly string[] = [],
): void {
  speakerList({
    field: $(`#node-config-input-${name}`),
    id: `parlando-${name}`,
    chosen: chosen.filter((value) => value !== ''),
    offer: () => ({ speakers: listedSpeakers(z), own: id }),
    savesEmptyValue: true,
  })
}

/**
 * A list with ticks, which opens below a summary. It is hidden while there is nothing to choose from.
 * @returns a function that shows what is offered now; nothing if the form does not have the field.
 */
function speakerList(options: SpeakerListOptions): (() => void) | undefined {
  const { field, id, offer, savesEmptyValue = false } = options
  if (field.length === 0) return undefined
  const row = field.closest('.form-row')
  const title = row.children('label').attr('id', `${id}-label`)
  const list = $('<ul></ul>')
  const summary = $('<summary></summary>').attr('id', id)
  summary.attr('aria-labelledby', `${title.attr('id')} ${id}`)
  $('<details class="parlando-ticks"></details>').append(summary, list).insertAfter(field.hide())

  let { chosen } = options
  const save = (ticks: readonly Tick[]) => {
    const saved = savesEmptyValue && chosen.length > 0 ? ['', ...chosen] : chosen
    const values = saved.map((value) => $('<option></option>').val(value).prop('selected', true))
    field
      .empty()
      .append(...values)
      .trigger('change')
    const labels = ticks.filter(({ value }) => chosen.includes(value)).map(({ label }) => label)
    summary.text(labels.join(', ') || text('also-on.none'))
  }
  const show = () => {
    const ticks = ticksFor(offer(), chosen)
    row.toggle(ticks.length > 0)
    list.empty().append(
      ...ticks.map((tick) =>
        lineOf(tick, chosen.includes(tick.value), (isTicked) => {
          const others = chosen.filter((value) => value !== tick.value)
          chosen = isTicked ? [...others, tick.value] : others
          save(ticks)
        }),
      ),
    )
    save(ticks)
  }
  show()
  return show
}

/** What a node can choose besides its own speaker, and what it has chosen that no longer exists. */
function ticksFor(
  { speakers: all, own }: ReturnType<SpeakerListOptions['offer']>,
  chosen: readonly string[],
): Tick[] {
  const others = all.filter(({ id }) => id !== own)
  const rooms = roomsOf(all)
  const ticks: Tick[] = [
    ...rooms.map((room) => ({ value: room, label: room, note: text('also-on.room') })),
    ...others.map((speaker) => ({ value: speaker.id, label: labelOf(speaker) })),
  ]
  if (others.length > 0) ticks.unshift({ value: everywhere, label: text('also-on.everywhere') })
  const known = new Set(
    [...ticks, ...all.map(({ id }) => ({ value: id }))].map(({ value }) => value),
  )
  const missing = chosen.filter((value) => !known.has(value))
  return [
    ...ticks,
    ...missing.map((value) => ({ value, label: value, note: text('also-on.missing') })),
  ]
}

function labelOf({ name, kind }: SpeakerConfig): string {
  return name || RED._(`@parlando/node-red/parlando-speaker:speaker.kind.${kind}`)
}

function lineOf(
  { label, note }: Tick,
  isTicked: boolean,
  onTick: (isTicked: boolean) => void,
): JQuery {
  const box = $('<input type="checkbox">').prop('checked', isTicked)
  box.on('change', () => onTick(box.prop('checked')))
  const words = $('<label></label>').append(box, ' ', document.createTextNode(label))
  if (note) words.append(' ', $('<small></small>').text(note))
  return $('<li></li>').append(words)
}
