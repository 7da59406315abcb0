import { showWithDetail } from '../fields/field-note.ts'
import { RED } from '../red.ts'

let ids = 0

/** An id that no other element of the editor has. */
export function newId(): string {
  ids += 1
  return `parlando-studio-${ids}`
}

export function button(label: string, icon: string, act: () => void): JQuery<HTMLElement> {
  return $('<button type="button" class="red-ui-button"></button>')
    .append($('<i aria-hidden="true"></i>').addClass(`fa ${icon}`), ' ')
    .append($('<span></span>').text(label))
    .on('click', act)
}

/** A button without a visible text. @param label what it does, and with what. */
export function iconButton(label: string, icon: string, act: () => void): JQuery<HTMLElement> {
  const made = $('<button type="button" class="red-ui-button"></button>')
    .append($('<i aria-hidden="true"></i>').addClass(`fa ${icon}`))
    .attr('aria-label', label)
    .on('click', act)
  RED.popover.tooltip(made, label)
  return made
}

/** An input below its label. */
export function field(label: string, input: JQuery<HTMLElement>): JQuery<HTMLElement> {
  const id = input.attr('id') ?? newId()
  return $('<div class="parlando-studio-field"></div>').append(
    $('<label></label>').attr('for', id).text(label),
    input.attr('id', id),
  )
}

export function textInput(): JQuery<HTMLElement> {
  return $('<input type="text">')
}

/** A checkbox before its label. */
export function checkbox(label: string): { element: JQuery<HTMLElement>; isChecked(): boolean } {
  const box = $('<input type="checkbox">')
  const element = $('<label class="parlando-studio-check"></label>')
  element.append(box, $('<span></span>').text(label))
  return { element, isChecked: () => box.is(':checked') }
}

/** A part of the studio that can be closed, with the look of the editor's own. */
export function section(title: string, isOpen: boolean) {
  const body = $('<div class="parlando-studio-body"></div>')
  const element = $('<details class="parlando-studio-section"></details>')
  element.prop('open', isOpen)
  element.append($('<summary class="red-ui-palette-header"></summary>').text(title), body)
  return { element, body }
}

/** A line for what happens, which is also read out. */
export function statusLine() {
  const element = $('<div class="parlando-studio-status" role="status"></div>')
  return {
    element,
    /** @param detail a sentence in English, such as the error of a service. */
    show(words: string, { isProblem = false, detail = '' } = {}): void {
      showWithDetail(element, words, detail).toggleClass('parlando-problem', isProblem)
    },
  }
}

/** `7.4s`, in the language of the editor. */
export function secondsText(seconds: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const unit = { style: 'unit', unit: 'second', unitDisplay: 'narrow' } as const
  return new Intl.NumberFormat(RED.i18n.lang(), { ...unit, ...digits }).format(seconds)
}

/** Tags that are separated by commas. */
export function readTags(input: JQuery<HTMLElement>): string[] {
  const tags = String(input.val()).split(',')
  return tags.map((tag) => tag.trim()).filter(Boolean)
}
