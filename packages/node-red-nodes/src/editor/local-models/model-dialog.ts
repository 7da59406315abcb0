import { isSameLanguage, languageOf } from '@parlando/core/text'
import type { LocalModel } from '@parlando/core/wire'
import { languageName } from '../fields/language-names.ts'
import { forgetVoices } from '../fields/voice-choices.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { followInstallation, stopReceiving } from './follow-installation.ts'
import {
  announcementOf,
  changeLocalModel,
  type InstallableModels,
  isInstalling,
  listLocalModels,
  type ModelChange,
} from './local-model-list.ts'
import { ModelItem } from './model-item.ts'

export interface ModelDialogOptions {
  service: ServiceSettings
  /** The kind that the dialog shows first. */
  kind: LocalModel['kind']
  /** Called when a model was installed or removed. */
  onChange(): void
}

let dialogs = 0

/** Opens the dialog with the voices, recognisers and wake words that the service can install. An installation continues without it. */
export function openModelDialog(options: ModelDialogOptions): void {
  new ModelDialog(options).open()
}

class ModelDialog {
  readonly #options: ModelDialogOptions
  readonly #parts: ReturnType<typeof createParts>
  readonly #shown = new Map<string, { model: LocalModel; item: ModelItem }>()

  constructor(options: ModelDialogOptions) {
    this.#options = options
    this.#parts = createParts(options.kind)
  }

  open(): void {
    const { dialog, kinds, languages, close } = this.#parts
    $([kinds.select[0]!, languages.select[0]!]).on('change', () => this.#filter())
    close.on('click', () => dialog[0]!.close())
    // The editor has shortcuts for keys such as Escape, which close the form.
    dialog.on('keydown', (event) => event.stopPropagation())
    dialog.on('close', () => {
      stopReceiving(this.#receive)
      dialog.remove()
    })
    dialog.appendTo(document.body)[0]!.showModal()
    listLocalModels(this.#options.service)
      .then((list) => {
        this.#receive(list)
        if (list.models?.some(isInstalling)) void this.#follow()
      })
      .catch((error: Error) => this.#showStatus(error.message))
  }

  readonly #receive = (list: InstallableModels, result = '') => {
    const { models, problem, needsAddon } = list
    const notOffered = models ? '' : text('models.not-offered')
    this.#parts.hint.text(problem ?? (needsAddon ? text('models.addon') : notOffered))
    const running = models?.find(isInstalling)
    this.#showStatus(running ? announcementOf(running) : result)
    if (this.#shown.size === 0) addLanguages(this.#parts.languages.select, models ?? [])
    for (const model of models ?? []) this.#showModel(model)
    this.#filter()
  }

  #showModel(model: LocalModel): void {
    const known = this.#shown.get(model.name)
    known?.item.update(model)
    const item = known?.item ?? new ModelItem(model, (change) => void this.#change(model, change))
    if (!known) this.#parts.items.append(item.element)
    this.#shown.set(model.name, { model, item })
  }

  #filter(): void {
    const { kinds, languages } = this.#parts
    const language = String(languages.select.val())
    for (const { model, item } of this.#shown.values()) {
      const speaks = !language || model.languages.some((code) => isSameLanguage(code, language))
      item.element.toggle(model.kind === kinds.select.val() && speaks)
    }
  }

  #showStatus(words: string): void {
    const { status } = this.#parts
    // The same text again would be read out again.
    if (status.text() !== words) status.text(words)
  }

  #follow(name?: string): Promise<void> {
    const { service, onChange } = this.#options
    return followInstallation({
      service,
      onChange,
      ...(name && { name }),
      // Another dialog may be open by now.
      ...(this.#parts.dialog[0]!.open && { receive: this.#receive }),
    })
  }

  async #change(model: LocalModel, change: ModelChange): Promise<void> {
    try {
      await changeLocalModel(this.#options.service, change, model)
      if (change === 'remove') {
        forgetVoices()
        this.#options.onChange()
      }
      await this.#follow(change === 'install' ? model.name : undefined)
    } catch (error) {
      this.#shown.get(model.name)?.item.fail((error as Error).message)
    }
  }
}

/** The empty dialog. */
function createParts(kind: LocalModel['kind']) {
  dialogs += 1
  const id = `parlando-models-${dialogs}`
  const kinds = selectField(`${id}-kind`, text('models.kind'), [
    ['voice', text('models.voices')],
    ['recogniser', text('models.recognisers')],
    ['wake-word', text('models.wake-words')],
  ])
  kinds.select.val(kind)
  const languages = selectField(`${id}-language`, text('row.language'), [
    ['', text('all-languages')],
  ])
  const hint = $('<p></p>')
  // What happens now, also for those who listen to the page.
  const status = $('<p role="status"></p>').text(text('models.loading'))
  const items = $('<ul></ul>')
  const close = $('<button type="button" class="red-ui-button"></button>')
  const dialog = $<HTMLDialogElement>('<dialog class="red-ui-editor parlando-models"></dialog>')
  dialog.attr('aria-labelledby', id)
  dialog.append(
    $('<h3></h3>').attr('id', id).text(text('models.title')),
    $('<div class="parlando-model-filters"></div>').append(kinds.field, languages.field),
    hint,
    status,
    items,
    close.text(text('models.close')),
  )
  return { dialog, kinds, languages, hint, status, items, close }
}

function selectField(id: string, label: string, options: readonly [string, string][]) {
  const select = $('<select></select>').attr('id', id)
  select.append(options.map(([value, name]) => $('<option></option>').val(value).text(name)))
  const field = $('<div></div>').append($('<label></label>').attr('for', id).text(label), select)
  return { select, field }
}

function addLanguages(select: JQuery<HTMLElement>, models: readonly LocalModel[]): void {
  const codes = new Set(models.flatMap(({ languages }) => languages.map(languageOf)))
  const named = [...codes].map((code) => ({ code, name: languageName(code) }))
  named.sort((one, other) => one.name.localeCompare(other.name))
  select.append(named.map(({ code, name }) => $('<option></option>').val(code).text(name)))
}
