import { type EncodingFacts, encodings, fitSampleRateHertz } from '@parlando/core/audio'
import { builtInEncoding } from '../shared/built-in.ts'
import { settingOf } from './checks.ts'
import { chosenService, serviceOf } from './service-settings.ts'
import { text } from './texts.ts'

const table: Readonly<Record<string, EncodingFacts>> = encodings

/** The service's select of the encoding for nodes that choose none. */
export function encodingField(selector: string, value: string): void {
  const select = $(selector).append(Object.keys(table).map(toOption))
  select.val(value)
}

interface SpeechSettings {
  id: string
  service: string
  encoding: string
  sampleRate: string | number
}

/** The encoding of a node that speaks, whose empty choice is the service's, and the sample rates that it can carry. */
export function speechEncodingFields(node: SpeechSettings): void {
  const encoding = $('#node-input-encoding').append('<option value=""></option>')
  const rate = $('#node-input-sampleRate')
  encoding.append(Object.keys(table).map(toOption)).val(node.encoding)
  let wanted = Number(node.sampleRate)

  const show = () => {
    const ofService = chosenService()?.encoding ?? builtInEncoding
    encoding.children('[value=""]').text(text('as-service', { value: ofService }))
    const rates = ratesOf(String(encoding.val() || ofService))
    rate.empty().append(rates.map((hertz) => new Option(`${hertz} Hz`, String(hertz))))
    const fitting = fitSampleRateHertz(rates, wanted)
    rate.val(String(fitting)).trigger('change')
  }
  rate.on('input', () => {
    wanted = Number(rate.val())
  })
  encoding.on('change', show)
  $('#node-input-service').on('change', show)
  show()
}

/** The encoding that a node speaks in: its own, or its service's. */
export function encodingOf(node: SpeechSettings): string {
  const own = String(settingOf(node, 'encoding') || '')
  return own || serviceOf(String(settingOf(node, 'service')))?.encoding || builtInEncoding
}

/** @returns whether the encoding can carry this rate, or words that say which it can. */
export function checkSampleRate(encoding: string, rate: string | number): true | string {
  const rates = ratesOf(encoding)
  return rates.includes(Number(rate)) || text('sample-rate', { encoding, rates: rates.join(', ') })
}

function ratesOf(encoding: string): readonly number[] {
  return (table[encoding] ?? encodings.WAV).sampleRatesHertz
}

function toOption(encoding: string): HTMLOptionElement {
  return new Option(text(`encoding.${encoding}`), encoding)
}
