import type { LocalModel } from '@parlando/core/wire'
import { languageName } from '../fields/language-names.ts'
import { text } from '../red.ts'
import { catalogueText } from './catalogue-text.ts'
import {
  adviceFor,
  isInstalling,
  type ModelChange,
  progressText,
  sizeText,
} from './local-model-list.ts'

type Stage = 'offered' | 'consent' | 'installing' | 'installed' | 'removal'

const maxNamedLanguages = 6

/** A model in the list of the dialog. */
export class ModelItem {
  readonly element: JQuery<HTMLElement>
  readonly #badge = $('<span class="parlando-badge"></span>').text(text('models.installed'))
  readonly #failure = $('<div class="parlando-problem" role="alert"></div>')
  readonly #actions = $('<div class="parlando-model-actions"></div>')
  readonly #progress = $('<progress></progress>')
  readonly #progressNote = $('<span></span>')
  readonly #onChange: (change: ModelChange) => void
  #model: LocalModel
  #rejection = ''
  #stage: Stage | undefined

  /** @param onChange asks the service for a change of this model. */
  constructor(model: LocalModel, onChange: (change: ModelChange) => void) {
    this.#model = model
    this.#onChange = onChange
    this.#progress.attr('aria-label', model.displayName)
    const head = $('<div></div>').append($('<b></b>').text(model.displayName), ' ', this.#badge)
    this.element = $('<li></li>')
    this.element.append(head, description(model), this.#failure, this.#actions)
    this.update(model)
  }

  /** Shows the current state. The focus stays where it is as long as the same buttons are needed. */
  update(model: LocalModel): void {
    this.#model = model
    this.#badge.toggle(model.isInstalled)
    this.#showFailure()
    if (isInstalling(model)) this.#showProgress()
    // A question to the user remains, as long as it makes sense.
    else if (this.#stage !== (model.isInstalled ? 'removal' : 'consent')) this.#show(stageOf(model))
  }

  /** Shows why the last change was rejected, until the next one. */
  fail(reason: string): void {
    this.#rejection = reason
    this.#showFailure()
  }

  #show(stage: Stage, takesFocus = false): void {
    if (stage === this.#stage) return
    const hadFocus = this.#actions[0]!.contains(document.activeElement)
    this.#stage = stage
    this.#actions.empty().append(this.#contentOf(stage))
    if (hadFocus || takesFocus) this.#actions.find('input, button').first().trigger('focus')
  }

  #contentOf(stage: Stage): JQuery<HTMLElement>[] {
    const goBack = () => this.#show(stageOf(this.#model), true)
    const button = (key: string, act: () => void, values = {}) => this.#button(key, act, values)
    switch (stage) {
      case 'offered':
        if (this.#model.fit === 'unsupported') return []
        return [button('install', () => this.#show('consent', true))]
      case 'consent':
        return consent(this.#model, button, { accept: () => this.#change('install'), back: goBack })
      case 'installing':
        return [this.#progress, this.#progressNote, button('cancel', () => this.#change('cancel'))]
      case 'installed':
        return [button('remove', () => this.#show('removal', true))]
      case 'removal':
        return [button('remove-now', () => this.#change('remove')), button('cancel', goBack)]
    }
  }

  #button(key: string, act: () => void, values: Record<string, string>): JQuery<HTMLElement> {
    return (
      $('<button type="button" class="red-ui-button"></button>')
        .text(text(`models.${key}`, values))
        // Each name says which model it belongs to.
        .attr('aria-label', `${text(`models.${key}`, values)}: ${this.#model.displayName}`)
        .on('click', act)
    )
  }

  #change(change: ModelChange): void {
    this.#rejection = ''
    this.#onChange(change)
  }

  #showProgress(): void {
    const { receivedBytes, totalBytes } = this.#model.installation ?? {}
    this.#show('installing')
    // Without a value, the bar shows that the duration is unknown.
    if (totalBytes) this.#progress.attr({ value: receivedBytes ?? 0, max: totalBytes })
    else this.#progress.removeAttr('value')
    this.#progressNote.text(progressText(this.#model))
  }

  #showFailure(): void {
    const { state, code, message } = this.#model.installation ?? {}
    const isFailed = state === 'failed'
    const words = isFailed ? `${adviceFor(this.#model)} (${message ?? code})` : this.#rejection
    // The same text again would be read out again.
    if (this.#failure.text() !== words) this.#failure.text(words)
  }
}

function stageOf({ isInstalled }: LocalModel): Stage {
  return isInstalled ? 'installed' : 'offered'
}

/** The licence, which must be accepted before the download can begin. */
function consent(
  { licence, downloadBytes, isConfirmed }: LocalModel,
  button: (key: string, act: () => void, values?: object) => JQuery<HTMLElement>,
  { accept, back }: { accept(): void; back(): void },
): JQuery<HTMLElement>[] {
  const download = button('download', accept, { size: sizeText(downloadBytes) })
  download.prop('disabled', true)
  const box = $('<input type="checkbox">').on('change', () => {
    download.prop('disabled', !box.prop('checked'))
  })
  const accepted = text('models.accept', { name: catalogueText(licence.name) })
  const label = $('<label></label>').append(box, ' ', $('<span></span>').text(accepted))
  const notices = [
    catalogueText(licence.notice ?? ''),
    isConfirmed ? '' : text('models.unconfirmed'),
  ].filter(Boolean)
  const notes = notices.map((notice) => $('<p></p>').text(notice))
  return [...notes, label, download, button('cancel', back)]
}

/** What does not change: languages, size, licence, whether it fits. */
function description(model: LocalModel): JQuery<HTMLElement> {
  const { languages, licence, downloadBytes, memoryBytes, fit, summary } = model
  const names =
    languages.length > maxNamedLanguages
      ? text('models.languages', { count: languages.length })
      : languages.map((language) => languageName(language)).join(', ')
  const link = $('<a target="_blank" rel="noopener"></a>').attr('href', licence.url)
  const fitText = text(`models.fit.${fit}`, { memory: sizeText(memoryBytes) })
  return $('<div></div>').append(
    $('<div></div>').text(`${names} · ${sizeText(downloadBytes)} · ${catalogueText(summary)}`),
    $('<div></div>')
      .text(`${text('models.licence')}: `)
      .append(
        link.text(catalogueText(licence.name)),
        $('<span></span>').text(` (${text(`models.commercial.${licence.commercialUse}`)})`),
      ),
    $('<div></div>')
      .addClass(fit === 'good' ? 'parlando-success' : 'parlando-problem')
      .text(fitText),
  )
}
