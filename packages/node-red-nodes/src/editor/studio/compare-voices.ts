import { choiceField } from '../fields/choice-field.ts'
import { sampleSentence } from '../fields/language-names.ts'
import { playButton } from '../fields/play-button.ts'
import { playSound } from '../fields/play-sound.ts'
import { listVoices, voiceChoices } from '../fields/voice-choices.ts'
import { RED, studioText, text } from '../red.ts'
import { field, section, statusLine, textInput } from './elements.ts'
import { maxSpokenCharacters, type Studio, speak } from './studio-service.ts'

const maxSounds = 4

/** Two voices that say the same sentence. */
export class CompareVoices {
  readonly element: JQuery<HTMLElement>
  readonly #studio: Studio
  readonly #body: JQuery<HTMLElement>
  readonly #status = statusLine()
  readonly #sentence = $('<textarea rows="2"></textarea>')
  /** The last sounds, by service, sentence and voice. */
  readonly #made = new Map<string, string>()

  constructor(studio: Studio) {
    this.#studio = studio
    const { element, body } = section(studioText('compare.title'), false)
    this.element = element
    this.#body = body
    this.#sentence.attr('maxlength', maxSpokenCharacters).val(sampleSentence(RED.i18n.lang()))
  }

  /** Called when the element is in the page. */
  open(): void {
    const voices = ['A', 'B'].map((letter) => this.#voiceField(letter))
    const both = this.#playButton(studioText('compare.both'), voices)
    this.#body.append(
      field(text('row.text'), this.#sentence),
      ...voices.map(({ element }) => element),
      $('<div class="parlando-studio-buttons"></div>').append(both),
      this.#status.element,
    )
  }

  #voiceField(letter: string) {
    const input = textInput()
    const element = field(studioText('compare.voice', { letter }), input)
    const load = async () => voiceChoices(await listVoices(this.#studio.service()))
    const row = choiceField({ input, load, groupLabel: text('row.language') })
    const voice = { element, voiceId: () => String(input.val()).trim() }
    const play = this.#playButton(text('listen'), [voice])
    row.append(play.attr('aria-label', `${text('listen')}: ${letter}`))
    return voice
  }

  #playButton(label: string, voices: readonly { voiceId(): string }[]): JQuery<HTMLElement> {
    return playButton({
      label,
      onProblem: (problem) => this.#status.show(problem, { isProblem: problem !== '' }),
      play: async (signal, onSound) => {
        const ids = voices.map(({ voiceId }) => voiceId())
        if (ids.includes('')) throw new Error(studioText('compare.choose'))
        // Both first, so that no pause is between them.
        const sounds = await Promise.all(ids.map((voiceId) => this.#soundOf(voiceId, signal)))
        onSound()
        for (const sound of sounds) {
          signal.throwIfAborted()
          await playSound(sound, signal)
        }
      },
    })
  }

  async #soundOf(voiceId: string, signal: AbortSignal): Promise<string> {
    const sentence = String(this.#sentence.val()).trim()
    // Service and sentence can change while the sound is on its way.
    const key = JSON.stringify([this.#studio.service(), sentence, voiceId])
    const made = this.#made.get(key)
    if (made) return made
    const sound = await speak(this.#studio, { text: sentence, voiceId }, signal)
    if (this.#made.size >= maxSounds) this.#made.clear()
    this.#made.set(key, sound)
    return sound
  }
}
