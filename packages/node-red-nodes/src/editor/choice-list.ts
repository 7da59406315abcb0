import type { Choice } from './choices.ts'
import { RED } from './red.ts'
import { text } from './texts.ts'

interface ChoiceListOptions {
  /** Keeps the focus while the list is open. */
  input: JQuery<HTMLElement>
  /** The list opens below this element. */
  row: JQuery<HTMLElement>
  groupLabel?: string
  onChoose(value: string): void
  /** Called when the user selects another group. */
  onNarrow(): void
}

export interface ChoiceList {
  /** Opens the list if it is closed. Without choices it shows the message. */
  show(choices: readonly Choice[], message: string): void
  close(): void
  isOpen(): boolean
  /** The selected group; empty: all. */
  group(): string
  setGroups(groups: readonly string[]): void
  onKey(event: JQuery.KeyDownEvent): void
}

let lists = 0

/** The list of a field, in a Node-RED panel. */
export function createChoiceList(options: ChoiceListOptions): ChoiceList {
  const { input, row, onChoose, onNarrow } = options
  lists += 1
  const id = `parlando-choices-${lists}`
  const box = $('<div class="parlando-choices"></div>')
  const groups = $('<select></select>').attr('aria-label', options.groupLabel ?? '')
  const items = $('<ul role="listbox"></ul>').attr({ id, 'aria-label': labelOf(input) })
  const note = $('<p role="status"></p>')
  box.append(groups.hide(), items, note)
  input.attr('aria-controls', id)

  let panel: ReturnType<typeof RED.popover.panel> | undefined
  let shown: readonly Choice[] = []
  let active = -1

  const setActive = (index: number) => {
    active = index
    const all = items.children().attr('aria-selected', 'false')
    // A negative index would count from the end.
    const item = index < 0 ? undefined : all.get(index)
    item?.setAttribute('aria-selected', 'true')
    item?.scrollIntoView({ block: 'nearest' })
    if (item) input.attr('aria-activedescendant', item.id)
    else input.removeAttr('aria-activedescendant')
  }

  const close = () => {
    if (!panel) return
    // Detach the content first, because the panel would remove it with its handlers.
    box.detach()
    panel.hide()
    panel = undefined
    input.attr('aria-expanded', 'false').removeAttr('aria-activedescendant')
  }

  const open = () => {
    if (panel) return
    box.css('width', `${Math.max(row.outerWidth() ?? 0, 260)}px`)
    panel = RED.popover.panel(box)
    panel.show({ target: row, onclose: () => box.detach() && close() })
    input.attr('aria-expanded', 'true')
  }

  const leave = (event: JQuery.BlurEvent | JQuery.FocusOutEvent) => {
    const next = event.relatedTarget as Node | null
    if (next !== input[0] && !(next && box[0]!.contains(next))) close()
  }
  input.on('blur', leave)
  input.on('remove', close)
  groups.on('blur', leave)
  groups.on('change', onNarrow)
  groups.on('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    input.trigger('focus')
  })
  items.on('mousedown', (event) => event.preventDefault())
  items.on('click', '[role=option]', (event) => {
    onChoose(shown[$(event.currentTarget).index()]!.value)
  })

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive(Math.min(active + 1, shown.length - 1)),
    ArrowUp: () => setActive(Math.max(active - 1, 0)),
    Enter() {
      const choice = shown[active]
      if (choice) onChoose(choice.value)
      else close()
    },
    Escape: close,
  }

  return {
    show(choices, message) {
      shown = choices
      const current = String(input.val())
      items
        .empty()
        .append(choices.map((choice, index) => toItem(choice, `${id}-${index}`, current)))
      items.toggle(choices.length > 0)
      note.text(message).toggle(message !== '')
      open()
      setActive(choices.findIndex(({ value }) => value === current))
    },
    close,
    isOpen: () => panel !== undefined,
    group: () => String(groups.val() ?? ''),
    setGroups(names) {
      const chosen = groups.val()
      const all = $('<option value=""></option>').text(text('all-languages'))
      groups
        .empty()
        .append(all, ...names.map((name) => $('<option></option>').val(name).text(name)))
      groups.val(names.includes(String(chosen)) ? String(chosen) : '').toggle(names.length > 1)
    },
    onKey(event) {
      const goesToGroups = event.key === 'Tab' && !event.shiftKey && groups.is(':visible')
      const act = goesToGroups ? () => groups.trigger('focus') : keys[event.key]
      if (!act) return
      act()
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

function toItem(choice: Choice, id: string, current: string): JQuery<HTMLElement> {
  const { label, group, badge, note, value } = choice
  const head = $('<div></div>').append($('<b></b>').text(label))
  if (badge) head.append($('<span class="parlando-badge"></span>').text(badge))
  if (group) head.append($('<small></small>').text(group))
  const item = $('<li role="option" aria-selected="false"></li>').attr('id', id).append(head)
  if (note) item.append($('<small></small>').text(note))
  return item.toggleClass('parlando-current', value === current)
}

/** The label of the field in the form. */
function labelOf(input: JQuery<HTMLElement>): string {
  return $(`label[for="${input.attr('id')}"]`)
    .text()
    .trim()
}
