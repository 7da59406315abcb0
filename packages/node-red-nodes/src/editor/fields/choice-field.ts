import { text } from '../red.ts'
import { ChoiceList } from './choice-list.ts'
import { type Choice, findChoices, groupsOf } from './choices.ts'

export interface ChoiceFieldOptions {
  input: JQuery<HTMLElement>
  /** Called each time the list opens. Rejects with the reason if there is no list. */
  load(): Promise<readonly Choice[]> | readonly Choice[]
  /** The label of the group filter. Default: no filter. */
  groupLabel?: string
}

/**
 * Turns an input into a combo box that also accepts free text: typing filters the list, the arrow keys move, Enter selects,
 * Escape closes.
 * @returns the row of the field, for further buttons.
 */
export function choiceField(options: ChoiceFieldOptions): JQuery<HTMLElement> {
  const { input } = options
  const row = $('<div class="parlando-choice"></div>').insertBefore(input)
  const caret = $('<button type="button" class="red-ui-button" tabindex="-1"></button>')
    .attr('aria-label', text('show-list'))
    .append('<i class="fa fa-caret-down" aria-hidden="true"></i>')
  row.append(input, caret)
  input.attr({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const list = new SearchedList(options, row)
  input.on('input', () => list.search(String(input.val()).trim()))
  input.on('keydown', (event) => list.onKey(event))
  input.on('blur', () => list.stopLoading())
  // The input keeps its focus, whose loss would close the list.
  caret.on('mousedown', (event) => event.preventDefault())
  caret.on('click', () => {
    input.trigger('focus')
    list.toggle()
  })
  return row
}

/** The list of a field, which loads when it opens, with the choices that contain what the user types. */
class SearchedList {
  readonly #options: ChoiceFieldOptions
  readonly #row: JQuery<HTMLElement>
  readonly #list: ChoiceList
  #choices: readonly Choice[] = []
  /** Why there are none. */
  #reason = ''
  #search = ''
  #loads = 0

  constructor(options: ChoiceFieldOptions, row: JQuery<HTMLElement>) {
    const { input, groupLabel } = options
    this.#options = options
    this.#row = row
    this.#list = new ChoiceList({
      input,
      row,
      groupLabel,
      onChoose: (value) => {
        this.#list.close()
        input.val(value).trigger('change').trigger('focus')
      },
      onNarrow: () => this.#show(),
    })
  }

  search(words: string): void {
    this.#search = words
    if (this.#list.isOpen) this.#show()
    else void this.#open()
  }

  toggle(): void {
    if (this.#list.isOpen) this.#list.close()
    else this.search('')
  }

  onKey(event: JQuery.KeyDownEvent): void {
    if (this.#list.isOpen) this.#list.onKey(event)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      this.search('')
    }
  }

  stopLoading(): void {
    this.#loads += 1
    this.#row.removeClass('parlando-busy')
  }

  async #open(): Promise<void> {
    const { input, load, groupLabel } = this.#options
    this.#loads += 1
    const mine = this.#loads
    this.#row.addClass('parlando-busy')
    let reason = ''
    let choices: readonly Choice[] = []
    try {
      choices = await load()
    } catch (error) {
      reason = (error as Error).message
    }
    // It may be the list of a service that is no longer selected.
    if (mine !== this.#loads) return
    this.#choices = choices
    this.#reason = reason
    this.#row.removeClass('parlando-busy')
    if (!input.is(':focus')) return
    this.#list.setGroups(groupLabel ? groupsOf(choices) : [])
    this.#show()
  }

  #show(): void {
    const found = findChoices(this.#choices, this.#search, this.#list.group)
    const search = this.#search
    const nothing = search ? text('no-match', { search }) : text('empty-list')
    this.#list.show(found, found.length === 0 ? this.#reason || nothing : '')
  }
}
