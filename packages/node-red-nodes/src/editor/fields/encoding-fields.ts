import { type EncodingFacts, encodings, fitSampleRateHertz } from '@parlando/core/audio'
import { defaultEncoding } from '../../runtime/service-defaults.ts'
import { text } from '../red.ts'
import { chosenService } from '../service-settings.ts'

const table: Readonly<Record<string, EncodingFacts>> = encodings

/** The select of the service for the default encoding. */
export function encodingField(selector: string, value: string): void {
  const select = $(selector).append(Object.keys(table).map(toOption))
  select.val(value)
}

interface SpeechSettings {
  encoding: string
  sampleRate?: string | number
}

/** The encoding of a *speak* node (empty: the service's), and the sample rates that the encoding supports. */
export function speechEncodingFields(node: SpeechSettings): void {
  const encoding = $('#node-input-encoding').append('<option value=""></option>')
  const rate = $('#node-input-sampleRate')
  encoding.append(Object.keys(table).map(toOption)).val(node.encoding)
  let wanted = Number(node.sampleRate)
  /** The encoding of the service may not support the saved rate now. It stays until the user chooses something else. */
  let isSaved = true

  const show = () => {
    const ofService = chosenService()?.encoding ?? defaultEncoding
    encoding.children('[value=""]').text(text('as-service', { value: ofService }))
    const rates = ratesOf(String(encoding.val() || ofService))
    const fitting = fitSampleRateHertz(rates, wanted)
    const savedAs = (hertz: number) =>
      String(isSaved && hertz === fitting ? (node.sampleRate ?? hertz) : hertz)
    rate.empty().append(rates.map((hertz) => new Option(`${hertz} Hz`, savedAs(hertz))))
    rate.val(savedAs(fitting)).trigger('change')
  }
  encoding.on('input', () => {
    isSaved = false
  })
  rate.on('input', () => {
    wanted = Number(rate.val())
    isSaved = false
    show()
  })
  encoding.on('change', show)
  $('#node-input-service').on('change', show)
  show()
}

function ratesOf(encoding: string): readonly number[] {
  return (table[encoding] ?? encodings.WAV).sampleRatesHertz
}

function toOption(encoding: string): HTMLOptionElement {
  return new Option(text(`encoding.${encoding}`), encoding)
}
