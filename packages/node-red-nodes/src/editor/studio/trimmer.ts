import { voiceSampleLimits } from '@parlando/core/audio'
import RegionsPlugin from 'wavesurfer.js/plugins/regions'
import { playButton } from '../fields/play-button.ts'
import { studioText } from '../red.ts'
import { studioRateHertz } from './decode-file.ts'
import { field, secondsText } from './elements.ts'
import { measureRecording, peaksOf, type Span, spanOfSpeech } from './measure-recording.ts'
import { describeRecording } from './recording-advice.ts'
import { wavFile } from './wav-file.ts'
import { drawWaveform, playWaveform } from './waveform.ts'

const heightPixels = 72
/** Enough for the widest sidebar. */
const drawnParts = 800

/** A recording of which the user chooses a part, with the mouse or by numbers. */
export class Trimmer {
  readonly element = $('<div class="parlando-studio-trimmer"></div>')
  readonly #samples: Int16Array
  readonly #seconds: number
  readonly #url: string
  readonly #drawing = $('<div class="parlando-studio-waveform" role="img"></div>')
  readonly #start = secondsInput()
  readonly #end = secondsInput()
  readonly #note = $('<div class="parlando-studio-note" role="status"></div>')
  readonly #problem = $('<div class="parlando-problem" role="alert"></div>')
  #span: Span
  #close = () => {}

  constructor(samples: Int16Array) {
    this.#samples = samples
    this.#seconds = samples.length / studioRateHertz
    this.#span = spanOfSpeech(samples, studioRateHertz, voiceSampleLimits.maxSeconds)
    const file = new Blob([wavFile(samples, studioRateHertz)], { type: 'audio/wav' })
    this.#url = URL.createObjectURL(file)
  }

  /** Shows it. The element must be in the page, since the waveform is as wide as its place. */
  open(): void {
    const label = studioText('record.waveform', { seconds: secondsText(this.#seconds) })
    this.#drawing.attr('aria-label', label)
    const fields = $('<div class="parlando-studio-row"></div>').append(
      field(studioText('record.start'), this.#start),
      field(studioText('record.end'), this.#end),
    )
    this.element.append(this.#drawing, fields, this.#note, this.#problem)
    const regions = RegionsPlugin.create()
    const drawn = drawWaveform(this.#drawing[0]!, {
      url: this.#url,
      peaks: peaksOf(this.#samples, drawnParts),
      seconds: this.#seconds,
      height: heightPixels,
    })
    drawn.registerPlugin(regions)
    const color = getComputedStyle(this.#drawing[0]!).getPropertyValue('--parlando-wave-chosen')
    drawn.on('ready', () => {
      const region = regions.addRegion({ ...this.#span, color: color.trim(), minLength: 0.1 })
      const follow = () => this.#choose({ start: region.start, end: region.end })
      regions.on('region-update', follow)
      regions.on('region-updated', follow)
      $([this.#start[0]!, this.#end[0]!]).on('change', () => {
        this.#choose(this.#typedSpan())
        region.setOptions(this.#span)
      })
    })
    this.#close = () => drawn.destroy()
    const play = playButton({
      label: studioText('record.play'),
      onProblem: (problem) => void this.#problem.text(problem),
      play(signal, onSound) {
        onSound()
        return playWaveform(drawn, signal, span())
      },
    })
    const span = () => this.#span
    fields.append(play)
    this.#choose(this.#span)
  }

  /** The chosen part. */
  get selection(): Int16Array {
    const { start, end } = this.#span
    const at = (seconds: number) => Math.round(seconds * studioRateHertz)
    return this.#samples.slice(at(start), at(end))
  }

  close(): void {
    this.#close()
    URL.revokeObjectURL(this.#url)
    this.element.remove()
  }

  #typedSpan(): Span {
    const typed = (input: JQuery<HTMLElement>, otherwise: number) => {
      const value = Number(input.val())
      return String(input.val()).trim() !== '' && Number.isFinite(value) ? value : otherwise
    }
    const start = Math.max(0, Math.min(typed(this.#start, 0), this.#seconds - 0.1))
    const end = Math.min(this.#seconds, typed(this.#end, this.#seconds))
    return { start, end: Math.max(end, start + 0.1) }
  }

  #choose(span: Span): void {
    this.#span = span
    this.#start.val(span.start.toFixed(1))
    this.#end.val(span.end.toFixed(1))
    const facts = measureRecording(this.selection, studioRateHertz)
    describeRecording(this.#note, facts)
  }
}

function secondsInput(): JQuery<HTMLElement> {
  return $('<input type="number" min="0" step="0.1">')
}
