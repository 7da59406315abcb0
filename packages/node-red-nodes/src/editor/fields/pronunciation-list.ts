import type { Pronunciation } from '@parlando/core/text'
import { isPhonetic, pronunciationLimits } from '../../runtime/speech/pronunciation-list.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { fieldNote } from './field-note.ts'
import { listenButton } from './listen-button.ts'

export interface PronunciationListOptions {
  /** An empty list of the form. */
  list: JQuery<HTMLElement>
  entries: readonly Pronunciation[]
  service(): ServiceSettings
  /** Whether its voices read phonetic writing. */
  readsPhonetic(): boolean
  /** The voice of the form; empty: the default voice. */
  voiceId(): string
}

/**
 * Shows the list of words, each with how it is said and a button that says it.
 * @returns a function that reads the list, without rows that are empty.
 */
export function pronunciationList(options: PronunciationListOptions): () => Pronunciation[] {
  const { list, entries, readsPhonetic } = options
  const note = fieldNote().insertAfter(list)
  const valuesIn = (row: JQuery<HTMLElement>): Pronunciation => {
    const [word = '', sayAs = ''] = row
      .find('input')
      .get()
      .map((input) => String($(input).val()).trim())
    return { word, sayAs }
  }
  const read = () =>
    list
      .editableList('items')
      .get()
      // A row that was removed fades out.
      .filter((item) => $(item).closest('.red-ui-editableList-item-deleting').length === 0)
      .map((item) => valuesIn($(item)))
      .filter(({ word, sayAs }) => word !== '' || sayAs !== '')
  const check = () => {
    note.text(pronunciationProblem(read(), readsPhonetic()) ?? '').addClass('parlando-problem')
  }
  list.addClass('parlando-pronunciations').editableList<Partial<Pronunciation>>({
    addButton: text('pronunciation.add'),
    height: 'auto',
    removable: true,
    addItem(row, index, { word = '', sayAs = '' }) {
      const { maxWordCharacters, maxSayAsCharacters } = pronunciationLimits
      const written = field('word', word, maxWordCharacters)
      const said = field('say-as', sayAs, maxSayAsCharacters)
      const listen = listenButton({
        ...options,
        modelId: () => options.service().model,
        text: () => Object.values(valuesIn(row)).findLast((value) => value !== ''),
        onProblem: (problem) => (problem ? note.text(problem) : check()),
      })
      row.append(written, said, listen)
      row
        .closest('li')
        .find('.red-ui-editableList-item-remove')
        .attr({
          role: 'button',
          'aria-label': text('pronunciation.remove'),
        })
      // An empty word is that of an entry that the button of the list adds.
      if (word === '' && index >= entries.length) window.setTimeout(() => written.trigger('focus'))
    },
    removeItem: check,
  })
  list.editableList('addItems', [...entries])
  list.on('input', check)
  check()
  return read
}

/** @returns the first thing that is wrong with a list. */
export function pronunciationProblem(
  entries: readonly Pronunciation[],
  readsPhonetic: boolean,
): string | undefined {
  const { maxEntries } = pronunciationLimits
  if (entries.length > maxEntries) return text('pronunciation.too-many', { max: maxEntries })
  const incomplete = entries.find(({ word, sayAs }) => word === '' || sayAs === '')
  if (incomplete) {
    const { word, sayAs } = incomplete
    return text('pronunciation.incomplete', { word: word || sayAs })
  }
  const phonetic = readsPhonetic ? undefined : entries.find(({ sayAs }) => isPhonetic(sayAs))
  return phonetic && text('pronunciation.phonetic', { word: phonetic.word })
}

function field(name: 'word' | 'say-as', value: string, maxlength: number): JQuery<HTMLElement> {
  return $('<input type="text">')
    .val(value)
    .attr({
      maxlength,
      placeholder: text(`pronunciation.${name}`),
      'aria-label': text(`pronunciation.${name}`),
    })
}
