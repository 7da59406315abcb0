import { createChoiceList } from './choice-list.ts'
import { type Choice, findChoices, groupsOf } from './choices.ts'
import { text } from './texts.ts'

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
export function choiceField({ input, load, groupLabel }: ChoiceFieldOptions): JQuery<HTMLElement> {
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

  let choices: readonly Choice[] = []
  let reason = ''
  let search = ''
  let opening = 0

  const list = createChoiceList({
    input,
    row,
    groupLabel,
    onChoose(value) {
      list.close()
      input.val(value).trigger('change').trigger('focus')
    },
    onNarrow: () => show(),
  })

  const show = () => {
    const found = findChoices(choices, search, list.group())
    const nothing = search ? text('no-match', { search }) : text('empty-list')
    list.show(found, found.length === 0 ? reason || nothing : '')
  }

  const open = async () => {
    opening += 1
    const mine = opening
    row.addClass('parlando-busy')
    let loaded: readonly Choice[] = []
    let problem = ''
    try {
      loaded = await load()
    } catch (error) {
      problem = (error as Error).message
    }
    // It may be the list of a service that is no longer selected.
    if (mine !== opening) return
    choices = loaded
    reason = problem
    row.removeClass('parlando-busy')
    if (!input.is(':focus')) return
    list.setGroups(groupLabel ? groupsOf(choices) : [])
    show()
  }

  const openWithAll = () => {
    search = ''
    void open()
  }

  input.on('input', () => {
    search = String(input.val()).trim()
    if (list.isOpen()) show()
    else void open()
  })
  input.on('keydown', (event) => {
    if (list.isOpen()) list.onKey(event)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      openWithAll()
    }
  })
  // Before the input loses its focus, which closes the list.
  caret.on('mousedown', (event) => event.preventDefault())
  caret.on('click', () => {
    input.trigger('focus')
    if (list.isOpen()) list.close()
    else openWithAll()
  })
  input.on('blur', () => {
    opening += 1
    row.removeClass('parlando-busy')
  })
  return row
}
