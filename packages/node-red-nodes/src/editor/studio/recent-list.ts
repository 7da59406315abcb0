import { type RecentText, recentSpeechTopic } from '../../studio-server/recent-text.ts'
import { askAdmin } from '../ask-admin.ts'
import { playButton } from '../fields/play-button.ts'
import { RED, studioText, text } from '../red.ts'
import { button, secondsText, section, statusLine } from './elements.ts'
import { drawWaveform, playWaveform } from './waveform.ts'

const heightPixels = 40
/** Sentences of a response are spoken in quick succession. */
const collectMs = 300

/** What all services have spoken lately, with its sound. */
export class RecentList {
  readonly element: JQuery<HTMLElement>
  readonly #status = statusLine()
  readonly #list = $('<ul class="parlando-studio-list"></ul>')
  readonly #items = new Map<string, JQuery<HTMLElement>>()
  #timer: number | undefined

  constructor() {
    const { element, body } = section(studioText('recent.title'), false)
    this.element = element
    const clear = button(studioText('recent.clear'), 'fa-trash-o', () => {
      void this.#showResponse('studio/recent/clear')
    })
    body.append(
      this.#status.element,
      this.#list,
      $('<div class="parlando-studio-buttons"></div>').append(clear),
    )
    element.on('toggle', () => void this.#load())
    RED.comms.subscribe(recentSpeechTopic, () => {
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => void this.#load(), collectMs)
    })
  }

  async #load(): Promise<void> {
    if (this.element.prop('open')) await this.#showResponse('studio/recent')
  }

  /** Both requests have the list as their response. */
  async #showResponse(path: 'studio/recent' | 'studio/recent/clear'): Promise<void> {
    try {
      this.#show((await askAdmin<{ texts: RecentText[] }>(path, {})).texts)
    } catch (error) {
      this.#status.show((error as Error).message, { isProblem: true })
    }
  }

  /** Items that are shown already stay, since one may be playing. */
  #show(texts: readonly RecentText[]): void {
    const known = new Map(this.#items)
    this.#items.clear()
    for (const recent of texts) {
      this.#items.set(recent.id, known.get(recent.id) ?? itemOf(recent))
      known.delete(recent.id)
    }
    for (const gone of known.values()) gone.remove()
    this.#list.prepend([...this.#items.values()].filter((item) => !item[0]!.isConnected))
    this.#status.show(texts.length === 0 ? studioText('recent.none') : '')
  }
}

function itemOf(recent: RecentText): JQuery<HTMLElement> {
  const drawing = $('<div class="parlando-studio-waveform" aria-hidden="true"></div>').hide()
  const problem = $('<div class="parlando-problem" role="alert"></div>')
  const time = new Intl.DateTimeFormat(RED.i18n.lang(), { timeStyle: 'medium' })
  const service = recent.service || text('config-node.service.empty')
  const about = [time.format(recent.atMs), recent.voiceId, service].join(' · ')
  const item = $('<li></li>').append(
    $('<small></small>').text(about),
    $('<div class="parlando-studio-text"></div>').text(recent.text),
    $('<small></small>').text(figuresOf(recent)),
    drawing,
    problem,
  )
  if (!recent.hasSound) return item
  let drawn: ReturnType<typeof drawWaveform> | undefined
  const play = playButton({
    label: text('listen'),
    onProblem: (reason) => void problem.text(reason),
    async play(signal, onSound) {
      if (!drawn) {
        drawing.show()
        const sound = await askAdmin<{ audio: string; mediaType: string }>(
          'studio/recent/sound',
          { id: recent.id },
          signal,
        )
        const url = `data:${sound.mediaType};base64,${sound.audio}`
        drawn = await readyWaveform(drawing[0]!, url)
      }
      onSound()
      await playWaveform(drawn, signal)
    },
  })
  item.on('remove', () => drawn?.destroy())
  play.attr('aria-label', `${text('listen')}: ${recent.text.slice(0, 80)}`)
  return item.append($('<div class="parlando-studio-buttons"></div>').append(play))
}

function readyWaveform(container: HTMLElement, url: string) {
  const drawn = drawWaveform(container, { url, height: heightPixels })
  return new Promise<typeof drawn>((resolve, reject) => {
    drawn.on('ready', () => resolve(drawn))
    drawn.on('error', () => {
      // The next attempt draws another one.
      drawn.destroy()
      reject(new Error(text('not-playable')))
    })
  })
}

/** Times and cost. */
function figuresOf(recent: RecentText): string {
  const { seconds, firstAudioMs, sentences, charactersCharged = 0, isKept, isComplete } = recent
  const parts = [
    seconds !== undefined && studioText('recent.length', { seconds: secondsText(seconds) }),
    firstAudioMs !== undefined &&
      !isKept &&
      studioText('recent.first-audio', { seconds: secondsText(firstAudioMs / 1000) }),
    isKept && studioText('recent.kept'),
    sentences !== undefined && studioText('recent.sentences', { count: sentences }),
    charactersCharged > 0 && studioText('recent.charged', { count: charactersCharged }),
    !isComplete && studioText('recent.stopped'),
  ]
  return parts.filter(Boolean).join(' · ')
}
