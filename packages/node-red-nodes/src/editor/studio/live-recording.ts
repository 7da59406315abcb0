import { voiceSampleLimits } from '@parlando/core/audio'
import { openRecorder, type PageRecorder, problemOf } from '../../pages/recorder.ts'
import { studioText } from '../red.ts'
import { studioRateHertz } from './decode-file.ts'
import { secondsText } from './elements.ts'
import { flawsOf, RecordingMeter } from './measure-recording.ts'

/** Nobody reads the text for this long; the service uses 15 s. */
const maxSeconds = 60
const worklet = 'resources/@parlando/node-red/microphone-worklet.js'
/** The quietest level that the meter shows. */
const lowestShownDb = -60
/** An advice that comes and goes could not be read. */
const adviceEveryMs = 1000

/** A recording while it is made: a meter, its length, and what could be better. */
export class LiveRecording {
  readonly element = $('<div class="parlando-studio-live"></div>')
  readonly #meter = $('<div class="parlando-studio-meter" role="meter"><div></div></div>')
  readonly #time = $('<progress class="parlando-studio-length"></progress>')
  readonly #length = $('<span class="parlando-studio-seconds"></span>')
  readonly #advice = $('<div class="parlando-studio-status" role="status"></div>')
  readonly #measured = new RecordingMeter(studioRateHertz)
  readonly #packets: Int16Array[] = []
  readonly #onEnd: () => void
  #recorder: PageRecorder | undefined
  #hasEnded = false
  #advisedAt = 0

  /** @param onEnd called when the recording has ended by itself: it is too long, or the microphone is gone. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.#meter.attr({
      'aria-label': studioText('record.level'),
      'aria-valuemin': lowestShownDb,
      'aria-valuemax': 0,
    })
    this.#time.attr({
      'aria-label': studioText('record.length'),
      max: voiceSampleLimits.maxSeconds,
    })
    const length = $('<div class="parlando-studio-row"></div>').append(this.#time, this.#length)
    this.element.append(this.#meter, length, this.#advice)
  }

  /** Opens the microphone. Call it in the handler of a click. @throws an Error with a message for the user. */
  async start(): Promise<void> {
    // Browsers have it only on pages with https, and on the machine itself.
    if (!navigator.mediaDevices) throw new Error(studioText('mic.insecure'))
    try {
      this.#recorder = await openRecorder({
        worklet: new URL(worklet, document.baseURI).href,
        sampleRateHertz: studioRateHertz,
        // What the browser removes would be missing in the voice.
        isUnprocessed: true,
        onPacket: (packet) => this.#take(packet),
        onMuted: (isMuted) => this.#advise(isMuted ? 'silent' : ''),
        onLost: this.#onEnd,
      })
      // It was stopped while the browser asked the user.
      if (this.#hasEnded) this.#recorder.close()
    } catch (error) {
      throw new Error(studioText(`mic.${problemOf(error)}`))
    }
  }

  /** Closes the microphone. @returns what was recorded. */
  stop(): Int16Array {
    this.#hasEnded = true
    this.#recorder?.close()
    this.element.remove()
    const samples = new Int16Array(this.#packets.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const packet of this.#packets) {
      samples.set(packet, at)
      at += packet.length
    }
    return samples
  }

  #take(packet: Int16Array): void {
    const levelDb = this.#measured.push(packet)
    this.#packets.push(packet)
    const { facts } = this.#measured
    this.#showLevel(levelDb, facts.clippedShare > 0)
    this.#time.attr('value', Math.min(facts.seconds, voiceSampleLimits.maxSeconds))
    this.#length.text(secondsText(facts.seconds))
    if (performance.now() - this.#advisedAt > adviceEveryMs) {
      this.#advisedAt = performance.now()
      const isEnough = facts.seconds >= voiceSampleLimits.minSeconds
      this.#advise(flawsOf(facts, false)[0] ?? (isEnough ? 'enough' : 'speak'))
    }
    if (facts.seconds >= maxSeconds) this.#onEnd()
  }

  #showLevel(levelDb: number, isClipped: boolean): void {
    const share = Math.max(0, 1 - levelDb / lowestShownDb)
    this.#meter.attr('aria-valuenow', Math.round(Math.max(levelDb, lowestShownDb)))
    this.#meter.toggleClass('parlando-studio-clipped', isClipped)
    this.#meter.children().css('width', `${100 * share}%`)
  }

  #advise(advice: string): void {
    const words = advice && studioText(`advice.${advice}`)
    // The same text again would be read out again.
    if (this.#advice.text() !== words) this.#advice.text(words)
    this.#advice.toggleClass('parlando-problem', !['', 'speak', 'enough'].includes(advice))
  }
}
