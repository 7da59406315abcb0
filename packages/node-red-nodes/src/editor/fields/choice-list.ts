import { RED, text } from '../red.ts'
import type { Choice } from './choices.ts'

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

let lists = 0

/** The list of a field, in a Node-RED panel. */
export class ChoiceList {
  readonly #options: ChoiceListOptions
  readonly #id: string
  readonly #box = $('<div class="parlando-choices"></div>')
  readonly #groups: JQuery<HTMLElement>
  readonly #items: JQuery<HTMLElement>
  readonly #note = $('<p role="status"></p>')
  #panel: ReturnType<typeof RED.popover.panel> | undefined
  #shown: readonly Choice[] = []
  #active = -1

  constructor(options: ChoiceListOptions) {
    const { input, groupLabel = '' } = options
    lists += 1
    this.#options = options
    this.#id = `parlando-choices-${lists}`
    this.#groups = $('<select></select>').attr('aria-label', groupLabel)
    this.#items = $('<ul role="listbox"></ul>')
    this.#items.attr({ id: this.#id, 'aria-label': labelOf(input) })
    this.#box.append(this.#groups.hide(), this.#items, this.#note)
    input.attr('aria-controls', this.#id)
    this.#listen()
  }

  get isOpen(): boolean {
    return this.#panel !== undefined
  }

  /** The selected group; empty: all. */
  get group(): string {
    return String(this.#groups.val() ?? '')
  }

  /** Opens the list if it is closed. Without choices it shows the message. */
  show(choices: readonly Choice[], message: string): void {
    this.#shown = choices
    const current = String(this.#options.input.val())
    const items = choices.map((choice, index) => toItem(choice, `${this.#id}-${index}`, current))
    this.#items.empty().append(items)
    this.#items.toggle(choices.length > 0)
    this.#note.text(message).toggle(message !== '')
    this.#open()
    this.#setActive(choices.findIndex(({ value }) => value === current))
  }

  close(): void {
    const panel = this.#panel
    if (!panel) return
    // Detach the content first, because the panel would remove it with its handlers.
    this.#box.detach()
    panel.hide()
    this.#panel = undefined
    this.#options.input.attr('aria-expanded', 'false').removeAttr('aria-activedescendant')
  }

  setGroups(names: readonly string[]): void {
    const chosen = this.group
    const all = $('<option value=""></option>').text(text('all-languages'))
    const options = names.map((name) => $('<option></option>').val(name).text(name))
    this.#groups.empty().append(all, ...options)
    this.#groups.val(names.includes(chosen) ? chosen : '').toggle(names.length > 1)
  }

  onKey(event: JQuery.KeyDownEvent): void {
    const goesToGroups = event.key === 'Tab' && !event.shiftKey && this.#groups.is(':visible')
    const act = goesToGroups ? () => this.#groups.trigger('focus') : this.#keys[event.key]
    if (!act) return
    act()
    event.preventDefault()
    event.stopPropagation()
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#setActive(Math.min(this.#active + 1, this.#shown.length - 1)),
    ArrowUp: () => this.#setActive(Math.max(this.#active - 1, 0)),
    Enter: () => {
      const choice = this.#shown[this.#active]
      if (choice) this.#options.onChoose(choice.value)
      else this.close()
    },
    Escape: () => this.close(),
  }

  #listen(): void {
    const { input, onChoose, onNarrow } = this.#options
    const leave = (event: JQuery.BlurEvent | JQuery.FocusOutEvent) => {
      const next = event.relatedTarget as Node | null
      if (next !== input[0] && !(next && this.#box[0]!.contains(next))) this.close()
    }
    input.on('blur', leave)
    input.on('remove', () => this.close())
    this.#groups.on('blur', leave)
    this.#groups.on('change', onNarrow)
    this.#groups.on('keydown', (event) => {
      if (event.key !== 'Escape' && event.key !== 'Tab') return
      event.preventDefault()
      event.stopPropagation()
      input.trigger('focus')
    })
    this.#items.on('mousedown', (event) => event.preventDefault())
    // Already when the button goes down: a list that is loaded before it goes up replaces the option, and no click follows.
    this.#items.on('mousedown click', '[role=option]', (event) => {
      if (event.button === 0) onChoose(this.#shown[$(event.currentTarget).index()]!.value)
    })
  }

  #open(): void {
    if (this.#panel) return
    const { input, row } = this.#options
    this.#box.css('width', `${Math.max(row.outerWidth() ?? 0, 260)}px`)
    const onclose = () => {
      this.#box.detach()
      this.close()
    }
    this.#panel = RED.popover.panel(this.#box)
    this.#panel.show({ target: row, onclose })
    input.attr('aria-expanded', 'true')
  }

  #setActive(index: number): void {
    const { input } = this.#options
    this.#active = index
    const all = this.#items.children().attr('aria-selected', 'false')
    // A negative index would count from the end.
    const item = index < 0 ? undefined : all.get(index)
    item?.setAttribute('aria-selected', 'true')
    item?.scrollIntoView({ block: 'nearest' })
    if (item) input.attr('aria-activedescendant', item.id)
    else input.removeAttr('aria-activedescendant')
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
