import type { Voice } from '@parlando/core'
import { voiceSampleLimits } from '@parlando/core/audio'
import { firstCharacters } from '@parlando/core/text'
import { askService } from '../ask-admin.ts'
import { sampleSentence } from '../fields/language-names.ts'
import { playButton } from '../fields/play-button.ts'
import { playSound } from '../fields/play-sound.ts'
import { cloneText, studioText, text } from '../red.ts'
import { studioRateHertz } from './decode-file.ts'
import { button, checkbox, field, readTags, statusLine, textInput } from './elements.ts'
import { download, toBase64 } from './files.ts'
import { maxSpokenCharacters, requireService, type Studio, speak } from './studio-service.ts'
import { useVoice } from './use-voice.ts'
import { wavFile } from './wav-file.ts'

interface CloneSource {
  /** What was probably said; empty: unknown. */
  words: string
  /** A code such as `EN_US`, or `AUTO`. */
  language(): string
  /** The part of the recording that is chosen. */
  recording(): Int16Array
}

/** What Node-RED returns for a clone. */
interface MadeClone {
  voice: Voice
  remarks: { code?: string; text: string }[]
}

const { maxSeconds } = voiceSampleLimits

/** The name and the options of a clone, and the clone itself once it is made. */
export class CloneForm {
  readonly element = $('<form class="parlando-studio-form"></form>')
  readonly #studio: Studio
  readonly #source: CloneSource
  readonly #name = textInput().val(studioText('clone.name'))
  readonly #tags = textInput().attr('placeholder', studioText('clone.tags-example'))
  readonly #words = $('<textarea rows="3"></textarea>')
  readonly #denoise = checkbox(cloneText('label.removeBackgroundNoise'))
  readonly #keep = checkbox(cloneText('label.keepRecording'))
  readonly #status = statusLine()
  readonly #result = $('<div></div>')

  constructor(studio: Studio, source: CloneSource) {
    this.#studio = studio
    this.#source = source
    const more = $('<details class="parlando-studio-more"></details>').append(
      $('<summary></summary>').text(text('more')),
      field(studioText('clone.words'), this.#words.val(source.words)),
      this.#denoise.element,
      this.#keep.element,
      $('<div class="form-tips"></div>').text(cloneText('keep-tip')),
    )
    const make = $('<button type="submit" class="red-ui-button primary"></button>')
    make.text(studioText('clone.make'))
    const buttons = $('<div class="parlando-studio-buttons"></div>').append(
      make,
      button(studioText('record.save'), 'fa-download', () => this.#save()),
    )
    this.element.append(
      field(text('row.name'), this.#name),
      field(studioText('clone.tags'), this.#tags),
      more,
      $('<p class="parlando-studio-note"></p>').text(studioText('clone.consent')),
      buttons,
      this.#status.element,
      this.#result,
    )
    this.element.on('submit', (event) => {
      event.preventDefault()
      void this.#make(make)
    })
  }

  get #displayName(): string {
    return String(this.#name.val()).trim() || studioText('clone.name')
  }

  async #make(submit: JQuery<HTMLElement>): Promise<void> {
    submit.prop('disabled', true)
    this.#result.empty()
    this.#status.show(studioText('clone.making'))
    // Services use no more, and Node-RED accepts requests of up to 5 MB.
    const used = this.#source.recording().subarray(0, maxSeconds * studioRateHertz)
    const file = wavFile(used, studioRateHertz)
    const words = String(this.#words.val()).trim()
    const keepRecording = this.#keep.isChecked()
    try {
      const made = await askService<MadeClone>('studio/clone', {
        service: requireService(this.#studio),
        recording: await toBase64(file),
        displayName: this.#displayName,
        langCode: this.#source.language(),
        tags: readTags(this.#tags),
        removeBackgroundNoise: this.#denoise.isChecked(),
        keepRecording,
        // Models that speak like a recording need to know its words.
        ...(keepRecording && { transcription: words }),
      })
      this.#studio.onVoicesChange()
      this.#showClone(made, file, words)
    } catch (error) {
      this.#status.show(studioText('clone.failed'), {
        isProblem: true,
        detail: (error as Error).message,
      })
    }
    submit.prop('disabled', false)
  }

  #showClone({ voice, remarks }: MadeClone, file: Uint8Array<ArrayBuffer>, words: string): void {
    const name = voice.displayName || voice.voiceId
    this.#status.show(studioText('clone.made', { name }))
    const original = URL.createObjectURL(new Blob([file], { type: 'audio/wav' }))
    this.#result.on('remove', () => URL.revokeObjectURL(original))
    const sentence = words || sampleSentence(voice.langCode)
    const spoken = firstCharacters(sentence, maxSpokenCharacters)
    const onProblem = (detail: string) =>
      this.#status.show(detail || studioText('clone.made', { name }), { isProblem: detail !== '' })
    const both = playButton({
      label: studioText('clone.hear-both'),
      onProblem,
      play: async (signal, onSound) => {
        onSound()
        const request = { text: spoken, voiceId: voice.voiceId }
        const [clone] = await Promise.all([
          speak(this.#studio, request, signal),
          playSound(original, signal),
        ])
        signal.throwIfAborted()
        await playSound(clone, signal)
      },
    })
    const list = remarks.map(({ code, text: words }) =>
      $('<li></li>').append(remarkElement(code, words)),
    )
    this.#result.empty().append(
      $('<ul class="parlando-studio-remarks"></ul>').append(list),
      $('<div class="parlando-studio-buttons"></div>').append(
        both,
        button(studioText('own.use'), 'fa-check', () => useVoice(this.#studio, voice)),
      ),
    )
    both.trigger('focus')
  }

  #save(): void {
    const file = wavFile(this.#source.recording(), studioRateHertz)
    download(new Blob([file], { type: 'audio/wav' }), `${this.#displayName}.wav`)
  }
}

/** What the studio itself does not say, the service says in English. */
function remarkElement(code: string | undefined, words: string): JQuery<HTMLElement> {
  const known = ['too-short', 'too-long', 'clipped', 'noisy'].find((each) => each === code)
  if (known) return $('<span></span>').text(studioText(`advice.${known}`))
  return $('<span lang="en"></span>').text(words)
}
