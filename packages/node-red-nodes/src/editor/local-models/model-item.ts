import type { LocalModel } from '@parlando/core/wire'
import { languageName } from '../languages.ts'
import { text } from '../texts.ts'
import { catalogueText } from './catalogue-text.ts'
import {
  adviceFor,
  formatBytes,
  isInstalling,
  type ModelChange,
  progressText,
} from './model-list.ts'

/** A model in the list of the dialog. */
export interface ModelItem {
  element: JQuery<HTMLElement>
  /** Shows the current state. The focus stays where it is as long as the same buttons are needed. */
  update(model: LocalModel): void
  /** Shows why the last change was rejected, until the next one. */
  fail(reason: string): void
}

type Stage = 'offered' | 'consent' | 'installing' | 'installed' | 'removal'

const maxNamedLanguages = 6

/** @param onChange asks the service for a change of this model. */
export function modelItem(first: LocalModel, onChange: (change: ModelChange) => void): ModelItem {
  let model = first
  let rejection = ''
  let stage: Stage | undefined
  const badge = $('<span class="parlando-badge"></span>').text(text('models.installed'))
  const failure = $('<div class="parlando-problem" role="alert"></div>')
  const actions = $('<div class="parlando-model-actions"></div>')
  const progress = $('<progress></progress>').attr('aria-label', model.displayName)
  const progressNote = $('<span></span>')

  const change = (change: ModelChange) => {
    rejection = ''
    onChange(change)
  }
  const showFailure = () => {
    const { state, code, message } = model.installation ?? {}
    const words = state === 'failed' ? `${adviceFor(model)} (${message ?? code})` : rejection
    // The same text again would be read out again.
    if (failure.text() !== words) failure.text(words)
  }

  const button = (key: string, act: () => void, values = {}) =>
    $('<button type="button" class="red-ui-button"></button>')
      .text(text(`models.${key}`, values))
      // Each name says which model it belongs to.
      .attr('aria-label', `${text(`models.${key}`, values)}: ${model.displayName}`)
      .on('click', act)

  const content: Record<Stage, () => JQuery<HTMLElement>[]> = {
    offered: () =>
      model.fit === 'unsupported' ? [] : [button('install', () => show('consent', true))],
    consent: () => consent(model, button, { accept: () => change('install'), back: goBack }),
    installing: () => [progress, progressNote, button('cancel', () => change('cancel'))],
    installed: () => [button('remove', () => show('removal', true))],
    removal: () => [button('remove-now', () => change('remove')), button('cancel', goBack)],
  }
  const show = (next: Stage, takesFocus = false) => {
    if (next === stage) return
    const hadFocus = actions[0]!.contains(document.activeElement)
    stage = next
    actions.empty().append(content[next]())
    if (hadFocus || takesFocus) actions.find('input, button').first().trigger('focus')
  }
  const goBack = () => show(stageOf(model), true)

  const update = (current: LocalModel) => {
    model = current
    badge.toggle(model.isInstalled)
    showFailure()
    if (isInstalling(model)) showProgress()
    // A question to the user remains, as long as it makes sense.
    else if (stage !== (model.isInstalled ? 'removal' : 'consent')) show(stageOf(model))
  }
  const showProgress = () => {
    const { receivedBytes, totalBytes } = model.installation ?? {}
    show('installing')
    // Without a value, the bar shows that the duration is unknown.
    if (totalBytes) progress.attr({ value: receivedBytes ?? 0, max: totalBytes })
    else progress.removeAttr('value')
    progressNote.text(progressText(model))
  }

  const head = $('<div></div>').append($('<b></b>').text(model.displayName), ' ', badge)
  const element = $('<li></li>').append(head, description(model), failure, actions)
  update(model)
  return {
    element,
    update,
    fail(reason) {
      rejection = reason
      showFailure()
    },
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
  const download = button('download', accept, { size: formatBytes(downloadBytes) })
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
  const fitText = text(`models.fit.${fit}`, { memory: formatBytes(memoryBytes) })
  return $('<div></div>').append(
    $('<div></div>').text(`${names} · ${formatBytes(downloadBytes)} · ${catalogueText(summary)}`),
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
