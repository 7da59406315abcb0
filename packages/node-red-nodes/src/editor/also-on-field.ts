import { everywhere, roomsOf } from '../shared/speaker-name.ts'
import { chosenConfigNode } from './config-node-field.ts'
import { RED, text } from './red.ts'
import { listedSpeakers, type SpeakerConfig } from './speaker-configs.ts'

/** A line of the list: a speaker, a room, or all speakers. */
interface Tick {
  /** As the node saves it. */
  value: string
  label: string
  note?: string
}

/**
 * Turns the field for further speakers into a list with ticks, which opens below a summary. It is hidden while there is nothing to
 * choose from.
 * @param node The node, which offers only speakers that it can use.
 */
export function alsoOnField(node: { z?: string; alsoOn?: readonly string[] }): void {
  const field = $('#node-input-alsoOn')
  if (field.length === 0) return
  const row = field.closest('.form-row')
  const title = row.children('label').attr('id', 'parlando-also-on-label')
  const list = $('<ul></ul>')
  const summary = $('<summary id="parlando-also-on"></summary>')
  summary.attr('aria-labelledby', `${title.attr('id')} parlando-also-on`)
  $('<details class="parlando-ticks"></details>').append(summary, list).insertAfter(field.hide())

  let chosen: readonly string[] = node.alsoOn ?? []
  const save = (ticks: readonly Tick[]) => {
    const options = chosen.map((value) => $('<option></option>').val(value).prop('selected', true))
    field
      .empty()
      .append(...options)
      .trigger('change')
    const labels = ticks.filter(({ value }) => chosen.includes(value)).map(({ label }) => label)
    summary.text(labels.join(', ') || text('also-on.none'))
  }
  const show = () => {
    const ticks = ticksFor(node.z ?? '', chosen)
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
  $('#node-input-speaker').on('change', show)
  show()
}

/** What a node can choose besides its own speaker, and what it has chosen that no longer exists. */
function ticksFor(tab: string, chosen: readonly string[]): Tick[] {
  const all = listedSpeakers(tab)
  const others = all.filter(({ id }) => id !== chosenConfigNode('speaker'))
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
