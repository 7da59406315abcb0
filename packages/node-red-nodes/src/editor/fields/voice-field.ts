import type { Voice } from '@parlando/core'
import { modelLink } from '../local-models/model-link.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { choiceField } from './choice-field.ts'
import { fieldNote, showWithDetail } from './field-note.ts'
import { listenButton } from './listen-button.ts'
import {
  defaultVoice,
  listVoiceProblems,
  listVoices,
  voiceChoice,
  voiceChoices,
} from './voice-choices.ts'

export interface VoiceFieldOptions {
  /** Selector of the input. */
  input: string
  service(): ServiceSettings | undefined
  /** Selector of the service input, which determines the list of voices. */
  serviceInput?: string
  /** The model for *Listen*. Default: the service's. */
  modelId?(): string
  /** Selector of the language input, by which the default voice is chosen. Default: the language of Node-RED. */
  languageInput?: string
}

/** An input for a voice: the list of the service, free text for any id, a *Listen* button and a description. */
export function voiceField({
  input: selector,
  service,
  serviceInput = '',
  modelId,
  languageInput = '',
}: VoiceFieldOptions): void {
  const input = $(selector)
  const voiceId = () => String(input.val()).trim()
  const language = () => String($(languageInput).val() ?? '').trim()
  const note = fieldNote(input)
  const showStatus = (words: string, isProblem = false, detail = '') => {
    showWithDetail(note, words, detail).toggleClass('parlando-problem', isProblem)
  }

  const row = choiceField({
    input,
    groupLabel: text('row.language'),
    load: async () => voiceChoices(await listVoices(service())),
  })
  const more = modelLink('voice', service, () => void describe())
  row.after(note, more.element)

  let asking = 0
  /** Shows the description of the selected voice, or why there is none. */
  const describe = async () => {
    asking += 1
    const mine = asking
    more.update()
    const chosen = voiceId()
    const { location, baseUrl } = service() ?? {}
    // The form is incomplete, and the address field already shows that.
    if (location === 'hosted' && !baseUrl) return showStatus('')
    let words = ''
    let detail = ''
    try {
      const voices = await listVoices(service())
      const voice = voices.find((voice) => voice.voiceId === chosen)
      if (voices.length === 0) words = text('empty-list')
      else if (!chosen) words = defaultNote(voices, language())
      else if (voice) words = summary(voiceChoice(voice))
      else words = text('unknown-voice')
      // The description of a voice that cannot speak is the reason.
      if (!voice?.unavailableReason) {
        words = [words, ...(await listVoiceProblems(service()))].filter(Boolean).join(' · ')
      }
    } catch (error) {
      words = text('no-list')
      detail = (error as Error).message
    }
    if (mine === asking) showStatus(words, detail !== '', detail)
  }
  const onProblem = (problem: string) => (problem ? showStatus(problem, true) : void describe())
  row.append(listenButton({ service, voiceId, modelId, language, onProblem }))
  for (const field of [input, $(serviceInput), $(languageInput)]) field.on('change', describe)
  void describe()
}

/** Which voice speaks where none is chosen, and why another one of its language does not. */
function defaultNote(voices: readonly Voice[], language?: string): string {
  const voice = defaultVoice(voices, language)
  if (!voice) return ''
  const passedOver = voices.find(
    ({ notDefaultReason, langCode }) => notDefaultReason && langCode === voice.langCode,
  )
  const reason = passedOver && `${passedOver.displayName}: ${passedOver.notDefaultReason}`
  // The description is in the list.
  const choice = { ...voiceChoice(voice), note: voice.unavailableReason ?? '' }
  const words = text('without-choice', { voice: summary(choice) })
  return [words, reason].filter(Boolean).join(' · ')
}

function summary({ label, group, badge, note }: ReturnType<typeof voiceChoice>): string {
  return [label, badge, group, note].filter(Boolean).join(' · ')
}
